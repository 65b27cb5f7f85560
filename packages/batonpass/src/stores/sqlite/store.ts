import { resolve } from 'node:path';
import type { HandoffEvent } from '../../core/delivery.ts';
import type { Handoff } from '../../core/handoff.ts';
import { begin } from '../../core/lifecycle-begin.ts';
import { absentHandoff, assertClaimable } from '../../core/lifecycle-claim.ts';
import { limits } from '../../core/limits.ts';
import type {
  Call,
  ClaimAnswer,
  ClaimRequest,
  EventsRequest,
  ListRequest,
  NewHandoff,
  Page,
  Store,
  StoreCapabilities,
  StoreSurroundings,
} from '../../core/store.ts';
import { createSurroundings } from '../../core/surroundings.ts';
import type { Step } from '../../core/transitions.ts';
import { withoutToken } from '../../core/without-token.ts';
import { closedStore } from '../closed.ts';
import { createIdSource } from '../id-source.ts';
import { assertSameRequest, identifyRequest, type KeyedRequest, type WriteRequest } from '../idempotency.ts';
import { decodeListCursor, encodeListCursor } from '../list-cursor.ts';
import { assertCall, assertClaim, assertCreate, assertEvents, assertList, assertStep } from '../requests.ts';
import { Bell, follow } from '../subscription.ts';
import { type Attempt, Connection } from './connection.ts';
import { Ledger } from './ledger.ts';
import { createWatch } from './watch.ts';

/**
 * Opens the store of a file, which is made where it is absent, or of `:memory:`. Many processes may have one file open
 * at once. Every write is one transaction, synced to the disk before its promise resolves.
 *
 * Against the port: none of its promises is weakened; a write that waits longer than `limits.write_wait_ms` for other
 * processes is refused.
 *
 * @throws HandoffError `unavailable` for a place that cannot be written, `invalid_input` for a file of another program,
 * `unsupported_version` for a newer schema or an unsafe SQLite library.
 */
export async function openSqliteStore(path: string, surroundings: Partial<StoreSurroundings> = {}): Promise<Store> {
  const place = path === ':memory:' ? path : resolve(path);
  return new SqliteStore(await Connection.open(place), createSurroundings(surroundings));
}

/** The store over a connection that is already open; `openSqliteStore` is the way to it. */
export class SqliteStore implements Store {
  readonly capabilities: StoreCapabilities;
  readonly #connection: Connection;
  readonly #surroundings: StoreSurroundings;
  readonly #ledger: Ledger;
  readonly #createId: (now_ms: number) => string;
  readonly #bell = new Bell();
  readonly #watch: (() => () => void) | undefined;
  readonly #closing = new AbortController();

  constructor(connection: Connection, surroundings: StoreSurroundings) {
    const isFile = connection.path !== ':memory:';
    this.capabilities = {
      durable: isFile,
      concurrent_processes: isFile,
      notifications: isFile ? 'machine' : 'process',
    };
    this.#connection = connection;
    this.#surroundings = surroundings;
    this.#ledger = new Ledger(connection.driver);
    this.#createId = createIdSource(surroundings);
    this.#watch = isFile ? createWatch(connection.path, this.#bell) : undefined;
  }

  async create(handoffs: readonly NewHandoff[], call: Call): Promise<Handoff[]> {
    assertCreate(handoffs);
    const created = await this.#write(call, { handoffs }, (now_ms) =>
      handoffs.map((given) => this.#add(given, call, now_ms)),
    );
    return structuredClone(created);
  }

  async claim(request: ClaimRequest, call: Call): Promise<ClaimAnswer> {
    assertClaim(request);
    return this.#write(call, { claim: request }, (now_ms) => {
      const { actor } = call;
      this.#assertNamedClaimable(request, actor.name, now_ms);
      const unscoped_left_out = request.id === undefined ? this.#ledger.countLeftOut(request, actor.name, now_ms) : 0;
      const handoffs: Handoff[] = [];
      const max = request.id === undefined ? request.max : 1;
      while (handoffs.length < max) {
        const token = this.#surroundings.createToken();
        const claimed = this.#ledger.claim(request, { actor, now_ms, token });
        if (claimed === undefined) break;
        handoffs.push(claimed);
      }
      return { handoffs, unscoped_left_out };
    });
  }

  async transition(id: string, step: Step, call: Call): Promise<Handoff> {
    assertStep(step);
    return this.#write(call, { transition: { id, step } }, (now_ms) => {
      const handoff = this.#ledger.find(id);
      if (handoff === undefined) throw absentHandoff(id);
      const { random } = this.#surroundings;
      const taken = this.#ledger.take(handoff, step, { actor: call.actor, now_ms, random });
      if (step.type === 'approve' && taken !== null) this.#supersede(taken, call.actor, now_ms);
      return withoutToken(taken ?? handoff);
    });
  }

  async recall(call: Call): Promise<unknown> {
    assertCall(call);
    const keyed = identifyRequest(call);
    if (keyed === undefined) return undefined;
    const now_ms = this.#surroundings.now();
    const remembered = await this.#connection.read(() => this.#ledger.findAnswer(keyed, now_ms));
    if (remembered === undefined) return undefined;
    assertSameRequest(call, remembered.request_sha256, keyed);
    return remembered.answer;
  }

  async get(id: string): Promise<Handoff | null> {
    return this.#read(() => {
      const handoff = this.#ledger.find(id);
      return handoff === undefined ? null : withoutToken(handoff);
    });
  }

  async list({ filter, first, limit, cursor }: ListRequest): Promise<Page> {
    assertList({ filter, limit });
    const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeListCursor(cursor);
    return this.#read(() => {
      // One more than asked for tells whether there is a next page.
      const found = this.#ledger.list(filter, { before, limit: limit + 1, first });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      return {
        handoffs: page.map(({ handoff }) => withoutToken(handoff)),
        ...(last === undefined || first === 'oldest' || found.length === page.length
          ? {}
          : { cursor: encodeListCursor(last.seq) }),
        unscoped_left_out: this.#ledger.countUnscoped(filter),
      };
    });
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
      readAfter: (seq) => this.events({ after_seq: seq, project, limit: limits.events_max }),
      start,
      signal: AbortSignal.any([signal, this.#closing.signal]),
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#connection.close();
  }

  #add(given: NewHandoff, call: Call, now_ms: number): Handoff {
    const { actor, idempotency_key } = call;
    const id = this.#createId(now_ms);
    const added = this.#ledger.add(begin(given, { id, idempotency_key, actor, now_ms }));
    this.#supersede(added, actor, now_ms);
    return added;
  }

  /** What a handoff replaces is offered until the new one is open. */
  #supersede({ id, project, content, delivery }: Handoff, actor: Call['actor'], now_ms: number): void {
    const { supersedes_id } = content;
    if (supersedes_id === undefined) return;
    const superseded = this.#ledger.find(supersedes_id);
    if (superseded === undefined || superseded.project !== project) throw absentHandoff(supersedes_id);
    if (delivery.state !== 'open') return;
    const { random } = this.#surroundings;
    this.#ledger.take(superseded, { type: 'supersede', by_id: id }, { actor, now_ms, random });
  }

  #assertNamedClaimable(request: ClaimRequest, name: string, now_ms: number): void {
    if (request.id === undefined) return;
    const named = this.#ledger.find(request.id);
    if (named === undefined) throw absentHandoff(request.id);
    assertClaimable(named, request, { name, now_ms });
  }

  /** A read that finds something due lets it happen first; else it takes no lock. */
  async #read<T>(body: () => T): Promise<T> {
    this.#assertOpen();
    const now_ms = this.#surroundings.now();
    if (await this.#connection.read(() => this.#ledger.isDue(now_ms))) {
      await this.#connection.write(() => this.#ledger.applyDue(now_ms, this.#surroundings.random));
      this.#bell.ring();
    }
    return this.#connection.read(body);
  }

  async #write<T>(call: Call, request: WriteRequest, body: (now_ms: number) => T): Promise<T> {
    this.#assertOpen();
    assertCall(call);
    const keyed = identifyRequest(call, request);
    const result = await this.#connection.write((): Attempt<T> => {
      // Read under the lock, so that times rise in the order of the commits.
      const now_ms = this.#surroundings.now();
      const answer = () => this.#answer(call, keyed, now_ms, body);
      if (!this.#ledger.isDue(now_ms)) return { answer: answer() };
      this.#ledger.applyDue(now_ms, this.#surroundings.random);
      // What came due has happened, also when the call itself is refused.
      return this.#connection.attempt(answer);
    });
    this.#bell.ring();
    if ('refusal' in result) throw result.refusal;
    return result.answer;
  }

  /** The remembered answer of a repeated call; else the body's, remembered if it changed anything. */
  #answer<T>(call: Call, keyed: KeyedRequest | undefined, now_ms: number, body: (now_ms: number) => T): T {
    if (keyed === undefined) return body(now_ms);
    const remembered = this.#ledger.findAnswer(keyed, now_ms);
    if (remembered !== undefined) {
      assertSameRequest(call, remembered.request_sha256, keyed);
      return remembered.answer as T;
    }
    const { steps } = this.#ledger;
    const answer = body(now_ms);
    if (this.#ledger.steps > steps) this.#ledger.keepAnswer(keyed, answer, now_ms);
    return answer;
  }

  #assertOpen(): void {
    if (this.#closing.signal.aborted) throw closedStore(this.#connection.path);
  }
}
