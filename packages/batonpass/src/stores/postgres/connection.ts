import type { Pool, PoolClient } from 'pg';
import { isHandoffError } from '../../core/errors.ts';
import { closedStore } from '../closed.ts';
import type { Statement } from '../sql/work.ts';
import { LapseWatermark } from './claims.ts';
import { configOf, type Driver, describePlace, loadDriver, openPool } from './driver.ts';
import { explainFailure, isCollision, isForgotten, isLost, isSilent, unknownCommit } from './failure.ts';
import { createLocks, type Locks } from './locks.ts';
import { assertServer, migrate } from './migrate.ts';
import { type Place, readPlace } from './place.ts';
import { type Evidence, Session, send } from './session.ts';
import { isDueAt, selectLine } from './statements.ts';

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
  /** Statements that were sent and not waited for: the commit follows at once, and has no effect if any of them fails. */
  sent?: Promise<unknown> | undefined;
}

type Body<T> = (session: Session, commit: (sent?: Promise<unknown>) => Promise<void>) => Promise<T>;

/** First pause before a lost connection is replaced; it doubles with each. */
const PAUSE_MS_MIN = 20;
const PAUSE_MS_MAX = 1_000;

/** A few connections to one schema, and transactions on them that outlive the loss of any. */
export class Connection {
  /** Where it is, without user and password. */
  readonly name: string;
  readonly locks: Locks;
  /** The channel on which commits are notified. */
  readonly channel: string;
  /** The schema's version before it was opened, and since. */
  migration = { from: 0, to: 0 };
  readonly lapses = new LapseWatermark();
  readonly #driver: Driver;
  readonly #place: Place;
  readonly #pool: Pool;
  readonly #options: ConnectionOptions;
  #running = 0;
  #onRest = () => {};
  /** Until a pooler that gives each transaction another backend does not know a statement that was prepared. */
  #isPreparing = true;
  #beginnings: ReturnType<typeof beginningsOf>;
  #isClosed = false;

  private constructor(driver: Driver, place: Place, options: ConnectionOptions) {
    this.name = describePlace(driver, place);
    this.locks = createLocks(place.schema);
    this.channel = `baton:${place.schema}`;
    this.#driver = driver;
    this.#place = place;
    this.#pool = openPool(driver, place);
    this.#options = options;
    this.#beginnings = beginningsOf(place);
  }

  /**
   * Connects, and makes the schema where it is absent.
   *
   * @throws HandoffError `unavailable`, `invalid_input`, `unsupported_version`.
   */
  static async open(url: string, options: ConnectionOptions = {}): Promise<Connection> {
    const place = readPlace(url);
    const connection = new Connection(await loadDriver(), place, options);
    try {
      // A server that restarts is waited for here as in every call.
      await connection.#untilDone(
        () => connection.#prepare(),
        (error) => error,
      );
      return connection;
    } catch (error) {
      await connection.close();
      throw explainFailure(error, connection.name);
    }
  }

  /** A connection of its own, outside of the pool, for notifications. */
  createListener(): InstanceType<Driver['Client']> {
    const config = configOf(this.#place, this.#driver);
    return new this.#driver.Client({ ...config, query_timeout: 2 * this.#place.wait_ms });
  }

  /**
   * Runs a body in a transaction and commits it. A connection that is lost is replaced, for up to the wait of the URL; where
   * it was lost at the commit, the new one first waits for the old transaction's end, by a lock that both take, and checks
   * whether it was committed: then its answer is returned, else the body runs again.
   *
   * @param lock - one that two runs of this call must not hold at once.
   * @param opening - is sent together with the beginning, before it is known whether anything is due. Default: nothing.
   */
  async write<T>(
    lock: string,
    body: (session: Session) => Promise<Written<T>>,
    opening: readonly Statement[] = [],
  ): Promise<T> {
    /** A commit that was begun on a connection that was lost then. */
    let doubtful: { answer: T; evidence: Evidence } | undefined;
    const attempt: Body<T> = async (session, commit) => {
      if (doubtful !== undefined && (await isThere(session, doubtful.evidence))) return doubtful.answer;
      doubtful = undefined;
      const { answer, sent } = await body(session);
      const { evidence } = session;
      if (evidence !== undefined) doubtful = { answer, evidence };
      try {
        await commit(sent);
      } catch (error) {
        // What the server itself refused was not done. Any other failure, of this or a later attempt, proves nothing.
        if (!isLost(error)) doubtful = undefined;
        throw error;
      }
      return answer;
    };
    return this.#untilDone(
      () => this.#transact(attempt, opening, lock),
      (error) => (doubtful === undefined ? explainFailure(error, this.name) : unknownCommit(this.name, error)),
    );
  }

  /** Runs a body that only reads, all as of one instant. */
  async read<T>(body: (session: Session) => Promise<T>): Promise<T> {
    return this.#untilDone(
      () => this.#transact(body),
      (error) => explainFailure(error, this.name),
    );
  }

  /** Waits for what runs, within its time-outs, and lets go of every connection. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#running > 0) {
      await new Promise<void>((resolve) => {
        this.#onRest = resolve;
      });
    }
    await this.#pool.end();
  }

  async #prepare(): Promise<void> {
    const client = await this.#pool.connect();
    try {
      const { synchronous_commit } = await assertServer(client, this.name);
      const { schema } = this.#place;
      this.migration = await migrate(client, { schema, lock: this.locks.migration, name: this.name });
      const { durability = 'full' } = this.#options;
      // A server that waits for more than its own disk keeps its setting; one that does not wait at all is set to wait.
      const wanted = durability === 'normal' ? 'off' : synchronous_commit === 'off' ? 'on' : undefined;
      this.#beginnings = beginningsOf(this.#place, wanted);
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** Tries again what a lost connection or a collision ended, as long as the URL says. */
  async #untilDone<T>(attempt: () => Promise<T>, explain: (error: unknown) => unknown): Promise<T> {
    if (this.#isClosed) throw closedStore(this.name);
    let begun_ms = performance.now();
    let wasSilent = false;
    this.#running += 1;
    try {
      for (let pause_ms = PAUSE_MS_MIN; ; pause_ms = Math.min(2 * pause_ms, PAUSE_MS_MAX)) {
        try {
          return await attempt();
        } catch (error) {
          if (isHandoffError(error)) throw error;
          // A connection that fell silent took its time to be found out: the wait for another begins then, once.
          if (isSilent(error) && !wasSilent) begun_ms = performance.now();
          wasSilent ||= isSilent(error);
          if (isForgotten(error)) this.#isPreparing = false;
          const isTried = isLost(error) || isCollision(error) || isForgotten(error);
          if (!isTried || performance.now() - begun_ms >= this.#place.wait_ms) throw explain(error);
        }
        // Jittered, so that two that collided do not meet again and again.
        await new Promise((resolve) => setTimeout(resolve, pause_ms * (0.5 + Math.random())));
      }
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#onRest();
    }
  }

  /** Runs a body on one connection, which goes back to the pool only if it is sound. @param lock - of a write alone. */
  async #transact<T>(body: Body<T>, opening: readonly Statement[] = [], lock?: string): Promise<T> {
    const client = await this.#pool.connect();
    try {
      let isCommitted = false;
      const commit = async (sent?: Promise<unknown>) => {
        const [{ command }] = await Promise.all([client.query('COMMIT'), sent]);
        // A transaction in which something failed is undone by its own commit.
        if (command !== 'COMMIT') throw new Error(`The server ended a transaction with ${command}.`);
        isCommitted = true;
      };
      const answer = await body(await this.#begin(client, opening, lock), commit);
      if (!isCommitted) await client.query('ROLLBACK');
      client.release();
      return answer;
    } catch (error) {
      await giveBack(client, error);
      throw error;
    }
  }

  /** All of it is sent at once, and waited for once. */
  async #begin(client: PoolClient, opening: readonly Statement[], lock: string | undefined): Promise<Session> {
    const isReading = lock === undefined;
    const isPrepared = this.#isPreparing;
    const { begin, setUp } = this.#beginnings[isReading ? 'read' : 'write'];
    const now = this.#options.now && Math.trunc(this.#options.now());
    const from = this.lapses.from();
    const [, [moment], ...opened] = await Promise.all([
      client.query(begin),
      send(client, { sql: setUp, parameters: { lock, now, from } }, isPrepared),
      ...opening.map((statement) => send(client, statement, isPrepared)),
    ]);
    const look = { now_ms: Number(moment?.now_ms), is_due: moment?.is_due === true };
    this.lapses.saw(look, from);
    return new Session({ client, ...look, opened, isPrepared: isPrepared && !isReading });
  }
}

/**
 * How the transactions of one store begin: by a message that opens them, and a statement that sets them up. A pooler may
 * give each another process of the server, so all that it needs is set with it and goes with it: settings first, then the
 * lock of a write, then the time and whether the clock has anything to do. The schema is named, for the search path is set
 * here. Plans of a write are made once, for any values, and go by indexes however small a table was then.
 *
 * @param synchronous_commit - where the server's own setting is not to hold.
 */
export function beginningsOf({ schema, wait_ms }: Pick<Place, 'schema' | 'wait_ms'>, synchronous_commit?: string) {
  const settings = {
    search_path: `"${schema}", pg_temp`,
    statement_timeout: Math.ceil(1.5 * wait_ms),
    // A client that fell silent within a transaction is given up before those who wait for its locks give up.
    idle_in_transaction_session_timeout: Math.ceil(wait_ms / 2),
    ...(synchronous_commit !== undefined && { synchronous_commit }),
  };
  const generic = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' };
  // Until the transaction's end. Names and numbers of our own making, and a schema's name, which was checked.
  const locally = (wanted: Readonly<Record<string, string | number>>) =>
    Object.entries(wanted).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  // From a transaction's first statement on: that one waits already where a whole table is held.
  const begin = (mode: string) => `${mode}; SET LOCAL lock_timeout = ${wait_ms}`;
  const setUp = (first: readonly string[]) => `
SELECT now_ms, ${isDueAt('now_ms', `"${schema}".deliveries`)} AS is_due
FROM (
  SELECT coalesce(:now::bigint, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) AS now_ms
  FROM (SELECT ${first.join(', ')} OFFSET 0) AS settings OFFSET 0
) AS moment`;
  return {
    read: { begin: begin('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'), setUp: setUp(locally(settings)) },
    write: {
      begin: begin('BEGIN ISOLATION LEVEL READ COMMITTED'),
      setUp: setUp([...locally({ ...settings, ...generic }), 'pg_advisory_xact_lock(:lock::bigint)']),
    },
  };
}

async function isThere(session: Session, { line, handoff_id, name, at }: Evidence): Promise<boolean> {
  const [found] = await session.run({ sql: selectLine, parameters: { line, handoff_id, name, at } });
  return found?.is_there === true;
}

/** A transaction that failed is undone; a connection that cannot even do that is thrown away. */
async function giveBack(client: PoolClient, error: unknown): Promise<void> {
  try {
    if (isLost(error)) throw error;
    await client.query('ROLLBACK');
    client.release();
  } catch {
    // The reason of the failure is reported already; the server rolls back when it sees the connection end.
    client.release(true);
  }
}
