import type { StoreTokens, TokenRecord } from '../../core/access-token.ts';
import type { HandoffEvent } from '../../core/delivery.ts';
import { isSearch, judgeScope, matches } from '../../core/filter.ts';
import type { Handoff } from '../../core/handoff.ts';
import { createIdSource } from '../../core/id-source.ts';
import { clockActor, type StepContext } from '../../core/lifecycle.ts';
import { approvalOf, begin } from '../../core/lifecycle-begin.ts';
import { absentHandoff } from '../../core/lifecycle-claim.ts';
import { limits } from '../../core/limits.ts';
import { collectPayloads, pointedPayload } from '../../core/payload.ts';
import type {
  Call,
  ClaimAnswer,
  ClaimRequest,
  CountRequest,
  Counts,
  CreateOptions,
  EventsRequest,
  HeldHandoff,
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
import { assertSameRequest, identifyRequest, type WriteRequest } from '../idempotency.ts';
import { decodeListCursor, encodeListCursor } from '../list-cursor.ts';
import { assertStored } from '../moving.ts';
import { groupCounted, toBounds, toCounts, toPage } from '../pages.ts';
import { assertCall, assertClaim, assertCreate, assertEvents, assertList, assertStep } from '../requests.ts';
import { Bell, follow } from '../subscription.ts';
import { unprovedAnswer } from '../unproved.ts';
import { choose, countGroup, countLeftOut, isUnproved, listDue, lookThrough } from './choose.ts';
import { importInto, removeFrom, storedOf } from './moving.ts';
import { type Contents, createContents, Transaction } from './transaction.ts';

/**
 * A store in memory: the executable specification of `Store`. Every other store must answer as this one does.
 * Everything is gone with the process; each call looks at every handoff.
 */
export function createMemoryStore(surroundings: Partial<StoreSurroundings> = {}): Store {
  return new MemoryStore(createSurroundings(surroundings));
}

class MemoryStore implements Store {
  readonly capabilities: StoreCapabilities = {
    durable: false,
    concurrent_processes: false,
    notifications: 'process',
  };
  readonly #surroundings: StoreSurroundings;
  readonly #createId: (now_ms: number) => string;
  readonly #contents: Contents = createContents();
  readonly #bell = new Bell();
  readonly #closing = new AbortController();
  readonly tokens: StoreTokens = createMemoryTokens();

  constructor(surroundings: StoreSurroundings) {
    this.#surroundings = surroundings;
    this.#createId = createIdSource(surroundings);
  }

  async create(handoffs: readonly NewHandoff[], call: Call, { acknowledges }: CreateOptions = {}): Promise<Handoff[]> {
    assertCreate(handoffs, { acknowledges });
    return this.#write(call, { handoffs, acknowledges }, (transaction, now_ms) => {
      if (acknowledges) this.#acknowledge(transaction, acknowledges, this.#contextOf(call, now_ms));
      return structuredClone(handoffs).map((given) => this.#add(transaction, given, call, now_ms));
    });
  }

  async claim(request: ClaimRequest, call: Call): Promise<ClaimAnswer> {
    assertClaim(request);
    return this.#write(call, { claim: request }, (transaction, now_ms) => {
      const { lease_ms, offer, without_lease, acknowledges } = request;
      if (request.unless_unproved && isUnproved(transaction, request)) return unprovedAnswer();
      const context = this.#contextOf(call, now_ms);
      const acknowledged = acknowledges && this.#acknowledge(transaction, acknowledges, context);
      const { chosen, unscoped_left_out } = choose(transaction, request, call.actor.name, now_ms);
      const handoffs = chosen.flatMap((handoff) => {
        if (without_lease === true) return transaction.take(handoff, { type: 'acknowledge' }, context) ?? [];
        const token = this.#surroundings.createToken();
        return transaction.take(handoff, { type: 'claim', token, lease_ms, offer }, context) ?? [];
      });
      const payloads = without_lease && collectPayloads(handoffs, (sha256) => this.#contents.payloads.get(sha256));
      return { handoffs, ...(acknowledged && { acknowledged }), ...(payloads && { payloads }), unscoped_left_out };
    });
  }

  async transition(id: string, step: Step, call: Call): Promise<Handoff> {
    assertStep(step);
    return this.#write(call, { transition: { id, step } }, (transaction, now_ms) => {
      const handoff = transaction.get(id)?.handoff;
      if (handoff === undefined) throw absentHandoff(id);
      const taken = transaction.take(handoff, structuredClone(step), this.#contextOf(call, now_ms));
      if (step.type === 'edit') transaction.keepPayload(handoff.project, pointedPayload(step));
      if (step.type === 'approve' && taken !== null) this.#supersede(transaction, taken, call, now_ms);
      return withoutToken(taken ?? handoff);
    });
  }

  async recall(call: Call): Promise<unknown> {
    this.#assertOpen();
    assertCall(call);
    const keyed = identifyRequest(call);
    const remembered = keyed && this.#contents.answers.get(keyed.key_sha256);
    if (keyed === undefined || remembered === undefined || remembered.expires_at_ms <= this.#surroundings.now()) {
      return undefined;
    }
    assertSameRequest(call, remembered.request_sha256, keyed);
    return structuredClone(remembered.answer);
  }

  async remember<T>(answer: T, call: Call): Promise<T> {
    return this.#write(call, undefined, () => answer);
  }

  async get(id: string, token?: string): Promise<Handoff | null> {
    const handoff = this.#read().get(id)?.handoff;
    return handoff === undefined ? null : structuredClone(withoutToken(handoff, token));
  }

  async list(request: ListRequest): Promise<Page> {
    assertList(request);
    const { filter } = request;
    const { before, skip, limit } = toBounds(request);
    const all = this.#read().list().reverse();
    const { looked, next_seq } = lookThrough(all, { ...request, before });
    const found = looked.filter(({ handoff }) => matches(handoff, filter));
    const rows = (request.first === 'oldest' ? found.reverse() : found).slice(skip, skip + limit + 1);
    const left_out = isSearch(filter) ? [] : all.filter(({ handoff }) => matches(handoff, filter));
    return {
      ...structuredClone(toPage({ rows, next_seq }, request)),
      unscoped_left_out: countLeftOut(left_out.map(({ handoff }) => judgeScope(handoff, filter))),
    };
  }

  async count(request: CountRequest): Promise<Counts> {
    const all = this.#read()
      .list()
      .reverse()
      .map(({ handoff }) => handoff);
    return toCounts(groupCounted(request).map((group) => countGroup(all, group, request)));
  }

  async readPayload(id: string): Promise<string | null> {
    const ref = this.#read().get(id)?.handoff.content.payload_ref;
    return ref === undefined ? null : (this.#contents.payloads.get(ref.sha256) ?? null);
  }

  async events(request: EventsRequest): Promise<HandoffEvent[]> {
    assertEvents(request);
    const { handoff_id, project, after_seq = 0, newest, limit } = request;
    this.#read();
    const found = this.#contents.events
      .filter((event) => event.seq > after_seq)
      .filter((event) => handoff_id === undefined || event.handoff_id === handoff_id)
      .filter((event) => project === undefined || event.project === project);
    const kept = newest === true ? found.slice(Math.max(0, found.length - limit)) : found.slice(0, limit);
    return kept.map(({ project: _project, ...event }) => structuredClone(event));
  }

  subscribe(request: { after_seq?: number; project?: string }, signal: AbortSignal): AsyncIterable<HandoffEvent> {
    assertEvents(request);
    this.#assertOpen();
    const { after_seq = this.#contents.last.event_seq, project } = request;
    return follow({
      bell: this.#bell,
      readAfter: (seq, limit) => this.events({ after_seq: seq, project, limit }),
      start: Promise.resolve(after_seq),
      signal: AbortSignal.any([signal, this.#closing.signal]),
    });
  }

  async export({ cursor, limit }: { cursor?: string; limit: number }) {
    assertList({ filter: {}, limit });
    const after = cursor === undefined ? 0 : decodeListCursor(cursor);
    const found = this.#read()
      .list()
      .filter(({ seq }) => seq > after);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      handoffs: page.map(({ handoff }) => this.#stored(handoff)),
      ...(last === undefined || found.length === page.length ? {} : { cursor: encodeListCursor(last.seq) }),
    };
  }

  async import(handoffs: readonly StoredHandoff[]): Promise<ImportAnswer> {
    for (const stored of handoffs) assertStored(stored);
    this.#read();
    const transaction = new Transaction(this.#contents);
    const answer = importInto(transaction, structuredClone(handoffs), (handoff) => this.#stored(handoff));
    this.#commit(transaction);
    return answer;
  }

  async remove(handoffs: readonly { id: string; version: number }[]): Promise<number> {
    this.#read();
    return removeFrom(this.#contents, handoffs);
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }

  #stored(handoff: Handoff): StoredHandoff {
    return structuredClone(storedOf(this.#contents, handoff));
  }

  #acknowledge(transaction: Transaction, { id, token }: HeldHandoff, context: StepContext) {
    const held = transaction.get(id)?.handoff;
    if (held === undefined) throw absentHandoff(id);
    return withoutToken(transaction.take(held, { type: 'acknowledge', token }, context) ?? held);
  }

  #contextOf({ actor }: Pick<Call, 'actor'>, now_ms: number) {
    return { actor, now_ms, random: this.#surroundings.random };
  }

  #add(transaction: Transaction, given: NewHandoff, call: Call, now_ms: number): Handoff {
    const { actor, idempotency_key } = call;
    const added = begin(given, { id: this.#createId(now_ms), idempotency_key, actor, now_ms });
    transaction.keepPayload(given.project, pointedPayload(given));
    transaction.record(added);
    const step = approvalOf(given);
    const taken = step && transaction.take(added.handoff, step, this.#contextOf(call, now_ms));
    const handoff = taken ?? added.handoff;
    this.#supersede(transaction, handoff, call, now_ms);
    return handoff;
  }

  /** What a handoff replaces is offered until the new one is open. */
  #supersede(transaction: Transaction, { id, project, content, delivery }: Handoff, call: Call, now_ms: number): void {
    const { supersedes_id } = content;
    if (supersedes_id === undefined) return;
    const superseded = transaction.get(supersedes_id)?.handoff;
    if (superseded === undefined || superseded.project !== project) throw absentHandoff(supersedes_id);
    if (delivery.state !== 'open') return;
    transaction.take(superseded, { type: 'supersede', by_id: id }, this.#contextOf(call, now_ms));
  }

  /** What every call begins with: due lapses, then due expiries; each is kept even if the call fails. */
  #applyDue(now_ms: number): void {
    const transaction = new Transaction(this.#contents);
    for (const type of ['lapse', 'expire'] as const) {
      for (const handoff of listDue(transaction, type, now_ms)) {
        transaction.take(handoff, { type }, this.#contextOf({ actor: clockActor }, now_ms));
      }
    }
    this.#commit(transaction);
  }

  #read(): Transaction {
    this.#assertOpen();
    this.#applyDue(this.#surroundings.now());
    return new Transaction(this.#contents);
  }

  /** @param request - absent where the call wrote somewhere else: then its answer is always remembered. */
  #write<T>(call: Call, request: WriteRequest | undefined, body: (transaction: Transaction, now_ms: number) => T): T {
    this.#assertOpen();
    assertCall(call);
    const keyed = identifyRequest(call, request);
    const now_ms = this.#surroundings.now();
    this.#applyDue(now_ms);
    const remembered = keyed && this.#contents.answers.get(keyed.key_sha256);
    if (keyed && remembered && remembered.expires_at_ms > now_ms) {
      assertSameRequest(call, remembered.request_sha256, keyed);
      return structuredClone(remembered.answer) as T;
    }
    const transaction = new Transaction(this.#contents);
    const answer = body(transaction, now_ms);
    if (keyed && (request === undefined || !transaction.isEmpty)) {
      const { key_sha256, request_sha256 } = keyed;
      const expires_at_ms = now_ms + limits.idempotency_ms;
      this.#contents.answers.set(key_sha256, { request_sha256, answer: structuredClone(answer), expires_at_ms });
    }
    this.#commit(transaction);
    return structuredClone(answer);
  }

  #commit(transaction: Transaction): void {
    if (transaction.isEmpty) return;
    transaction.commit();
    this.#bell.ring();
  }

  #assertOpen(): void {
    if (this.#closing.signal.aborted) throw closedStore('memory:');
  }
}

/** Tokens that are gone with the process. */
function createMemoryTokens(): StoreTokens {
  const records = new Map<string, TokenRecord>();
  const find = (id: string) => structuredClone(records.get(id) ?? null);
  return {
    add: async (record) => {
      records.set(record.id, structuredClone(record));
    },
    list: async () =>
      structuredClone([...records.values()]).sort((one, other) => (one.created_at < other.created_at ? -1 : 1)),
    find: async (id) => find(id),
    noteUse: async (id, now_ms) => {
      const record = records.get(id);
      if (record !== undefined) record.last_used_at = new Date(now_ms).toISOString();
    },
    remove: async (id) => {
      const record = find(id);
      records.delete(id);
      return record;
    },
  };
}
