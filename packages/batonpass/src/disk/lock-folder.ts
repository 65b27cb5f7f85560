import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { HandoffError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { findOwnProcess, isRunning, type MachineProcess } from './machine-process.ts';
import { readWholeFile } from './regular-file.ts';

/** A lock that is held. */
export interface SeenLock {
  token: string;
  /** Nothing where a power cut tore what it wrote about itself. */
  owner: LockOwner | undefined;
  /** When it last gave a sign of life, by the clock of the file system. */
  beat_ms: number;
}

/** Leftovers of an unknown owner are removed after this time. */
const LITTER_MS = 60_000;

/** Others that release may undo a step some times in a row, never for ever. */
const TRIES_MAX = 1_000;

/**
 * One contender for the lock of a folder, and its traces on the disk:
 *
 *     .lock/held/TOKEN/          the lock; free where `held` is absent or empty
 *     .lock/TOKEN.new/TOKEN/     a contender's, which one renaming turns into `held`
 *     .lock/TOKEN.old/           a former holder's, about to be removed
 *
 * A folder is never renamed onto one that is not empty, so that one contender wins. Each owner describes itself in
 * a file named by its token, which exists before the folder gets its name. A killed process leaves its part,
 * which the next holder removes.
 */
export class LockFolder {
  readonly token: string = crypto.randomUUID();
  readonly #base: string;
  readonly #stale_ms: number;
  #now_ms = 0;

  /** @param folder - an existing folder, links resolved. */
  constructor(folder: string, stale_ms: number) {
    this.#base = join(folder, '.lock');
    this.#stale_ms = stale_ms;
  }

  /** Holds the files that the holder is about to write; a process that takes the lock over removes it. */
  get desk(): string {
    return this.#desk(this.token);
  }

  /** When this contender last tried, by the clock of the file system, which all contenders have in common. */
  get now_ms(): number {
    return this.#now_ms;
  }

  /** Takes the lock if it is free. @throws the system's error. */
  take(): boolean {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      this.#build();
      try {
        renameSync(this.#own('new'), this.#held);
        return true;
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        if (['ENOTEMPTY', 'EEXIST'].includes(code)) return false;
        // Windows renames nothing onto an empty folder either.
        if (['EPERM', 'EACCES'].includes(code) && existsSync(this.#held)) {
          if (!removeEmpty(this.#held)) return false;
        } else if (code !== 'ENOENT') throw error;
      }
    }
    throw unruly(this.#base);
  }

  /** The present holder of the lock; nothing where there is none. */
  look(): SeenLock | undefined {
    const token = list(this.#held)[0];
    if (token === undefined) return undefined;
    const beat = statSync(this.#wordsIn(this.#desk(token), token), { throwIfNoEntry: false });
    const seen = beat ?? statSync(this.#desk(token), { throwIfNoEntry: false });
    if (seen === undefined) return undefined;
    return { token, owner: readOwner(this.#wordsIn(this.#desk(token), token)), beat_ms: seen.mtimeMs };
  }

  /**
   * Takes the lock from the holder that was found to be gone, in one step: a write that it has not finished yet is
   * refused from then on, and its temporary files are removed before this returns.
   *
   * @returns false where it is not the holder any more.
   */
  takeOver(token: string): boolean {
    try {
      writeFileSync(this.#wordsIn(this.#desk(token), this.token), describeOwner(this.#stale_ms));
      renameSync(this.#desk(token), this.desk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return false;
    }
    // A renaming that the system was just at when the folder got its new name still finds the folder, not the file.
    for (const name of readdirSync(this.desk)) {
      if (name !== nameOfWords(this.token)) rmSync(join(this.desk, name), { recursive: true, force: true });
    }
    this.abandon();
    return true;
  }

  /** Whether this contender has the lock at this moment. */
  isHeld(): boolean {
    return existsSync(this.desk);
  }

  /** Gives a sign of life. */
  beat(): void {
    try {
      const file = openSync(this.#wordsIn(this.desk, this.token), 'r+');
      try {
        // The byte that is there already: by it the file system's own clock sets the time.
        writeSync(file, '{', 0);
      } finally {
        closeSync(file);
      }
    } catch {
      // A holder that lost its lock gets the error from its next write; a disk that fails now fails there too.
    }
  }

  /** Frees the lock, where this contender still has it, and leaves nothing on the disk. */
  release(): void {
    try {
      renameSync(this.desk, this.#own('old'));
      rmSync(this.#own('old'), { recursive: true, force: true });
      removeEmpty(this.#held);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    removeEmpty(this.#base);
  }

  /** Removes what a contender had created. */
  abandon(): void {
    rmSync(this.#own('new'), { recursive: true, force: true });
    removeEmpty(this.#base);
  }

  /** Removes what processes left that were killed while they contended or released. */
  sweep(): void {
    for (const entry of list(this.#base)) {
      const token = /^(.*)\.(?:new|old)$/.exec(entry)?.[1];
      if (token === undefined || token === this.token || !this.#isLitter(entry, token)) continue;
      const away = join(this.#base, `${crypto.randomUUID()}.old`);
      try {
        renameSync(join(this.#base, entry), away);
        rmSync(away, { recursive: true, force: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }

  get #held(): string {
    return join(this.#base, 'held');
  }

  #desk(token: string): string {
    return join(this.#held, token);
  }

  #own(kind: 'new' | 'old'): string {
    return join(this.#base, `${this.token}.${kind}`);
  }

  #wordsIn(folder: string, token: string): string {
    return join(folder, nameOfWords(token));
  }

  /** Creates this contender's folder and its owner file again; a holder that releases may remove `.lock` between two steps. */
  #build(): void {
    const inner = join(this.#own('new'), this.token);
    const words = this.#wordsIn(inner, this.token);
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      try {
        writeFileSync(words, describeOwner(this.#stale_ms));
        this.#now_ms = statSync(words).mtimeMs;
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
      makeFolder(this.#base);
      assertFolder(this.#base);
      makeFolder(this.#own('new'));
      makeFolder(inner);
    }
    throw unruly(this.#base);
  }

  #isLitter(entry: string, token: string): boolean {
    const path = join(this.#base, entry);
    const inner = entry.endsWith('.new') ? join(path, token) : path;
    const owner = readOwner(this.#wordsIn(inner, token));
    const runs = owner && isRunning(owner);
    if (runs !== undefined) return !runs;
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat !== undefined && this.#now_ms - stat.mtimeMs > LITTER_MS;
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** One whose parent has just gone is not made: the next try begins with the parent. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (!['EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Anything else there, above all a link, would lead the lock to another place. */
function assertFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== false) return;
  throw new HandoffError('path_outside_root', `${path} is not a folder, so no lock can be created in it.`, {
    details: { path },
    alternatives: [`Look at what ${path} is, and move it away.`],
  });
}

/** Removes a folder in which nothing is. @returns whether it is gone. */
function removeEmpty(path: string): boolean {
  try {
    rmdirSync(path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOTEMPTY', 'EEXIST', 'EPERM', 'EBUSY', 'ENOTDIR'].includes(code)) return false;
    if (code !== 'ENOENT') throw error;
  }
  return true;
}

function unruly(path: string): HandoffError {
  return new HandoffError('unavailable', `No lock could be created in ${path}: files created there disappear.`, {
    details: { path },
    alternatives: ['Choose a place on a local disk.'],
  });
}

/** The holder of a lock, as recorded on the disk. */
interface LockOwner extends MachineProcess {
  host: string;
  /** ISO 8601. */
  since: string;
  /** A running holder renews the lock several times in this period. */
  stale_ms: number;
}

/** How this process describes itself when it takes a lock now. */
function describeOwner(stale_ms: number): string {
  const owner: LockOwner = { ...ownProcess(), host: hostname(), since: new Date().toISOString(), stale_ms };
  return JSON.stringify(owner);
}

let own: MachineProcess | undefined;

/** Read once: a process does not change. */
function ownProcess(): MachineProcess {
  own ??= findOwnProcess();
  return own;
}

/** The file in which an owner describes itself; its name has the owner's token. */
function nameOfWords(token: string): string {
  return `owner-${token}.json`;
}

/** The owner by its own file; nothing where the file is gone, or cut off by a power failure. */
function readOwner(path: string): LockOwner | undefined {
  try {
    const owner = JSON.parse(
      readWholeFile(path, limits.once_file_bytes_max).toString('utf8'),
    ) as Partial<LockOwner> | null;
    const isWhole = typeof owner?.pid === 'number' && typeof owner.machine === 'string';
    return isWhole && typeof owner.started === 'string' ? (owner as LockOwner) : undefined;
  } catch {
    // Gone, or cut off by a power failure: then only its silence counts.
    return undefined;
  }
}
