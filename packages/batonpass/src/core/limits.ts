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
  /** A larger payload is kept once, by its hash; lists and claims carry a pointer to it. */
  payload_inline_bytes_max: 64 * 1024,
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
  /** Events that a subscription reads at once: what a slow reader keeps in memory, read in some milliseconds. */
  subscription_events_max: 1_000,
  /** First pause of a loop after a store was unavailable; it doubles with each. */
  retry_ms_min: 100,
  /** Longest of these pauses: a store that is back is noticed within it. */
  retry_ms_max: 10_000,
  /** One line of a transcript; a longer one is counted as unread instead of filling the memory. */
  transcript_line_bytes_max: 32 * 1024 * 1024,
  /** What is kept of a growing transcript between two readings; above it, reading the kept costs what reading anew costs. */
  transcript_progress_characters_max: 8 * 1024 * 1024,
  /** One row in which an injection is looked for: injected text has at most 10,000 characters, escapes included a tenth of this. */
  injection_row_bytes_max: 1024 * 1024,
  /** Text of a conversation that extraction reads, the newest of it: some seconds and some hundred megabytes of memory. */
  extraction_characters_max: 4_000_000,
  /** Tokens of a rendered context for a receiver that did not ask for another budget. */
  render_tokens_default: 2_000,
  /** Below this a rendered context cannot hold its own frame. */
  render_tokens_min: 200,
  /** One line or body that a client sends: a whole content, twice over for what JSON escapes. */
  request_bytes_max: 8 * 1024 * 1024,
  /** Array elements and object members in one request: a full content has some ten thousand, an attack millions. */
  request_elements_max: 100_000,
  /** Tools of the MCP door: a host shows them all to its model. */
  mcp_tools_max: 10,
  /** After the end of a client's input: a request that waits must not take a handoff for a client that is gone. */
  last_answers_ms: 2_000,
  /** Claude Code keeps a longer text of a hook out of the context and shows its beginning only. */
  hook_characters_max: 10_000,
  /** What a hook is told on standard input: the last words of an assistant are the longest of it. */
  hook_input_bytes_max: 8 * 1024 * 1024,
  /** Hosts wait for the start of a session, people before it too. */
  hook_start_ms: 8_000,
  /** Claude Code gives the hook of an ending session 1.5 seconds. */
  hook_note_ms: 1_200,
  /** The log of hooks moves aside above this: some thousand runs. */
  hook_log_bytes_max: 512 * 1024,
  /** Of the last words of an assistant this much is kept with a save that is still to be done. */
  last_words_characters_max: 100_000,
  /** How long a session's start waits for the save of the one before it. */
  pending_save_wait_ms: 5_000,
  /** How long what a hook saved is offered: as long as hosts keep the transcript that it was made from. */
  saved_offer_ms: 30 * 24 * 60 * 60_000,
  /** How long what a run without a person left is offered: a day later nobody asks for it. */
  saved_result_ms: 24 * 60 * 60_000,
  /** How long the files that hooks leave for each other are kept. */
  session_files_ms: 30 * 24 * 60 * 60_000,
  /** How often a save is begun that fails by itself: then it would fail for ever. */
  save_tries_max: 5,
  /** Handoffs that one session is remembered to have received. */
  received_max: 20,
  /** The last characters of an id that name a handoff on a command line; fewer meet others too often. */
  id_suffix_characters_min: 4,
  /** One referenced file that is read to see whether it changed; a larger one is `unknown`. */
  drift_file_bytes_max: 32 * 1024 * 1024,
  /** All referenced files that one check reads: about a quarter of a second of hashing. */
  drift_bytes_max: 128 * 1024 * 1024,
  /** Files inside of submodules are compared in so many submodules: each costs its own git processes. */
  drift_repositories_max: 8,
  /** Different commits of one content's references; they differ only where a draft was edited. */
  drift_commits_max: 4,
  /** Files above this are edited by bytes and not by lines. */
  drift_lines_bytes_max: 1024 * 1024,
  /** Lines added and removed; beyond it a file counts as edited throughout, without a number. */
  drift_line_changes_max: 2_000,
  /** Untracked files that are looked through for one that was moved without telling git. */
  drift_candidates_max: 200,
  /** Handoffs that one check without an id compares. */
  check_handoffs_max: 50,
  /** All that one comparison or measuring of files asks git and reads; what it does not get done stays unknown. */
  git_ms_max: 10_000,
  /** As much within a hook: a tree too large for it is so at each start, and a person waits before every one. */
  hook_drift_ms: 1_500,
} as const;
