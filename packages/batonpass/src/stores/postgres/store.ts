import type { StoreTokens } from '../../core/access-token.ts';
import type { HandoffEvent } from '../../core/delivery.ts';
import { isHandoffError } from '../../core/errors.ts';
import { clockActor } from '../../core/lifecycle.ts';
import { limits } from '../../core/limits.ts';
import type { Call, ClaimAnswer, ClaimRequest, Store, StoreCapabilities, StoreSurroundings } from '../../core/store.ts';
import { createSurroundings } from '../../core/surroundings.ts';
import { identifyRequest } from '../idempotency.ts';
import { applyDue, Changes } from '../sql/changes.ts';
import { type ExportedHandoff, Reader } from '../sql/reader.ts';
import { type Asked, type Body, decide, type Engine, SqlStore } from '../sql/store.ts';
import { first, type Statement, type Work } from '../sql/work.ts';
import { Bell } from '../subscription.ts';
import { createStoreTokens } from '../token-statements.ts';
import { Watermarks } from './claims.ts';
import { CommitGroups, type Outcome } from './commit-groups.ts';
import { Connection, type ConnectionOptions, type Written } from './connection.ts';
import { type Locks, ownLock } from './locks.ts';
import { allSent, type Session } from './session.ts';
import {
  createPostgresStatements,
  lockAdding,
  lockDeliveries,
  lockExclusive,
  lockHandoffs,
  notify,
  selectIsUnplaced,
} from './statements.ts';
import { ListenWatch } from './watch.ts';

/** How a store on a server is opened. */
export interface PostgresStoreOptions extends Omit<ConnectionOptions, 'now'>, Partial<StoreSurroundings> {
  /**
   * Whose clock leases, expiries and back-offs follow. `server`, the default: the database's, one for all machines.
   * `own`: that of `now`, for the contract suite alone, which holds time in its hand.
   */
  clock?: 'server' | 'own';
}

/** What a store on a Postgres server can do. */
export const postgresCapabilities: StoreCapabilities = {
  durable: true,
  concurrent_processes: true,
  notifications: 'network',
};

/**
 * Opens the store of `postgres://user@host:5432/database?schema=baton`; the schema is created if it is missing. Many
 * machines may have one store open at once.
 *
 * Against the port: a claim, a renewal and the acknowledgement of a claim by another process are seen by subscriptions
 * within `limits.subscription_look_ms`, everything else at once; a `remove` whose commit was in doubt may count too few; a
 * handoff whose content the database has damaged is acknowledged all the same, and the answer to that is `unavailable`.
 * A call that ran into the loss of its connection and is neither known as done nor as undone is `unavailable` with
 * `is_ambiguous`.
 *
 * @throws HandoffError `unavailable` where `pg` is not installed, or the server cannot be reached or only reads,
 * `invalid_input` for a wrong URL, user, password or database, `unsupported_version` for an old server or newer schema.
 */
export async function openPostgresStore(url: string, options: PostgresStoreOptions = {}): Promise<Store> {
  const surroundings = createSurroundings(options);
  const { clock = 'server', durability } = options;
  const now = clock === 'own' ? surroundings.now : undefined;
  const connection = await Connection.open(url, { durability, now });
  return new SqlStore(new PostgresEngine(connection, surroundings), surroundings);
}

/** Something came due: it is applied first. */
const DUE = Symbol('due');

/** Of many calls two transactions are in flight at once, and the first to end makes room for what comes next. */
const GROUP_MAX = 250;

type GroupedWrite = { asked: Asked; body: Body<unknown> };
type GroupedClaim = { request: ClaimRequest; call: Call; claimAlone: SqlStore['claimAlone'] };

/**
 * Transactions on one schema. Calls without an idempotency key share them: all that add to one project, all that take steps
 * in it, and all that claim from one queue as one receiver. A claim of sixteen for sixteen callers costs hardly more than one
 * of one, and the commits of one project's additions come one after the other in any case.
 */
class PostgresEngine implements Engine {
  readonly name: string;
  readonly capabilities = postgresCapabilities;
  readonly tokens: StoreTokens;
  readonly statements: Engine['statements'];
  readonly bell: Bell;
  readonly #watch: ListenWatch;
  readonly #connection: Connection;
  readonly #random: () => number;
  readonly #reader: Reader;
  readonly #writes: CommitGroups<GroupedWrite, unknown>;
  readonly #claims: CommitGroups<GroupedClaim, ClaimAnswer>;
  /** Lookups of where subscriptions begin: what is written after they were asked for comes after them. */
  readonly #beginning = new Set<Promise<unknown>>();

  constructor(connection: Connection, { random }: Pick<StoreSurroundings, 'random'>) {
    this.name = connection.name;
    this.statements = createPostgresStatements(connection.locks, new Watermarks());
    this.tokens = createStoreTokens({
      read: (sql, parameters) => connection.read((session) => session.run({ sql, parameters })),
      write: (sql, parameters) =>
        connection.write(ownLock(), async (session) => ({ answer: await session.run({ sql, parameters }) })),
    });
    this.#watch = new ListenWatch(connection, () => this.bell.ring());
    this.bell = new Bell(this.#watch);
    this.#connection = connection;
    this.#random = random;
    this.#reader = new Reader(this.statements);
    const run = (group: readonly GroupedWrite[]) => this.#writeAll(group, ownLock());
    this.#writes = new CommitGroups({ run, size_max: GROUP_MAX, sizeOf: () => 1, running_max: 2 });
    this.#claims = new CommitGroups({
      run: claimAll,
      size_max: limits.batch_max,
      sizeOf: ({ request }) => request.max,
      // At the same time a second claim would pass over all that the first has locked: it comes when that is done.
      running_max: 1,
    });
  }

  keep<T>(given: T): T {
    return structuredClone(given);
  }

  /** A read that finds something due lets it happen first; else it takes no lock. */
  async read<T>(body: (now_ms: number) => Work<T>): Promise<T> {
    for (;;) {
      const found = await this.#connection.read(async (session) =>
        session.beginning.is_due ? DUE : { answer: await session.work(body(session.beginning.now_ms)) },
      );
      if (found !== DUE) return found.answer;
      await this.#settle();
    }
  }

  async readHistory<T>(body: () => Work<T>): Promise<T> {
    const found = await this.read(() => first(selectIsUnplaced));
    if (found?.is_unplaced === true) await this.#placeLines();
    return this.read(body);
  }

  async export(page: { after: number; limit: number }): Promise<ExportedHandoff[]> {
    const { locks } = this.#connection;
    // Sequence numbers of different projects are committed in any order: a page must not skip one that is not committed yet.
    await this.#connection.write(ownLock(), async (session) => ({ answer: await session.run(excluding(locks)) }));
    for (;;) {
      const found = await this.read(() => this.#reader.export(page));
      if (found.every(({ events }) => events.every(({ seq }) => seq > 0))) return found;
      await this.#placeLines();
    }
  }

  async findEnd(): Promise<number> {
    const end = this.#placeLines();
    this.#beginning.add(end);
    try {
      return await end;
    } finally {
      this.#beginning.delete(end);
    }
  }

  async write<T>(asked: Asked, body: Body<T>): Promise<T> {
    const { call, request, projects = [] } = asked;
    const keyed = call && identifyRequest(call, request);
    if (call !== undefined && keyed === undefined && request !== undefined && !('claim' in request)) {
      return this.#writes.add(JSON.stringify([call.project, isBare(asked), [...new Set(projects)]]), {
        asked,
        body,
      }) as Promise<T>;
    }
    const { locks, lapses } = this.#connection;
    const lock = keyed === undefined ? ownLock() : locks.ofKey(keyed.key_sha256);
    const [outcome] = await this.#writeAll([{ asked, body }], lock);
    // A lease that came from another store may have ended long ago.
    if (call === undefined) lapses.forget();
    return (outcome as { answer: T }).answer;
  }

  claim(request: ClaimRequest, call: Call, claimAlone: SqlStore['claimAlone']): Promise<ClaimAnswer> {
    if (!isShared(request, call)) return claimAlone(request, call);
    const { max: _max, ...queue } = request;
    const { actor, project, operation } = call;
    return this.#claims.add(JSON.stringify([queue, actor, project, operation]), { request, call, claimAlone });
  }

  async close(): Promise<void> {
    this.#writes.close();
    this.#claims.close();
    await this.#watch.close();
    await this.#connection.close();
  }

  /** Calls that share one transaction: each is refused alone, and all are kept together or none. */
  #writeAll(group: readonly GroupedWrite[], lock: string): Promise<Outcome<unknown>[]> {
    const projects = [...new Set(group.flatMap(({ asked }) => asked.projects ?? []))];
    const ids = [...new Set(group.flatMap(({ asked }) => asked.ids ?? []))];
    const isAlone = group.some(({ asked }) => asked.isAlone);
    const body = async (session: Session) => {
      const changes = new Changes(this.statements, lockedBy(session, ids));
      const outcomes: Outcome<unknown>[] = [];
      for (const { asked, body } of group) {
        const mark = changes.mark();
        const context = {
          actor: asked.call?.actor ?? clockActor,
          now_ms: session.beginning.now_ms,
          random: this.#random,
        };
        const deciding = session.work(decide(changes, asked, { body, reader: this.#reader, context }));
        const outcome = await deciding.then(
          (answer) => ({ answer }),
          (refusal: unknown) => ({ refusal }),
        );
        outcomes.push(outcome);
        if (!('refusal' in outcome)) continue;
        // A refusal is its caller's alone; any other failure is everybody's.
        if (group.length === 1 || !isHandoffError(outcome.refusal)) throw outcome.refusal;
        changes.undo(mark);
      }
      return { answer: outcomes, sent: this.#send(session, changes) };
    };
    return this.#transact(
      lock,
      body,
      openingOf(
        { projects, ids, isAlone },
        this.#connection.locks,
        group.every(({ asked }) => isBare(asked)),
      ),
    );
  }

  /** Runs a body in a transaction, after the due changes, which are kept even if the body fails. */
  async #transact<T>(
    lock: string,
    body: (session: Session) => Promise<Written<T>>,
    opening: readonly Statement[],
  ): Promise<T> {
    await Promise.allSettled(this.#beginning);
    for (;;) {
      let hasWritten = false;
      const run = async (session: Session): Promise<Written<{ answer: T } | typeof DUE>> => {
        if (session.beginning.is_due) return { answer: DUE };
        const { answer, sent } = await body(session);
        hasWritten = session.evidence !== undefined;
        return { answer: { answer }, sent };
      };
      const done = await this.#connection.write(lock, run, opening);
      if (hasWritten) this.bell.ring();
      if (done !== DUE) return done.answer;
      await this.#settle();
    }
  }

  async #settle(): Promise<void> {
    await this.#connection.write(ownLock(), async (session) => {
      const changes = new Changes(this.statements);
      const context = { now_ms: session.beginning.now_ms, random: this.#random };
      if (session.beginning.is_due) await session.work(applyDue(changes, this.statements, context));
      return { answer: undefined, sent: this.#send(session, changes) };
    });
    this.bell.ring();
  }

  #placeLines(): Promise<number> {
    const { placeLines, selectLastEvent } = { ...this.statements, ...this.statements.dialect };
    return this.#connection.write(ownLock(), async (session) => {
      await session.work(placeLines());
      const [last] = await session.run({ sql: selectLastEvent });
      return { answer: Number(last?.seq) };
    });
  }

  /** Sends everything, and waits for nothing: the commit may follow at once. */
  #send(session: Session, changes: Changes): Promise<unknown> {
    const statements = changes.writes();
    if (changes.events.some(({ event }) => wakes(event))) {
      statements.push({ sql: notify, parameters: { channel: this.#connection.channel } });
    }
    return allSent(statements.map((statement) => session.run(statement)));
  }
}

/** What a body will lock is locked by the message that begins its transaction: projects first, then handoffs. */
function openingOf({ projects = [], ids = [], isAlone }: Asked, locks: Locks, areBare: boolean): Statement[] {
  // A transaction that adds to several projects locks them in the order of their numbers.
  const keys = [...new Set(projects.map((project) => locks.ofProject(project)))].sort();
  return [
    ...(isAlone === true ? [excluding(locks)] : []),
    ...(keys.length > 0 ? [{ sql: lockAdding, parameters: { contents: locks.contents, keys } }] : []),
    ...(ids.length > 0 ? [{ sql: areBare ? lockDeliveries : lockHandoffs, parameters: { ids } }] : []),
  ];
}

/** Whether neither the answer nor the step needs the content, nor how the handoff began: one with which a holder goes on. */
function isBare({ call, request }: Asked): boolean {
  if (call?.omits_content !== true || call.idempotency_key !== undefined) return false;
  if (request === undefined || !('transition' in request)) return false;
  return ['acknowledge', 'fail', 'release', 'renew'].includes(request.transition.step.type);
}

/** Waits for all that add, and keeps them out. */
function excluding({ contents }: Locks): Statement {
  return { sql: lockExclusive, parameters: { key: contents } };
}

/** The rows of the ids that were locked with the beginning; undefined for ids that no handoff has. */
function lockedBy({ beginning: { opened } }: Session, ids: readonly string[]) {
  const rows = new Map((ids.length === 0 ? [] : (opened.at(-1) ?? [])).map((row) => [String(row.id), row]));
  return new Map(ids.map((id) => [id, rows.get(id)]));
}

/** The oldest go to those who asked first. */
async function claimAll(claims: readonly GroupedClaim[]): Promise<Outcome<ClaimAnswer>[]> {
  const [{ request: wanted, call, claimAlone }] = claims as [GroupedClaim];
  const max = claims.reduce((sum, { request }) => sum + request.max, 0);
  const { handoffs, ...rest } = await claimAlone({ ...wanted, max }, call);
  let given = 0;
  return claims.map(({ request }) => {
    const share = handoffs.slice(given, given + request.max);
    given += request.max;
    return { answer: { ...rest, handoffs: share } };
  });
}

/** A claim that does more than to take the oldest is its own. */
function isShared(request: ClaimRequest, { idempotency_key }: Call): boolean {
  const { id, scope, acknowledges, without_lease, offer } = request;
  const others = [id, scope, acknowledges, offer, idempotency_key];
  return without_lease !== true && others.every((each) => each === undefined);
}

/**
 * Whether others are notified of a line at once. A notification is committed under one lock of the whole server, which the
 * usual course of a receiver (claim, renew, acknowledge) is spared: others see that at their next look.
 */
function wakes({ from, to }: Omit<HandoffEvent, 'seq'>): boolean {
  return to !== 'claimed' && !(to === 'acknowledged' && from === 'claimed');
}
