import { resolve } from 'node:path';
import { isHandoffError } from '../../core/errors.ts';
import type { Store, StoreCapabilities, StoreSurroundings } from '../../core/store.ts';
import { createSurroundings } from '../../core/surroundings.ts';
import { applyDue, Changes } from '../sql/changes.ts';
import type { Outcome } from '../sql/commit-groups.ts';
import { type ExportedHandoff, Reader } from '../sql/reader.ts';
import { type Asked, type Body, decide, type Engine, SqlStore } from '../sql/store.ts';
import { runNow, type Work } from '../sql/work.ts';
import { Bell } from '../subscription.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { selectIsDue, sqliteStatements } from './statements.ts';
import { LogWatch } from './watch.ts';

/** How a store of a file is opened, and what a test holds in its hand. */
export type SqliteStoreOptions = ConnectionOptions & Partial<StoreSurroundings>;

/**
 * Opens the store of a file, which is created if it is missing, or of `:memory:`. Many processes may have one file open at
 * once. Writes are synced to the disk before their promises resolve. Against the port: `durability: 'normal'` keeps less; a
 * write that waits longer than `write_wait_ms` for other processes is refused; of a read-only file a copy is read.
 *
 * @throws HandoffError `unavailable` for a path that cannot be written, `invalid_input` for a file of another program,
 * `unsupported_version` for a newer schema or an unsafe SQLite library.
 */
export async function openSqliteStore(path: string, options: SqliteStoreOptions = {}): Promise<Store> {
  const place = path === ':memory:' ? path : resolve(path);
  return new SqliteStore(await Connection.open(place, options), createSurroundings(options));
}

/** The store over a connection that is already open. */
export class SqliteStore extends SqlStore {
  constructor(connection: Connection, surroundings: StoreSurroundings) {
    super(new SqliteEngine(connection, surroundings), surroundings);
  }
}

class SqliteEngine implements Engine {
  readonly name: string;
  readonly capabilities: StoreCapabilities;
  readonly reader = new Reader(sqliteStatements);
  readonly bell: Bell;
  readonly #connection: Connection;
  readonly #surroundings: StoreSurroundings;
  #now_ms = 0;
  /** Whether that transaction has written lines of history. */
  #hasWritten = false;

  constructor(connection: Connection, surroundings: StoreSurroundings) {
    const { path, driver } = connection;
    const isFile = path !== ':memory:';
    this.name = path;
    const notifications = isFile ? 'machine' : 'process';
    this.capabilities = { durable: isFile, concurrent_processes: isFile, notifications };
    this.bell = new Bell(isFile ? new LogWatch(path, driver, () => this.bell.ring()) : undefined);
    this.#connection = connection;
    this.#surroundings = surroundings;
    connection.hooks = { begin: () => this.#applyDue(), commit: () => this.#hasWritten && this.bell.ring() };
  }

  /** Contents are frozen texts, and a call decides before the code that made it goes on: the list alone is copied. */
  keep<T>(given: T): T {
    return (Array.isArray(given) ? [...given] : given) as T;
  }

  /** A read that finds something due lets it happen first; else it takes no lock. */
  async read<T>(body: (now_ms: number) => Work<T>): Promise<T> {
    const now_ms = this.#surroundings.now();
    const run = () => this.#run(body(now_ms));
    const found = await this.#connection.read(() => (this.#isDue(now_ms) ? undefined : { answer: run() }));
    if (found) return found.answer;
    await this.#connection.write(() => ({ answer: undefined }));
    return this.#connection.read(run);
  }

  readHistory<T>(body: () => Work<T>): Promise<T> {
    return this.read(body);
  }

  async write<T>(asked: Asked, body: Body<T>): Promise<T> {
    this.#connection.assertWritable();
    return this.#connection.write(() => this.#write(asked, body));
  }

  #write<T>(asked: Asked, body: Body<T>): Outcome<T> {
    const changes = new Changes(sqliteStatements);
    const moment = { reader: this.reader, now_ms: this.#now_ms, random: this.#surroundings.random };
    let answer: T;
    try {
      answer = this.#run(decide(changes, asked, body, moment));
    } catch (refusal) {
      // A call decides before it writes; only what moves between stores writes while it decides.
      if (!isHandoffError(refusal) || asked.call === undefined) throw refusal;
      return { refusal };
    }
    for (const statement of changes.writes()) this.#connection.run(statement);
    this.#hasWritten ||= changes.events.length > 0;
    return { answer };
  }

  export(page: { after: number; limit: number }): Promise<ExportedHandoff[]> {
    return this.read(() => this.reader.export(page));
  }

  findEnd(): Promise<number> {
    return this.#connection.read(() => this.#run(this.reader.lastEvent()));
  }

  async close(): Promise<void> {
    this.#connection.close();
  }

  /** Before the calls of a transaction: what came due has happened, also when they are refused. */
  #applyDue(): void {
    this.#hasWritten = false;
    // Read under the lock, so that times rise in the order of the commits; calls of one transaction share it.
    this.#now_ms = this.#surroundings.now();
    const due = { now_ms: this.#now_ms, random: this.#surroundings.random };
    while (this.#isDue(this.#now_ms)) {
      this.#hasWritten = true;
      this.#run(applyDue(sqliteStatements, due));
    }
  }

  #isDue(now: number): boolean {
    return this.#connection.run({ sql: selectIsDue, parameters: { now } })[0]?.is_due === 1;
  }

  #run<T>(work: Work<T>): T {
    return runNow(work, this.#connection.run);
  }
}
