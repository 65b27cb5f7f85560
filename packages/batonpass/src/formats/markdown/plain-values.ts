import { resolvePlainScalar } from './plain-scalar.ts';

/** The answer of a reader that is not sure: the whole YAML reader is asked then. */
export const UNSURE = Symbol('unsure');

type Scalar = string | number | boolean | null;

/** What begins an unquoted scalar and nothing else: a character that is no indicator, or a minus and one of these. */
const plainStart = /-?[^ \-?:,[\]{}#&*!|>'"%@`\n]/y;

/** An element of a flow list that needs no thought. */
const plainElement = /[A-Za-z0-9_./(][\w./()+@ -]*/y;

const simpleEscapes = /"(?:[^"\\\n]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"/y;
const singleQuoted = /'(?:[^'\n]|'')*'/y;

const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;

/** The scalar of a line, from `start` to `end`, where it stands alone but for a comment. */
export function readScalar(text: string, start: number, end: number): Scalar | typeof UNSURE {
  const first = text.charCodeAt(start);
  if (first === DOUBLE_QUOTE || first === SINGLE_QUOTE) {
    const quoted = readQuoted(text, start);
    return quoted !== null && isEnd(text, quoted.next, end) ? quoted.value : UNSURE;
  }
  plainStart.lastIndex = start;
  if (!plainStart.test(text)) return UNSURE;
  const line = text.slice(start, end);
  const comment = line.indexOf(' #');
  const value = comment === -1 ? line : line.slice(0, comment).trimEnd();
  // A colon here would begin a mapping within a line, which is an error that the whole reader explains.
  if (value.includes(': ') || value.endsWith(':')) return UNSURE;
  return resolvePlainScalar(value);
}

/** A list such as `[a, "b"]` on one line. */
export function readFlowList(text: string, start: number, end: number): Scalar[] | typeof UNSURE {
  const values: Scalar[] = [];
  let next = skipSpaces(text, start + 1);
  if (text[next] === ']') return isEnd(text, next + 1, end) ? values : UNSURE;
  while (next < end) {
    const element = readElement(text, next);
    if (element === null) return UNSURE;
    values.push(element.value);
    next = skipSpaces(text, element.next);
    if (text[next] === ']') return isEnd(text, next + 1, end) ? values : UNSURE;
    if (text[next] !== ',') return UNSURE;
    next = skipSpaces(text, next + 1);
  }
  return UNSURE;
}

interface Found {
  value: Scalar;
  /** Behind it. */
  next: number;
}

function readElement(text: string, start: number): Found | null {
  const first = text.charCodeAt(start);
  if (first === DOUBLE_QUOTE || first === SINGLE_QUOTE) return readQuoted(text, start);
  plainElement.lastIndex = start;
  const found = plainElement.exec(text)?.[0];
  if (found === undefined) return null;
  return { value: resolvePlainScalar(found.trimEnd()), next: start + found.length };
}

function readQuoted(text: string, start: number): Found | null {
  const form = text.charCodeAt(start) === DOUBLE_QUOTE ? simpleEscapes : singleQuoted;
  form.lastIndex = start;
  const found = form.exec(text)?.[0];
  if (found === undefined) return null;
  const value = form === simpleEscapes ? decodeDouble(found) : decodeSingle(found);
  return value.isWellFormed() ? { value, next: start + found.length } : null;
}

/** The escapes that pass are those of JSON, with the same meaning. */
function decodeDouble(quoted: string): string {
  return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}

function decodeSingle(quoted: string): string {
  return quoted.slice(1, -1).replaceAll("''", "'");
}

/** Whether a line has nothing more than a comment. */
function isEnd(text: string, from: number, end: number): boolean {
  if (from >= end) return true;
  const next = skipSpaces(text, from);
  return next > from && text[next] === '#';
}

function skipSpaces(text: string, from: number): number {
  let next = from;
  while (text[next] === ' ') next += 1;
  return next;
}
