import { assertDepth } from '../../core/canonical-json.ts';
import { HandoffError, ParseError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { type DecodedToon, decodeToon } from '../../formats/toon/decode-toon.ts';
import { encodeToon } from '../../formats/toon/encode-toon.ts';

/** How messages are written: TOON, or the same members as JSON. */
export type MessageFormat = 'toon' | 'json';

/**
 * Reads one message.
 *
 * @throws HandoffError `too_large` before anything is decoded; ParseError with line and column, also where the text
 * holds a request and its answer, divided by comments.
 */
export function decodeMessage(text: string, format: MessageFormat): DecodedToon {
  if (format === 'json') return { value: decodeJson(text), repairs: [] };
  assertOneMessage(text);
  return decodeToon(text);
}

/**
 * Writes one message; TOON in the strict form.
 *
 * @throws HandoffError `too_large` beyond the bounds of `formats/toon`.
 */
export function encodeMessage(message: object, format: MessageFormat): string {
  return format === 'json' ? JSON.stringify(message, null, 2) : encodeToon(message);
}

const heading = /^# *(?:(?<request>input|request)|output|response|answer)[ :]*\r?$/gim;

/** Specifications show a request and its answer in one block. To the decoder they would be one message with both's members. */
function assertOneMessage(text: string): void {
  if (text.length > limits.toon_bytes_max) return;
  const headings = [...text.matchAll(heading)];
  const request = headings.find(({ groups }) => groups?.request !== undefined);
  const answer = headings.find(({ groups }) => groups?.request === undefined);
  if (request === undefined || answer === undefined) return;
  const line = text.slice(0, Math.max(request.index, answer.index)).split('\n').length;
  throw new ParseError(`Line ${line}: a second message begins here, after "${headings[0]?.[0].trim()}".`, {
    line,
    column: 1,
    alternatives: ['Send the request alone.'],
  });
}

function decodeJson(text: string): unknown {
  const { toon_bytes_max } = limits;
  if (text.length > toon_bytes_max) {
    throw new HandoffError('too_large', `The text has more than ${toon_bytes_max.toLocaleString('en-US')} bytes.`, {
      alternatives: ['Send it in parts, or put the bulk into a file and name the file.'],
    });
  }
  const value = parseJson(text);
  assertDepth(value);
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const position = Number(/position (\d+)/.exec(reason)?.[1] ?? text.length);
    const before = text.slice(0, position).split('\n');
    throw new ParseError(`The message is not JSON: ${reason}.`, {
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
      cause,
      alternatives: ['Send one JSON object, or TOON without --json.'],
    });
  }
}
