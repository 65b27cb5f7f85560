import { statSync } from 'node:fs';
import type { Driver } from './driver.ts';

/** Pages after which SQLite writes the log back by itself: 16 MB, and a stop of some ten milliseconds. */
const CHECKPOINT_PAGES = 4_000;

/** A log that grows above this is not begun anew by SQLite: it is cut off. */
const LOG_BYTES = 32 * 1024 * 1024;

/** Commits between two looks at the log's length. */
const COMMITS_BETWEEN_LOOKS = 16;

/** How long the writing back waits for a moment without other writers, in milliseconds. */
const WAIT_MS = 100;

/**
 * Keeps the write-ahead log short. SQLite writes it back by itself and begins it anew in place, which costs least; but
 * not while several processes write without a pause, whose checkpoints keep each other from their end (measured: 1.5 GB
 * within six seconds). So a process that finds the log too long leaves its own checkpoints off until one of them has cut
 * it off. A reader that stays open for hours keeps the log growing all the same; SQLite has no remedy for that.
 */
export class LogCap {
  readonly #log: string;
  readonly #driver: Driver;
  #commits = 0;
  #bytes_max = LOG_BYTES;

  constructor(path: string, driver: Driver) {
    this.#log = `${path}-wal`;
    this.#driver = driver;
  }

  /** Called once the log is in use. */
  begin(): void {
    this.#driver.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  }

  /** Called after each commit; looks at the first one, since many processes commit but once. */
  count(): void {
    const isTime = this.#commits % COMMITS_BETWEEN_LOOKS === 0;
    this.#commits += 1;
    if (!isTime) return;
    // A look at the file's length takes no part in SQLite's locks, which opening and closing it would.
    const bytes = statSync(this.#log, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes > this.#bytes_max) this.#bytes_max = this.#cutOff() ? LOG_BYTES : bytes + LOG_BYTES / 2;
    else if (this.#bytes_max > LOG_BYTES && bytes <= LOG_BYTES) this.#resume();
  }

  /** Somebody else has cut it off meanwhile. */
  #resume(): void {
    this.#bytes_max = LOG_BYTES;
    this.begin();
  }

  #cutOff(): boolean {
    try {
      this.#driver.exec(`PRAGMA wal_autocheckpoint = 0; PRAGMA busy_timeout = ${WAIT_MS}`);
      const isDone = this.#driver.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
      if (isDone) this.begin();
      return isDone;
    } catch {
      // The commits are safe in the log. A disk that fails or is full is told to the next write, by its own error.
      return false;
    } finally {
      this.#driver.exec('PRAGMA busy_timeout = 0');
    }
  }
}
