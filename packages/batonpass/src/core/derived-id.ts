import { encodeTime } from 'ulid';
import { sha256Hex } from './canonical-json.ts';

/** The alphabet of ULIDs. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const lettersOfChance = 16;

/**
 * A ULID derived from a time and a text alone, so that the same input always has the same id.
 *
 * @param ms - milliseconds since 1970; an earlier time counts as 0.
 */
export function deriveId(ms: number, text: string): string {
  const bytes = sha256Hex(text).match(/../g) ?? [];
  const chance = bytes
    .slice(0, lettersOfChance)
    .map((byte) => letters.charAt(Number.parseInt(byte, 16) % letters.length));
  return `${encodeTime(Math.max(1, Math.trunc(ms)))}${chance.join('')}`;
}
