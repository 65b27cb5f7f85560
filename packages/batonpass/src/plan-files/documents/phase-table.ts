import type { DocumentLine } from './document-lines.ts';
import { readHeading } from './markdown-line.ts';
import { isDelimiterRow, readRow, type TableCell } from './table-row.ts';

/** A row of the table of phases. */
export interface PhaseRow {
  /** Index of its line. */
  line: number;
  name: string;
  /** As written; it may be no status at all. */
  status: string;
  status_cell: TableCell;
  tasks_cell?: TableCell;
  completed_cell?: TableCell;
}

/** The table below `## Phase Progress`. */
export interface PhaseTable {
  /** Index of its head. */
  line: number;
  /** The line after its last row. */
  end: number;
  rows: PhaseRow[];
  /** The texts of its head, in lower case. */
  columns: string[];
  /** Whether the row of dashes is below its head. */
  is_ruled: boolean;
  /** Its fault, as the end of a sentence. */
  fault?: string;
}

/**
 * Finds the table of phases: the first sound one below its heading, or else one with a fault there, or else the first with
 * columns Phase and Status.
 */
export function readPhaseTable(lines: readonly DocumentLine[]): PhaseTable | undefined {
  let isBelowHeading = false;
  let faulty: PhaseTable | undefined;
  let other: PhaseTable | undefined;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index];
    if (line === undefined || !line.is_structure) continue;
    const heading = readHeading(line.text);
    if (heading !== null) isBelowHeading = /^phase progress(?: table)?$/i.test(heading.text);
    const head = readRow(line.text);
    if (head === null) continue;
    const table = readTable(lines, index, head);
    if (isBelowHeading && table.fault === undefined) return table;
    if (isBelowHeading) faulty ??= table;
    else if (table.fault === undefined) other ??= table;
    index = table.end - 1;
  }
  return faulty ?? other;
}

function readTable(lines: readonly DocumentLine[], line: number, head: readonly TableCell[]): PhaseTable {
  const columns = new Map(head.map(({ text }, index) => [text.toLowerCase(), index]));
  const rows: PhaseRow[] = [];
  const below = lines[line + 1];
  const isRuled = below?.is_structure === true && isDelimiterRow(readRow(below.text) ?? []);
  let end = line + (isRuled ? 2 : 1);
  for (; end < lines.length; end += 1) {
    const next = lines[end];
    const cells = next?.is_structure === true ? readRow(next.text) : null;
    if (cells === null) break;
    const row = toRow(cells, columns, end);
    if (row !== null) rows.push(row);
  }
  const fault = faultOf(columns, isRuled, rows);
  return { line, end, rows, columns: [...columns.keys()], is_ruled: isRuled, ...(fault !== undefined && { fault }) };
}

function toRow(cells: readonly TableCell[], columns: ReadonlyMap<string, number>, line: number): PhaseRow | null {
  const cell = (name: string) => cells[columns.get(name) ?? -1];
  const name = cell('phase')?.text ?? '';
  const status_cell = cell('status');
  if (name === '' || status_cell === undefined) return null;
  const tasks_cell = cell('tasks');
  const completed_cell = cell('completed');
  return {
    line,
    name,
    status: status_cell.text,
    status_cell,
    ...(tasks_cell && { tasks_cell }),
    ...(completed_cell && { completed_cell }),
  };
}

function faultOf(
  columns: ReadonlyMap<string, number>,
  isRuled: boolean,
  rows: readonly PhaseRow[],
): string | undefined {
  if (!columns.has('phase') || !columns.has('status')) return 'lacks the columns Phase and Status';
  if (!isRuled) return 'lacks the row of dashes below its head';
  if (rows.length === 0) return 'has no rows';
  const seen = new Set<string>();
  const twice = rows.map(({ name }) => name.toLowerCase()).find((name) => seen.size === seen.add(name).size);
  return twice === undefined ? undefined : `names the phase ${twice} twice`;
}
