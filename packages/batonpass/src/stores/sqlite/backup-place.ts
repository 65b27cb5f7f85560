import { closeSync, mkdirSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { placeFile } from '../../disk/place-file.ts';
import type { Driver } from './driver.ts';
import { notWritten } from './failure.ts';

/** The default folder for the backups of a database: next to it. */
export function backupsFolder(path: string): string {
  return join(dirname(path), 'backups');
}

/**
 * A name in a folder for a file that is not finished, the folder created if it is missing (0700). Random, because
 * several processes may be at it; a crash may leave the file.
 *
 * @throws HandoffError `unavailable` where the folder cannot be made.
 */
export function unfinishedName(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw notWritten(folder, error);
  }
  return join(folder, `.${crypto.randomUUID()}.new`);
}

/**
 * Gives a finished file the first name of its kind that is free: `STEM.db`, then `STEM-2.db` and so on. A file that
 * holds the very same bytes already is as good: it stays, and the new one goes.
 *
 * @returns the path that it has now.
 */
export function placeBackup(beside: string, folder: string, stem: string): string {
  for (let number = 1; ; number += 1) {
    const path = join(folder, number === 1 ? `${stem}.db` : `${stem}-${number}.db`);
    try {
      placeFile(beside, path);
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (!holdTheSame(beside, path)) continue;
    rmSync(beside);
    return path;
  }
}

/**
 * Writes what an open database holds, its log included, to one file in a folder, for its owner alone. A failure leaves no
 * file.
 *
 * @returns the path of the copy.
 */
export function writeCopy(driver: Driver, folder: string, stem: string): string {
  const beside = unfinishedName(folder);
  try {
    makePrivateFile(beside);
    driver.prepare('VACUUM INTO :beside').run({ beside });
    return placeBackup(beside, folder, stem);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** Makes an empty file that is its owner's alone; SQLite keeps the mode. @throws HandoffError `unavailable`. */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    throw notWritten(dirname(path), error);
  }
}

const CHUNK_BYTES = 1024 * 1024;

function holdTheSame(left: string, right: string): boolean {
  if (statSync(left).size !== statSync(right).size) return false;
  const files = [openSync(left, 'r'), openSync(right, 'r')];
  const chunks = [Buffer.alloc(CHUNK_BYTES), Buffer.alloc(CHUNK_BYTES)] as const;
  try {
    for (;;) {
      const [read = 0] = files.map((file, index) => readSync(file, chunks[index] as Buffer));
      if (read === 0) return true;
      if (!chunks[0].subarray(0, read).equals(chunks[1].subarray(0, read))) return false;
    }
  } finally {
    for (const file of files) closeSync(file);
  }
}
