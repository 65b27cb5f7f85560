import { encodeCanonicalJson } from '../../core/canonical-json.ts';
import type { Content } from '../../core/content.ts';

/** Where in a content's text its payload stands, or the pointer to it, from 1: in characters as SQLite counts them, and in bytes. */
export interface PayloadPlace {
  payload_at?: number;
  payload_length?: number;
  payload_start?: number;
  payload_bytes?: number;
}

/**
 * Finds the payload of a content by its whole text, so that whatever is found reads the same, whichever members the content
 * has besides.
 *
 * @param content_json - the canonical JSON of the content.
 */
export function placePayload(content: Content, content_json: string): PayloadPlace {
  const name = content.payload === undefined ? 'payload_ref' : 'payload';
  if (content[name] === undefined) return {};
  const text = encodeCanonicalJson(content[name]);
  const start = content_json.indexOf(`"${name}":${text}`) + name.length + 3;
  return placeBetween(content_json, start, start + text.length);
}

function placeBetween(content_json: string, start: number, end: number): PayloadPlace {
  const length = end - start;
  // Of most contents each character is one byte.
  if (Buffer.byteLength(content_json) === content_json.length) {
    return { payload_at: start + 1, payload_length: length, payload_start: start + 1, payload_bytes: length };
  }
  return {
    payload_at: countCharacters(content_json, 0, start) + 1,
    payload_length: countCharacters(content_json, start, end),
    payload_start: Buffer.byteLength(content_json.slice(0, start)) + 1,
    payload_bytes: Buffer.byteLength(content_json.slice(start, end)),
  };
}

/** JavaScript counts two for a character beyond the first 65,536; SQLite, one. */
function countCharacters(text: string, start: number, end: number): number {
  const pairs = text.slice(start, end).match(/[\ud800-\udbff]/g);
  return end - start - (pairs?.length ?? 0);
}
