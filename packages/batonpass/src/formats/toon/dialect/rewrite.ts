import { areTexts, type Entry, findEntries, findFlatMembers, isEntry } from './entries.ts';
import { type Header, isPlaceholder, parseHeader } from './header.ts';
import { readInline } from './inline.ts';
import { missing, noteComments, type OpenList, type Rewriting, refuse, writeHeader } from './rewriting.ts';
import type { SourceLine } from './source-lines.ts';
import { quote } from './strict-text.ts';
import { readTable } from './table.ts';
import { findUnquoted, trimSpaces } from './unquoted.ts';

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
    'it stands further right than anything it could belong to.',
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
  if (isPlaceholder(content)) return `"${content}" is a place in a template and no member.`;
  if (content === '---') return '"---" between members; these look like two messages.';
  return 'it is no member, no row and no entry.';
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
  const hasEntries = next !== undefined && isEntry(next) && next.indent >= indent;
  const entries = hasEntries ? entriesFrom(rewriting, next.indent) : [];
  const names = ['entry', 'entries'] as const;
  if (entries.length === 0 && next !== undefined && next.indent > indent) throw missing(list, names);
  writeHeader(rewriting, list, { found: entries.map(({ line }) => line), names });
  readEntries(rewriting, entries, depth + 1);
  const looksLikeEntry = (text: string) => text.startsWith('- ');
  noteComments(rewriting, list, { last: entries.at(-1)?.line, looksLikeEntry });
}

function entriesFrom({ cursor }: Rewriting, indent: number): Entry[] {
  const lines = cursor.lookAhead((line) => line.indent > indent || (line.indent === indent && isEntry(line)));
  return findEntries(lines, indent);
}

function readEntries(rewriting: Rewriting, entries: readonly Entry[], depth: number): void {
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
function readText({ strict, repairs }: Rewriting, { line, content }: Entry, depth: number): void {
  const isText = findUnquoted(content, ':') !== -1 && !content.startsWith('[');
  if (isText) repairs.add(line.number, 'read as a text, not as a member');
  strict.write(depth, content === '' ? '-' : `- ${isText ? quote(content) : content}`, line.number);
}

/** An entry that is an object: its first member is next to the hyphen, the others below that. */
function readObject(rewriting: Rewriting, { line, content, indent }: Entry, depth: number): void {
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
