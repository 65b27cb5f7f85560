import type { Actor } from './actor.ts';
import type { CompletedContent } from './complete-content.ts';
import type { HandoffEvent, Offer } from './delivery.ts';
import type { Filter } from './filter.ts';
import type { Handoff } from './handoff.ts';
import type { Step } from './transitions.ts';

/** Who calls, in which project, and whether it is a retry. */
export interface Call {
  actor: Actor;
  project: string;
  /** The operation's name, as `handoff.claim`: a key is scoped to (project, actor, operation). */
  operation: string;
  /**
   * The same key with the same input gives the first answer once more and changes nothing (a claim: the same lease);
   * with another input it is a `conflict`. Remembered for `limits.idempotency_ms`. An answer that changed nothing
   * is not remembered, so that an empty claim can be retried.
   */
  idempotency_key?: string;
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
  /** Default `limits.attempts_max_default`. */
  max_attempts?: number;
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
}

/** What a claim gave. */
export interface ClaimAnswer {
  /** With the lease's token: the claimer is the only one who ever gets it. Oldest first. */
  handoffs: Handoff[];
  /** Claimable handoffs passed over because they have no scope and the request does. At most `limits.left_out_max`. */
  unscoped_left_out: number;
}

/** One page of a list. */
export interface ListRequest {
  filter: Filter;
  /** Which end of the order the first page is. Default: `newest`; a cursor goes on from `newest` alone. */
  first?: 'newest' | 'oldest';
  limit: number;
  /** Where the last page ended. */
  cursor?: string;
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
  /** Whether a limit keeps the newest, still told oldest first. Default: it keeps the oldest. */
  newest?: boolean;
  limit: number;
}

/** What a store can do; `docs/stores.md` shows it for each. */
export interface StoreCapabilities {
  /** Whether data outlives the process. */
  durable: boolean;
  /** Whether several processes can work on it at once. */
  concurrent_processes: boolean;
  /** How `subscribe` learns of another process's change: `none`, or without polling. */
  notifications: 'process' | 'machine' | 'network';
}

/**
 * The seam between Baton and a place that keeps handoffs. Rules stand in `lifecycle.ts`; atomicity stands here.
 *
 * Of every writing method: it takes effect whole or not at all, the handoff and its event together; when its promise
 * resolves, the change survives a crash of the process and, where the store says so, of the machine; after a crash
 * before that, it has either happened whole or not. Due lapses and expiries are applied first, one event each, so that
 * no daemon is needed, and every read shows the effective state.
 */
export interface Store {
  readonly capabilities: StoreCapabilities;

  /**
   * Adds handoffs in the given order, all or none. One that names `supersedes_id` withdraws that handoff in the same
   * transaction.
   *
   * @throws HandoffError `conflict` or `already_claimed` where the superseded one is no longer draft or open, `not_found`
   * where the project has no such handoff.
   */
  create(handoffs: readonly NewHandoff[], call: Call): Promise<Handoff[]>;

  /**
   * Gives the caller the oldest handoffs that are open, available, not expired and addressed to it or to nobody, each
   * with a new lease. Two callers never get the same one.
   *
   * @throws HandoffError with an `id`: `not_found`, `already_claimed`, or `conflict` where it is not claimable by this caller.
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

  /** The handoff, without its token, or null where there is none. */
  get(id: string): Promise<Handoff | null>;

  /** Newest first. @throws HandoffError `invalid_input` for a cursor that is not of this store. */
  list(request: ListRequest): Promise<Page>;

  /** The history, oldest first. */
  events(request: EventsRequest): Promise<HandoffEvent[]>;

  /**
   * Events as they come, those after `after_seq` first; without it, only new ones. Ends when the signal aborts or the
   * store is closed; an event is never skipped, and none comes twice.
   */
  subscribe(request: { after_seq?: number; project?: string }, signal: AbortSignal): AsyncIterable<HandoffEvent>;

  /** Ends subscriptions and lets go of files and connections. Twice does no harm. */
  close(): Promise<void>;
}

/** What a store takes from outside, so that a test can hold time and chance in its hand. */
export interface StoreSurroundings {
  /** Milliseconds since 1970. Default: the machine's clock. */
  now: () => number;
  /** 0 to below 1, for jitter and ids. Default: a cryptographic source. */
  random: () => number;
  /** An unguessable text for a lease. Default: 192 random bits. */
  createToken: () => string;
}
