import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/**
 * Replaces the whole content of a file in one step: a reader, even after a crash or a power cut, finds the old
 * content or the new one, never a part. The bytes are written to a temporary file next to it, synced, and renamed over it.
 *
 * The file keeps its permissions, and its owner where this process may give it; a new file gets `mode`. Its folder must
 * exist. A symbolic link would be replaced by a file: pass the path that it leads to. A second hard link keeps the old
 * content. A crash may leave the temporary file, which is named `.NAME.RANDOM.new`; a failure removes it.
 *
 * @throws the system's error (`ENOSPC`, `EACCES`, `EISDIR` …); the file is as it was then.
 */
export function writeWhole(path: string, bytes: Uint8Array, mode = 0o666): void {
  const former = statSync(path, { throwIfNoEntry: false });
  const folder = dirname(path);
  // Random, because two containers on one folder may have the same process id.
  const unfinished = join(folder, `.${basename(path)}.${crypto.randomUUID()}.new`);
  try {
    writeSynced(unfinished, bytes, { mode, former });
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  syncFolder(folder);
}

/** Removes a file durably: its name does not come back after a power cut. An absent file is no failure. */
export function removeFile(path: string): void {
  rmSync(path, { force: true });
  syncFolder(dirname(path));
}

/**
 * Writes a new file and syncs its bytes, not yet its name.
 *
 * @param former - the file that it is to replace: it gets its permissions and owner instead of `mode`.
 * @throws the system's error, `EEXIST` among them; a part may be written then.
 */
export function writeSynced(path: string, bytes: Uint8Array, { mode, former }: { mode: number; former?: Stats }): void {
  const file = openSync(path, 'wx', mode);
  try {
    writeFileSync(file, bytes);
    if (former !== undefined) keepAccess(file, former);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The owner first: a change of it clears special bits. */
function keepAccess(file: number, { uid, gid, mode }: Stats): void {
  try {
    fchownSync(file, uid, gid);
  } catch (error) {
    // Only the superuser gives files away; another user's new file is then this user's, as with any editor.
    if (!['EPERM', 'EINVAL', 'ENOSYS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  fchmodSync(file, mode & 0o7777);
}
