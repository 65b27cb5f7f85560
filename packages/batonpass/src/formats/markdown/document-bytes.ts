import { ParseError } from '../../core/errors.ts';

/**
 * Documents in the field hold stray bytes of other encodings. Such a byte becomes one lone surrogate, U+DC80 to U+DCFF,
 * which no UTF-8 has, so that every file comes back byte for byte.
 */
const ESCAPE = 0xdc00;

/** The lone surrogates that represent bytes; a pair is one character here. */
const escaped = /[\udc80-\udcff]/gu;

/**
 * The text of a document's bytes; `encodeDocument` gives the same bytes, a byte order mark included.
 *
 * @throws ParseError for UTF-16, of which every second byte is NUL.
 */
export function decodeDocument(bytes: Uint8Array, source: string): string {
  try {
    return decode(bytes);
  } catch {
    // The decoder reports only that there is a byte which is not UTF-8; the code below finds each.
  }
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16) throw noUtf8(source);
  const parts: string[] = [];
  let begin = 0;
  for (let next = 0; next < bytes.length; ) {
    const length = lengthAt(bytes, next);
    if (length === 0) {
      parts.push(decode(bytes.subarray(begin, next)), String.fromCharCode(ESCAPE + (bytes[next] ?? 0)));
      begin = next + 1;
    }
    next += Math.max(length, 1);
  }
  return [...parts, decode(bytes.subarray(begin))].join('');
}

/** The bytes of a document's text. */
export function encodeDocument(text: string): Uint8Array {
  const encoder = new TextEncoder();
  if (text.isWellFormed()) return encoder.encode(text);
  const pieces: Uint8Array[] = [];
  let begin = 0;
  for (const { index, 0: character } of text.matchAll(escaped)) {
    pieces.push(encoder.encode(text.slice(begin, index)), Uint8Array.of(character.charCodeAt(0) - ESCAPE));
    begin = index + 1;
  }
  pieces.push(encoder.encode(text.slice(begin)));
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const piece of pieces) {
    bytes.set(piece, place);
    place += piece.length;
  }
  return bytes;
}

/** How many characters of a text represent bytes that are not UTF-8. */
export function countStrayBytes(text: string): number {
  return text.isWellFormed() ? 0 : (text.match(escaped)?.length ?? 0);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** How many bytes the character has that begins at a place; 0 where none does. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const [first = 0, second = 0] = [bytes[at], bytes[at + 1]];
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  // Overlong forms, surrogates, and code points above the last character.
  if (first === 0xe0 && second < 0xa0) return 0;
  if (first === 0xed && second > 0x9f) return 0;
  if (first === 0xf0 && second < 0x90) return 0;
  if (first === 0xf4 && second > 0x8f) return 0;
  const rest = bytes.subarray(at + 1, at + length);
  return rest.length === length - 1 && rest.every((byte) => byte >= 0x80 && byte < 0xc0) ? length : 0;
}

function noUtf8(source: string): ParseError {
  return new ParseError(`${source}:1:1: The text is UTF-16, not UTF-8.`, {
    source,
    line: 1,
    column: 1,
    alternatives: ['Save it as UTF-8, e.g.: iconv -f utf-16 -t utf-8 FILE'],
  });
}
