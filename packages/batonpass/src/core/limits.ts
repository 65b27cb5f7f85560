/**
 * Every bound of Baton in one table, each with its reason. Units stand in the names.
 *
 * A bound is checked before the work it protects is begun, and answered by `too_large` or `invalid_input`.
 */
export const limits = {
  /** A title is one line of a list; longer ones wrap in a terminal. */
  title_characters_max: 200,
  /** Room for a long digest, yet a list of fifty summaries stays below a megabyte. */
  summary_characters_max: 20_000,
  /** One decision, risk or step is a sentence or a paragraph, never a document. */
  entry_characters_max: 10_000,
  /** Names of agents, tasks, kinds and scopes: long enough for a path, short enough for an index. */
  name_characters_max: 500,
  /** A quote points at evidence; a longer one repeats the conversation. */
  quote_characters_max: 4_000,
  /** Items in one list of a content; a larger one is a document and belongs into `body`. */
  entries_max: 1_000,
  /** A whole content as canonical JSON: SQLite rows far above this spill over thousands of pages. */
  content_bytes_max: 4 * 1024 * 1024,
  /** JSON nesting: the point from which recursive readers elsewhere overflow is about 3,000. */
  json_depth_max: 200,
  /** Handoffs in one answer of `list`; the cursor fetches more. */
  list_max: 1_000,
  /** Handoffs in one `create` or `claim`: one transaction stays far below a second. */
  batch_max: 1_000,
  /** Handoffs counted as left out by a scope before the count stops: counting is linear. */
  left_out_max: 1_000,
  /** Shorter leases lapse while a slow machine still writes the answer. */
  lease_ms_min: 1_000,
  /** A claim without renewal is worth a quarter of an hour of silence. */
  lease_ms_default: 15 * 60_000,
  /** A day: whoever needs longer renews. */
  lease_ms_max: 24 * 60 * 60_000,
  /** Attempts before a handoff is dead; a poison handoff must not stop a queue for long. */
  attempts_max_default: 5,
  /** First wait after a failure; it doubles with each attempt. */
  backoff_ms_min: 10_000,
  /** Longest wait after a failure. */
  backoff_ms_max: 10 * 60_000,
  /** Ten years: whoever means longer means never. */
  expiry_ms_max: 3_650 * 24 * 60 * 60_000,
  /** How long an idempotency key is remembered: a retry comes within a day or is a new request. */
  idempotency_ms: 24 * 60 * 60_000,
  /** An idempotency key is a UUID or a session name, not a document. */
  idempotency_key_characters_max: 200,
  /** Events in one answer; the cursor fetches more. */
  events_max: 10_000,
  /** How long a write waits for another process's transaction before it is `unavailable`. */
  write_wait_ms: 10_000,
  /** How long a subscription relies on being woken before it looks for itself: the net under lost notifications. */
  subscription_look_ms: 1_000,
  /** One line of a transcript; a longer one is counted as unread instead of filling the memory. */
  transcript_line_bytes_max: 32 * 1024 * 1024,
  /** Tokens of a rendered context for a receiver that did not ask for another budget. */
  render_tokens_default: 2_000,
  /** Below this a rendered context cannot hold its own frame. */
  render_tokens_min: 200,
  /** The last characters of an id that name a handoff on a command line; fewer meet others too often. */
  id_suffix_characters_min: 4,
} as const;
