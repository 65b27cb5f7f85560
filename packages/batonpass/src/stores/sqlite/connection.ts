import type { StoreTokens } from '../../core/access-token.ts';
import { limits } from '../../core/limits.ts';
import { closedStore } from '../closed.ts';
import type { ReadRow } from '../handoff-columns.ts';
import type { Statement } from '../sql/work.ts';
import { createStoreTokens } from '../token-statements.ts';
import { createRunner, type Driver, openDriver } from './driver.ts';
import { explainFailure, untilFree } from './failure.ts';
import { LogCap } from './log-cap.ts';
import { type Migration, migrateSafely, needsMigration } from './migrate.ts';
import { OpenedFile } from './opened-file.ts';
import { openReadable, preparePlace, type ReadablePlace, readOnlyStore } from './place.ts';
import { WriteQueue } from './write-queue.ts';

/** How a database is opened. */
export interface ConnectionOptions {
  /**
   * What a commit outlives. `full`, the default: a power cut, at the price of one sync of the disk a transaction.
   * `normal`: the end of the process; a power cut or a crash of the system can take the last commits with it, never the
   * database.
   */
  durability?: 'full' | 'normal';
  /** How long a call waits for other processes. Default: `limits.write_wait_ms`. */
  write_wait_ms?: number;
  /** Milliseconds as they pass, for the length of a group and of a wait. Default: the machine's. */
  passed?: () => number;
  /** The SQLite library. Default: Node's own. One that is given opens a read-only file too, if it can. */
  openDriver?: (path: string) => Promise<Driver>;
}

/** One connection to one database: its statements, its one queue of writes, and reads that wait for nobody. */
export class Connection {
  readonly path: string;
  readonly driver: Driver;
  /** Runs one statement, within a read or a write. */
  readonly run: (statement: Statement) => readonly ReadRow[];
  readonly tokens: StoreTokens;
  /** What opening did to an older schema; absent where there was nothing to do. */
  migration: Migration | undefined;
  readonly #writes: WriteQueue;
  readonly #logCap: LogCap;
  readonly #file: OpenedFile;
  readonly #write_wait_ms: number;
  /** Set where a copy of a read-only file is open. */
  #readOnly: { file: string; release: () => void } | undefined;
  #isClosed = false;

  private constructor(path: string, driver: Driver, options: ConnectionOptions) {
    const { write_wait_ms = limits.write_wait_ms, passed = () => performance.now() } = options;
    this.path = path;
    this.driver = driver;
    this.run = createRunner(driver);
    this.tokens = createStoreTokens({
      read: (sql, parameters) => this.read(() => this.run({ sql, parameters })),
      write: async (sql, parameters) => {
        this.assertWritable();
        return this.write(() => this.run({ sql, parameters }));
      },
    });
    this.#write_wait_ms = write_wait_ms;
    this.#logCap = new LogCap(path, driver);
    const onCommit = () => this.#logCap.count();
    this.#file = new OpenedFile(path, driver);
    this.#writes = new WriteQueue({ driver, path, write_wait_ms, passed, file: this.#file, onCommit });
  }

  /**
   * Opens, or makes, a database and brings its schema up to date.
   *
   * @throws HandoffError `unavailable`, `invalid_input`, `unsupported_version`.
   */
  static async open(path: string, options: ConnectionOptions = {}): Promise<Connection> {
    const { durability = 'full', openDriver: openWith = openDriver } = options;
    const isOurs = path !== ':memory:' && options.openDriver === undefined;
    if (path !== ':memory:') preparePlace(path);
    const place: ReadablePlace | undefined = isOurs ? await openReadable(path) : undefined;
    const opened = place?.path ?? path;
    try {
      const connection = new Connection(opened, await openWith(opened), options);
      if (place?.isCopy === true) connection.#readOnly = { file: path, release: place.release };
      try {
        await connection.#prepare(durability);
        connection.#file.assertInPlace();
      } catch (error) {
        connection.close();
        throw error;
      }
      return connection;
    } catch (error) {
      place?.release();
      throw explainFailure(error, path);
    }
  }

  /** @throws HandoffError `unavailable` where the file is read-only and a copy of it is open. */
  assertWritable(): void {
    if (this.#readOnly !== undefined) throw readOnlyStore(this.#readOnly.file);
  }

  /** Runs a body that writes in a write transaction. */
  async write<T>(body: () => T): Promise<T> {
    return this.transact(() => body);
  }

  /**
   * Runs a call in a write transaction, which other writes of this turn of the event loop may share. When the promise
   * resolves, the commit has been synced to the disk, as far as the durability promises; when it rejects, nothing of
   * this call was kept.
   *
   * @param decide - only reads, and returns what writes and gives the answer.
   * @param prelude - comes first, whether the call is refused or not; told whether the transaction just began.
   */
  async transact<T>(decide: () => () => T, prelude: (isFirst: boolean) => void = () => {}): Promise<T> {
    if (this.#isClosed) throw closedStore(this.path);
    return this.#writes.run(decide, prelude);
  }

  /** Runs a body that only reads. Readers wait for nobody but a recovery after a crash. */
  async read<T>(body: () => T): Promise<T> {
    if (this.#isClosed) throw closedStore(this.path);
    this.#file.assertInPlace();
    return this.#untilFree(body);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#writes.close();
    this.#isClosed = true;
    this.driver.close();
    this.#readOnly?.release();
  }

  async #prepare(durability: 'full' | 'normal'): Promise<void> {
    const { driver, path } = this;
    const isOutdated = await this.#untilFree(() => needsMigration(driver, path));
    if (path !== ':memory:') await this.#untilFree(() => useWriteAheadLog(driver, path));
    // The words are of this file.
    const level = durability === 'full' ? 'FULL' : 'NORMAL';
    driver.exec(`PRAGMA synchronous = ${level}; PRAGMA cache_size = -16000`);
    this.#logCap.begin();
    if (isOutdated) this.migration = await migrateSafely(this);
  }

  async #untilFree<T>(attempt: () => T): Promise<T> {
    const whileOpen = () => {
      if (this.#isClosed) throw closedStore(this.path);
      return attempt();
    };
    try {
      return await untilFree(this.path, whileOpen, { wait_ms: this.#write_wait_ms });
    } catch (error) {
      throw explainFailure(error, this.path);
    }
  }
}

function useWriteAheadLog(driver: Driver, path: string): void {
  const mode = driver.prepare('PRAGMA journal_mode').get()?.journal_mode;
  if (mode === 'wal') return;
  const now = driver.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode;
  if (now !== 'wal') throw new Error(`SQLite gives ${path} the journal mode ${now}, not a write-ahead log.`);
}
