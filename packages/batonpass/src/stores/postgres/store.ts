import type { StoreTokens } from '../../core/access-token.ts';
import type { HandoffEvent } from '../../core/delivery.ts';
import type { Handoff } from '../../core/handoff.ts';
import { createIdSource } from '../../core/id-source.ts';
import { absentHandoff } from '../../core/lifecycle-claim.ts';
import type {
  Call,
  ClaimAnswer,
  ClaimRequest,
  CountRequest,
  Counts,
  CreateOptions,
  EventsRequest,
  ImportAnswer,
  ListRequest,
  NewHandoff,
  Page,
  Store,
  StoreCapabilities,
  StoredHandoff,
  StoreSurroundings,
} from '../../core/store.ts';
import { createSurroundings } from '../../core/surroundings.ts';
import type { Step } from '../../core/transitions.ts';
import { withoutToken } from '../../core/without-token.ts';
import { closedStore } from '../closed.ts';
import { identifyRequest } from '../idempotency.ts';
import { decodeListCursor, encodeListCursor } from '../list-cursor.ts';
import { assertStored } from '../moving.ts';
import { assertCall, assertClaim, assertCreate, assertEvents, assertList, assertStep } from '../requests.ts';
import { Bell, follow } from '../subscription.ts';
import { createStoreTokens } from '../token-statements.ts';
import { addHandoff, supersede } from './adding.ts';
import { isAnyOffered } from './claiming.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { Floors } from './floors.ts';
import { findAnswer, Ledger } from './ledger.ts';
import { ownLock } from './locks.ts';
import { importInto, removeFrom } from './moving.ts';
import { openingOf } from './opening.ts';
import type { Session } from './session.ts';
import { ListenWatch } from './watch.ts';
import { Writes } from './writes.ts';

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
 * Opens the store of `postgres://user@host:5432/database?schema=baton`; the schema is made where it is absent. Many
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
  return new PostgresStore(await Connection.open(url, { durability, now }), surroundings);
}

class PostgresStore implements Store {
  readonly capabilities = postgresCapabilities;
  readonly tokens: StoreTokens;
  readonly #connection: Connection;
  readonly #ledger: Ledger;
  readonly #createId: (now_ms: number) => string;
  readonly #floors = new Floors();
  readonly #writes: Writes;
  readonly #bell = new Bell();
  readonly #watch: ListenWatch;
  readonly #closing = new AbortController();
  /** How often somebody's commit was heard of. */
  #rings = 0;

  constructor(connection: Connection, surroundings: StoreSurroundings) {
    this.tokens = createStoreTokens({
      read: (sql, parameters) => connection.read((session) => session.all(sql, parameters)),
      write: (sql, parameters) =>
        connection.write(ownLock(), async (session) => ({ answer: await session.all(sql, parameters) })),
    });
    this.#connection = connection;
    this.#ledger = new Ledger(connection, { ...surroundings, onCommit: () => this.#bell.ring() });
    this.#createId = createIdSource(surroundings);
    const { createToken } = surroundings;
    this.#writes = new Writes(this.#ledger, { createToken, floors: this.#floors });
    this.#watch = new ListenWatch(connection, this.#bell);
    this.#bell.listen(() => {
      this.#rings += 1;
    });
  }

  async create(handoffs: readonly NewHandoff[], call: Call, { acknowledges }: CreateOptions = {}): Promise<Handoff[]> {
    assertCreate(handoffs, { acknowledges });
    // What the caller does to its list before the transaction comes is not ours.
    const given = structuredClone(handoffs);
    const ids = [
      ...(acknowledges ? [acknowledges.id] : []),
      ...given.flatMap((each) => each.content.supersedes_id ?? []),
    ];
    const needs = { projects: given.map(({ project }) => project), ids };
    return this.#writes.write(
      { call, request: { handoffs: given, acknowledges }, needs },
      async (transaction, context) => {
        if (acknowledges) await transaction.acknowledge(acknowledges, context);
        const added: Handoff[] = [];
        for (const each of given) {
          const id = this.#createId(context.now_ms);
          added.push(await addHandoff(transaction, each, { ...context, id, idempotency_key: call.idempotency_key }));
        }
        return added;
      },
    );
  }

  async claim(request: ClaimRequest, call: Call): Promise<ClaimAnswer> {
    assertClaim(request);
    assertCall(call);
    const inVain = isMerelyLook(request, call) ? await this.#lookInVain(request, call) : undefined;
    return inVain ?? this.#writes.claim(request, call);
  }

  async transition(id: string, given: Step, call: Call): Promise<Handoff> {
    assertStep(given);
    const step = structuredClone(given);
    const asked = { call, request: { transition: { id, step } }, needs: { ids: [id] } };
    return this.#writes.write(asked, async (transaction, context) => {
      const handoff = await transaction.get(id);
      if (handoff === undefined) throw absentHandoff(id);
      const taken = await transaction.take(handoff, step, context);
      if (step.type === 'approve' && taken !== null) await supersede(transaction, taken, context);
      return withoutToken(taken ?? handoff);
    });
  }

  async recall(call: Call): Promise<unknown> {
    assertCall(call);
    const keyed = identifyRequest(call);
    if (keyed === undefined) return undefined;
    return this.#connection.read((session) => findAnswer(session, call, keyed));
  }

  async remember<T>(answer: T, call: Call): Promise<T> {
    assertCall(call);
    return this.#ledger.remember(call, answer);
  }

  async get(id: string, token?: string): Promise<Handoff | null> {
    const handoff = await this.#ledger.read((reader) => reader.findIntact(id));
    return handoff === undefined ? null : withoutToken(handoff, token);
  }

  async list(request: ListRequest): Promise<Page> {
    assertList(request);
    return this.#ledger.read((reader) => reader.page(request));
  }

  async count(request: CountRequest): Promise<Counts> {
    return this.#ledger.read((reader) => reader.count(request));
  }

  async readPayload(id: string): Promise<string | null> {
    return this.#ledger.read(async (reader) => {
      const handoff = await reader.findIntact(id);
      return Object.values(await reader.payloadsOf(handoff === undefined ? [] : [handoff]))[0] ?? null;
    });
  }

  async events(request: EventsRequest): Promise<HandoffEvent[]> {
    assertEvents(request);
    return this.#ledger.readPlaced((reader) => reader.events(request));
  }

  subscribe(request: { after_seq?: number; project?: string }, signal: AbortSignal): AsyncIterable<HandoffEvent> {
    assertEvents(request);
    this.#assertOpen();
    const { after_seq, project } = request;
    let rings = this.#rings;
    return follow({
      bell: this.#bell,
      watch: this.#watch,
      readAfter: (seq, limit) => {
        const isRung = rings !== this.#rings;
        rings = this.#rings;
        return this.#readAfter({ after_seq: seq, project, limit }, isRung);
      },
      start: after_seq === undefined ? this.#findEnd() : Promise.resolve(after_seq),
      signal: AbortSignal.any([signal, this.#closing.signal]),
    });
  }

  async export({ cursor, limit }: { cursor?: string; limit: number }) {
    assertList({ filter: {}, limit });
    const after = cursor === undefined ? 0 : decodeListCursor(cursor);
    await this.#ledger.untilAddersAreDone();
    const found = await this.#ledger.exportPlaced({ after, limit: limit + 1 });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      handoffs: page.map(({ place: _place, isPlaced: _isPlaced, ...stored }) => stored),
      ...(last === undefined || found.length === page.length ? {} : { cursor: encodeListCursor(last.place) }),
    };
  }

  async import(given: readonly StoredHandoff[]): Promise<ImportAnswer> {
    for (const stored of given) assertStored(stored);
    const handoffs = structuredClone(given);
    const { locks, lapses } = this.#connection;
    const needs = { projects: handoffs.map(({ handoff }) => handoff.project) };
    const body = (session: Session) => importInto(this.#ledger.begin(session, needs), handoffs, locks);
    try {
      return await this.#ledger.transact(ownLock(), body, openingOf(needs, locks));
    } finally {
      // A lease that came along may have ended long ago.
      lapses.forget();
    }
  }

  async remove(handoffs: readonly { id: string; version: number }[]): Promise<number> {
    const { locks } = this.#connection;
    return this.#ledger.transact(ownLock(), async (session) => ({
      answer: await removeFrom(session, handoffs, locks),
    }));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#writes.close();
    await this.#watch.close();
    await this.#connection.close();
  }

  /** A scope is asked of every row of a queue: where none answers it, nobody's write waits for that walk. */
  async #lookInVain(request: ClaimRequest, { actor }: Call): Promise<ClaimAnswer | undefined> {
    const { without_lease } = request;
    return this.#ledger.read(async (reader, session) => {
      if (await isAnyOffered(session, request, { holder: actor.name, floors: this.#floors })) return undefined;
      const unscoped_left_out = await reader.countLeftOut(request, actor.name);
      return { handoffs: [], ...(without_lease && { payloads: {} }), unscoped_left_out };
    });
  }

  /** What was heard of has no place yet: then they are given without a look before. */
  #readAfter(request: EventsRequest, isRung: boolean): Promise<HandoffEvent[]> {
    if (!isRung) return this.events(request);
    return this.#ledger.readPlacing((reader) => reader.events(request));
  }

  /** Looked up now, not when the first event is asked for. */
  #findEnd(): Promise<number> {
    return this.#ledger.findEnd().catch((error: unknown) => {
      // A store that was closed meanwhile ends its subscriptions; it does not fail them.
      if (this.#closing.signal.aborted) return 0;
      throw error;
    });
  }

  #assertOpen(): void {
    if (this.#closing.signal.aborted) throw closedStore(this.#connection.name);
  }
}

/** A claim that names a scope, and may be answered by a look where nothing is there. */
function isMerelyLook({ id, scope, acknowledges }: ClaimRequest, { idempotency_key }: Call): boolean {
  return scope !== undefined && [id, acknowledges, idempotency_key].every((each) => each === undefined);
}
