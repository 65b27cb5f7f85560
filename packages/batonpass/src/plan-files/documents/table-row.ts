import { cellValue } from './inline-value.ts';

/** One cell of a row: its place between its pipes, and its text. */
export interface TableCell {
  /** First character after the pipe. */
  start: number;
  /** The pipe after it, or the end of the line. */
  stop: number;
  /** Without spaces around it, escapes undone. */
  text: string;
}

/** The cells of a row; null for a line that is none. */
export function readRow(line: string): TableCell[] | null {
  const begin = line.length - line.trimStart().length;
  if (line[begin] !== '|') return null;
  const cells: TableCell[] = [];
  let start = begin + 1;
  for (let at = start; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1;
    else if (line[at] === '|') {
      cells.push(cellOf(line, start, at));
      start = at + 1;
    }
  }
  if (line.slice(start).trim() !== '') cells.push(cellOf(line, start, line.length));
  return cells.length === 0 ? null : cells;
}

/** Whether a row is the one of dashes below a table's head. */
export function isDelimiterRow(cells: readonly TableCell[]): boolean {
  return cells.length > 0 && cells.every(({ text }) => /^:?-+:?$/.test(text));
}

/** A row with other texts in some of its cells; the width of a cell that was padded stays where the text fits into it. */
export function replaceCells(line: string, changes: readonly { cell: TableCell; text: string }[]): string {
  return changes
    .toSorted((a, b) => b.cell.start - a.cell.start)
    .reduce((row, { cell, text }) => {
      const isPadded = row.slice(cell.start, cell.stop).trim().length + 2 < cell.stop - cell.start;
      const width = isPadded ? cell.stop - cell.start : 0;
      const inner = ` ${cellValue(text)} `.padEnd(width);
      return row.slice(0, cell.start) + inner + row.slice(cell.stop);
    }, line);
}

function cellOf(line: string, start: number, stop: number): TableCell {
  const text = line
    .slice(start, stop)
    .trim()
    .replace(/(?<!\\)\\+\|/g, (run) => `${'\\'.repeat((run.length - 2) / 2)}|`);
  return { start, stop, text };
}
