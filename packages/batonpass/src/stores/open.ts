import { HandoffError } from '../core/errors.ts';
import type { Store, StoreSurroundings } from '../core/store.ts';

/** What a caller can say of how a store is opened. */
export interface StoreOptions extends Partial<StoreSurroundings> {
  /**
   * What a commit outlives, where the store keeps a file: `full`, the default, a power cut; `normal` the end of the
   * process alone, in exchange for not waiting for the disk.
   */
  durability?: 'full' | 'normal';
}

/**
 * Opens the store that a URL names: `sqlite:/absolute/path`, `sqlite:relative/path`, `sqlite::memory:`, `memory:` or
 * `postgres://user@host:5432/database?schema=baton`. Only the chosen store's code is loaded.
 *
 * @throws HandoffError `invalid_input` for another URL, and what opening the store throws.
 */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  if (url === 'memory:') {
    const { createMemoryStore } = await import('./memory/store.ts');
    return createMemoryStore(options);
  }
  const path = /^sqlite:(.+)$/s.exec(url)?.[1];
  if (path !== undefined && !path.startsWith('//')) {
    const { openSqliteStore } = await import('./sqlite/store.ts');
    return openSqliteStore(path, options);
  }
  if (isServerUrl(url)) {
    const { openPostgresStore } = await import('./postgres/store.ts');
    return openPostgresStore(url, options);
  }
  throw new HandoffError('invalid_input', `The store URL is not one that Baton knows: ${withoutCredentials(url)}.`, {
    details: { schemes: ['sqlite:', 'memory:', 'postgres:'] },
    alternatives: [
      'Name a file: sqlite:/path/to/baton.db',
      'Name a server that many machines share: postgres://user@host:5432/database',
      'Keep handoffs for this process only: memory:',
    ],
  });
}

/** Whether a URL names a store on a Postgres server. */
export function isServerUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}

/** The URL of a store as people are shown it: a file's as it is, a server's without what only the server may know. */
export function shownStoreUrl(url: string): string {
  return /^(sqlite|memory):/.test(url) ? url : withoutCredentials(url);
}

/** A URL of another store may carry a password, which no message repeats. */
export function withoutCredentials(url: string): string {
  return url
    .slice(0, 200)
    .replace(/\/\/.*@/s, '//…@')
    .replace(/((?:password|token|secret)\w*=)[^&]*/gi, '$1…');
}
