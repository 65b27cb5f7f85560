import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HandoffError } from '../core/errors.ts';
import { explainDiskError } from './disk-error.ts';
import type { LockFolder } from './lock-folder.ts';
import { assertSafeName } from './safe-name.ts';
import { syncFolder } from './sync-folder.ts';
import { writeSynced } from './write-whole.ts';

/** What the holder of a folder's lock can do there. After its body has ended it holds nothing. */
export interface HeldLock {
  /**
   * Replaces the whole content of a file in the folder, synced to the disk; a file that was there keeps its permissions.
   * A crash leaves the old content or the new one, and a temporary file is removed with the lock.
   *
   * @param name - of a file in the folder itself.
   * @throws HandoffError `lease_lost` where the lock was taken over, and then nothing is written, however late the
   * system comes to it; `invalid_input` for a name that is none; `unavailable` for a disk that refuses it.
   */
  replaceFile(name: string, bytes: Uint8Array | string): void;
  /**
   * Makes a folder with its files, synced to the disk: a crash leaves all of it or nothing. One of that name that has
   * anything in it stays as it is.
   *
   * @returns false where something has that name.
   * @throws HandoffError as {@link replaceFile}.
   */
  createFolder(name: string, files: Readonly<Record<string, string>>): boolean;
  /** @throws HandoffError `lease_lost` where the lock was taken over. */
  assertHeld(): void;
}

/** The holder's side of a lock that was just taken. */
export function createHeldLock(folder: string, lock: LockFolder): HeldLock {
  const assertHeld = () => {
    if (!lock.isHeld()) throw lostLock(folder, lock);
  };
  const replaceFile = (name: string, bytes: Uint8Array | string) => {
    const path = join(folder, assertSafeName(name, 'file'));
    assertHeld();
    const draft = join(lock.desk, crypto.randomUUID());
    try {
      writeSynced(draft, Buffer.from(bytes), { mode: 0o666, former: statSync(path, { throwIfNoEntry: false }) });
      // This step is the fence: where the lock was taken over, the draft is not there any more.
      renameSync(draft, path);
      syncFolder(folder);
    } catch (error) {
      if (!lock.isHeld()) throw lostLock(folder, lock, error);
      if (existsSync(draft)) rmSync(draft, { force: true });
      throw explainDiskError(error, path, 'written');
    }
  };
  const createFolder = (name: string, files: Readonly<Record<string, string>>) => {
    const path = join(folder, assertSafeName(name, 'folder'));
    assertHeld();
    if (existsSync(path)) return false;
    const draft = join(lock.desk, crypto.randomUUID());
    try {
      mkdirSync(draft);
      for (const [file, text] of Object.entries(files)) {
        writeSynced(join(draft, assertSafeName(file, 'file')), Buffer.from(text), { mode: 0o666 });
      }
      syncFolder(draft);
      // The fence, as above; a folder that was filled meanwhile is not replaced.
      renameSync(draft, path);
      syncFolder(folder);
      return true;
    } catch (error) {
      if (!lock.isHeld()) throw lostLock(folder, lock, error);
      if (existsSync(draft)) rmSync(draft, { recursive: true, force: true });
      if (['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
      throw explainDiskError(error, path, 'written');
    }
  };
  return { replaceFile, createFolder, assertHeld };
}

function lostLock(folder: string, lock: LockFolder, cause?: unknown): HandoffError {
  const owner = lock.look()?.owner;
  const by = owner === undefined ? 'another process' : `process ${owner.pid} on ${owner.host}`;
  return new HandoffError('lease_lost', `The lock of ${folder} was taken over by ${by}.`, {
    details: { folder, pid: owner?.pid, host: owner?.host, since: owner?.since },
    alternatives: ['Re-read the files and repeat the work.', 'Hold the lock for a shorter time.'],
    cause,
  });
}
