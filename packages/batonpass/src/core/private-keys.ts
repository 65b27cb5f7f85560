/** A range of a text. */
export interface Range {
  from: number;
  to: number;
}

/** The head of a key in base64, as Kubernetes and the variables of a pipeline have it, and the heads of other keys. */
const heads =
  /(?<encoded>LS0tLS1CRUdJTi[A-Za-z0-9+/]{20,})|(?<putty>Private-Lines: \d{1,4}(?=\r?\n|\\n))|-{4,5} ?BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}/g;

const closing = /[\s\S]{0,2}?-{0,5} ?END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}/y;

/** Headers are free text, as a version in brackets or an address. */
const header = '(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID|Subject|Encryption):';

/** What a key consists of where nothing is around its lines. */
const body = new RegExp(
  String.raw`(?:${header}[^\n\\]{0,200}|[A-Za-z0-9+/=\s\\:,-](?!----END |---- END )|\[masked:[a-z0-9-]{1,30}\]){1,1000}`,
  'y',
);

const encodedLines =
  /(?:\s{1,20}[A-Za-z0-9+/]{40,100}={0,2}(?![A-Za-z0-9+/])){0,1000}(?:\s{1,20}[A-Za-z0-9+/]{1,100}={1,2})?/y;

/** The end of a line in a program or a document, as in `…\n" +`. */
const lineEnd = /(?:\\[nrt]|["'`;,+.&_|)\]\\ \t]){0,12}(?:\r?\n|\\n)/y;
const trailer = /(?:\\[nrt]|["'`;,+.&_|)\]\\ \t]){1,12}$/;

/** The next string of a program in the same line. */
const nextString = /(?:\\[nr]){0,2}["'`][ \t,+.&]{0,8}["'`][A-Za-z0-9+/=]{16,400}(?=(?:\\[nr]){0,2}["'`])/y;

const run = /(?<![A-Za-z0-9+/=\]])(?:[A-Za-z0-9+/=]|\[masked:[a-z0-9-]{1,30}\]){1,400}$/;
const notRun = new RegExp(`-{4,5} ?END |${header}`);

/** What programs and people set before each line: marks of a quote, of a comment or of a string, the line's number. */
const commonLead = /^[ \t]*(?:L?\d{1,6}[ \t]*[→:|.)]?[ \t]*)?["'`>|#*+/-]{0,3}[ \t]*["'`]?$/;

/** Shorter runs of letters and digits are a key's last line, or no line of it. */
const RUN_CHARACTERS = 16;
const lineBreak = /\r?\n|\\n/;
const LINE_CHARACTERS_MAX = 500;
const LEAD_CHARACTERS_MAX = 100;

/**
 * The private keys in a text. By search instead of a pattern: a head without an end must not cost a scan of the rest each
 * time. What is before a key's head in its line may be before each line of the key, as a quote's mark or a number.
 */
export function findPrivateKeys(text: string): Range[] {
  const ranges: Range[] = [];
  let end = 0;
  for (const match of text.matchAll(heads)) {
    if (match.index < end) continue;
    const after = match.index + match[0].length;
    const { encoded, putty } = match.groups ?? {};
    const frame = frameOf(text, match.index, after);
    if (encoded !== undefined && !isKeyInBase64(encoded)) continue;
    if (encoded !== undefined) end = passOver(encodedLines, text, after);
    else if (putty !== undefined) end = findLinesEnd(text, after, after, frame);
    else end = findKeyEnd(text, after, frame);
    const from = putty === undefined ? match.index : passOver(lineEnd, text, after);
    if (end > from) ranges.push({ from, to: end });
  }
  return ranges;
}

/** A certificate begins the same. */
function isKeyInBase64(encoded: string): boolean {
  return / PRI/.test(atob(encoded.slice(0, Math.min(64, encoded.length - (encoded.length % 4)))));
}

/** The end of a key's block; of a block that is cut off, the end of what can belong to a key. */
function findKeyEnd(text: string, from: number, frame: Frame): number {
  let end = from;
  // Piece by piece, because an expression that repeats over megabytes overflows the stack.
  for (let next = passOver(body, text, end); next > end; next = passOver(body, text, end)) end = next;
  end = findLinesEnd(text, from, end, frame);
  return passOver(closing, text, end);
}

/** What is around a key's head in its line. */
interface Frame {
  lead: string;
  tail: string;
}

/** The end of the lines of a key from a place on, which may be within a line. */
function findLinesEnd(text: string, from: number, at: number, frame: Frame): number {
  let end = at;
  for (let isLong = false; ; ) {
    const within = passOver(nextString, text, end);
    const ahead = passOver(lineEnd, text, end + (text.startsWith(frame.tail, end) ? frame.tail.length : 0));
    const lines = [startOfLine(text, end, from), ahead].map((start) => readLine(text, start, { ...frame, isLong }));
    const line = within > end ? { end: within, isLong: true } : lines.find((each) => each.end > end);
    if (line === undefined) return end;
    ({ end } = line);
    isLong ||= line.isLong;
  }
}

/** Where a line's part of a key ends, and whether it is a long one; -1 where none of it is the key's. */
function readLine(text: string, start: number, before: Frame & { isLong: boolean }): { end: number; isLong: boolean } {
  const [given = ''] = text.slice(start, start + LINE_CHARACTERS_MAX).split(lineBreak, 1);
  const other = notRun.exec(given);
  if (other !== null) {
    const end = start + (/END/.test(other[0]) ? other.index : given.length);
    return { end: belongs(given.slice(0, other.index), before.lead) ? end : -1, isLong: true };
  }
  const inFrame = before.tail !== '' && given.endsWith(before.tail) ? given.slice(0, -before.tail.length) : given;
  const line = inFrame.replace(trailer, '');
  const key = run.exec(line)?.[0] ?? '';
  const lead = line.slice(0, line.length - key.length);
  const isLong = key.length >= RUN_CHARACTERS;
  const isSameLead = before.lead.trim() !== '' && shapeOf(lead) === shapeOf(before.lead);
  const isKeys = isLong ? belongs(lead, before.lead) : isSameLead || (before.isLong && key !== '' && belongs(lead, ''));
  return { end: isKeys ? start + line.length : -1, isLong };
}

function belongs(lead: string, first: string): boolean {
  return commonLead.test(lead) || shapeOf(lead) === shapeOf(first);
}

/** Numbers and blanks differ from line to line. */
function shapeOf(lead: string): string {
  return lead.replaceAll(/\d+/g, '0').replaceAll(/\s+/g, ' ').trim();
}

function frameOf(text: string, from: number, to: number): Frame {
  const [tail = ''] = text.slice(to, to + LEAD_CHARACTERS_MAX).split(lineBreak, 1);
  return { lead: text.slice(startOfLine(text, from, 0), from), tail };
}

function startOfLine(text: string, at: number, from: number): number {
  const begin = Math.max(from, at - LEAD_CHARACTERS_MAX);
  const before = text.slice(begin, at);
  const escaped = before.lastIndexOf('\\n');
  return begin + Math.max(before.lastIndexOf('\n') + 1, escaped === -1 ? 0 : escaped + 2);
}

/** The end of what an expression takes at a place; the place itself where it takes nothing. */
function passOver(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : at;
}
