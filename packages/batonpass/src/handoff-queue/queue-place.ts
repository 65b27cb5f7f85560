import type { DatabaseSync } from 'node:sqlite';
import { HandoffError } from '../core/errors.ts';
import type { Store, StoreSurroundings } from '../core/store.ts';

/** Where a queue lies: a path, `sqlite:PATH`, `:memory:`, or a database that is open already. */
export type QueuePlace = string | DatabaseSync;

/**
 * Opens the store of a place. Nothing of SQLite is loaded before.
 *
 * @throws HandoffError `invalid_input` for what is no place, and what opening the store throws.
 */
export async function openPlace(place: QueuePlace, surroundings: Partial<StoreSurroundings> = {}): Promise<Store> {
  const { openSqliteStore } = await import('../stores/sqlite/store.ts');
  if (typeof place === 'string') return openSqliteStore(pathOf(place), surroundings);
  const { borrowDatabase } = await import('../stores/sqlite/borrowed-driver.ts');
  const { path, driver } = borrowDatabase(place);
  return openSqliteStore(path, { ...surroundings, openDriver: async () => driver });
}

/** Without its scheme. Another scheme is another place, never a file of that name; one letter is a drive of Windows. */
function pathOf(place: string): string {
  const path = place.startsWith('sqlite:') ? place.slice('sqlite:'.length) : place;
  const scheme = /^[a-z][a-z0-9+.-]+:/i.exec(path)?.[0];
  if (path !== '' && scheme === undefined && !path.includes('\0') && !path.startsWith('//')) return path;
  // A URL may carry a password, which no message repeats.
  const named = scheme === undefined ? JSON.stringify(place.slice(0, 200)) : `${scheme}…`;
  throw new HandoffError('invalid_input', `The place ${named} names no file of SQLite.`, {
    details: { scheme },
    alternatives: ["Name a file: './handoffs.db'", "Keep handoffs for this process only: ':memory:'"],
  });
}
