import type { Pool, PoolClient, QueryResult } from 'pg';
import { isHandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { closedStore } from '../closed.ts';
import { configOf, type Driver, describePlace, loadDriver, openPool } from './driver.ts';
import { explainFailure, isCollision, isLost, unknownCommit } from './failure.ts';
import { createLocks, type Locks } from './locks.ts';
import { migrate } from './migrations/migrate.ts';
import { type Place, readPlace } from './place.ts';
import { assertServer } from './server.ts';
import { type Row, Session } from './session.ts';
import { selectLine } from './statements.ts';
import type { Evidence } from './transaction.ts';

/** How a database is reached. */
export interface ConnectionOptions {
  /** `normal` does not wait for the server's disk: a crash of the server can take the last commits with it. Default: `full`. */
  durability?: 'full' | 'normal';
  /** Milliseconds since 1970, where the server's own clock is not to be asked. */
  now?: () => number;
}

/** What a body of a write leaves. */
export interface Written<T> {
  answer: T;
  /** What proves the commit, where there is something to prove. */
  evidence?: Evidence;
}

/** A commit that was begun on a connection that was lost then. */
interface Doubtful<T> {
  answer: T;
  evidence: Evidence;
}

/** First pause before a lost connection is replaced; it doubles with each, up to a second. */
const PAUSE_MS_MIN = 20;
const PAUSE_MS_MAX = 1_000;

/** A few connections to one schema, and transactions on them that outlive the loss of any. */
export class Connection {
  /** Where it is, without user and password. */
  readonly name: string;
  readonly locks: Locks;
  /** What commits are told on. */
  readonly channel: string;
  readonly #driver: Driver;
  readonly #place: Place;
  readonly #pool: Pool;
  readonly #options: ConnectionOptions;
  readonly #running = new Set<Promise<unknown>>();
  #synchronous_commit: string | undefined;
  #isClosed = false;

  private constructor(driver: Driver, place: Place, options: ConnectionOptions) {
    this.name = describePlace(driver, place);
    this.locks = createLocks(place.schema);
    this.channel = `baton:${place.schema}`;
    this.#driver = driver;
    this.#place = place;
    this.#pool = openPool(driver, place);
    this.#options = options;
  }

  /**
   * Connects, and brings the schema up to date or makes it.
   *
   * @throws HandoffError `unavailable`, `invalid_input`, `unsupported_version`.
   */
  static async open(url: string, options: ConnectionOptions = {}): Promise<Connection> {
    const place = readPlace(url);
    const connection = new Connection(await loadDriver(), place, options);
    try {
      await connection.#prepare();
      return connection;
    } catch (error) {
      await connection.close();
      throw explainFailure(error, connection.name);
    }
  }

  /** A connection of its own, outside of the pool, for notifications. */
  createListener(): InstanceType<Driver['Client']> {
    return new this.#driver.Client({ ...configOf(this.#place, this.#driver), query_timeout: undefined });
  }

  /**
   * Runs a body in a transaction and commits it. A connection that is lost is replaced, for up to `limits.write_wait_ms`;
   * where it was lost at the commit, the new one first waits for the old transaction's end, by a lock that both take, and
   * looks whether it was committed: then its answer stands, else the body runs again.
   *
   * @param lock - one that two runs of this call must not hold at once.
   */
  async write<T>(lock: string, body: (session: Session) => Promise<Written<T>>): Promise<T> {
    return this.#track(async () => {
      let doubtful: Doubtful<T> | undefined;
      return this.#untilDone(
        async () => {
          const inDoubt = doubtful;
          return this.#transact(this.#beginWrite(lock), async (session, commit) => {
            if (inDoubt !== undefined && (await isThere(session, inDoubt.evidence))) return inDoubt.answer;
            doubtful = undefined;
            const { answer, evidence } = await body(session);
            if (evidence !== undefined) doubtful = { answer, evidence };
            await commit();
            return answer;
          });
        },
        (error) => (doubtful === undefined ? explainFailure(error, this.name) : unknownCommit(this.name, error)),
        () => {
          doubtful = undefined;
        },
      );
    });
  }

  /** Runs a body that only reads, all as of one instant. */
  async read<T>(body: (session: Session) => Promise<T>): Promise<T> {
    return this.#track(() =>
      this.#untilDone(
        () => this.#transact(this.#beginRead(), (session) => body(session)),
        (error) => explainFailure(error, this.name),
      ),
    );
  }

  /** Waits for what runs, within its time-outs, and lets go of every connection. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await Promise.allSettled(this.#running);
    await this.#pool.end();
  }

  async #prepare(): Promise<void> {
    const client = await this.#pool.connect();
    try {
      const { synchronous_commit } = await assertServer(client, this.name);
      await migrate(client, { schema: this.#place.schema, lock: this.locks.migration, name: this.name });
      const { durability = 'full' } = this.#options;
      // A server may wait for more than its own disk, and stays at that; one that waits for nothing is told to.
      if (durability === 'normal') this.#synchronous_commit = 'off';
      else if (synchronous_commit === 'off') this.#synchronous_commit = 'on';
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  async #track<T>(run: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw closedStore(this.name);
    const running = run();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Tries again what collided or lost its connection. @param settle - told of a failure that is certain. */
  async #untilDone<T>(
    attempt: () => Promise<T>,
    explain: (error: unknown) => unknown,
    settle: () => void = () => {},
  ): Promise<T> {
    const begun_ms = performance.now();
    for (let pause_ms = PAUSE_MS_MIN; ; pause_ms = Math.min(2 * pause_ms, PAUSE_MS_MAX)) {
      try {
        return await attempt();
      } catch (error) {
        if (isHandoffError(error)) throw error;
        if (!isLost(error)) settle();
        const isTried = isLost(error) || isCollision(error);
        if (!isTried || performance.now() - begun_ms >= limits.write_wait_ms) throw explain(error);
      }
      // Jittered, so that two that collided do not meet again and again.
      await new Promise((resolve) => setTimeout(resolve, pause_ms * (0.5 + Math.random())));
    }
  }

  /** One transaction on one connection, which goes back to the pool only if it is sound. */
  async #transact<T>(begin: string, body: (session: Session, commit: () => Promise<void>) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let isCommitted = false;
    const commit = async () => {
      const { command } = await client.query('COMMIT');
      if (command !== 'COMMIT') throw new Error(`The server ended a transaction with ${command}.`);
      isCommitted = true;
    };
    try {
      const answer = await body(await this.#begin(client, begin), commit);
      if (!isCommitted) await client.query('ROLLBACK');
      client.release();
      return answer;
    } catch (error) {
      await giveBack(client, error);
      throw error;
    }
  }

  async #begin(client: PoolClient, sql: string): Promise<Session> {
    // Several statements in one message: the driver answers with one result for each.
    const results = (await client.query(sql)) as unknown as QueryResult<Row>[];
    const { now_ms, is_due } = results.at(-1)?.rows[0] ?? {};
    return new Session(client, { now_ms: Number(now_ms), is_due: is_due === true });
  }

  /** Names and numbers of this file's own making: statements that set something take no parameters. */
  #beginWrite(lock: string): string {
    const commits = this.#synchronous_commit;
    return `BEGIN ISOLATION LEVEL READ COMMITTED; ${this.#settings()}
      ${commits === undefined ? '' : `SET LOCAL synchronous_commit = ${commits};`}
      SELECT pg_advisory_xact_lock(${BigInt(lock)}); ${this.#moment()}`;
  }

  #beginRead(): string {
    return `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${this.#settings()} ${this.#moment()}`;
  }

  #settings(): string {
    const { schema } = this.#place;
    return `SET LOCAL search_path = "${schema}", pg_temp; SET LOCAL lock_timeout = ${limits.write_wait_ms};
      SET LOCAL statement_timeout = ${limits.write_wait_ms + 5_000};
      SET LOCAL idle_in_transaction_session_timeout = ${2 * limits.write_wait_ms};`;
  }

  /** The time, and whether the clock has anything to do: two looks into small indexes. */
  #moment(): string {
    const { now } = this.#options;
    const clock = now === undefined ? 'floor(extract(epoch FROM clock_timestamp()) * 1000)' : Math.trunc(now());
    return `SELECT now_ms, EXISTS (SELECT 1 FROM handoffs WHERE state = 'claimed' AND lease_expires_at <= now_ms)
        OR EXISTS (SELECT 1 FROM handoffs WHERE state = 'open' AND expires_at <= now_ms) AS is_due
      FROM (SELECT (${clock})::bigint AS now_ms OFFSET 0) AS moment`;
  }
}

/** A transaction that failed is undone; a connection that cannot even do that is thrown away. */
async function giveBack(client: PoolClient, error: unknown): Promise<void> {
  if (isLost(error)) {
    client.release(true);
    return;
  }
  try {
    await client.query('ROLLBACK');
    client.release();
  } catch {
    // Why the transaction failed is told already; the server undoes it when it sees the connection end.
    client.release(true);
  }
}

async function isThere(session: Session, { line, handoff_id, name, at }: Evidence): Promise<boolean> {
  return (await session.get(selectLine, { line, handoff_id, name, at }))?.is_there === true;
}
