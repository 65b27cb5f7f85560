import { type FSWatcher, statSync, watch } from 'node:fs';
import type { Watch } from '../subscription.ts';
import type { Driver, Statement } from './driver.ts';

/** The first look that a timer gives after a sign; each next one comes after twice the time, up to the last. */
const FIRST_LOOK_MS = 1;
const LAST_LOOK_MS = 512;

/** Without a watcher there is nothing but to look: often enough for a person who waits, and still hardly any work. */
const UNWATCHED_LOOK_MS = 250;

/**
 * Rings at the commits of other connections to a database. It watches the write-ahead log: each transaction is written there
 * first, then synced, then made visible. So a sign is followed by some looks at the number that SQLite changes with each
 * commit of another connection. No file is opened: closing one would drop SQLite's locks of this process.
 */
export class LogWatch implements Watch {
  readonly #log: string;
  readonly #versions: Statement;
  readonly #ring: () => void;
  #watcher: FSWatcher | undefined;
  /** Which file is watched: a log that was created again is another one. */
  #identity: string | undefined;
  #version: unknown;
  #looks: NodeJS.Timeout | undefined;
  #unwatchedLooks: NodeJS.Timeout | undefined;

  constructor(path: string, driver: Driver, ring: () => void) {
    this.#log = `${path}-wal`;
    this.#versions = driver.prepare('PRAGMA data_version');
    this.#ring = ring;
  }

  start(): void {
    this.#version = this.#readVersion();
    this.#watch();
  }

  stop(): void {
    this.#watcher?.close();
    clearTimeout(this.#looks);
    clearInterval(this.#unwatchedLooks);
  }

  /** Checks for changes that no signal announced, and watches the current log. */
  verify(): void {
    if (this.#watcher === undefined || this.#identify() !== this.#identity) this.#watch();
    const version = this.#readVersion();
    const hasChanged = version !== this.#version;
    this.#version = version;
    if (hasChanged) this.#ring();
  }

  #watch(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    try {
      this.#identity = this.#identify();
      this.#watcher = watch(this.#log, { persistent: false }, () => this.#look(FIRST_LOOK_MS));
      this.#watcher.on('error', () => this.#watch());
    } catch {
      // There is no log yet, or the system has no watcher left to give: the looks try again, and find what comes.
    }
    clearInterval(this.#unwatchedLooks);
    if (this.#watcher === undefined) this.#unwatchedLooks = setInterval(() => this.verify(), UNWATCHED_LOOK_MS).unref();
  }

  /** Looks now and to the last time in any case: what the first finds may be an earlier commit than the one that gave the sign. */
  #look(next_ms: number): void {
    clearTimeout(this.#looks);
    if (next_ms <= LAST_LOOK_MS) this.#looks = setTimeout(() => this.#look(2 * next_ms), next_ms).unref();
    this.verify();
  }

  #readVersion(): unknown {
    try {
      return this.#versions.get()?.data_version;
    } catch {
      // A locked or broken database: also a change, and the next reader meets the same error and reports it.
      return undefined;
    }
  }

  /** The number of a file alone can be given again to the next one. */
  #identify(): string | undefined {
    const file = statSync(this.#log, { throwIfNoEntry: false });
    return file && `${file.ino} ${file.birthtimeMs}`;
  }
}
