/**
 * Text as the reference program of the facts corpus takes it: Python's classes of characters, which differ from
 * JavaScript's, and one token for a Chinese, Japanese or Korean character.
 */

/** Characters that each represent a word. */
const cjk = '\\u3040-\\u30ff\\u3400-\\u9fff\\uac00-\\ud7af';
/** A word character: letters and numbers of all scripts, without combining marks. */
export const wordClass = '\\p{L}\\p{N}_';
/** White space: with the separators from file to unit and the next line, without the byte order mark. */
export const spaceClass = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

const isCjk = new RegExp(`^[${cjk}]`, 'u');
const anyCjk = new RegExp(`[${cjk}]`, 'gu');
const token = new RegExp(`[${cjk}]|[^${spaceClass}${cjk}]+`, 'gu');
const word = new RegExp(`[${cjk}]{2,}|[${wordClass}./:@-]{2,}`, 'gu');

const stopWords = new Set(
  (
    'the a an and or of to in on for is are be it that this with as at by from we i you our not no do does so if then than ' +
    'will would should can could have has had was were but into out up its there their they them he she what which who when how'
  ).split(' '),
);

/** The beginning of a text that costs so many tokens. */
export function firstTokens(text: string, tokens: number): string {
  const points = Array.from(text);
  let end = 0;
  for (let rest = tokens; end < points.length && rest > 0; end += 1) rest -= costOf(points[end]);
  return points.slice(0, end).join('');
}

/** The end of a text that costs so many tokens. */
export function lastTokens(text: string, tokens: number): string {
  const points = Array.from(text);
  let start = points.length;
  for (let rest = tokens; start > 0 && rest > 0; ) {
    start -= 1;
    rest -= costOf(points[start]);
  }
  return points.slice(start).join('');
}

function costOf(point = ''): number {
  return isCjk.test(point) ? 1 : 0.25;
}

/** What a text costs in tokens. */
export function countTokens(text: string): number {
  const whole = text.match(anyCjk)?.length ?? 0;
  return whole + (countCharacters(text) - whole) / 4;
}

/** Code points, as Python counts a text. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _point of text) count += 1;
  return count;
}

/** A text's different words, stop words apart. */
export function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(word) ?? [];
  return new Set(words.filter((each) => !stopWords.has(each)));
}

/** A lower-cased text in overlapping windows of 70 tokens. */
export function windowsOf(text: string): string[] {
  const lower = text.toLowerCase();
  const spans = Array.from(lower.matchAll(token), ({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }));
  if (spans.length <= window) return [lower];
  const windows: string[] = [];
  for (let at = 0; at < spans.length - window + step; at += step) {
    windows.push(lower.slice(spans[at]?.start, spans[Math.min(at + window, spans.length) - 1]?.end));
  }
  return windows;
}

const window = 70;
const step = 15;

/** A file's or a process's text as Python reads it: a carriage return ends a line. */
export function withPlainLines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** A figure with so many digits; exactly between two it takes the even one, as Python does. */
export function roundTo(value: number, digits: number): number {
  const exact = value.toFixed(60);
  const isTie = new RegExp(`\\.\\d{${digits}}50*$`).test(exact);
  const below = Number(exact.slice(0, exact.indexOf('.') + 1 + digits));
  const isEven = Number(exact.charAt(exact.indexOf('.') + digits)) % 2 === 0;
  return isTie && isEven ? below : Number(value.toFixed(digits));
}
