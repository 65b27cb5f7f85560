import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/**
 * Gives a finished file its name durably: its bytes and then its name are synced to the disk, so that a power cut
 * leaves the whole file under that name, or what was there before.
 *
 * @param temporary - in the same folder; gone afterwards.
 * @param replace - whether a file of that name is replaced. Default: it stays.
 * @throws the system's error, `EEXIST` where a file of that name stays; `temporary` is as it was then.
 */
export function placeFile(temporary: string, path: string, { replace = false } = {}): void {
  sync(temporary);
  if (replace) renameSync(temporary, path);
  else linkNew(temporary, path);
  syncFolder(dirname(path));
}

/** A link is made only where the name does not exist yet, even if another process creates it at this moment. */
function linkNew(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
    // A file system without links: between this check and the renaming another file could take the name.
    if (existsSync(path)) throw Object.assign(new Error(`EEXIST: file already exists, ${path}`), { code: 'EEXIST' });
    renameSync(temporary, path);
    return;
  }
  rmSync(temporary);
}

function sync(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
