/** One line of a document: its text, and the bytes that end it. */
export interface DocumentLine {
  text: string;
  /** Empty for a last line without one. */
  end: '\n' | '\r\n' | '';
  /** Whether it is structure: not inside of a code fence or a comment. */
  is_structure: boolean;
}

/** A change of some lines; places are those of the document before any change. */
export interface LineEdit {
  /** The first line to remove, or the one that the new lines come before. */
  at: number;
  /** How many lines go. */
  remove: number;
  /** New lines, without their ends: they get those of the lines around them. */
  insert: readonly string[];
}

/**
 * The lines of a document. Joined again, as {@link editLines} does, they are the text, byte for byte. A lone CR ends no line.
 * Look-alikes of structure in code fences and in HTML comments that begin a line do not count, as in Markdown.
 */
export function readLines(text: string): DocumentLine[] {
  const isMarked = text.startsWith(byteOrderMark);
  const lines: DocumentLine[] = isMarked ? [{ text: byteOrderMark, end: '', is_structure: false }] : [];
  let start = isMarked ? 1 : 0;
  let block: Block | undefined;
  while (start < text.length) {
    const found = text.indexOf('\n', start);
    const stop = found === -1 ? text.length : found;
    const end = found === -1 ? '' : text[stop - 1] === '\r' && stop > start ? '\r\n' : '\n';
    const line = text.slice(start, end === '\r\n' ? stop - 1 : stop);
    if (block !== undefined && isLeft(block, line)) block = undefined;
    const opened: Block | undefined = block ?? openBlock(line);
    lines.push({ text: line, end, is_structure: opened === undefined });
    block = opened === undefined || isClosed(opened, line, block === undefined) ? undefined : opened;
    start = stop + 1;
  }
  return lines;
}

const byteOrderMark = '\uFEFF';

/** The place of a new first line: a byte order mark, which counts as a line of its own, stays in front. */
export function firstPlace(lines: readonly DocumentLine[]): number {
  return lines[0]?.text === byteOrderMark && lines[0].end === '' ? 1 : 0;
}

/** Whether a text ends inside of a fence or comment: text after it would not be shown. */
export function isOpenEnded(text: string): boolean {
  return readLines(`${text}\n.`).at(-1)?.is_structure === false;
}

function joinLines(lines: readonly DocumentLine[]): string {
  return lines.map(({ text, end }) => text + end).join('');
}

/**
 * The text of a document after some changes: every other line keeps its bytes. New lines end as the line that they come
 * after, so that a document with CRLF stays one, and one without a final line end stays without.
 *
 * @param edits - in any order; of several insertions at one place the earlier in the list comes first.
 */
export function editLines(lines: readonly DocumentLine[], edits: readonly LineEdit[]): string {
  const parts: string[] = [];
  let next = 0;
  // An insertion before a line comes before it also where that line is replaced.
  const inOrder = edits.toSorted((a, b) => a.at - b.at || Math.min(a.remove, 1) - Math.min(b.remove, 1));
  for (const { at, remove, insert } of inOrder) {
    parts.push(joinLines(lines.slice(next, at)));
    next = Math.max(next, at + remove);
    if (insert.length > 0) parts.push(placeNew(lines, { at, remove, insert }));
  }
  parts.push(joinLines(lines.slice(next)));
  return parts.join('');
}

function placeNew(lines: readonly DocumentLine[], { at, remove, insert }: LineEdit): string {
  const usual = usualEnd(lines);
  const last = lines[at + remove - 1];
  // Only the last line of a document has no end: what comes after it needs one before, and none after.
  if (remove > 0) return insert.join(usual) + (last?.end ?? '');
  const isAfterUnended = at >= lines.length && last !== undefined && last.end === '';
  return isAfterUnended ? usual + insert.join(usual) : insert.map((text) => text + usual).join('');
}

function usualEnd(lines: readonly DocumentLine[]): string {
  return lines[firstPlace(lines)]?.end === '\r\n' ? '\r\n' : '\n';
}

/** What hides lines: a fence of so many marks at least, or a comment. */
type Block = { mark: '`' | '~'; length: number; is_indented: boolean } | 'comment';

function openBlock(line: string): Block | undefined {
  const text = line.trimStart();
  const indent = line.length - text.length;
  if (indent <= 3 && text.startsWith('<!--')) return 'comment';
  const [mark] = text;
  if (mark !== '`' && mark !== '~') return undefined;
  const length = runLength(text, mark);
  if (length < 3 || (mark === '`' && text.includes('`', length))) return undefined;
  return { mark, length, is_indented: indent > 3 };
}

/** A fence deep in a list ends with the list, even where it was never closed. */
function isLeft(block: Block, line: string): boolean {
  return block !== 'comment' && block.is_indented && line !== '' && line.trimStart() === line;
}

function isClosed(block: Block, line: string, isFirst: boolean): boolean {
  if (block === 'comment') return line.includes('-->');
  if (isFirst) return false;
  const text = line.trim();
  return text.length >= block.length && runLength(text, block.mark) === text.length;
}

function runLength(text: string, mark: string): number {
  let length = 0;
  while (text[length] === mark) length += 1;
  return length;
}
