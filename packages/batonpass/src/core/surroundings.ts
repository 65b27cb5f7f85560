import { bytesToHex } from '@noble/hashes/utils.js';
import type { StoreSurroundings } from './store.ts';

/** 192 bits. */
const TOKEN_BYTES = 24;

/** The machine's clock and cryptographic chance, with what a test sets instead. */
export function createSurroundings(given: Partial<StoreSurroundings> = {}): StoreSurroundings {
  return { now: Date.now, random: randomFraction, createToken, ...given };
}

/** Random bytes are fetched and spelled for many tokens at once: each request costs the system a call. */
const pool = new Uint8Array(TOKEN_BYTES * 64);
let spelled = '';
let used = 0;

/** Unique random hexadecimal digits. */
function takeDigits(count: number): string {
  if (used + count > spelled.length) {
    spelled = bytesToHex(crypto.getRandomValues(pool));
    used = 0;
  }
  used += count;
  return spelled.slice(used - count, used);
}

function randomFraction(): number {
  return Number.parseInt(takeDigits(8), 16) / 2 ** 32;
}

function createToken(): string {
  return takeDigits(2 * TOKEN_BYTES);
}
