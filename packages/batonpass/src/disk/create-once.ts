import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { limits } from '../core/limits.ts';
import { readWholeFile } from './regular-file.ts';
import { syncFolder } from './sync-folder.ts';

/**
 * Writes a file once: the first caller gives it its text, all others read that text.
 *
 * The text is written to a temporary file next to it, synced, and linked into place: a crash leaves the file absent or
 * whole, and of two concurrent processes one wins. A crash may leave the temporary file.
 *
 * @param mode - permissions of the file; its folder, where it is absent, is for its owner alone.
 * @returns the text that the file has now.
 * @throws the system's error, which is `ENOENT` where another process removed the file before it was read; HandoffError
 * `invalid_input` where a link, pipe or folder has its place.
 */
export function createOnce(path: string, text: string, mode: number): string {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Random, because two containers on one folder may have the same process id.
  const temporary = `${path}.${crypto.randomUUID()}`;
  try {
    writeSynced(temporary, text, mode);
    place(temporary, path, text, mode);
    syncFolder(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  return readWholeFile(path, limits.once_file_bytes_max).toString('utf8');
}

/** Where a file system has no links, the file is written in its place: exclusive still, but a crash may leave it cut. */
function place(temporary: string, path: string, text: string, mode: number): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
    writeSynced(path, text, mode);
  }
}

function writeSynced(path: string, text: string, mode: number): void {
  const file = openSync(path, 'wx', mode);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
