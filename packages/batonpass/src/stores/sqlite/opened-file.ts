import { existsSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { HandoffError } from '../../core/errors.ts';
import { storeError } from '../sql/failure.ts';
import { backupsFolder, writeCopy } from './backup-place.ts';
import type { Driver } from './driver.ts';

/** SQLite writes the log back by itself after these pages: 16 MB, and a stop of some ten milliseconds. */
const autoCheckpoint = 'PRAGMA wal_autocheckpoint = 4000';

/** A log that grows above this is truncated, not reused from its beginning. */
const LOG_BYTES = 32 * 1024 * 1024;

/**
 * Keeps the write-ahead log short. SQLite writes it back by itself and begins it again, but not while several processes
 * write without a pause, whose checkpoints keep each other from their end (measured: 1.5 GB within six seconds). So a
 * process that finds the log too long leaves its own checkpoints off until one of them has cut it off. A reader that stays
 * open for hours keeps the log growing all the same. @returns what is called after each commit.
 */
export function capLog(path: string, driver: Driver): () => void {
  let commits = 0;
  let bytes_max = LOG_BYTES;
  driver.exec(autoCheckpoint);
  return () => {
    commits += 1;
    // The first one too, since many processes commit but once.
    if (commits % 16 !== 1) return;
    // A look at the file's length takes no part in SQLite's locks, which opening and closing it would.
    const bytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    // Somebody else may have cut off a log that was found too long.
    if (bytes <= bytes_max && (bytes_max === LOG_BYTES || bytes > LOG_BYTES)) return;
    const isShort = bytes <= LOG_BYTES || cutOff(driver);
    if (isShort) driver.exec(autoCheckpoint);
    // After a vain try the next one is some megabytes later.
    bytes_max = isShort ? LOG_BYTES : bytes + LOG_BYTES / 2;
  };
}

function cutOff(driver: Driver): boolean {
  try {
    // Waits so many milliseconds for a moment without other writers.
    driver.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA busy_timeout = 100');
    return driver.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
  } catch {
    // The commits are safe in the log. A disk that fails or is full is reported to the next write, by its own error.
    return false;
  } finally {
    driver.exec('PRAGMA busy_timeout = 0');
  }
}

/**
 * The file that a connection has open, compared by device and inode with the file that is at its path now. Where it was
 * removed or replaced, SQLite continues with a file that no process can open again: then nothing more may be acknowledged.
 */
export class OpenedFile {
  readonly #path: string;
  readonly #driver: Driver;
  readonly #identity: string | undefined;
  #lost: HandoffError | undefined;

  constructor(path: string, driver: Driver) {
    this.#path = path;
    this.#driver = driver;
    this.#identity = driver.identify();
  }

  isInPlace(): boolean {
    return this.#lost === undefined && this.#driver.identify() === this.#identity;
  }

  /** The error `unavailable` of every call from now on, outside of a transaction. */
  lost(): HandoffError {
    this.#lost ??= this.#rescue();
    return this.#lost;
  }

  /** What the open file holds is copied into `backups`, or into the temporary folder where its own folder is gone too. */
  #rescue(): HandoffError {
    const path = this.#path;
    const what = 'was removed or replaced while this process had it open; what it held';
    try {
      const folder = existsSync(dirname(path)) ? backupsFolder(path) : mkdtempSync(join(tmpdir(), 'baton-rescue-'));
      const rescue = writeCopy(this.#driver, folder, 'baton-rescue');
      const restart = 'Restart this process: it opens the store that is at the path then.';
      const bring = `Bring what was rescued into that store: baton store copy --from sqlite:${rescue} --to sqlite:${path}`;
      return storeError(path, [`${what} is in ${rescue}`, restart, bring], { details: { path, rescue } });
    } catch (cause) {
      const says = `${what} could not be rescued: ${cause instanceof Error ? cause.message : cause}`;
      const restart = 'Restart this process. Then take the store from a backup: baton store restore FILE';
      return storeError(path, [says, restart], { details: { path }, cause });
    }
  }
}
