import type { IncomingMessage } from 'node:http';
import { HandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { Refusal } from './problem.ts';

/**
 * Reads a body within `limits.request_bytes_max`; more is never held.
 *
 * @throws HandoffError `too_large`; Refusal for an encoded body, which could be small here and endless inside.
 */
export async function readBody(incoming: IncomingMessage): Promise<Uint8Array> {
  const { 'content-encoding': encoding = 'identity', 'content-length': announced = 0 } = incoming.headers;
  if (encoding !== 'identity') {
    throw new Refusal('unsupported_media_type', 'A body is sent as it is here, not compressed.', {
      headers: { 'accept-encoding': 'identity' },
    });
  }
  if (Number(announced) > limits.request_bytes_max) throw tooLarge('bytes', limits.request_bytes_max);
  const pieces = await collect(incoming);
  return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
}

/** By its events: to read a request as a stream of the web costs as much as a claim, and to iterate it would close it. */
function collect(incoming: IncomingMessage): Promise<Uint8Array[]> {
  return new Promise((resolve, reject) => {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    incoming.on('data', (piece: Uint8Array) => {
      bytes += piece.length;
      if (bytes <= limits.request_bytes_max) pieces.push(piece);
      else {
        // What still comes is thrown away by the server, when the refusal is sent.
        incoming.removeAllListeners('data').pause();
        reject(tooLarge('bytes', limits.request_bytes_max));
      }
    });
    incoming.once('end', () => resolve(pieces));
    incoming.once('error', (cause) => reject(cutOff(cause)));
  });
}

/**
 * Reads JSON whose depth and number of values were counted before anything was built of them.
 *
 * @throws HandoffError `too_large`, `invalid_input` for what is no JSON in UTF-8.
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return {};
  assertBounded(bytes);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (cause) {
    throw new HandoffError('invalid_input', 'The body is not JSON in UTF-8.', {
      cause,
      alternatives: ['Send one JSON object: {"limit": 10}'],
    });
  }
}

/** One for all bodies: each is decoded whole, so that nothing of it stays behind. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Counts brackets and commas outside of texts, in one pass and without memory: whatever the rest is, a reader of it
 * cannot go deeper or make more.
 *
 * @throws HandoffError `too_large`.
 */
export function assertBounded(bytes: Uint8Array): void {
  let depth = 0;
  let elements = 0;
  let isText = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] as number;
    if (isText) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) elements += 1;
    else if (OPENING.has(byte)) {
      depth += 1;
      elements += 1;
    } else if (CLOSING.has(byte)) depth -= 1;
    if (depth > limits.json_depth_max) throw tooLarge('levels', limits.json_depth_max);
    if (elements > limits.request_elements_max) throw tooLarge('elements', limits.request_elements_max);
  }
}

/** Nobody is there any more to be told. */
function cutOff(cause: Error): HandoffError {
  return new HandoffError('invalid_input', 'The client left before its request was whole.', { cause });
}

function tooLarge(unit: string, max: number): HandoffError {
  return new HandoffError('too_large', `The body has more than ${max} ${unit}.`, {
    details: { unit, max },
    alternatives: ['Send less at once.'],
  });
}
