import { HandoffError } from '../core/errors.ts';
import type { Store, StoreSurroundings } from '../core/store.ts';

/**
 * Opens the store that a URL names: `sqlite:/absolute/path`, `sqlite:relative/path`, `sqlite::memory:` or `memory:`.
 * Only the chosen store's code is loaded.
 *
 * @throws HandoffError `invalid_input` for another URL, and what opening the store throws.
 */
export async function openStore(url: string, surroundings: Partial<StoreSurroundings> = {}): Promise<Store> {
  if (url === 'memory:') {
    const { createMemoryStore } = await import('./memory/store.ts');
    return createMemoryStore(surroundings);
  }
  const path = /^sqlite:(.+)$/s.exec(url)?.[1];
  if (path !== undefined && !path.startsWith('//')) {
    const { openSqliteStore } = await import('./sqlite/store.ts');
    return openSqliteStore(path, surroundings);
  }
  throw new HandoffError('invalid_input', `The store URL is not one that Baton knows: ${withoutCredentials(url)}.`, {
    details: { schemes: ['sqlite:', 'memory:'] },
    alternatives: ['Name a file: sqlite:/path/to/baton.db', 'Keep handoffs for this process only: memory:'],
  });
}

/** A URL of another store may carry a password, which no message repeats. */
function withoutCredentials(url: string): string {
  return url.slice(0, 200).replace(/\/\/.*@/s, '//…@');
}
