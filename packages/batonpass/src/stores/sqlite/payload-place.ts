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
 * Finds the payload of a content that was completed here, without writing it once more. A name in quotes behind a comma
 * begins a member wherever it stands, for within a text its quotes are escaped; and of all members of a content only
 * `extra`, before the payload, and the payload itself may have members of any name. So the first such name behind `extra`
 * is the payload's, and the last one of the member that follows is that member's.
 *
 * @param content_json - the canonical JSON of the content, whose members are in its order.
 */
export function placePayload(content: Content, content_json: string): PayloadPlace {
  const name = content.payload === undefined ? 'payload_ref' : 'payload';
  if (content[name] === undefined) return {};
  const member = `,"${name}":`;
  const start = content_json.indexOf(member, endOfExtra(content, content_json)) + member.length;
  const end = content_json.lastIndexOf(content.phase === undefined ? ',"references":' : ',"phase":');
  return placeBetween(content_json, start, end);
}

/**
 * Finds the payload of a content from another store, which may have members that nobody here knows: by its whole text, so
 * that whatever is found reads the same.
 */
export function searchPayload(content: Content, content_json: string): PayloadPlace {
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

function endOfExtra({ extra }: Content, content_json: string): number {
  if (extra === undefined) return 0;
  const member = ',"extra":';
  return content_json.indexOf(member) + member.length + JSON.stringify(extra).length;
}

/** JavaScript counts two for a character beyond the first 65,536; SQLite, one. */
function countCharacters(text: string, start: number, end: number): number {
  const pairs = text.slice(start, end).match(/[\ud800-\udbff]/g);
  return end - start - (pairs?.length ?? 0);
}
