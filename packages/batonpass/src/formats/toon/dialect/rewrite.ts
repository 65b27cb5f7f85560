import { formatHeader, type Header, isPlaceholder, parseHeader } from './header.ts';
import { missing, noteComments, noteCount, type OpenList, type Rewriting, refuse, writeHeader } from './rewriting.ts';
import type { SourceLine } from './source-lines.ts';
import { quote } from './strict-text.ts';
import { findUnquoted, splitUnquoted, trimSpaces } from './unquoted.ts';

/**
 * Writes a message of the dialect in the strict form, as far as its meaning is clear.
 *
 * @throws ParseError at the first line whose meaning is not.
 */
export function rewriteMessage(rewriting: Rewriting): void {
  const first = rewriting.cursor.peek();
  if (first === undefined) return;
  if (first.indent > 0) rewriting.repairs.add(first.number, `the message is indented by ${first.indent} columns`);
  readMembers(rewriting, first.indent, 0);
}

/** Reads members at one indent until a line further left. */
function readMembers(rewriting: Rewriting, indent: number, depth: number): void {
  const { cursor } = rewriting;
  for (let line = cursor.peek(); line !== undefined && line.indent >= indent; line = cursor.peek()) {
    if (line.indent > indent) throw misplaced(line);
    cursor.advance();
    readMember(rewriting, line, depth);
  }
}

function misplaced(line: SourceLine): Error {
  return refuse(
    line,
    'it is indented further than anything it could belong to.',
    'Indent by two columns below the member that holds it; put a text of several lines into double quotes, with \\n.',
  );
}

function readMember(rewriting: Rewriting, line: SourceLine, depth: number): void {
  const header = parseHeader(line.content);
  if (header === undefined) readNamed(rewriting, line, depth);
  else readList(rewriting, { header, line, indent: line.indent, depth });
}

/** A name with a value after its colon, or with the lines below it. */
function readNamed(rewriting: Rewriting, line: SourceLine, depth: number): void {
  if (isEntry(line)) throw refuse(line, 'an entry without the header of its list.', 'Write the header: name[count]:');
  const colon = findColon(line.content);
  if (colon === -1) throw refuse(line, whatItIs(line.content), 'Write members as "name: value".');
  const value = trimSpaces(line.content.slice(colon + 1));
  if (value === '') readNested(rewriting, line, depth);
  else if (/^\|[-+]?$/.test(value)) readBlock(rewriting, line, depth);
  else rewriting.strict.write(depth, line.content, line.number);
}

function findColon(content: string): number {
  const quoted = /^"(?:[^"\\]|\\.)*" *(?=:)/.exec(content)?.[0];
  return quoted === undefined ? findUnquoted(content, ':') : quoted.length;
}

function whatItIs(content: string): string {
  if (isPlaceholder(content)) return `"${content}" is a template placeholder, not a member.`;
  if (content === '---') return '"---" between members; these look like two messages.';
  return 'it is not a member, a row or an entry.';
}

/** An object, or a list whose header has no count. */
function readNested(rewriting: Rewriting, line: SourceLine, depth: number): void {
  const { cursor, strict } = rewriting;
  const next = cursor.peek();
  if (next !== undefined && isEntry(next) && next.indent >= line.indent) {
    const name = line.content.slice(0, findColon(line.content));
    const header: Header = { name: trimSpaces(name), count: '', keyed: false, delimiter: ',', cells: 1, rest: '' };
    readList(rewriting, { header, line, indent: line.indent, depth });
    return;
  }
  strict.write(depth, line.content, line.number);
  if (next === undefined || next.indent <= line.indent) return;
  noteIndent(rewriting, next, line.indent);
  readMembers(rewriting, next.indent, depth + 1);
}

function noteIndent({ repairs }: Rewriting, line: SourceLine, outer: number): void {
  const columns = line.indent - outer;
  if (columns !== 2) repairs.add(line.number, `indented by ${columns} columns instead of 2`);
}

/** The text below `name: |`, without the indent of its lines and without a line end at its end. */
function readBlock(rewriting: Rewriting, line: SourceLine, depth: number): void {
  const { cursor, strict, repairs } = rewriting;
  const block = cursor.takeBlock(line);
  if (block.length === 0) {
    strict.write(depth, line.content, line.number);
    return;
  }
  const left = Math.min(...block.filter(({ content }) => content !== '').map(({ indent }) => indent));
  const lines = block.map(({ indent, content }) => (content === '' ? '' : ' '.repeat(indent - left) + content));
  const name = line.content.slice(0, findColon(line.content) + 1);
  repairs.add(line.number, `read the ${lines.length} lines below "|" as one text`);
  strict.write(depth, `${name} ${quote(lines.join('\n'))}`, line.number);
}

function readList(rewriting: Rewriting, list: OpenList): void {
  const { rest, fields, keyed } = list.header;
  if (rest !== '') readInline(rewriting, list);
  else if (fields !== undefined || keyed) readTable(rewriting, list);
  else readEntryList(rewriting, list);
}

function readEntryList(rewriting: Rewriting, list: OpenList): void {
  const { cursor } = rewriting;
  const { indent, depth } = list;
  const next = cursor.peek();
  const entries = next !== undefined && next.indent >= indent ? entriesFrom(rewriting, next.indent) : [];
  const names = ['entry', 'entries'] as const;
  if (entries.length === 0 && next !== undefined && next.indent > indent) throw missing(list, names);
  writeHeader(rewriting, list, { found: entries.map(({ line }) => line), names });
  readEntries(rewriting, entries, depth + 1);
  const looksLikeEntry = (text: string) => text.startsWith('- ');
  noteComments(rewriting, list, { last: entries.at(-1)?.line, looksLikeEntry });
}

function entriesFrom({ cursor }: Rewriting, indent: number): ListEntry[] {
  const lines = cursor.lookAhead((line) => line.indent > indent || (line.indent === indent && isEntry(line)));
  return findEntries(lines, indent);
}

function readEntries(rewriting: Rewriting, entries: readonly ListEntry[], depth: number): void {
  const { cursor, strict, repairs } = rewriting;
  const texts = areTexts(entries);
  const flat = texts ? undefined : findFlatMembers(entries);
  for (const [index, entry] of entries.entries()) {
    const { line, content, hasMore } = entry;
    cursor.advance();
    const members = flat?.[index];
    if (members !== undefined) {
      repairs.add(line.number, `read ${members.length} members on one line`);
      for (const [place, member] of members.entries()) {
        strict.write(place === 0 ? depth : depth + 1, place === 0 ? `- ${member}` : member, line.number);
      }
    } else if (!hasMore && (texts || content.startsWith('[') || content === '')) {
      readText(rewriting, entry, depth);
    } else {
      readObject(rewriting, entry, depth);
    }
  }
}

/** An entry of one line. What the strict form would take for a member is quoted. */
function readText({ strict, repairs }: Rewriting, { line, content }: ListEntry, depth: number): void {
  const isText = findUnquoted(content, ':') !== -1 && !content.startsWith('[');
  if (isText) repairs.add(line.number, 'read as a text, not as a member');
  strict.write(depth, content === '' ? '-' : `- ${isText ? quote(content) : content}`, line.number);
}

/** An entry that is an object: its first member is next to the hyphen, the others below that. */
function readObject(rewriting: Rewriting, { line, content, indent }: ListEntry, depth: number): void {
  const { cursor, strict } = rewriting;
  const start = strict.length;
  const isOpen = content.endsWith(':');
  if (content !== '') readMember(rewriting, { ...line, content, indent }, depth + 1);
  const next = cursor.peek();
  if (next !== undefined && next.indent > line.indent) {
    if (isOpen && next.indent !== indent) throw misplaced(next);
    readMembers(rewriting, next.indent, depth + 1);
  }
  strict.markEntry(start);
}

/**
 * Reads a list whose values follow the colon.
 *
 * @throws ParseError where fields are named and values follow, or a template has no values yet.
 */
function readInline(rewriting: Rewriting, list: OpenList): void {
  const { header, line, depth } = list;
  if (header.fields !== undefined || header.keyed) {
    throw refuse(line, 'a header with fields has values behind its colon.', 'Put each row on a line of its own.');
  }
  const values = header.rest === '[]' ? [] : splitUnquoted(header.rest, header.delimiter);
  if (values.length === 1 && isPlaceholder(header.rest)) {
    throw refuse(line, `"${header.rest}" is a template placeholder, not a value.`, 'Put the values there.');
  }
  noteCount(rewriting, list, values.length);
  if (/^\d+$/.test(header.count) && values.length > Number(header.count)) {
    const what = `${header.name} declares ${header.count} entries, and ${values.length} are there`;
    rewriting.repairs.lose(line.number, `${what}: put a text that holds a comma into double quotes`);
  }
  const content =
    values.length === 0 ? formatHeader(header, 0) : `${formatHeader(header, values.length)} ${header.rest}`;
  rewriting.strict.write(depth, content, line.number);
}

/** One entry of a list, as its hyphen's line shows it. */
interface ListEntry {
  line: SourceLine;
  /** What follows the hyphen. */
  content: string;
  /** The column at which it begins. */
  indent: number;
  /** Whether lines further right belong to it. */
  hasMore: boolean;
}

/** Whether a line begins an entry. */
function isEntry({ content }: SourceLine): boolean {
  return content === '-' || content.startsWith('- ');
}

/** The entries of one list among lines that are all at its indent or deeper. */
function findEntries(lines: readonly SourceLine[], indent: number): ListEntry[] {
  const starts = lines.flatMap((line, index) => (line.indent === indent ? [index] : []));
  return starts.map((start) => {
    const line = lines[start] as SourceLine;
    const content = line.content.slice(1).trimStart();
    const next = lines[start + 1];
    const hasMore = next !== undefined && next.indent > indent;
    return { line, content, indent: indent + Math.max(line.content.length - content.length, 2), hasMore };
  });
}

/**
 * Whether a list's entries of one line are texts even where they look like members. One entry that can only be a text,
 * as `- Critical Issues: 2`, shows that its neighbours, as `- Coverage: 72%`, are texts too.
 */
function areTexts(entries: readonly ListEntry[]): boolean {
  return entries.some((entry) => !entry.hasMore && isPlain(entry.content));
}

/** Whether an entry is a text or a single value, and no member, list or empty object. */
function isPlain(content: string): boolean {
  return content !== '' && content !== '[]' && !content.startsWith('[') && !isMember(content);
}

/** A member's name is one word, or quoted, and a space or nothing follows its colon. */
function isMember(content: string): boolean {
  return /^(?:[A-Za-z_][\w.-]*|"(?:[^"\\]|\\.)*"):(?: |$)/.test(content) || parseHeader(content) !== undefined;
}

/**
 * The members of entries that are on one line each, as `- rule: S1135, severity: MAJOR`. Only where all of several
 * entries have the same names in the same order: a text can hold a comma and a colon too.
 */
function findFlatMembers(entries: readonly ListEntry[]): string[][] | undefined {
  if (entries.length < 2 || entries.some(({ hasMore }) => hasMore)) return undefined;
  const members = entries.map(({ content }) => splitUnquoted(content, ','));
  const names = members.map((parts) => parts.map((part) => /^([A-Za-z_]\w*): /.exec(part)?.[1]).join(','));
  const [first = []] = members;
  const isFlat = first.length > 1 && !names[0]?.split(',').includes('') && names.every((each) => each === names[0]);
  return isFlat ? members : undefined;
}

/**
 * Reads the rows below a header with fields: further right, or at its indent.
 *
 * @throws ParseError for a row with too few or too many values, for missing rows, and where a row could be a member.
 */
function readTable(rewriting: Rewriting, table: OpenList): void {
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
    if (isRead) repairs.add(row.number, 'values with a colon are not quoted');
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
    throw refuse(next, 'this can be a row of the table above, or a member.', 'Indent the row further than its header.');
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
