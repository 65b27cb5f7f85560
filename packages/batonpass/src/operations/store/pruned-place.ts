import { basename, dirname, join } from 'node:path';
import { HandoffError } from '../../core/errors.ts';
import { isServerUrl, withoutCredentials } from '../../stores/open.ts';
import type { OperationContext } from '../context.ts';
import { presentStoreFile } from './store-file.ts';

/** What is pruned, and where what is old goes. */
export interface PrunedPlace {
  /** As people are shown it: a file, or a server's URL. */
  store: string;
  archive: string;
  /** By which the archive is opened; of a server it carries the password. */
  archive_url: string;
  /** The store's file; absent on a server. */
  path?: string;
}

/**
 * The archive beside the present store: `baton.archive.db` beside `baton.db`, the schema `baton_archive` beside `baton`.
 *
 * @throws HandoffError `file_not_found` where nothing was ever kept, `invalid_input` for a store without such a place.
 */
export async function prunedPlace(context: OperationContext): Promise<PrunedPlace> {
  const { store_url } = context;
  if (!isServerUrl(store_url)) {
    const path = presentStoreFile(context, 'prune');
    const archive = join(dirname(path), `${basename(path, '.db')}.archive.db`);
    return { store: path, archive, archive_url: `sqlite:${archive}`, path };
  }
  const { archiveUrl } = await import('../../stores/postgres/place.ts');
  const archive_url = archiveUrl(store_url);
  return { store: withoutCredentials(store_url), archive: withoutCredentials(archive_url), archive_url };
}

/** The error of asking a server for what only a file has. */
export function noFileToShrink(store: string): HandoffError {
  return new HandoffError('invalid_input', `The store ${store} has no file to write anew.`, {
    details: { store },
    alternatives: ['Leave --vacuum out: a server uses the space again by itself, and its owner can VACUUM FULL.'],
  });
}
