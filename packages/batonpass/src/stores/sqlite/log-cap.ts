import { statSync } from 'node:fs';
import type { Driver } from './driver.ts';

/** Commits between two looks at the log's length. */
const COMMITS_BETWEEN_LOOKS = 256;

/** Four times the length at which SQLite itself begins to write the log back. */
const LOG_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Keeps the write-ahead log short. SQLite writes it back by itself, but begins it anew only in a moment without readers
 * and other writers; under steady load that moment may not come. Above the bound it is written back and cut off at once,
 * where nobody reads just then; a reader that stays open for hours keeps it growing, and SQLite has no remedy for that.
 */
export class LogCap {
  readonly #log: string;
  readonly #driver: Driver;
  #commits = 0;

  constructor(path: string, driver: Driver) {
    this.#log = `${path}-wal`;
    this.#driver = driver;
  }

  /** Called after each commit. */
  count(): void {
    this.#commits += 1;
    if (this.#commits % COMMITS_BETWEEN_LOOKS !== 0) return;
    // A look at the file's length takes no part in SQLite's locks, which opening and closing it would.
    const bytes = statSync(this.#log, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes > LOG_BYTES_MAX) this.#driver.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
  }
}
