import { limits } from '../../core/limits.ts';
import { closedStore } from '../closed.ts';
import type { ReadRow } from '../handoff-columns.ts';
import { CommitGroups, type Outcome } from '../sql/commit-groups.ts';
import type { Statement } from '../sql/work.ts';
import { createRunner, type Driver, openDriver } from './driver.ts';
import { busyStore, endsGroup, explainFailure, isBusy, pause, untilFree } from './failure.ts';
import { type Migration, migrateSafely, needsMigration } from './migrate.ts';
import { capLog, OpenedFile } from './opened-file.ts';
import { openReadable, preparePlace, readOnlyStore } from './place.ts';

/** How a database is opened. */
export interface ConnectionOptions {
  /** What a commit outlives. `full`, the default: a power cut. `normal`: the end of the process; the database stays sound. */
  durability?: 'full' | 'normal';
  /** How long a call waits for other processes. Default: `limits.write_wait_ms`. */
  write_wait_ms?: number;
  /** Milliseconds as they pass, for the length of a group and of a wait. Default: the machine's. */
  passed?: () => number;
  /** The SQLite library. Default: Node's own. One that is given opens a read-only file too, if it can. */
  openDriver?: (path: string) => Promise<Driver>;
}

/** A call that writes. What it throws undoes the transaction; what it refuses itself, it has not begun to write. */
interface WritingCall {
  run: () => Outcome<unknown>;
  begun_ms: number;
}

/**
 * One connection to one database: its statements, its groups of writes, and reads that do not wait. A write resolves
 * after its commit, which is synced to the disk as far as the durability promises. One that fails while it writes (a
 * constraint, a damaged row) is refused alone: the transaction is undone and begins again without it. A full disk, an I/O
 * error or a commit that fails undoes the whole group, and all of it is `unavailable`.
 */
export class Connection {
  readonly path: string;
  readonly driver: Driver;
  /** Runs one statement, within a read or a write. */
  readonly run: (statement: Statement) => readonly ReadRow[];
  /** Absent where opening had nothing to make. */
  migration: Migration | undefined;
  /** Runs at the beginning of each write transaction, and after its commit. */
  hooks: { begin: () => void; commit: () => void } = { begin: () => {}, commit: () => {} };
  readonly #groups = new CommitGroups<WritingCall, unknown>({ run: (calls) => this.#runGroup(calls), running_max: 1 });
  readonly #file: OpenedFile;
  readonly #write_wait_ms: number;
  readonly #passed: () => number;
  #readOnly: { file: string; release: () => void } | undefined;
  #isClosed = false;
  #capLog = () => {};

  private constructor(path: string, driver: Driver, options: ConnectionOptions) {
    this.path = path;
    this.driver = driver;
    this.run = createRunner(driver);
    this.#file = new OpenedFile(path, driver);
    this.#write_wait_ms = options.write_wait_ms ?? limits.write_wait_ms;
    this.#passed = options.passed ?? (() => performance.now());
  }

  /** Opens, or makes, a database. @throws HandoffError `unavailable`, `invalid_input`, `unsupported_version`. */
  static async open(path: string, options: ConnectionOptions = {}): Promise<Connection> {
    if (path !== ':memory:') preparePlace(path);
    const place = options.openDriver === undefined ? await openReadable(path) : undefined;
    const opened = place?.path ?? path;
    let connection: Connection | undefined;
    try {
      connection = new Connection(opened, await (options.openDriver ?? openDriver)(opened), options);
      if (place !== undefined && opened !== path) connection.#readOnly = { file: path, release: place.release };
      await connection.#prepare(options.durability ?? 'full');
      if (!connection.#file.isInPlace()) throw connection.#file.lost();
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

  /** Runs a call in a write transaction. */
  async write<T>(run: () => Outcome<T>): Promise<T> {
    if (this.#isClosed) throw closedStore(this.path);
    return this.#groups.add('', { run, begun_ms: this.#passed() }) as Promise<T>;
  }

  /** Runs a body that only reads, as of one instant. Readers wait only for a recovery after a crash. */
  async read<T>(body: () => T): Promise<T> {
    if (this.#isClosed) throw closedStore(this.path);
    if (!this.#file.isInPlace()) throw this.#file.lost();
    return this.#untilFree(() => {
      this.driver.exec('BEGIN');
      try {
        return body();
      } finally {
        if (this.driver.isInTransaction()) this.driver.exec('COMMIT');
      }
    });
  }

  /** Writes what waits, if no other process holds the lock, and refuses the rest and all later calls. */
  close(): void {
    if (this.#isClosed) return;
    this.#groups.close();
    this.#isClosed = true;
    this.driver.close();
    this.#readOnly?.release();
  }

  async #prepare(durability: 'full' | 'normal'): Promise<void> {
    const { driver, path } = this;
    const isOutdated = await this.#untilFree(() => needsMigration(driver, path));
    if (path !== ':memory:') await this.#untilFree(() => useWriteAheadLog(driver, path));
    driver.exec(`PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}; PRAGMA cache_size = -16000`);
    this.#capLog = capLog(path, driver);
    if (isOutdated)
      this.migration = await migrateSafely(driver, path, (body) => this.write(() => ({ answer: body() })));
  }

  async #untilFree<T>(attempt: () => T): Promise<T> {
    const whileOpen = () => {
      if (this.#isClosed) throw closedStore(this.path);
      return attempt();
    };
    return untilFree(this.path, whileOpen, { wait_ms: this.#write_wait_ms }).catch((error: unknown) => {
      throw explainFailure(error, this.path);
    });
  }

  /** While another process holds the lock, the group waits a moment and begins again, with the calls that came meanwhile. */
  async #runGroup(calls: readonly WritingCall[]): Promise<(Outcome<unknown> | undefined)[]> {
    try {
      return this.#commit(calls);
    } catch (error) {
      if (!isBusy(error)) throw explainFailure(error, this.path);
      const waited = calls.map(({ begun_ms }) => this.#passed() - begun_ms);
      const late = waited.filter((waited_ms) => waited_ms >= this.#write_wait_ms);
      if (late.length === 0) await pause();
      return late.map((waited_ms) => ({ refusal: busyStore(this.path, Math.round(waited_ms), error) }));
    }
  }

  /** One transaction of as many as come within its time. */
  #commit(calls: readonly WritingCall[]): (Outcome<unknown> | undefined)[] {
    if (this.#isClosed) throw closedStore(this.path);
    const { driver, hooks } = this;
    driver.exec('BEGIN IMMEDIATE');
    const outcomes: Outcome<unknown>[] = [];
    let begun = 1;
    try {
      const begun_ms = this.#passed();
      hooks.begin();
      for (const { run } of calls) {
        begun = outcomes.length + 1;
        outcomes.push(run());
        // So many milliseconds long a transaction takes up calls: other processes wait for its end.
        if (this.#passed() - begun_ms >= 10) break;
      }
      const isInPlace = this.#file.isInPlace();
      driver.exec(isInPlace ? 'COMMIT' : 'ROLLBACK');
      if (!isInPlace) throw this.#file.lost();
    } catch (error) {
      // A full disk or an I/O error ends the transaction by itself.
      const isOpen = driver.isInTransaction();
      if (isOpen) driver.exec('ROLLBACK');
      const refused = { refusal: explainFailure(error, this.path) };
      const isAlone = isOpen && begun > outcomes.length && !endsGroup(error);
      return isAlone ? [...outcomes.map(() => undefined), refused] : calls.slice(0, begun).map(() => refused);
    }
    this.#capLog();
    hooks.commit();
    return outcomes;
  }
}

function useWriteAheadLog(driver: Driver, path: string): void {
  if (driver.prepare('PRAGMA journal_mode').get()?.journal_mode === 'wal') return;
  const now = driver.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode;
  if (now !== 'wal') throw new Error(`SQLite gives ${path} the journal mode ${now}, not a write-ahead log.`);
}
