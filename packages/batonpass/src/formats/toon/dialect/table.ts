import { type Header, parseHeader } from './header.ts';
import { noteComments, type OpenList, type Rewriting, refuse, writeHeader } from './rewriting.ts';
import type { SourceLine } from './source-lines.ts';
import { quote } from './strict-text.ts';
import { findUnquoted, splitUnquoted } from './unquoted.ts';

/**
 * Reads the rows below a header with fields: further right, or at its indent.
 *
 * @throws ParseError for a row with too few or too many values, for missing rows, and where a row could be a member.
 */
export function readTable(rewriting: Rewriting, table: OpenList): void {
  const { cursor, strict, repairs } = rewriting;
  const { header, line, indent, depth } = table;
  const first = cursor.peek();
  const isBelow = first !== undefined && first.indent > indent;
  const rows = isBelow
    ? cursor.lookAhead((row) => row.indent === first.indent)
    : cursor.lookAhead((row) => row.indent === indent && isRow(row.content, header));
  assertRows(rewriting, table, rows);
  writeHeader(rewriting, table, { found: rows, names: ['row', 'rows'] });
  const hyphened = rows.length > 0 && rows.every(({ content }) => content.startsWith('- '));
  if (hyphened) repairs.add(line.number, 'left out the hyphens before the rows');
  for (const row of rows) {
    const content = hyphened ? row.content.slice(2) : row.content;
    const values = header.keyed ? [content] : valuesOf({ ...row, content }, header);
    const isRead = !header.keyed && values.some(isBare);
    if (isRead) repairs.add(row.number, 'values with a colon stand without quotes');
    const written = isRead ? values.map((value) => (isBare(value) ? quote(value) : value)) : values;
    strict.write(depth + 1, written.join(header.delimiter), row.number);
    cursor.advance();
  }
  const looksLikeEntry = (text: string) =>
    splitUnquoted(text, header.delimiter).length === header.cells && header.cells > 1;
  noteComments(rewriting, table, { last: rows.at(-1), looksLikeEntry });
}

function assertRows({ cursor }: Rewriting, { header, indent }: OpenList, rows: readonly SourceLine[]): void {
  if (rows.length === 0 || !/^\d+$/.test(header.count) || rows.length >= Number(header.count)) return;
  const [next] = cursor.lookAhead(() => true).slice(rows.length, rows.length + 1);
  if (next?.indent !== indent || header.keyed || header.cells === 1) return;
  if (splitUnquoted(next.content, header.delimiter).length === header.cells) {
    throw refuse(
      next,
      'this can be a row of the table above, or a member.',
      'Put the row further right than its header.',
    );
  }
}

/** At the indent of the header, a row is what cannot be a member: its first value ends before a colon with a space. */
function isRow(content: string, header: Header): boolean {
  if (header.keyed || parseHeader(content) !== undefined) return false;
  const colon = findUnquoted(content, ':');
  if (colon === -1) return true;
  const delimiter = findUnquoted(content, header.delimiter);
  if (delimiter !== -1 && delimiter < colon) return true;
  const isMember = colon === content.length - 1 || content[colon + 1] === ' ';
  return !isMember && splitUnquoted(content, header.delimiter).length === header.cells;
}

/** The values of a row, of which there is one for each field. */
function valuesOf(row: SourceLine, header: Header): string[] {
  const values = splitUnquoted(row.content, header.delimiter);
  if (values.length === header.cells) return values;
  const message = `the row has ${values.length} values, and its header names ${header.cells}.`;
  throw refuse(row, message, 'Give each field a value; put one that holds the delimiter into double quotes.');
}

/** Whether the strict form would take the beginning of a row for a member's name. */
function isBare(value: string): boolean {
  return !value.startsWith('"') && value.includes(':');
}
