import type { StoreTokens } from '../../core/access-token.ts';
import type { HandoffEvent } from '../../core/delivery.ts';
import type { Handoff } from '../../core/handoff.ts';
import { createIdSource } from '../../core/id-source.ts';
import { clockActor, type StepContext } from '../../core/lifecycle.ts';
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
import type { Step } from '../../core/transitions.ts';
import { withoutToken } from '../../core/without-token.ts';
import { closedStore } from '../closed.ts';
import { decodeHandoff, decodeListed } from '../handoff-columns.ts';
import { identifyRequest, type WriteRequest } from '../idempotency.ts';
import { decodeListCursor, encodeListCursor } from '../list-cursor.ts';
import { assertStored } from '../moving.ts';
import { assertCall, assertClaim, assertCreate, assertEvents, assertList, assertStep } from '../requests.ts';
import { type Bell, follow } from '../subscription.ts';
import { createStoreTokens } from '../token-statements.ts';
import type { Changes } from './changes.ts';
import { claim } from './claim.ts';
import { importHandoffs, removeHandoffs } from './moving.ts';
import type { ExportedHandoff, Reader } from './reader.ts';
import { all, type Work } from './work.ts';

/** A call that writes: what it asks for, and what it will lock, as far as that is known before. */
export interface Asked {
  call?: Call;
  /** Absent where the call wrote somewhere else: then its answer is always remembered. */
  request?: WriteRequest;
  projects?: readonly string[];
  ids?: readonly string[];
  /** Whether no other call may add a handoff meanwhile. */
  isAlone?: boolean;
}

/** What a call decides within its transaction, and again where that is run again. */
export type Body<T> = (changes: Changes, context: StepContext) => Work<T>;

/** One database: transactions in which work runs, after what is due, and how the store hears of others. */
export interface Engine {
  readonly name: string;
  readonly capabilities: StoreCapabilities;
  readonly reader: Reader;
  readonly bell: Bell;
  /** What the caller does to a request before the transaction comes is not the store's. */
  keep: <T>(given: T) => T;
  read: <T>(body: (now_ms: number) => Work<T>) => Promise<T>;
  /** Reads history in which every line that was committed before has its sequence number. */
  readHistory: <T>(body: () => Work<T>) => Promise<T>;
  /** Runs a body and writes what it changed, in one transaction; `decide` below says what of it is asked first. */
  write: <T>(asked: Asked, body: Body<T>) => Promise<T>;
  /** Claims, with others' claims of the same queue where one statement serves them all. */
  claim?: (request: ClaimRequest, call: Call, claimAlone: SqlStore['claimAlone']) => Promise<ClaimAnswer>;
  /** A page in which every history line has its sequence number. */
  export: (page: { after: number; limit: number }) => Promise<ExportedHandoff[]>;
  /** The last sequence number of the history; writes that are requested after this call get higher ones. */
  findEnd: () => Promise<number>;
  close: () => Promise<void>;
}

/** The remembered answer of a repeated call; else the body's, which is remembered if it changed anything. */
export function* decide<T>(
  changes: Changes,
  { call, request }: Asked,
  body: Body<T>,
  { reader, ...moment }: { reader: Reader } & Omit<StepContext, 'actor'>,
): Work<T> {
  const context = { ...moment, actor: call?.actor ?? clockActor };
  const keyed = call && identifyRequest(call, request);
  if (call === undefined || keyed === undefined) return yield* body(changes, context);
  const remembered = yield* reader.findAnswer(call, keyed, context.now_ms);
  if (remembered !== undefined) return remembered as T;
  const answer = yield* body(changes, context);
  if (request === undefined || changes.events.length > 0) changes.remember(keyed, answer, context.now_ms);
  return answer;
}

/** The store over a SQL database: every call's rules, written once for all of them. */
export class SqlStore implements Store {
  readonly capabilities: StoreCapabilities;
  readonly tokens: StoreTokens;
  readonly #engine: Engine;
  readonly #reader: Reader;
  readonly #createToken: () => string;
  readonly #createId: (now_ms: number) => string;
  readonly #closing = new AbortController();

  constructor(engine: Engine, surroundings: StoreSurroundings) {
    this.capabilities = engine.capabilities;
    this.tokens = createStoreTokens({
      read: (sql, parameters) => engine.read(() => all(sql, parameters)),
      write: (sql, parameters) => engine.write({}, () => all(sql, parameters)),
    });
    this.#engine = engine;
    this.#reader = engine.reader;
    this.#createToken = surroundings.createToken;
    this.#createId = createIdSource(surroundings);
  }

  async create(handoffs: readonly NewHandoff[], call: Call, { acknowledges }: CreateOptions = {}): Promise<Handoff[]> {
    assertCreate(handoffs, { acknowledges });
    assertCall(call);
    const given = this.#engine.keep(handoffs);
    const replaced = given.flatMap(({ content }) => content.supersedes_id ?? []);
    const asked = {
      call,
      request: { handoffs: given, acknowledges },
      projects: given.map(({ project }) => project),
      ids: acknowledges === undefined ? replaced : [acknowledges.id, ...replaced],
    };
    const createId = this.#createId;
    return this.#engine.write(asked, function* (changes, context) {
      if (acknowledges) yield* changes.acknowledge(acknowledges, context);
      const added: Handoff[] = [];
      for (const each of given) {
        const id = createId(context.now_ms);
        added.push(yield* changes.add(each, { ...context, id, idempotency_key: call.idempotency_key }));
      }
      return added;
    });
  }

  async claim(request: ClaimRequest, call: Call): Promise<ClaimAnswer> {
    assertClaim(request);
    assertCall(call);
    const { claimAlone } = this;
    return this.#engine.claim === undefined ? claimAlone(request, call) : this.#engine.claim(request, call, claimAlone);
  }

  /** A claim in a transaction of its own, as far as others are not in its commit group. */
  readonly claimAlone = (request: ClaimRequest, call: Call): Promise<ClaimAnswer> => {
    const ids = [request.id, request.acknowledges?.id].filter((id) => id !== undefined);
    const own = { reader: this.#reader, createToken: this.#createToken };
    return this.#engine.write({ call, request: { claim: request }, ids }, (changes, context) =>
      claim(changes, request, { ...context, ...own }),
    );
  };

  async transition(id: string, given: Step, call: Call): Promise<Handoff> {
    assertStep(given);
    assertCall(call);
    const step = this.#engine.keep(given);
    const projects = step.type === 'edit' ? [call.project] : [];
    const asked = { call, request: { transition: { id, step } }, ids: [id], projects };
    return this.#engine.write(asked, function* (changes, context) {
      const handoff = yield* changes.find(id, step.type === 'withdraw' ? decodeListed : decodeHandoff);
      const taken = yield* changes.take(handoff, step, context);
      if (step.type === 'approve' && taken !== null) yield* changes.supersede(taken, context);
      return withoutToken(taken ?? handoff);
    });
  }

  async recall(call: Call): Promise<unknown> {
    assertCall(call);
    const keyed = identifyRequest(call);
    if (keyed === undefined) return undefined;
    return this.#engine.read((now_ms) => this.#reader.findAnswer(call, keyed, now_ms));
  }

  async remember<T>(answer: T, call: Call): Promise<T> {
    assertCall(call);
    if (call.idempotency_key === undefined) return answer;
    // biome-ignore lint/correctness/useYield: there is nothing to read.
    return this.#engine.write({ call }, function* () {
      return answer;
    });
  }

  async get(id: string, token?: string): Promise<Handoff | null> {
    const handoff = await this.#engine.read(() => this.#reader.findIntact(id));
    return handoff === undefined ? null : withoutToken(handoff, token);
  }

  async list(request: ListRequest): Promise<Page> {
    assertList(request);
    return this.#engine.read(() => this.#reader.page(request));
  }

  async count(request: CountRequest): Promise<Counts> {
    return this.#engine.read(() => this.#reader.count(request));
  }

  async readPayload(id: string): Promise<string | null> {
    const reader = this.#reader;
    return this.#engine.read(function* () {
      const handoff = yield* reader.findIntact(id);
      return Object.values(yield* reader.payloadsOf(handoff === undefined ? [] : [handoff]))[0] ?? null;
    });
  }

  async events(request: EventsRequest): Promise<HandoffEvent[]> {
    assertEvents(request);
    return this.#engine.readHistory(() => this.#reader.events(request));
  }

  subscribe(request: { after_seq?: number; project?: string }, signal: AbortSignal): AsyncIterable<HandoffEvent> {
    assertEvents(request);
    const { after_seq, project } = request;
    if (this.#closing.signal.aborted) throw closedStore(this.#engine.name);
    return follow({
      bell: this.#engine.bell,
      readAfter: (seq, limit) => this.events({ after_seq: seq, project, limit }),
      // Looked up now, not when the first event is asked for.
      start: after_seq === undefined ? this.#engine.findEnd() : Promise.resolve(after_seq),
      signal: AbortSignal.any([signal, this.#closing.signal]),
    });
  }

  async export({ cursor, limit }: { cursor?: string; limit: number }) {
    assertList({ filter: {}, limit });
    const after = cursor === undefined ? 0 : decodeListCursor(cursor);
    const found = await this.#engine.export({ after, limit: limit + 1 });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      handoffs: page.map(({ place: _place, ...stored }) => stored),
      ...(last === undefined || found.length === page.length ? {} : { cursor: encodeListCursor(last.place) }),
    };
  }

  async import(given: readonly StoredHandoff[]): Promise<ImportAnswer> {
    for (const stored of given) assertStored(stored);
    const handoffs = this.#engine.keep(given);
    const projects = handoffs.map(({ handoff }) => handoff.project);
    const ids = handoffs.map(({ handoff }) => handoff.id);
    return this.#engine.write({ projects, ids }, (changes) => importHandoffs(changes, handoffs, this.#reader));
  }

  async remove(handoffs: readonly { id: string; version: number }[]): Promise<number> {
    return this.#engine.write({ isAlone: true }, () => removeHandoffs(handoffs, this.#reader.statements));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#engine.close();
  }
}
