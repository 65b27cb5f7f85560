import type { IncomingMessage } from 'node:http';
import { HandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Timing } from '../../core/timing.ts';
import { Refusal } from './problem.ts';

/** The bounds of a body in size and time; no more is ever held. */
export interface BodyBounds {
  /** Default: `limits.request_bytes_max`. */
  bytes_max?: number;
  /** Default: as long as the server waits for a whole request. */
  within?: { ms: number; after: Timing['after'] };
}

/**
 * Reads a body within its bounds.
 *
 * @throws HandoffError `too_large`; Refusal for an encoded body, which could be small as sent and endless decoded, and for
 * a body that takes too long.
 */
export async function readBody(incoming: IncomingMessage, bounds: BodyBounds = {}): Promise<Uint8Array> {
  const { bytes_max = limits.request_bytes_max, within } = bounds;
  const { 'content-encoding': encoding = 'identity', 'content-length': announced = 0 } = incoming.headers;
  if (encoding !== 'identity') {
    throw new Refusal('unsupported_media_type', 'The body must not be compressed.', {
      headers: { 'accept-encoding': 'identity' },
    });
  }
  if (Number(announced) > bytes_max) throw tooLarge('bytes', bytes_max);
  const pieces = await collect(incoming, { bytes_max, within });
  return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
}

/** By its events: reading a request as a web stream costs as much as a claim, and iterating it would close it. */
function collect(
  incoming: IncomingMessage,
  { bytes_max, within }: BodyBounds & { bytes_max: number },
): Promise<Uint8Array[]> {
  return new Promise((resolve, reject) => {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    const refuse = (error: Error) => {
      callOff?.();
      // The server discards the rest when the refusal is sent.
      incoming.removeAllListeners('data').pause();
      reject(error);
    };
    const callOff = within?.after(within.ms, () => refuse(tooSlow(within.ms)));
    incoming.on('data', (piece: Uint8Array) => {
      bytes += piece.length;
      if (bytes <= bytes_max) pieces.push(piece);
      else refuse(tooLarge('bytes', bytes_max));
    });
    incoming.once('end', () => {
      callOff?.();
      resolve(pieces);
    });
    incoming.once('error', (cause) => {
      callOff?.();
      reject(cutOff(cause));
    });
  });
}

/**
 * Reads JSON after its depth and number of values were counted, so that no value is built before.
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

/** The part before the transcript in its body is one short line. */
const NEWLINE = 0x0a;

/**
 * Reads a body with a transcript as it is: a line of JSON, and after it the transcript, which becomes its `text`.
 *
 * @throws HandoffError as `parseJsonBody` does; `too_large` for a transcript beyond `limits.request_transcript_bytes_max`.
 */
export async function readTranscriptBody(incoming: IncomingMessage): Promise<unknown> {
  const bytes = await readBody(incoming, { bytes_max: limits.request_transcript_bytes_max });
  const end = bytes.indexOf(NEWLINE);
  if (end === -1) {
    throw new HandoffError('invalid_input', 'The body has no line of JSON before the transcript.', {
      alternatives: ['Send {}, a line break, and the transcript.'],
    });
  }
  if (end > limits.request_bytes_max) throw tooLarge('bytes before the transcript', limits.request_bytes_max);
  const input = parseJsonBody(bytes.subarray(0, end));
  const isObject = input !== null && typeof input === 'object' && !Array.isArray(input);
  return isObject ? { ...input, text: new TextDecoder().decode(bytes.subarray(end + 1)) } : input;
}

/** One for all bodies: each is decoded whole, so that no state of it remains. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Counts brackets and commas outside of strings, in one pass and without memory: a JSON reader cannot
 * go deeper or make more values, whatever the rest is.
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

/** The client has left. */
function cutOff(cause: Error): HandoffError {
  return new HandoffError('invalid_input', 'The client disconnected before its request was complete.', { cause });
}

function tooSlow(ms: number): Refusal {
  return new Refusal('request_timeout', `The body did not come within ${ms / 1_000} s.`, {
    alternatives: ['Send the whole request at once.'],
  });
}

function tooLarge(unit: string, max: number): HandoffError {
  return new HandoffError('too_large', `The body has more than ${max} ${unit}.`, {
    details: { unit, max },
    alternatives: ['Send less at once.'],
  });
}
