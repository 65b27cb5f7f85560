import type { StoreTokens } from './access-token.ts';
import type { Actor } from './actor.ts';
import type { CompletedContent } from './complete-content.ts';
import type { HandoffEvent, Offer } from './delivery.ts';
import type { Filter } from './filter.ts';
import type { Handoff } from './handoff.ts';
import type { State } from './state.ts';
import type { Step } from './transitions.ts';

/** Who calls, in which project, and whether it is a retry. */
export interface Call {
  actor: Actor;
  project: string;
  /** The operation's name, as `handoff.claim`: a key is scoped to (project, actor, operation). */
  operation: string;
  /**
   * The same key with the same input gives the first answer again and changes nothing (a claim: the same lease);
   * with another input it is a `conflict`. Remembered for `limits.idempotency_ms`. An answer that changed nothing
   * is not remembered, so that an empty claim can be retried.
   */
  idempotency_key?: string;
  /** Whether the answer to a step may have an empty content, which need not be read then. Default: it is given. */
  omits_content?: boolean;
  /**
   * What was asked for, in the caller's own words: a retry is the same request although what follows from it (a branch,
   * an instant, a token) has changed meanwhile. Default: what the store is asked to do.
   */
  request?: unknown;
}

/** A handoff to be added: complete content, and whether it waits for a review. */
export interface NewHandoff extends CompletedContent {
  project: string;
  state: 'draft' | 'open';
  /** What the caller, who reviewed the draft, opens it with, in the same transaction; only of a draft. */
  approval?: { rendered_sha256: string; budget: number };
  /** Default `limits.attempts_max_default`. */
  max_attempts?: number;
}

/** What a caller holds, and the proof of it: the id, and the token of its present lease. */
export interface HeldHandoff {
  id: string;
  token: string;
}

/** Options of adding handoffs. */
export interface CreateOptions {
  /**
   * What the caller holds and is done with, as where one handoff became the next: acknowledged first, in the same
   * transaction. Where it is refused, nothing is added; where nothing can be added, it stays held.
   */
  acknowledges?: HeldHandoff;
}

/** Which handoffs a receiver takes; every member narrows it. */
export interface ClaimRequest {
  project: string;
  /** Only this handoff. */
  id?: string;
  task_id?: string;
  kind?: string;
  scope?: string;
  include_unscoped?: boolean;
  lease_ms: number;
  /** How many at the most; the oldest first. */
  max: number;
  /** Not these, where no `id` is named: what their own sessions are still at. */
  exclude_ids?: readonly string[];
  /** What a hook puts into a session of the named handoff; only with an `id`. */
  offer?: Offer;
  /**
   * What the caller holds and is done with: acknowledged first, in the same transaction. Where it is refused, nothing is
   * claimed; where nothing is there to claim, it is acknowledged all the same.
   */
  acknowledges?: HeldHandoff;
  /**
   * Takes without a lease: each is acknowledged by the caller at once, so that it is handed out at most
   * once. A caller that crashes before it is done loses it; only a lease brings one back.
   */
  without_lease?: true;
  /**
   * Claims nothing, and acknowledges nothing, while anything of the project was put into a session that has not proved it
   * yet: so that a caller that has to search for proofs first does so only where there is one to find.
   */
  unless_unproved?: true;
}

/** What a claim gave. */
export interface ClaimAnswer {
  /** With the lease's token: the claimer is the only one who ever gets it. Oldest first. */
  handoffs: Handoff[];
  /** What `acknowledges` named, as it is now. */
  acknowledged?: Handoff;
  /**
   * Of a claim without a lease: canonical JSON of the payloads that its handoffs point to, by SHA-256. Read in the same
   * transaction, so that nothing is taken whose payload is damaged, and none is removed in between.
   */
  payloads?: Readonly<Record<string, string>>;
  /** Claimable handoffs passed over because they have no scope and the request does. At most `limits.left_out_max`. */
  unscoped_left_out: number;
  /** Set where `unless_unproved` kept it from claiming. */
  is_unproved?: true;
}

/** One page of a list. */
export interface ListRequest {
  filter: Filter;
  /** Which end of the order the first page is. Default: `newest`; a cursor works with `newest` alone. */
  first?: 'newest' | 'oldest';
  limit: number;
  /** Where the last page ended. */
  cursor?: string;
  /** How many of the first ones are skipped: for the middle of a long list. Default: none. */
  skip?: number;
  /**
   * For a text or a file: how many handoffs that match the rest of the filter are searched, newest first. A page
   * that ends there may be short or empty, and has a cursor. Default: `limits.search_look_max`.
   */
  look_max?: number;
}

/** What is counted: handoffs of one project. */
export interface CountRequest {
  filter: Filter & { project: string };
  /** So many of each state that is not final, and of the final ones together, are read, newest first. */
  look_max: number;
}

/** How many answer a filter. */
export interface Counts {
  /** Every state that the filter names, or each there is. */
  counts: Partial<Record<State, number>>;
  /** States of which there may be more: those that were read are counted. */
  partial: State[];
}

/** A page of a list. */
export interface Page {
  /** Newest first, without tokens. */
  handoffs: Handoff[];
  /** Absent on the last page. */
  cursor?: string;
  unscoped_left_out: number;
}

/** A stretch of history: of one handoff, of a project, or of the whole store. */
export interface EventsRequest {
  handoff_id?: string;
  project?: string;
  /** Only events after this place. */
  after_seq?: number;
  /** Whether a limit keeps the newest, still listed oldest first. Default: it keeps the oldest. */
  newest?: boolean;
  limit: number;
}

/** A handoff as one store keeps it and another can: with its lease's token, its history, and the payload kept apart. */
export interface StoredHandoff {
  handoff: Handoff;
  /** All of it, oldest first; `seq` is the place in the store that it comes from. */
  events: HandoffEvent[];
  /** Canonical JSON of the payload that `content.payload_ref` points to. */
  payload_json?: string;
}

/** What became of handoffs that another store had. */
export interface ImportAnswer {
  added: number;
  /** Were here already in an earlier version, and are now as they came. */
  updated: number;
  /** Were here already, just so. */
  unchanged: number;
}

/** What a store can do; `docs/stores.md` shows it for each. */
export interface StoreCapabilities {
  /** Whether data outlives the process. */
  durable: boolean;
  /** Whether several processes can work on it at once. */
  concurrent_processes: boolean;
  /** How `subscribe` is notified of another process's change: `none`, or without polling. */
  notifications: 'process' | 'machine' | 'network';
}

/**
 * The seam between Baton and a place that keeps handoffs. `lifecycle.ts` has the rules; atomicity is the store's.
 *
 * Every writing method takes effect completely or not at all, the handoff and its event together; when its promise
 * resolves, the change survives a crash of the process and, where the store declares it, of the machine; after a crash
 * before that, it has either happened whole or not. Due lapses and expiries are applied first, one event each, so that
 * no daemon is needed, and every read shows the effective state.
 */
export interface Store {
  readonly capabilities: StoreCapabilities;
  readonly tokens: StoreTokens;

  /**
   * Adds handoffs in the given order, all or none. One that names `supersedes_id` withdraws that handoff in the same
   * transaction.
   *
   * @throws HandoffError `conflict` or `already_claimed` where the superseded one is no longer draft or open, `not_found`
   * where the project has no such handoff, `lease_lost` where what it acknowledges is not held with that token any more.
   */
  create(handoffs: readonly NewHandoff[], call: Call, options?: CreateOptions): Promise<Handoff[]>;

  /**
   * Gives the caller the oldest handoffs that are open, available, not expired and addressed to it or to nobody, each
   * with a new lease. Two callers never get the same one.
   *
   * @throws HandoffError with an `id`: `not_found`, `already_claimed`, or `conflict` where it is not claimable by this
   * caller; `unavailable` where a payload that would be taken without a lease is damaged.
   */
  claim(request: ClaimRequest, call: Call): Promise<ClaimAnswer>;

  /**
   * Takes one step of the life cycle with one handoff.
   *
   * @returns the handoff after the step, without its token.
   * @throws HandoffError `not_found`, `lease_lost`, `already_claimed` or `conflict`; nothing is changed then.
   */
  transition(id: string, step: Step, call: Call): Promise<Handoff>;

  /** The answer that a call with this key already got, or undefined: for callers that read before they write. */
  recall(call: Call): Promise<unknown>;

  /**
   * Keeps the answer of a call that wrote somewhere else, as into a plan, so that a retry with its key gets it again. Without
   * a key nothing is kept.
   *
   * @returns the answer that is kept: of two calls with one key that of the first.
   * @throws HandoffError `conflict` where the key was used for another request.
   */
  remember<T>(answer: T, call: Call): Promise<T>;

  /**
   * The handoff, without its token, or null where there is none.
   *
   * @param token - asks whether this is the token of the present lease: a proof that changes nothing.
   * @throws HandoffError `lease_lost` where it is not.
   */
  get(id: string, token?: string): Promise<Handoff | null>;

  /** Newest first. @throws HandoffError `invalid_input` for a cursor that is not of this store. */
  list(request: ListRequest): Promise<Page>;

  /** How many handoffs of a project match a filter, by state; the request bounds the work. */
  count(request: CountRequest): Promise<Counts>;

  /**
   * The canonical JSON of the payload that a handoff points to (`content.payload_ref`), or null where it has none apart.
   *
   * @throws HandoffError `unavailable` where it is damaged.
   */
  readPayload(id: string): Promise<string | null>;

  /** The history, oldest first. */
  events(request: EventsRequest): Promise<HandoffEvent[]>;

  /**
   * Events as they come, those after `after_seq` first; without it, only new ones. Ends when the signal aborts or the
   * store is closed; an event is never skipped, and none comes twice.
   */
  subscribe(request: { after_seq?: number; project?: string }, signal: AbortSignal): AsyncIterable<HandoffEvent>;

  /** Handoffs with all that belongs to them, in the order of the store, oldest first, for copies and archives. */
  export(request: { cursor?: string; limit: number }): Promise<{ handoffs: StoredHandoff[]; cursor?: string }>;

  /**
   * Keeps handoffs as another store had them, all or none, in the given order after those that are here: id, state,
   * lease and history stay as they are. One that is here already gets the version of the copy. Idempotency keys are not
   * copied.
   *
   * @throws HandoffError `conflict` where one is here in a later version or with another history or content,
   * `invalid_input` where content, hash, history and payload do not belong together.
   */
  import(handoffs: readonly StoredHandoff[]): Promise<ImportAnswer>;

  /**
   * Removes handoffs with their history, those alone that nobody is to act on any more (acknowledged, withdrawn,
   * expired, dead) and that are still of the named version: what another store has kept. Payloads that nothing points
   * to any more go with them.
   *
   * @returns how many were removed.
   */
  remove(handoffs: readonly { id: string; version: number }[]): Promise<number>;

  /** Ends subscriptions and lets go of files and connections. Twice does no harm. */
  close(): Promise<void>;
}

/** The dependencies of a store, so that a test can control time and randomness. */
export interface StoreSurroundings {
  /** Milliseconds since 1970. Default: the machine's clock. */
  now: () => number;
  /** 0 to below 1, for jitter and ids. Default: a cryptographic source. */
  random: () => number;
  /** An unguessable text for a lease. Default: 192 random bits. */
  createToken: () => string;
}
