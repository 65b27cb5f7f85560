import type { HandoffEvent } from '../../core/delivery.ts';
import { isHandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Call, ClaimAnswer, ClaimRequest, Store, StoreSurroundings } from '../../core/store.ts';
import { createSurroundings } from '../../core/surroundings.ts';
import { identifyRequest } from '../idempotency.ts';
import { applyDue, Changes } from '../sql/changes.ts';
import { CommitGroups, type Outcome } from '../sql/commit-groups.ts';
import { type ExportedHandoff, Reader } from '../sql/reader.ts';
import { type Asked, type Body, decide, type Engine, SqlStore } from '../sql/store.ts';
import { first, type Statement, type Work } from '../sql/work.ts';
import { Bell } from '../subscription.ts';
import { Watermarks } from './claims.ts';
import { Connection, type PostgresStoreOptions, type Written } from './connection.ts';
import { allSent, run, type Session, takeAhead, work } from './session.ts';
import {
  createPostgresStatements,
  lockAdding,
  lockContents,
  lockDeliveries,
  lockHandoffs,
  notify,
  selectIsUnplaced,
} from './statements.ts';
import { ListenWatch } from './watch.ts';

/** What a store on a Postgres server can do. */
export const postgresCapabilities = { durable: true, concurrent_processes: true, notifications: 'network' } as const;

/**
 * Opens the store of `postgres://user@host:5432/database?schema=baton`; the schema is created if it is missing. Many
 * machines may have one store open at once.
 *
 * Against the port: a claim, a renewal and the acknowledgement of a claim by another process are seen by subscriptions
 * within `limits.subscription_look_ms`, everything else at once; a `remove` whose commit was in doubt may count too few; a
 * handoff whose content the database has damaged is acknowledged all the same, and the answer to that is `unavailable`. A
 * call that lost its connection and is neither known as done nor as undone is `unavailable` with `is_ambiguous`.
 *
 * @throws HandoffError `unavailable` where `pg` is not installed, or the server cannot be reached or only reads,
 * `invalid_input` for a wrong URL, user, password or database, `unsupported_version` for an old server or newer schema.
 */
export async function openPostgresStore(url: string, options: PostgresStoreOptions = {}): Promise<Store> {
  const surroundings = createSurroundings(options);
  const connection = await Connection.open(url, options);
  return new SqlStore(new PostgresEngine(connection, surroundings), surroundings);
}

/** Thrown where a call of a group is refused that has changed something before: each is then run alone. */
const SPOILT = Symbol('spoilt');

type GroupedWrite = { asked: Asked; body: Body<unknown> };
type GroupedClaim = { request: ClaimRequest; call: Call; claimAlone: SqlStore['claimAlone'] };

/**
 * Transactions on one schema. Calls without an idempotency key share them: all that add to one project, all that take steps
 * in it, and all that claim from one queue as one receiver.
 */
class PostgresEngine implements Engine {
  readonly name: string;
  readonly capabilities = postgresCapabilities;
  readonly reader: Reader;
  readonly bell: Bell;
  readonly #watch: ListenWatch;
  readonly #connection: Connection;
  readonly #random: () => number;
  readonly #watermarks = new Watermarks();
  readonly #writes = new CommitGroups<GroupedWrite, unknown>({
    run: (group) => this.#writeAll(group),
    // Of many calls two transactions are in flight at once, and the first to end makes room for what comes next.
    size_max: 250,
    running_max: 2,
  });
  readonly #claims = new CommitGroups<GroupedClaim, ClaimAnswer>({
    run: claimAll,
    size_max: limits.batch_max,
    sizeOf: ({ request }) => request.max,
    // At the same time a second claim would pass over all that the first has locked: it comes when that is done.
    running_max: 1,
  });
  /** Lookups of where subscriptions begin: what is written after they were asked for comes after them. */
  #beginnings: Promise<unknown> = Promise.resolve();

  constructor(connection: Connection, { random }: Pick<StoreSurroundings, 'random'>) {
    this.name = connection.name;
    this.reader = new Reader(createPostgresStatements(this.#watermarks));
    this.#watch = new ListenWatch(connection, () => this.bell.ring());
    this.bell = new Bell(this.#watch);
    this.#connection = connection;
    connection.settle = () => this.#settle();
    this.#random = random;
  }

  keep<T>(given: T): T {
    return structuredClone(given);
  }

  read<T>(body: (now_ms: number) => Work<T>): Promise<T> {
    return this.#connection.read((session) => work(session, body(session.now_ms)));
  }

  async readHistory<T>(body: () => Work<T>): Promise<T> {
    const found = await this.read(() => first(selectIsUnplaced));
    if (found?.is_unplaced === true) await this.#placeLines();
    return this.read(body);
  }

  async export(page: { after: number; limit: number }): Promise<ExportedHandoff[]> {
    // Sequence numbers of different projects are committed in any order: a page must not skip one that is not committed yet.
    await this.#connection.write(async (session) => ({ answer: await run(session, { sql: lockContents }) }));
    for (;;) {
      const found = await this.read(() => this.reader.export(page));
      if (found.every(({ events }) => events.every(({ seq }) => seq > 0))) return found;
      await this.#placeLines();
    }
  }

  async findEnd(): Promise<number> {
    const end = this.#placeLines();
    this.#beginnings = Promise.allSettled([this.#beginnings, end]);
    return end;
  }

  async write<T>(asked: Asked, body: Body<T>): Promise<T> {
    const { call, request, projects = [] } = asked;
    const keyed = call && identifyRequest(call, request);
    if (call !== undefined && keyed === undefined && request !== undefined && !('claim' in request)) {
      const kind = JSON.stringify([call.project, isBare(asked), [...new Set(projects)]]);
      return this.#writes.add(kind, { asked, body }) as Promise<T>;
    }
    const [outcome] = await this.#writeAll([{ asked, body }], keyed?.key_sha256);
    // A lease that came from another store may have ended long ago.
    if (call === undefined) this.#connection.lapses.forget();
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
  async #writeAll(group: readonly GroupedWrite[], key?: string): Promise<Outcome<unknown>[]> {
    await this.#beginnings;
    let hasWritten = false;
    const ids = [...new Set(group.flatMap(({ asked }) => asked.ids ?? []))];
    const decideAll = async (session: Session) => {
      const changes = new Changes(this.reader.statements, lockedBy(session, ids));
      const moment = { reader: this.reader, now_ms: session.now_ms, random: this.#random };
      const outcomes: Outcome<unknown>[] = [];
      for (const { asked, body } of group) {
        const { size } = changes;
        try {
          outcomes.push({ answer: await work(session, decide(changes, asked, body, moment)) });
        } catch (refusal) {
          // A refusal is its caller's alone; any other failure is everybody's.
          if (group.length === 1 || !isHandoffError(refusal)) throw refusal;
          if (changes.size > size) throw SPOILT;
          outcomes.push({ refusal });
        }
      }
      hasWritten = changes.size > 0;
      return this.#send(session, changes, outcomes);
    };
    try {
      const outcomes = await this.#connection.write(decideAll, { opening: this.#openingOf(group, ids), key });
      if (hasWritten) this.bell.ring();
      return outcomes;
    } catch (error) {
      if (error !== SPOILT) throw error;
      const alone = group.map((call) => this.#writeAll([call]).catch((refusal: unknown) => [{ refusal }]));
      return (await Promise.all(alone)).flat();
    }
  }

  /** Locks are taken by the message that begins a transaction: projects first, in one order, then handoffs. */
  #openingOf(group: readonly GroupedWrite[], ids: readonly string[]): Statement[] {
    const asked = group.map((each) => each.asked);
    const projects = [...new Set(asked.flatMap((each) => each.projects ?? []))].sort();
    return [
      ...(asked.some(({ isAlone }) => isAlone) ? [{ sql: lockContents }] : []),
      ...(projects.length > 0 ? [{ sql: lockAdding, parameters: { projects } }] : []),
      ...(ids.length > 0 ? [{ sql: asked.every(isBare) ? lockDeliveries : lockHandoffs, parameters: { ids } }] : []),
      // A claim takes two round trips instead of three.
      ...asked.flatMap(({ call, request }) =>
        call && request && 'claim' in request && request.claim.id === undefined
          ? this.#watermarks.ahead(request.claim, { holder: call.actor.name })
          : [],
      ),
    ];
  }

  async #settle(): Promise<void> {
    const body = async (session: Session) => {
      const moment = { now_ms: session.now_ms, random: this.#random };
      return this.#send(session, await work(session, applyDue(this.reader.statements, moment)), undefined);
    };
    await this.#connection.write(body, { ignoresDue: true });
    this.bell.ring();
  }

  #placeLines(): Promise<number> {
    const body = async (session: Session) => {
      await work(session, this.reader.statements.dialect.placeLines());
      return { answer: await work(session, this.reader.lastEvent()) };
    };
    // What comes due now is news for the subscription that begins here.
    return this.#connection.write(body, { ignoresDue: true });
  }

  /** Sends everything, and waits for nothing: the commit may follow at once. */
  #send<T>(session: Session, changes: Changes, answer: T): Written<T> {
    const statements = changes.writes();
    if (changes.events.some(({ event }) => wakes(event))) {
      statements.push({ sql: notify, parameters: { channel: this.#connection.channel } });
    }
    return { answer, sent: allSent(statements.map((each) => run(session, each))), line: changes.events[0]?.event };
  }
}

/** Whether neither the answer nor the step needs the content, nor how the handoff began: one with which a holder goes on. */
function isBare({ call, request }: Asked): boolean {
  if (call?.omits_content !== true || call.idempotency_key !== undefined) return false;
  if (request === undefined || !('transition' in request)) return false;
  return ['acknowledge', 'fail', 'release', 'renew'].includes(request.transition.step.type);
}

/** The rows of the ids that were locked with the beginning; undefined for ids that no handoff has. */
function lockedBy(session: Session, ids: readonly string[]) {
  const found = takeAhead(session, lockHandoffs) ?? takeAhead(session, lockDeliveries) ?? [];
  const rows = new Map(found.map((row) => [String(row.id), row]));
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

/** Whether others are notified of a line at once: under one lock of the whole server, which the usual course is spared. */
function wakes({ from, to }: Omit<HandoffEvent, 'seq'>): boolean {
  return to !== 'claimed' && !(to === 'acknowledged' && from === 'claimed');
}
