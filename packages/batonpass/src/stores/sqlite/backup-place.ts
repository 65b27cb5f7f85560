import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { placeFile } from '../../disk/place-file.ts';
import type { Driver } from './driver.ts';
import { notWritten } from './failure.ts';

/** The default folder for the backups of a database: next to it. */
export const backupsFolder = (path: string) => join(dirname(path), 'backups');

/**
 * Makes an empty file for a copy that is not finished, for its owner alone; SQLite keeps the mode. The folder is created if
 * it is missing (0700). The name is random, because several processes may be at it; a crash may leave the file.
 *
 * @throws HandoffError `unavailable` where it cannot be made.
 */
export function makeUnfinished(folder: string): string {
  const path = join(folder, `.${crypto.randomUUID()}.new`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'wx', 0o600));
    return path;
  } catch (error) {
    throw notWritten(folder, error);
  }
}

/**
 * Gives a finished file the first name that is free: `STEM.db`, then `STEM-2.db` and so on; where a file holds the very same
 * bytes already, that one stays and the new one goes. @returns its path.
 */
export function placeBackup(unfinished: string, folder: string, stem: string): string {
  for (let number = 1; ; number += 1) {
    const path = join(folder, number === 1 ? `${stem}.db` : `${stem}-${number}.db`);
    try {
      placeFile(unfinished, path);
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const { size } = statSync(unfinished);
    // A larger file is not compared.
    if (size !== statSync(path).size || size > 1024 ** 3) continue;
    if (!readFileSync(unfinished).equals(readFileSync(path))) continue;
    rmSync(unfinished);
    return path;
  }
}

/** Writes what an open database holds, its log included, to one file in a folder. A failure leaves none. @returns its path. */
export function writeCopy(driver: Driver, folder: string, stem: string): string {
  const unfinished = makeUnfinished(folder);
  try {
    driver.prepare('VACUUM INTO :unfinished').run({ unfinished });
    return placeBackup(unfinished, folder, stem);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
