import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { HandoffEvent } from '../../core/delivery.ts';
import { isHandoffError } from '../../core/errors.ts';
import type { StoreSurroundings } from '../../core/store.ts';
import { closedStore } from '../closed.ts';
import type { Statement } from '../sql/work.ts';
import { LapseWatermark } from './claims.ts';
import { configOf, type Driver, describePlace, loadDriver, openPool } from './driver.ts';
import { explainFailure, isCollision, isForgotten, isLost, isSilent, unknownCommit } from './failure.ts';
import { assertServer, migrate } from './migrate.ts';
import { type Place, readPlace } from './place.ts';
import { run, type Session, send } from './session.ts';
import { isDueAt, selectIsCommitted } from './statements.ts';

/** How a store on a server is opened. */
export interface PostgresStoreOptions extends Partial<StoreSurroundings> {
  /** `normal` does not wait for the server's disk: a crash of the server can take the last commits with it. Default: `full`. */
  durability?: 'full' | 'normal';
  /** Whose clock leases, expiries and back-offs follow. Default: the `server`'s; `own` is `now`, for the contract suite. */
  clock?: 'server' | 'own';
}

/** What a body of a write leaves. */
export interface Written<T> {
  answer: T;
  /** Statements that were sent and not waited for: the commit follows at once, and has no effect if any of them fails. */
  sent?: Promise<unknown>;
  /** A line of history among them: if it is there afterwards, the transaction was committed. */
  line?: Omit<HandoffEvent, 'seq'> | undefined;
}

interface TransactionOptions {
  /** Sent together with the beginning, before it is known whether anything is due. Default: nothing. */
  opening?: readonly Statement[];
  /** Whether it begins also where something has come due. Default: that is applied first. */
  ignoresDue?: boolean;
  /** Of a write alone: what two runs of a call have in common. */
  key?: string | undefined;
}

/** Thrown where something has come due. */
const DUE = Symbol('due');

/** A few connections to one schema, and transactions on them that outlive the loss of any. */
export class Connection {
  /** Where it is, without user and password. */
  readonly name: string;
  /** The channel on which commits are notified. */
  readonly channel: string;
  /** Whether opening it made the schema. */
  isNew = false;
  readonly lapses = new LapseWatermark();
  /** Applies what has come due: each transaction that finds something ends, waits for this, and begins again. */
  settle = async (): Promise<void> => {};
  readonly #driver: Driver;
  readonly #place: Place;
  readonly #pool: Pool;
  readonly #options: PostgresStoreOptions;
  readonly #running = new Set<Promise<unknown>>();
  /** Until a pooler that gives each transaction another backend does not know a statement that was prepared. */
  #isPreparing = true;
  #beginnings: ReturnType<typeof beginningsOf>;
  #isClosed = false;

  private constructor(driver: Driver, place: Place, options: PostgresStoreOptions) {
    this.name = describePlace(driver, place);
    this.channel = `baton:${place.schema}`;
    this.#driver = driver;
    this.#place = place;
    this.#pool = openPool(driver, place);
    this.#options = options;
    this.#beginnings = beginningsOf(place);
  }

  /** Connects, and makes the schema where it is absent. A server that restarts is waited for, as in every call. */
  static async open(url: string, options: PostgresStoreOptions = {}): Promise<Connection> {
    const connection = new Connection(await loadDriver(), readPlace(url), options);
    try {
      await connection.#untilDone(() => connection.#prepare());
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** A connection of its own, outside of the pool, for notifications. */
  createListener(): InstanceType<Driver['Client']> {
    return new this.#driver.Client({ ...configOf(this.#place, this.#driver), query_timeout: 2 * this.#place.wait_ms });
  }

  /**
   * Runs a body in a transaction and commits it. A connection that is lost is replaced, for up to the wait of the URL; where
   * it was lost at the commit, the new one first waits for the old transaction's end, by a lock that both take, and checks
   * whether it was committed: then its answer is returned, else the body runs again.
   */
  async write<T>(
    body: (session: Session) => Promise<Written<T>>,
    { key = randomUUID(), ...options }: TransactionOptions = {},
  ): Promise<T> {
    /** A commit that was begun on a connection that was lost then. */
    let doubtful: { written: Written<T>; xid: string } | undefined;
    const decide = async (session: Session): Promise<Written<T>> => {
      if (doubtful !== undefined && (await isCommitted(session, doubtful))) return { answer: doubtful.written.answer };
      doubtful = undefined;
      const written = await body(session);
      doubtful = written.line && { written, xid: session.xid };
      return written;
    };
    const attempt = async () => {
      const before = doubtful;
      try {
        return await this.#transact(decide, { ...options, key });
      } catch (error) {
        // What the server itself refused was not done. Any other failure, of this or a later attempt, proves nothing.
        if (doubtful !== before && !isLost(error)) doubtful = undefined;
        throw error;
      }
    };
    return this.#untilDone(attempt, (error) =>
      doubtful === undefined ? explainFailure(error, this.name) : unknownCommit(this.name, error),
    );
  }

  async read<T>(body: (session: Session) => Promise<T>): Promise<T> {
    return this.#untilDone(() => this.#transact(async (session) => ({ answer: await body(session) })));
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
    let isSound = false;
    try {
      const synchronous_commit = await assertServer(client, this.name);
      this.isNew = await migrate(client, this.#place.schema, this.name);
      // A server that waits for more than its own disk keeps its setting; one that does not wait at all is set to wait.
      const wanted = this.#options.durability === 'normal' ? 'off' : synchronous_commit === 'off' ? 'on' : undefined;
      this.#beginnings = beginningsOf(this.#place, wanted);
      isSound = true;
    } finally {
      client.release(!isSound);
    }
  }

  async #untilDone<T>(
    attempt: () => Promise<T>,
    explain = (error: unknown) => explainFailure(error, this.name),
  ): Promise<T> {
    if (this.#isClosed) throw closedStore(this.name);
    const running = this.#retry(attempt, explain);
    this.#running.add(running);
    return running.finally(() => this.#running.delete(running));
  }

  /** Tries again what a lost connection or a collision ended, as long as the URL says. */
  async #retry<T>(attempt: () => Promise<T>, explain: (error: unknown) => unknown): Promise<T> {
    let begun_ms = performance.now();
    let wasSilent = false;
    for (let pause_ms = 20; ; pause_ms = Math.min(2 * pause_ms, 1_000)) {
      try {
        return await attempt();
      } catch (error) {
        if (isHandoffError(error)) throw error;
        if (error === DUE) {
          await this.settle();
          continue;
        }
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
  }

  /** Runs a body and commits, on one connection, which goes back to the pool only if it is sound. */
  async #transact<T>(
    body: (session: Session) => Promise<Written<T>>,
    { opening = [], ignoresDue = false, key }: TransactionOptions = {},
  ): Promise<T> {
    const client = await this.#pool.connect();
    try {
      const session = await this.#begin(client, opening, key);
      if (session.is_due && !ignoresDue) throw DUE;
      const { answer, sent } = await body(session);
      const [{ command }] = await Promise.all([client.query('COMMIT'), sent]);
      // A transaction in which something failed is undone by its own commit.
      if (command !== 'COMMIT') throw new Error(`The server ended a transaction with ${command}.`);
      client.release();
      return answer;
    } catch (error) {
      await giveBack(client, error);
      throw error;
    }
  }

  /** All of it is sent at once, and waited for once. */
  async #begin(client: PoolClient, opening: readonly Statement[], key?: string): Promise<Session> {
    const { begin, setUp } = this.#beginnings[key === undefined ? 'read' : 'write'];
    const from = this.lapses.from();
    const { clock, now = Date.now } = this.#options;
    const parameters = { key, now: clock === 'own' ? Math.trunc(now()) : undefined, from };
    const sending = { client, isPrepared: this.#isPreparing };
    const [, [moment], ...opened] = await Promise.all([
      client.query(begin),
      send(sending, { sql: setUp, parameters }),
      ...opening.map((statement) => send(sending, statement)),
    ]);
    const { now_ms, is_due, xid } = moment as Pick<Session, 'now_ms' | 'is_due' | 'xid'>;
    if (!is_due) this.lapses.settle(now_ms, from);
    const ahead = new Map(opening.map(({ sql }, index) => [sql, opened[index] ?? []]));
    return { client, now_ms, is_due, xid, ahead, isPrepared: sending.isPrepared && key !== undefined };
  }
}

/**
 * How the transactions of one store begin: by a message that opens them, and a statement that sets them up. A pooler may
 * give each another process of the server, so all that a transaction needs is set with it and goes with it: settings first,
 * then the lock of a write, then the time and whether anything is due. Plans of a write are made once, for any values, and
 * go by indexes however small a table was then. @param synchronous_commit - where the server's own setting is not to hold.
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
  // Names and numbers of our own making, and a schema's name, which was checked.
  const locally = (wanted: Readonly<Record<string, string | number>>) =>
    Object.entries(wanted).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  // From a transaction's first statement on: that one waits already where a whole table is held.
  const begin = (mode: string) => `${mode}; SET LOCAL lock_timeout = ${wait_ms}`;
  const setUp = (first: readonly string[], xid: string) => `
SELECT now_ms, ${isDueAt('now_ms', `"${schema}".deliveries`)} AS is_due, ${xid} AS xid,
  set_config('baton.now_ms', now_ms::text, true)
FROM (
  SELECT coalesce(:now::bigint, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) AS now_ms
  FROM (SELECT ${first.join(', ')} OFFSET 0) AS settings OFFSET 0
) AS moment`;
  const lock = `pg_advisory_xact_lock(hashtextextended('${schema}:key:' || :key, 0))`;
  return {
    read: { begin: begin('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'), setUp: setUp(locally(settings), 'NULL') },
    write: {
      begin: begin('BEGIN ISOLATION LEVEL READ COMMITTED'),
      setUp: setUp([...locally({ ...settings, ...generic }), lock], 'pg_current_xact_id()::text'),
    },
  };
}

async function isCommitted(session: Session, { written: { line }, xid }: { written: Written<unknown>; xid: string }) {
  const parameters = { xid, handoff_id: line?.handoff_id, name: line?.name, at: line && Date.parse(line.at) };
  return (await run(session, { sql: selectIsCommitted, parameters }))[0]?.is_committed === true;
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
