import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { HandoffError } from '../../core/errors.ts';
import { backupsFolder, writeCopy } from './backup-place.ts';
import type { Driver } from './driver.ts';

/**
 * The file that a connection has open, compared by device and inode with the file that is at its path now. Where it was
 * removed or replaced, SQLite goes on with a file that nobody finds again: nothing more may be acknowledged then.
 *
 * The first call that notices writes what the connection still holds to a rescue copy: into `backups` next to the
 * database, or into the system's temporary folder where the database's own folder is gone too.
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
    if (this.#lost !== undefined) return false;
    return this.#driver.identify() === this.#identity;
  }

  /** @throws HandoffError `unavailable` with the path of the rescue copy. Call it outside of a transaction. */
  assertInPlace(): void {
    if (!this.isInPlace()) throw this.lost();
  }

  /** The error of every call from now on; the first writes the rescue copy. */
  lost(): HandoffError {
    this.#lost ??= lostFile(this.#path, rescue(this.#driver, this.#path));
    return this.#lost;
  }
}

type Rescue = { rescue: string } | { failure: unknown };

/** The open file is read by its handle. */
function rescue(driver: Driver, path: string): Rescue {
  try {
    const isFolderThere = existsSync(dirname(path));
    const folder = isFolderThere ? backupsFolder(path) : mkdtempSync(join(tmpdir(), 'baton-rescue-'));
    return { rescue: writeCopy(driver, folder, 'baton-rescue') };
  } catch (failure) {
    return { failure };
  }
}

function lostFile(path: string, outcome: Rescue): HandoffError {
  const what = `The store ${path} was removed or replaced while this process had it open`;
  if ('failure' in outcome) {
    const reason = outcome.failure instanceof Error ? outcome.failure.message : String(outcome.failure);
    return new HandoffError('unavailable', `${what}; what it held could not be rescued: ${reason}.`, {
      details: { path },
      cause: outcome.failure,
      alternatives: ['Restart this process. Then take the store from a backup: baton store restore FILE'],
    });
  }
  return new HandoffError('unavailable', `${what}; what it held is in ${outcome.rescue}.`, {
    details: { path, rescue: outcome.rescue },
    alternatives: [
      'Restart this process: it opens the store that is at the path then.',
      `Bring what was rescued into that store: baton store copy --from sqlite:${outcome.rescue} --to sqlite:${path}`,
    ],
  });
}
