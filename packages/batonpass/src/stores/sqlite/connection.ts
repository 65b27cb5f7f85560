import { existsSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { StoreTokens } from '../../core/access-token.ts';
import { HandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { closedStore } from '../closed.ts';
import type { ReadRow } from '../handoff-columns.ts';
import type { Statement } from '../sql/work.ts';
import { createStoreTokens } from '../token-statements.ts';
import { backupsFolder, writeCopy } from './backup-place.ts';
import { createRunner, type Driver, openDriver } from './driver.ts';
import { explainFailure, untilFree } from './failure.ts';
import { type Migration, migrateSafely, needsMigration } from './migrate.ts';
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

/** One connection to one database: its statements, its one queue of writes, and reads that do not wait. */
export class Connection {
  readonly path: string;
  readonly driver: Driver;
  /** Runs one statement, within a read or a write. */
  readonly run: (statement: Statement) => readonly ReadRow[];
  readonly tokens: StoreTokens;
  /** What opening did to an older schema; absent where there was nothing to do. */
  migration: Migration | undefined;
  readonly #writes: WriteQueue;
  readonly #file: OpenedFile;
  readonly #write_wait_ms: number;
  /** Set where a copy of a read-only file is open. */
  #readOnly: { file: string; release: () => void } | undefined;
  #isClosed = false;
  #onCommit = () => {};

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
    this.#file = new OpenedFile(path, driver);
    this.#writes = new WriteQueue({
      driver,
      path,
      write_wait_ms,
      passed,
      file: this.#file,
      onCommit: () => this.#onCommit(),
    });
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
    let connection: Connection | undefined;
    try {
      connection = new Connection(opened, await openWith(opened), options);
      if (place?.isCopy === true) connection.#readOnly = { file: path, release: place.release };
      await connection.#prepare(durability);
      connection.#file.assertInPlace();
      return connection;
    } catch (error) {
      connection?.close();
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
   * @param prelude - runs first, even for a call that is refused; its argument is whether the transaction just began.
   */
  async transact<T>(decide: () => () => T, prelude: (isFirst: boolean) => void = () => {}): Promise<T> {
    if (this.#isClosed) throw closedStore(this.path);
    return this.#writes.run(decide, prelude);
  }

  /** Runs a body that only reads. Readers wait only for a recovery after a crash. */
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
    this.#onCommit = capLog(path, driver);
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

/** Pages after which SQLite writes the log back by itself: 16 MB, and a stop of some ten milliseconds. */
const CHECKPOINT_PAGES = 4_000;

/** A log that grows above this is truncated, not reused from its beginning. */
const LOG_BYTES = 32 * 1024 * 1024;

/** Commits between two looks at the log's length. */
const COMMITS_BETWEEN_LOOKS = 16;

/** How long the writing back waits for a moment without other writers, in milliseconds. */
const WAIT_MS = 100;

/**
 * Keeps the write-ahead log short. SQLite checkpoints it by itself and reuses it from its beginning, which costs least; but
 * not while several processes write without a pause, whose checkpoints keep each other from their end (measured: 1.5 GB
 * within six seconds). So a process that finds the log too long leaves its own checkpoints off until one of them has cut
 * it off. A reader that stays open for hours keeps the log growing all the same; SQLite has no remedy for that.
 *
 * @returns what is called after each commit; it looks at the first one, since many processes commit but once.
 */
export function capLog(path: string, driver: Driver): () => void {
  let commits = 0;
  let bytes_max = LOG_BYTES;
  const checkpointAfter = (pages: number) => driver.exec(`PRAGMA wal_autocheckpoint = ${pages}`);
  const cutOff = () => {
    try {
      checkpointAfter(0);
      driver.exec(`PRAGMA busy_timeout = ${WAIT_MS}`);
      return driver.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
    } catch {
      // The commits are safe in the log. A disk that fails or is full is reported to the next write, by its own error.
      return false;
    } finally {
      driver.exec('PRAGMA busy_timeout = 0');
    }
  };
  checkpointAfter(CHECKPOINT_PAGES);
  return () => {
    commits += 1;
    if (commits % COMMITS_BETWEEN_LOOKS !== 1) return;
    // A look at the file's length takes no part in SQLite's locks, which opening and closing it would.
    const bytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    const isShort = bytes <= bytes_max && (bytes_max === LOG_BYTES || bytes > LOG_BYTES);
    if (isShort) return;
    // Somebody else may have cut it off meanwhile.
    const isDone = bytes <= LOG_BYTES || cutOff();
    if (isDone) checkpointAfter(CHECKPOINT_PAGES);
    bytes_max = isDone ? LOG_BYTES : bytes + LOG_BYTES / 2;
  };
}

/**
 * The file that a connection has open, compared by device and inode with the file that is at its path now. Where it was
 * removed or replaced, SQLite continues with a file that no process can open again: then nothing more may be acknowledged.
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
    this.#lost ??= lostFile(this.#path, this.#driver);
    return this.#lost;
  }
}

/** The open file is read by its handle. */
function lostFile(path: string, driver: Driver): HandoffError {
  const what = `The store ${path} was removed or replaced while this process had it open`;
  try {
    const folder = existsSync(dirname(path)) ? backupsFolder(path) : mkdtempSync(join(tmpdir(), 'baton-rescue-'));
    const rescue = writeCopy(driver, folder, 'baton-rescue');
    return new HandoffError('unavailable', `${what}; what it held is in ${rescue}.`, {
      details: { path, rescue },
      alternatives: [
        'Restart this process: it opens the store that is at the path then.',
        `Bring what was rescued into that store: baton store copy --from sqlite:${rescue} --to sqlite:${path}`,
      ],
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new HandoffError('unavailable', `${what}; what it held could not be rescued: ${reason}.`, {
      details: { path },
      cause,
      alternatives: ['Restart this process. Then take the store from a backup: baton store restore FILE'],
    });
  }
}
