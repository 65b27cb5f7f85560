import { resolve } from 'node:path';
import type { StoreTokens } from '../../core/access-token.ts';
import type { HandoffEvent } from '../../core/delivery.ts';
import type { Handoff } from '../../core/handoff.ts';
import { createIdSource } from '../../core/id-source.ts';
import type { StepContext } from '../../core/lifecycle.ts';
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
import { assertSameRequest, identifyRequest, type KeyedRequest, type WriteRequest } from '../idempotency.ts';
import { decodeListCursor, encodeListCursor } from '../list-cursor.ts';
import { assertStored } from '../moving.ts';
import { assertCall, assertClaim, assertCreate, assertEvents, assertList, assertStep } from '../requests.ts';
import { Bell, follow, type Watch } from '../subscription.ts';
import { unprovedAnswer } from '../unproved.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { Ledger } from './ledger.ts';
import { Moving } from './moving.ts';
import { createWatch } from './watch.ts';

/** How a store of a file is opened, and what a test holds in its hand. */
export type SqliteStoreOptions = ConnectionOptions & Partial<StoreSurroundings>;

/**
 * Opens the store of a file, which is made where it is absent, or of `:memory:`. Many processes may have one file open
 * at once. Writes are synced to the disk before their promises resolve, those of one turn of the event loop together.
 *
 * Against the port: none of its promises is weakened, but by `durability: 'normal'`; a write that waits longer than
 * `write_wait_ms` for other processes is refused. Of a read-only file a copy is read, which other processes do not
 * change; every write is refused.
 *
 * @throws HandoffError `unavailable` for a place that cannot be written, `invalid_input` for a file of another program,
 * `unsupported_version` for a newer schema or an unsafe SQLite library.
 */
export async function openSqliteStore(path: string, options: SqliteStoreOptions = {}): Promise<Store> {
  const place = path === ':memory:' ? path : resolve(path);
  return new SqliteStore(await Connection.open(place, options), createSurroundings(options));
}

/** The store over a connection that is already open; `openSqliteStore` is the way to it. */
export class SqliteStore implements Store {
  readonly capabilities: StoreCapabilities;
  readonly tokens: StoreTokens;
  readonly #connection: Connection;
  readonly #surroundings: StoreSurroundings;
  readonly #ledger: Ledger;
  readonly #moving: Moving;
  readonly #createId: (now_ms: number) => string;
  readonly #bell = new Bell();
  readonly #watch: Watch | undefined;
  readonly #closing = new AbortController();
  /** The time of the transaction that is running. */
  #now_ms = 0;

  constructor(connection: Connection, surroundings: StoreSurroundings) {
    const isFile = connection.path !== ':memory:';
    const notifications = isFile ? 'machine' : 'process';
    this.capabilities = { durable: isFile, concurrent_processes: isFile, notifications };
    this.tokens = connection.tokens;
    this.#connection = connection;
    this.#surroundings = surroundings;
    this.#ledger = new Ledger(connection.statements);
    this.#moving = new Moving(connection.statements, this.#ledger);
    this.#createId = createIdSource(surroundings);
    this.#watch = isFile ? createWatch(connection.path, connection.driver, this.#bell) : undefined;
  }

  async create(handoffs: readonly NewHandoff[], call: Call, { acknowledges }: CreateOptions = {}): Promise<Handoff[]> {
    assertCreate(handoffs, { acknowledges });
    // What the caller does to its list before the transaction comes is not ours.
    const given = [...handoffs];
    return this.#write(call, { handoffs, acknowledges }, (now_ms) => {
      if (acknowledges) this.#ledger.acknowledge(acknowledges, this.#contextOf(call, now_ms));
      return given.map((each) => this.#add(each, call, now_ms));
    });
  }

  async claim(request: ClaimRequest, call: Call): Promise<ClaimAnswer> {
    assertClaim(request);
    assertCall(call);
    const inVain = await this.#lookInVain(request, call);
    if (inVain !== undefined) return inVain;
    return this.#write(call, { claim: request }, (now_ms) => {
      const { acknowledges, unless_unproved } = request;
      if (unless_unproved && this.#ledger.isUnproved(request.project)) return unprovedAnswer();
      const terms = { ...this.#contextOf(call, now_ms), createToken: this.#surroundings.createToken };
      const acknowledged = acknowledges && this.#ledger.acknowledge(acknowledges, this.#contextOf(call, now_ms));
      this.#ledger.assertNamedClaimable(request, { name: call.actor.name, now_ms });
      const unscoped_left_out = this.#ledger.countLeftOut(request, call.actor.name, now_ms);
      const handoffs = this.#ledger.claim(request, terms);
      const payloads = request.without_lease && this.#ledger.payloadsOf(handoffs);
      return { handoffs, ...(acknowledged && { acknowledged }), ...(payloads && { payloads }), unscoped_left_out };
    });
  }

  async transition(id: string, step: Step, call: Call): Promise<Handoff> {
    assertStep(step);
    return this.#write(call, { transition: { id, step } }, (now_ms) => {
      const taken = this.#ledger.step(id, step, this.#contextOf(call, now_ms));
      if (step.type === 'approve') this.#supersede(taken, call.actor, now_ms);
      return taken;
    });
  }

  async recall(call: Call): Promise<unknown> {
    assertCall(call);
    const keyed = identifyRequest(call);
    if (keyed === undefined) return undefined;
    return this.#connection.read(() => this.#findAnswer(call, keyed, this.#surroundings.now()));
  }

  async remember<T>(answer: T, call: Call): Promise<T> {
    return this.#write(call, undefined, () => answer);
  }

  async get(id: string, token?: string): Promise<Handoff | null> {
    return this.#read(() => {
      const handoff = this.#ledger.findIntact(id);
      return handoff === undefined ? null : withoutToken(handoff, token);
    });
  }

  async list(request: ListRequest): Promise<Page> {
    assertList(request);
    return this.#read(() => this.#ledger.page(request));
  }

  async count(request: CountRequest): Promise<Counts> {
    return this.#read(() => this.#ledger.count(request));
  }

  async readPayload(id: string): Promise<string | null> {
    return this.#read(() => this.#ledger.payloadOf(id) ?? null);
  }

  async events(request: EventsRequest): Promise<HandoffEvent[]> {
    assertEvents(request);
    return this.#read(() => this.#ledger.events(request));
  }

  subscribe(request: { after_seq?: number; project?: string }, signal: AbortSignal): AsyncIterable<HandoffEvent> {
    assertEvents(request);
    this.#assertOpen();
    const { after_seq, project } = request;
    // Looked up now, not when the first event is asked for.
    const start = this.#connection.read(() => after_seq ?? this.#ledger.lastEvent);
    return follow({
      bell: this.#bell,
      watch: this.#watch,
      readAfter: (seq, limit) => this.events({ after_seq: seq, project, limit }),
      start,
      signal: AbortSignal.any([signal, this.#closing.signal]),
    });
  }

  async export({ cursor, limit }: { cursor?: string; limit: number }) {
    assertList({ filter: {}, limit });
    const after = cursor === undefined ? 0 : decodeListCursor(cursor);
    return this.#read(() => {
      const found = this.#moving.export({ after, limit: limit + 1 });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      return {
        handoffs: page.map(({ seq: _seq, ...stored }) => stored),
        ...(last === undefined || found.length === page.length ? {} : { cursor: encodeListCursor(last.seq) }),
      };
    });
  }

  async import(handoffs: readonly StoredHandoff[]): Promise<ImportAnswer> {
    for (const stored of handoffs) assertStored(stored);
    this.#connection.assertWritable();
    return this.#transact(() => this.#moving.import(handoffs));
  }

  async remove(handoffs: readonly { id: string; version: number }[]): Promise<number> {
    this.#connection.assertWritable();
    return this.#transact(() => this.#moving.remove(handoffs));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#connection.close();
  }

  #contextOf({ actor }: Pick<Call, 'actor'>, now_ms: number): StepContext {
    return { actor, now_ms, random: this.#surroundings.random };
  }

  #add(given: NewHandoff, call: Call, now_ms: number): Handoff {
    const { actor, idempotency_key } = call;
    const { random } = this.#surroundings;
    const id = this.#createId(now_ms);
    const added = this.#ledger.begin(given, { id, idempotency_key, actor, now_ms, random });
    this.#supersede(added, actor, now_ms);
    return added;
  }

  /** A scope is asked of every row of a queue: where none answers it, nobody's write waits for that walk. */
  async #lookInVain(request: ClaimRequest, { actor, idempotency_key }: Call): Promise<ClaimAnswer | undefined> {
    const { id, scope, acknowledges, without_lease } = request;
    const isMerelyLook = scope !== undefined && id === undefined && acknowledges === undefined;
    if (!isMerelyLook || idempotency_key !== undefined) return undefined;
    return this.#read(() => {
      const now_ms = this.#surroundings.now();
      if (this.#ledger.hasClaimable(request, actor.name, now_ms)) return undefined;
      const unscoped_left_out = this.#ledger.countLeftOut(request, actor.name, now_ms);
      return { handoffs: [], ...(without_lease && { payloads: {} }), unscoped_left_out };
    });
  }

  /** What a handoff replaces is offered until the new one is open. */
  #supersede({ id, project, content, delivery }: Handoff, actor: Call['actor'], now_ms: number): void {
    const { supersedes_id } = content;
    if (supersedes_id === undefined) return;
    const superseded = this.#ledger.find(supersedes_id);
    if (superseded === undefined || superseded.project !== project) throw absentHandoff(supersedes_id);
    if (delivery.state !== 'open') return;
    this.#ledger.take(superseded, { type: 'supersede', by_id: id }, this.#contextOf({ actor }, now_ms));
  }

  /** A read that finds something due lets it happen first; else it takes no lock. */
  async #read<T>(body: () => T): Promise<T> {
    this.#assertOpen();
    const now_ms = this.#surroundings.now();
    const found = await this.#connection.read(() => (this.#ledger.isDue(now_ms) ? null : { answer: body() }));
    if (found !== null) return found.answer;
    await this.#transact(() => undefined);
    return this.#connection.read(body);
  }

  async #write<T>(call: Call, request: WriteRequest | undefined, body: (now_ms: number) => T): Promise<T> {
    assertCall(call);
    this.#connection.assertWritable();
    const keyed = identifyRequest(call, request);
    if (keyed === undefined) return this.#transact(() => body(this.#now_ms));
    // An answer is remembered if anything was changed, here or elsewhere.
    return this.#transact(() => {
      const remembered = this.#findAnswer(call, keyed, this.#now_ms);
      if (remembered !== undefined) return remembered as T;
      const { steps } = this.#ledger;
      const answer = body(this.#now_ms);
      const isChanged = request === undefined || this.#ledger.steps > steps;
      if (isChanged) this.#ledger.keepAnswer(keyed, answer, this.#now_ms);
      return answer;
    });
  }

  /** Runs a body in a write transaction, after what is due. */
  async #transact<T>(body: () => T): Promise<T> {
    this.#assertOpen();
    const { steps } = this.#ledger;
    try {
      return await this.#connection.write(body, this.#applyDue);
    } finally {
      // Also where the body was refused: what came due before it has happened. A claim in vain wakes nobody.
      if (this.#ledger.steps > steps) this.#bell.ring();
    }
  }

  /** Before each write: what came due has happened, also when the write itself is refused. */
  readonly #applyDue = (isFirst: boolean) => {
    // Read under the lock, so that times rise in the order of the commits; writes of one transaction share it.
    if (isFirst) this.#now_ms = this.#surroundings.now();
    const isDue = isFirst ? this.#ledger.isDue(this.#now_ms) : this.#ledger.hasBecomeDue(this.#now_ms);
    if (isDue) this.#ledger.applyDue(this.#now_ms, this.#surroundings.random);
  };

  #findAnswer(call: Call, keyed: KeyedRequest, now_ms: number): unknown {
    const remembered = this.#ledger.findAnswer(keyed, now_ms);
    if (remembered === undefined) return undefined;
    assertSameRequest(call, remembered.request_sha256, keyed);
    return remembered.answer;
  }

  #assertOpen(): void {
    if (this.#closing.signal.aborted) throw closedStore(this.#connection.path);
  }
}
