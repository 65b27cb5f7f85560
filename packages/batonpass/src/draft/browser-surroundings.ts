import { bytesToHex } from '@noble/hashes/utils.js';
import type { DraftStorage } from './stored-draft.ts';

/** The page's `localStorage`; memory where there is none: in Node, in a worker, or where a browser forbids it. */
export function browserStorage(): DraftStorage {
  try {
    const { window } = globalThis as { window?: { localStorage?: DraftStorage | null } };
    return window?.localStorage ?? createMemoryStorage();
  } catch {
    // A browser that forbids storage throws on any access: the draft then lasts as long as the page.
    return createMemoryStorage();
  }
}

function createMemoryStorage(): DraftStorage {
  const texts = new Map<string, string>();
  return {
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => void texts.set(name, text),
    removeItem: (name) => void texts.delete(name),
  };
}

/** A random UUID; as many random digits on pages without encryption, where browsers offer no UUID. */
export function createRandomId(): string {
  const { randomUUID } = crypto as { randomUUID?: () => string };
  return randomUUID === undefined ? bytesToHex(crypto.getRandomValues(new Uint8Array(16))) : crypto.randomUUID();
}

/** Whether the application runs in development; bundlers put the answer in place of the variable. */
export function isDevelopment(): boolean {
  try {
    return process.env.NODE_ENV === 'development';
  } catch {
    // A page without a bundler has no `process`.
    return false;
  }
}
