import { type HandoffError, isHandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { closedStore } from '../closed.ts';
import { type Driver, openDriver } from './driver.ts';
import { busyStore, explainFailure, isBusy } from './failure.ts';
import { migrate, needsMigration } from './migrations/migrate.ts';
import { preparePlace } from './place.ts';

/** What came of a body that may be refused by the life cycle. */
export type Attempt<T> = { answer: T } | { refusal: HandoffError };

/**
 * One connection to one database, with fair waiting: SQLite is told not to wait at all, and a call that finds the
 * database locked tries again every one or two milliseconds, so that no process starves behind the others.
 */
export class Connection {
  readonly path: string;
  readonly #driver: Driver;
  readonly #writeWaitMs: number;
  #isClosed = false;

  private constructor(path: string, driver: Driver, writeWaitMs: number) {
    this.path = path;
    this.#driver = driver;
    this.#writeWaitMs = writeWaitMs;
  }

  /**
   * Opens, or makes, a database and brings its schema up to date.
   *
   * @param writeWaitMs - how long a call waits for other processes.
   * @throws HandoffError `unavailable`, `invalid_input`, `unsupported_version`.
   */
  static async open(path: string, writeWaitMs: number = limits.write_wait_ms): Promise<Connection> {
    if (path !== ':memory:') preparePlace(path);
    try {
      const connection = new Connection(path, await openDriver(path), writeWaitMs);
      try {
        await connection.#prepare();
      } catch (error) {
        connection.close();
        throw error;
      }
      return connection;
    } catch (error) {
      throw explainFailure(error, path);
    }
  }

  get driver(): Driver {
    return this.#driver;
  }

  /**
   * Runs a body in one write transaction. From its beginning to its commit nothing waits, so that no other call of
   * this process comes between. When the promise resolves, the commit has been synced to the disk; when it rejects,
   * nothing was changed.
   */
  async write<T>(body: () => T): Promise<T> {
    return this.#untilFree(() => {
      this.#driver.exec('BEGIN IMMEDIATE');
      try {
        const answer = body();
        this.#driver.exec('COMMIT');
        return answer;
      } catch (error) {
        // A full disk or an I/O error ends the transaction by itself.
        if (this.#driver.isInTransaction()) this.#driver.exec('ROLLBACK');
        throw error;
      }
    });
  }

  /** Within a write: runs a body that, when it is refused, is undone alone. */
  attempt<T>(body: () => T): Attempt<T> {
    this.#driver.exec('SAVEPOINT attempt');
    try {
      const answer = body();
      this.#driver.exec('RELEASE attempt');
      return { answer };
    } catch (error) {
      if (!isHandoffError(error)) throw error;
      this.#driver.exec('ROLLBACK TO attempt; RELEASE attempt');
      return { refusal: error };
    }
  }

  /** Runs a body that only reads. Readers wait for nobody but a recovery after a crash. */
  async read<T>(body: () => T): Promise<T> {
    return this.#untilFree(body);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#driver.close();
  }

  async #prepare(): Promise<void> {
    const driver = this.#driver;
    const isOutdated = await this.#untilFree(() => needsMigration(driver, this.path));
    if (this.path !== ':memory:') await this.#untilFree(() => useWriteAheadLog(driver, this.path));
    // FULL: an acknowledged handoff survives a power cut. 4,000 pages: fewer, longer checkpoints.
    driver.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000');
    if (isOutdated) await this.write(() => migrate(driver, this.path));
  }

  async #untilFree<T>(attempt: () => T): Promise<T> {
    const begun_ms = performance.now();
    for (;;) {
      if (this.#isClosed) throw closedStore(this.path);
      try {
        return attempt();
      } catch (error) {
        if (!isBusy(error)) throw explainFailure(error, this.path);
        const waited_ms = performance.now() - begun_ms;
        if (waited_ms >= this.#writeWaitMs) throw busyStore(this.path, Math.round(waited_ms), error);
      }
      // Jittered, so that two waiters do not meet again and again.
      await new Promise((resolve) => setTimeout(resolve, 1 + Math.random()));
    }
  }
}

function useWriteAheadLog(driver: Driver, path: string): void {
  const mode = driver.prepare('PRAGMA journal_mode').get()?.journal_mode;
  if (mode === 'wal') return;
  const now = driver.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode;
  if (now !== 'wal') throw new Error(`SQLite gives ${path} the journal mode ${now}, not a write-ahead log.`);
}
