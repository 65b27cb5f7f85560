import { bytesToHex } from '@noble/hashes/utils.js';
import type { StoreSurroundings } from './store.ts';

/** 192 bits. */
const TOKEN_BYTES = 24;

/** The machine's clock and cryptographic chance, with what a test sets instead. */
export function createSurroundings(given: Partial<StoreSurroundings> = {}): StoreSurroundings {
  return { now: Date.now, random: randomFraction, createToken, ...given };
}

/** Random bytes are fetched for many tokens at once: each request costs the system a call. */
const pool = new Uint8Array(TOKEN_BYTES * 64);
let used = pool.length;

function takeRandom(bytes: number): Uint8Array {
  if (used + bytes > pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  used += bytes;
  return pool.subarray(used - bytes, used);
}

function randomFraction(): number {
  const [a = 0, b = 0, c = 0, d = 0] = takeRandom(4);
  return (((a << 24) | (b << 16) | (c << 8) | d) >>> 0) / 2 ** 32;
}

function createToken(): string {
  return bytesToHex(takeRandom(TOKEN_BYTES));
}
