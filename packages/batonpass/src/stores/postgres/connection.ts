import type { Pool, PoolClient } from 'pg';
import { isHandoffError } from '../../core/errors.ts';
import { closedStore } from '../closed.ts';
import { type Beginning, beginRead, beginWrite, statementOf } from './beginning.ts';
import { configOf, type Driver, describePlace, loadDriver, openPool } from './driver.ts';
import { explainFailure, isCollision, isLost, isSilent, unknownCommit } from './failure.ts';
import { LapseFloor } from './lapse-floor.ts';
import { createLocks, type Locks } from './locks.ts';
import { migrate } from './migrations/migrate.ts';
import { type Place, readPlace } from './place.ts';
import { assertServer } from './server.ts';
import { isForgotten, type Opening, type Preparing, Session, Wire } from './session.ts';
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
  /** What was sent and not waited for: the commit follows at once, and comes to nothing where any of it fails. */
  sent?: Promise<unknown>;
}

const nothing: Opening = () => [];

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
  /** The schema's version before it was opened, and since. */
  migration = { from: 0, to: 0 };
  readonly lapses = new LapseFloor();
  readonly #driver: Driver;
  readonly #place: Place;
  readonly #pool: Pool;
  readonly #options: ConnectionOptions;
  readonly #running = new Set<Promise<unknown>>();
  readonly #preparing: Preparing = { isPossible: true };
  #synchronous_commit: string | undefined;
  #beginnings: { read: Beginning; write: Beginning } | undefined;
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
    return new this.#driver.Client(configOf(this.#place, this.#driver));
  }

  /**
   * Runs a body in a transaction and commits it. A connection that is lost is replaced, for up to the wait of the URL;
   * where it was lost at the commit, the new one first waits for the old transaction's end, by a lock that both take, and
   * looks whether it was committed: then its answer stands, else the body runs again.
   *
   * @param lock - one that two runs of this call must not hold at once.
   */
  async write<T>(lock: string, body: (session: Session) => Promise<Written<T>>, opening = nothing): Promise<T> {
    return this.#track(async () => {
      let doubtful: Doubtful<T> | undefined;
      return this.#untilDone(
        async () => {
          const inDoubt = doubtful;
          return this.#transact({ lock, opening }, async (session, commit) => {
            if (inDoubt !== undefined && (await isThere(session, inDoubt.evidence))) return inDoubt.answer;
            doubtful = undefined;
            const { answer, evidence, sent } = await body(session);
            if (evidence !== undefined) doubtful = { answer, evidence };
            try {
              await commit(sent);
            } catch (error) {
              // What the server itself refused was not done. Any other failure, of this or a later attempt, tells nothing.
              if (!isLost(error)) doubtful = undefined;
              throw error;
            }
            return answer;
          });
        },
        (error) => (doubtful === undefined ? explainFailure(error, this.name) : unknownCommit(this.name, error)),
      );
    });
  }

  /** Runs a body that only reads, all as of one instant. */
  async read<T>(body: (session: Session) => Promise<T>): Promise<T> {
    return this.#track(() =>
      this.#untilDone(
        () => this.#transact({ opening: nothing }, (session) => body(session)),
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
      const { schema } = this.#place;
      this.migration = await migrate(client, { schema, lock: this.locks.migration, name: this.name });
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

  /** Tries again what collided or lost its connection. */
  async #untilDone<T>(attempt: () => Promise<T>, explain: (error: unknown) => unknown): Promise<T> {
    let begun_ms = performance.now();
    let wasSilent = false;
    for (let pause_ms = PAUSE_MS_MIN; ; pause_ms = Math.min(2 * pause_ms, PAUSE_MS_MAX)) {
      try {
        return await attempt();
      } catch (error) {
        if (isHandoffError(error)) throw error;
        // A connection that fell silent took its time to be found out: the wait for another begins then, once.
        if (isSilent(error) && !wasSilent) begun_ms = performance.now();
        wasSilent ||= isSilent(error);
        if (isForgotten(error)) this.#preparing.isPossible = false;
        const isTried = isLost(error) || isCollision(error) || isForgotten(error);
        if (!isTried || performance.now() - begun_ms >= this.#place.wait_ms) throw explain(error);
      }
      // Jittered, so that two that collided do not meet again and again.
      await new Promise((resolve) => setTimeout(resolve, pause_ms * (0.5 + Math.random())));
    }
  }

  /** One transaction on one connection, which goes back to the pool only if it is sound. @param given.lock - a write's. */
  async #transact<T>(given: { lock?: string; opening: Opening }, body: Body<T>): Promise<T> {
    const client = await this.#pool.connect();
    let isCommitted = false;
    const commit = async (sent?: Promise<unknown>) => {
      const [{ command }] = await Promise.all([client.query('COMMIT'), sent]);
      if (command !== 'COMMIT') throw new Error(`The server ended a transaction with ${command}.`);
      isCommitted = true;
    };
    try {
      const answer = await body(await this.#begin(client, given), commit);
      if (!isCommitted) await client.query('ROLLBACK');
      client.release();
      return answer;
    } catch (error) {
      await giveBack(client, error);
      throw error;
    }
  }

  /** All of it is sent at once, and waited for once. */
  async #begin(client: PoolClient, { lock, opening }: { lock?: string; opening: Opening }): Promise<Session> {
    const wire = new Wire(client, this.#preparing);
    const beginning = this.#beginningOf(lock);
    const now = this.#options.now === undefined ? undefined : Math.trunc(this.#options.now());
    const from = this.lapses.from();
    const [, [moment], ...opened] = await Promise.all([
      wire.plain(beginning.begin),
      wire.send(statementOf(beginning, { lock, now, from })),
      ...opening(now).map((statement) => wire.send(statement)),
    ]);
    const look = { now_ms: Number(moment?.now_ms), is_due: moment?.is_due === true };
    this.lapses.saw(look, from);
    return new Session(wire, { ...look, opened });
  }

  #beginningOf(lock: string | undefined): Beginning {
    const options = { ...this.#place, synchronous_commit: this.#synchronous_commit };
    this.#beginnings ??= { read: beginRead(options), write: beginWrite(options) };
    return this.#beginnings[lock === undefined ? 'read' : 'write'];
  }
}

/** What is done within a transaction. */
type Body<T> = (session: Session, commit: (sent?: Promise<unknown>) => Promise<void>) => Promise<T>;

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
