import type { StoreSurroundings } from './store.ts';

/** The machine's clock and cryptographic chance, with what a test sets instead. */
export function createSurroundings(given: Partial<StoreSurroundings> = {}): StoreSurroundings {
  return { now: Date.now, random: randomFraction, createToken, ...given };
}

function randomFraction(): number {
  const [word = 0] = crypto.getRandomValues(new Uint32Array(1));
  return word / 2 ** 32;
}

function createToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
