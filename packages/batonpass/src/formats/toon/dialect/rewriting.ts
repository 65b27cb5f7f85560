import { ParseError } from '../../../core/errors.ts';
import type { Cursor } from './cursor.ts';
import { formatHeader, type Header } from './header.ts';
import type { Repairs } from './repairs.ts';
import { placeOf, type SourceLine } from './source-lines.ts';
import type { StrictText } from './strict-text.ts';

/** What a message of the dialect is read from, and the strict text it becomes. */
export interface Rewriting {
  cursor: Cursor;
  strict: StrictText;
  repairs: Repairs;
}

/** A list or table that is about to be read: its first line, and the level it belongs to. */
export interface OpenList {
  header: Header;
  line: SourceLine;
  /** Columns of the member that it is; an entry's first member is right of its hyphen. */
  indent: number;
  depth: number;
}

/** A refusal with its place. */
export function refuse(line: SourceLine, message: string, alternative: string): ParseError {
  return new ParseError(`Line ${line.number}: ${message}`, { ...placeOf(line), alternatives: [alternative] });
}

/** The lines that were found of a list, and what they are called. */
interface FoundLines {
  found: readonly SourceLine[];
  names: readonly [one: string, many: string];
}

/**
 * Writes the header of a list with the count of its lines, and notes each difference from the strict form.
 *
 * @throws ParseError where the header announces entries, and there are none.
 */
export function writeHeader(rewriting: Rewriting, list: OpenList, { found, names: [one, many] }: FoundLines): void {
  const { header, line, indent, depth } = list;
  const [first] = found;
  if (first === undefined && /[1-9]/.test(header.count)) throw missing(list, [one, many]);
  noteCount(rewriting, list, found.length);
  if (first?.indent === indent) rewriting.repairs.add(line.number, `the ${many} are at the indent of their header`);
  noteBlanks(rewriting, list, found);
  rewriting.strict.write(depth, formatHeader(header, found.length), line.number);
}

/** The refusal of a list without its lines. */
export function missing({ header, line }: OpenList, [one, many]: FoundLines['names']): ParseError {
  return refuse(line, `the header says [${header.count}], and no ${one} follows.`, `Send the ${many}, or write [0].`);
}

/** Notes where a header's count is a template's or wrong; fewer lines than the count is a loss. */
export function noteCount({ repairs }: Rewriting, { header, line }: OpenList, count: number): void {
  if (header.count === String(count)) return;
  if (/^\d+$/.test(header.count) && count < Number(header.count)) {
    repairs.lose(line.number, `${header.name} declares ${header.count} entries, and ${count} are there`);
  }
  const told = /^\d+$/.test(header.count) ? 'the header says' : 'the header has';
  repairs.add(line.number, `${count} found where ${told} [${header.count}]`);
}

/**
 * Notes comments among the lines of a list, which are no entries of it.
 *
 * @param looksLikeEntry - recognizes a comment after the last line that was an entry before.
 */
export function noteComments(
  { cursor, repairs }: Rewriting,
  { line }: OpenList,
  { last, looksLikeEntry }: { last: SourceLine | undefined; looksLikeEntry: (text: string) => boolean },
): void {
  for (const comment of cursor.commentsBelow(line)) {
    const text = comment.content.replace(/^#+ */, '');
    if (comment.number < (last?.number ?? 0) || looksLikeEntry(text)) {
      repairs.lose(comment.number, `"${comment.content.slice(0, 80)}" is a comment inside of a list`);
    }
  }
}

/** Notes blank lines between a list's lines, which the strict form does not have. */
function noteBlanks({ cursor, repairs }: Rewriting, { line }: OpenList, lines: readonly SourceLine[]): void {
  const [first] = lines;
  const last = lines.at(-1);
  if (first === undefined || last === undefined || !cursor.hasBlank(first, last)) return;
  repairs.add(line.number, 'blank lines are between the lines of the list');
}
