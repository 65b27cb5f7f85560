import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { HandoffError } from '../../core/errors.ts';
import { catalogue, type OperationName } from '../../operations/catalogue.ts';

/**
 * A store that the words name is looked into where it is: a path that was mistyped would else be a new store, in which
 * nothing is found. What writes makes it, as it makes every store.
 *
 * @throws HandoffError `file_not_found`.
 */
export async function assertNamedStore(operation: OperationName, store_url: string): Promise<void> {
  const path = /^sqlite:(?!:memory:$)(.+)$/s.exec(store_url)?.[1];
  if (path === undefined || existsSync(resolve(path))) return;
  if ((await catalogue[operation]()).mutates) return;
  throw new HandoffError('file_not_found', `There is no store at ${resolve(path)}.`, {
    details: { path: resolve(path) },
    alternatives: [
      'Look for a slip in the path after --store.',
      'Leave --store out to look into the store of this folder: baton status tells where it lies.',
      'A store is made by the first handoff that is written into it: baton create --store with that path.',
    ],
  });
}
