import { resolve } from 'node:path';
import type { StoreTokens } from '../../core/access-token.ts';
import { clockActor } from '../../core/lifecycle.ts';
import type { Call, ClaimAnswer, ClaimRequest, Store, StoreCapabilities, StoreSurroundings } from '../../core/store.ts';
import { createSurroundings } from '../../core/surroundings.ts';
import { applyDue, Changes } from '../sql/changes.ts';
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
 * Opens the store of a file, which is created if it is missing, or of `:memory:`. Many processes may have one file open
 * at once. Writes are synced to the disk before their promises resolve, those of one turn of the event loop together.
 *
 * Against the port: none of its promises is weakened, but by `durability: 'normal'`; a write that waits longer than
 * `write_wait_ms` for other processes is refused. Of a read-only file a copy is read, which other processes do not
 * change; every write is refused.
 *
 * @throws HandoffError `unavailable` for a path that cannot be written, `invalid_input` for a file of another program,
 * `unsupported_version` for a newer schema or an unsafe SQLite library.
 */
export async function openSqliteStore(path: string, options: SqliteStoreOptions = {}): Promise<Store> {
  const place = path === ':memory:' ? path : resolve(path);
  return new SqliteStore(await Connection.open(place, options), createSurroundings(options));
}

/** The store over a connection that is already open; `openSqliteStore` is the way to it. */
export class SqliteStore extends SqlStore {
  constructor(connection: Connection, surroundings: StoreSurroundings) {
    super(new SqliteEngine(connection, surroundings), surroundings);
  }
}

/** Transactions on one file. */
class SqliteEngine implements Engine {
  readonly name: string;
  readonly capabilities: StoreCapabilities;
  readonly tokens: StoreTokens;
  readonly statements = sqliteStatements;
  readonly bell: Bell;
  readonly #connection: Connection;
  readonly #surroundings: StoreSurroundings;
  readonly #reader = new Reader(sqliteStatements);
  /** The time of the transaction that is running. */
  #now_ms = 0;
  /** How many lines of history were written. */
  #lines = 0;

  constructor(connection: Connection, surroundings: StoreSurroundings) {
    const isFile = connection.path !== ':memory:';
    const notifications = isFile ? 'machine' : 'process';
    this.name = connection.path;
    this.capabilities = { durable: isFile, concurrent_processes: isFile, notifications };
    this.tokens = connection.tokens;
    const { path, driver } = connection;
    this.bell = new Bell(isFile ? new LogWatch(path, driver, () => this.bell.ring()) : undefined);
    this.#connection = connection;
    this.#surroundings = surroundings;
  }

  /** Contents are frozen texts, and a call decides before the code that made it goes on: the list alone is copied. */
  keep<T>(given: T): T {
    return (Array.isArray(given) ? [...given] : given) as T;
  }

  read<T>(body: (now_ms: number) => Work<T>): Promise<T> {
    return this.#read((now_ms) => this.#run(body(now_ms)));
  }

  readHistory<T>(body: () => Work<T>): Promise<T> {
    return this.read(body);
  }

  async write<T>(asked: Asked, body: Body<T>): Promise<T> {
    this.#connection.assertWritable();
    const reader = this.#reader;
    const work = () => {
      const changes = new Changes(sqliteStatements);
      const context = {
        actor: asked.call?.actor ?? clockActor,
        now_ms: this.#now_ms,
        random: this.#surroundings.random,
      };
      const answer = this.#run(decide(changes, asked, { body, reader, context }));
      return () => {
        for (const statement of changes.writes()) this.#connection.run(statement);
        this.#lines += changes.events.length;
        return answer;
      };
    };
    // What moves between stores writes while it decides.
    return this.#transact(asked.call === undefined ? () => () => work()() : work);
  }

  claim(request: ClaimRequest, call: Call, claimAlone: SqlStore['claimAlone']): Promise<ClaimAnswer> {
    return claimAlone(request, call);
  }

  /** All as of one instant, even while other processes write. */
  export(page: { after: number; limit: number }): Promise<ExportedHandoff[]> {
    const { driver } = this.#connection;
    return this.#read(() => {
      driver.exec('BEGIN');
      try {
        return this.#run(this.#reader.export(page));
      } finally {
        driver.exec('COMMIT');
      }
    });
  }

  findEnd(): Promise<number> {
    return this.#connection.read(() => this.#run(this.#reader.lastEvent()));
  }

  async close(): Promise<void> {
    this.#connection.close();
  }

  /** A read that finds something due lets it happen first; else it takes no lock. */
  async #read<T>(body: (now_ms: number) => T): Promise<T> {
    const now_ms = this.#surroundings.now();
    const found = await this.#connection.read(() => (this.#isDue(now_ms) ? null : { answer: body(now_ms) }));
    if (found !== null) return found.answer;
    await this.#transact(() => () => undefined);
    return this.#connection.read(() => body(now_ms));
  }

  /** Runs a call in a write transaction, after what is due; rings where anything was written, also what was due. */
  async #transact<T>(call: () => () => T): Promise<T> {
    const before = this.#lines;
    try {
      return await this.#connection.transact(call, this.#applyDue);
    } finally {
      if (this.#lines > before) this.bell.ring();
    }
  }

  /** Before each write: what came due has happened, also when the write itself is refused. */
  readonly #applyDue = (isFirst: boolean) => {
    // Read under the lock, so that times rise in the order of the commits; writes of one transaction share it.
    if (isFirst) this.#now_ms = this.#surroundings.now();
    const due = { now_ms: this.#now_ms, random: this.#surroundings.random };
    while (this.#isDue(this.#now_ms)) {
      const changes = new Changes(sqliteStatements);
      this.#run(applyDue(changes, sqliteStatements, due));
      this.#lines += changes.events.length;
    }
  };

  #isDue(now: number): boolean {
    return this.#connection.run({ sql: selectIsDue, parameters: { now } })[0]?.is_due === 1;
  }

  #run<T>(work: Work<T>): T {
    return runNow(work, this.#connection.run);
  }
}
