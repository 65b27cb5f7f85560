import { statSync } from 'node:fs';
import type { Driver } from './driver.ts';

/** The length at which the log is written back: some thousand pages, and a stop of some ten milliseconds. */
const LOG_BYTES = 16 * 1024 * 1024;

/** Commits between two looks at the log's length. */
const COMMITS_BETWEEN_LOOKS = 16;

/** How long the writing back waits for a moment without other writers, in milliseconds. */
const WAIT_MS = 100;

/**
 * Writes the write-ahead log back and cuts it off when it is long, in place of SQLite's own checkpoints: those never
 * begin the log anew while several processes write without a pause (measured: 1.5 GB within six seconds). A reader that
 * stays open for hours keeps the log growing all the same; SQLite has no remedy for that.
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

  /** Called after each commit; looks at the first one, since many processes commit but once. */
  count(): void {
    const isTime = this.#commits % COMMITS_BETWEEN_LOOKS === 0;
    this.#commits += 1;
    if (!isTime) return;
    // A look at the file's length takes no part in SQLite's locks, which opening and closing it would.
    const bytes = statSync(this.#log, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes > this.#bytes_max) this.#bytes_max = this.#writeBack() ? LOG_BYTES : bytes + LOG_BYTES;
  }

  #writeBack(): boolean {
    try {
      this.#driver.exec(`PRAGMA busy_timeout = ${WAIT_MS}`);
      return this.#driver.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
    } catch {
      // The commits are safe in the log. A disk that fails or is full is told to the next write, by its own error.
      return false;
    } finally {
      this.#driver.exec('PRAGMA busy_timeout = 0');
    }
  }
}
