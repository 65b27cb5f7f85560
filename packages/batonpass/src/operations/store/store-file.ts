import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { HandoffError } from '../../core/errors.ts';
import { withoutCredentials } from '../../stores/open.ts';
import type { OperationContext } from '../context.ts';

/** The file of the store; nothing where it is no file. */
export function databasePath({ store_url }: Pick<OperationContext, 'store_url'>): string | undefined {
  const path = /^sqlite:(.+)$/s.exec(store_url)?.[1];
  return path === undefined || path === ':memory:' ? undefined : path;
}

/**
 * The file of the present store, absolute; it need not exist.
 *
 * @param purpose - ends "there is no file to …".
 * @throws HandoffError `invalid_input` for a store that is no file.
 */
export function storeFile(context: OperationContext, purpose: string): string {
  const path = databasePath(context);
  if (path !== undefined) return resolve(path);
  const url = withoutCredentials(context.store_url);
  throw new HandoffError('invalid_input', `The store ${url} is not kept in a file: there is no file to ${purpose}.`, {
    details: { store: url },
    alternatives: ['Name a store that is a file: --store sqlite:/path/to/baton.db, or BATON_STORE.'],
  });
}

/** The file of the present store. @throws HandoffError also `file_not_found` where it does not exist yet. */
export function presentStoreFile(context: OperationContext, purpose: string): string {
  const path = storeFile(context, purpose);
  if (isThere(path)) return path;
  throw absentStore(path);
}

/** Whether something was ever stored in a file: an empty one is what a crash leaves before the first handoff. */
export function isThere(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.size > 0 || !found.isFile());
}

/** The error for a store that nobody has made yet. */
export function absentStore(path: string): HandoffError {
  return new HandoffError('file_not_found', `There is no store at ${path}.`, {
    details: { path },
    alternatives: [
      'Check the path for a typo: after --store, in BATON_STORE or in the settings.',
      'Name none to use the store of this folder: baton status shows where it is.',
      'The first handoff that is written creates a store: baton create --summary TEXT',
    ],
  });
}

/** `20261122-101500`, in UTC: a name that sorts by time. */
export function nameOfInstant(now_ms: number): string {
  return new Date(now_ms).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
}
