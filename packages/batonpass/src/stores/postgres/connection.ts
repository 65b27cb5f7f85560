import type { Pool, PoolClient } from 'pg';
import { isHandoffError } from '../../core/errors.ts';
import { closedStore } from '../closed.ts';
import type { Statement } from '../sql/work.ts';
import { beginningsOf, LapseWatermark } from './beginning.ts';
import { configOf, type Driver, describePlace, loadDriver, openPool } from './driver.ts';
import { explainFailure, isCollision, isLost, isSilent, unknownCommit } from './failure.ts';
import { createLocks, type Locks } from './locks.ts';
import { assertServer, migrate } from './migrate.ts';
import { type Place, readPlace } from './place.ts';
import { type Evidence, isForgotten, type Preparing, Session, Wire } from './session.ts';
import { selectLine } from './statements.ts';

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
  /** What was sent and not waited for: the commit follows at once, and comes to nothing where any of it fails. */
  sent?: Promise<unknown>;
}

/** What one transaction is begun with. */
interface TransactionOptions {
  /** Of a write alone. */
  lock?: string;
  /** Sent together with the beginning. */
  opening: readonly Statement[];
}

/** A commit that was begun on a connection that was lost then. */
interface Doubtful<T> {
  answer: T;
  evidence: Evidence;
}

/** A few connections to one schema, and transactions on them that outlive the loss of any. */
export class Connection {
  /** Where it is, without user and password. */
  readonly name: string;
  readonly locks: Locks;
  /** What commits are told on. */
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
  readonly #preparing: Preparing = { isPossible: true };
  #synchronous_commit: string | undefined;
  #beginnings: ReturnType<typeof beginningsOf> | undefined;
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
   * it was lost at the commit, the new one first waits for the old transaction's end, by a lock that both take, and looks
   * whether it was committed: then its answer stands, else the body runs again.
   *
   * @param lock - one that two runs of this call must not hold at once.
   * @param opening - is sent together with the beginning, before it is known whether anything is due. Default: nothing.
   */
  async write<T>(
    lock: string,
    body: (session: Session) => Promise<Written<T>>,
    opening: readonly Statement[] = [],
  ): Promise<T> {
    let doubtful: Doubtful<T> | undefined;
    return this.#untilDone(
      async () => {
        const inDoubt = doubtful;
        return this.#transact({ lock, opening }, async (session, commit) => {
          if (inDoubt !== undefined && (await isThere(session, inDoubt.evidence))) return inDoubt.answer;
          doubtful = undefined;
          const { answer, sent } = await body(session);
          const { evidence } = session;
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
  }

  /** Runs a body that only reads, all as of one instant. */
  async read<T>(body: (session: Session) => Promise<T>): Promise<T> {
    return this.#untilDone(
      () => this.#transact({ opening: [] }, (session) => body(session)),
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
      // A server may wait for more than its own disk, and stays at that; one that waits for nothing is told to.
      if (durability === 'normal') this.#synchronous_commit = 'off';
      else if (synchronous_commit === 'off') this.#synchronous_commit = 'on';
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  async #untilDone<T>(attempt: () => Promise<T>, explain: (error: unknown) => unknown): Promise<T> {
    if (this.#isClosed) throw closedStore(this.name);
    this.#running += 1;
    try {
      return await untilDone(attempt, { explain, wait_ms: this.#place.wait_ms, preparing: this.#preparing });
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#onRest();
    }
  }

  #transact<T>(given: TransactionOptions, body: Body<T>): Promise<T> {
    return this.#with((client) => this.#transactOn(client, given, body));
  }

  async #transactOn<T>(client: PoolClient, given: TransactionOptions, body: Body<T>): Promise<T> {
    let isCommitted = false;
    const commit = async (sent?: Promise<unknown>) => {
      const [{ command }] = await Promise.all([client.query('COMMIT'), sent]);
      assertCommitted(command);
      isCommitted = true;
    };
    const answer = await body(await this.#begin(client, given), commit);
    if (!isCommitted) await client.query('ROLLBACK');
    return answer;
  }

  /** Runs a body on one connection, which goes back to the pool only if it is sound. */
  async #with<T>(body: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    try {
      const answer = await body(client);
      client.release();
      return answer;
    } catch (error) {
      await giveBack(client, error);
      throw error;
    }
  }

  /** All of it is sent at once, and waited for once. */
  async #begin(client: PoolClient, { lock, opening }: TransactionOptions): Promise<Session> {
    const wire = new Wire(client, this.#preparing);
    this.#beginnings ??= beginningsOf({ ...this.#place, synchronous_commit: this.#synchronous_commit });
    const { begin, setUp } = this.#beginnings[lock === undefined ? 'read' : 'write'];
    const now = this.#now();
    const from = this.lapses.from();
    const [, [moment], ...opened] = await Promise.all([
      wire.plain(begin),
      wire.send({ sql: setUp, parameters: { lock, now, from } }),
      ...opening.map((statement) => wire.send(statement)),
    ]);
    const look = { now_ms: Number(moment?.now_ms), is_due: moment?.is_due === true };
    this.lapses.saw(look, from);
    return new Session(wire, { ...look, opened, isReading: lock === undefined });
  }

  /** The time, where the server's clock is not to be asked. */
  #now(): number | undefined {
    return this.#options.now === undefined ? undefined : Math.trunc(this.#options.now());
  }
}

/** What is done within a transaction. */
type Body<T> = (session: Session, commit: (sent?: Promise<unknown>) => Promise<void>) => Promise<T>;

async function isThere(session: Session, { line, handoff_id, name, at }: Evidence): Promise<boolean> {
  const [found] = await session.run({ sql: selectLine, parameters: { line, handoff_id, name, at } });
  return found?.is_there === true;
}

/** A transaction in which something failed is undone by its own commit. @throws Error */
function assertCommitted(command: string): void {
  if (command !== 'COMMIT') throw new Error(`The server ended a transaction with ${command}.`);
}

/** First pause before a lost connection is replaced; it doubles with each, up to a second. */
const PAUSE_MS_MIN = 20;
const PAUSE_MS_MAX = 1_000;

/** How long is tried, and what is told in the end. */
interface Trying {
  /** Milliseconds. */
  wait_ms: number;
  explain: (error: unknown) => unknown;
  preparing: Preparing;
}

/** Tries again what collided or lost its connection. */
async function untilDone<T>(attempt: () => Promise<T>, { wait_ms, explain, preparing }: Trying): Promise<T> {
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
      if (isForgotten(error)) preparing.isPossible = false;
      const isTried = isLost(error) || isCollision(error) || isForgotten(error);
      if (!isTried || performance.now() - begun_ms >= wait_ms) throw explain(error);
    }
    // Jittered, so that two that collided do not meet again and again.
    await new Promise((resolve) => setTimeout(resolve, pause_ms * (0.5 + Math.random())));
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
