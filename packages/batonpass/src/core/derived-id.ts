import { encodeTime } from 'ulid';
import { sha256Hex } from './canonical-json.ts';

/** The alphabet of ULIDs. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LETTERS_OF_CHANCE = 16;

/**
 * A ULID that follows from a time and a text alone, so that what comes in twice has one id both times.
 *
 * @param ms - milliseconds since 1970; what lies before counts as the first of them.
 */
export function deriveId(ms: number, text: string): string {
  const bytes = sha256Hex(text).match(/../g) ?? [];
  const chance = bytes
    .slice(0, LETTERS_OF_CHANCE)
    .map((byte) => letters.charAt(Number.parseInt(byte, 16) % letters.length));
  return `${encodeTime(Math.max(1, Math.trunc(ms)))}${chance.join('')}`;
}
