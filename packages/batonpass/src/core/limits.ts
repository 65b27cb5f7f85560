/**
 * Every bound of Baton in one table, each with its reason. The names contain the units.
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
  /** Changes of a draft that can be undone: a long review has some dozen, and each shares what it left alone. */
  draft_undo_max: 100,
  /** Words of one edit that its history keeps, before and after: a review changes some sentences at a time, never a document. */
  edit_words_characters_max: 32_000,
  /** The sentences of a conversation that a content keeps: twice what the largest usual budget shows. */
  words_bytes_max: 64 * 1024,
  /** A whole content as canonical JSON: SQLite rows far above this spill over thousands of pages. */
  content_bytes_max: 4 * 1024 * 1024,
  /** A larger payload is kept once, by its hash; lists and claims carry a pointer to it. */
  payload_inline_bytes_max: 64 * 1024,
  /** JSON nesting: the point from which recursive readers elsewhere overflow is about 3,000. */
  json_depth_max: 200,
  /** Data of one report as canonical JSON: a step of an agent with what its tools gave; more belongs into a file. */
  report_data_bytes_max: 64 * 1024,
  /** Lines of a handoff's history from which it takes no more reports: some hundred runs of an agent; it is copied whole. */
  reported_version_max: 5_000,
  /** Proxies before one server: more than any network has in a row. */
  proxies_max: 100,
  /** A file of settings has some dozen short values; each command reads it first. */
  configuration_bytes_max: 64 * 1024,
  /** A host's file in a project, in which each command looks for variables. */
  host_file_bytes_max: 1024 * 1024,
  /** Handoffs in one answer of `list`; the cursor fetches more. */
  list_max: 1_000,
  /** Rows of a list that one request passes over: an index is walked for them, some ten million a second. */
  list_skip_max: 1_000_000,
  /** A text that is searched in titles and summaries: some words. */
  search_characters_max: 200,
  /** Contents that one request searches for a text or a file: some hundred milliseconds; the cursor continues. */
  search_look_max: 20_000,
  /** Default number of handoffs of one state that a count reads: some milliseconds. */
  count_look_default: 10_000,
  /** As many at the most: as many as one list that is scrolled can show. */
  count_look_max: 400_000,
  /** Default number of handoffs of each kind that a status report lists: for more there is `list`. */
  status_lines_default: 5,
  /** Open and claimed handoffs that it reads; beyond that its counts read "at least". */
  status_look_max: 200,
  /** Characters of a summary where it is a hint in a list; the handoff has all of it. */
  summary_hint_characters_max: 200,
  /** Handoffs of one descent: a tree of more is read by nobody. */
  lineage_handoffs_max: 500,
  /** Handoffs that a search for the descendants of one reads: some hundred milliseconds. */
  lineage_read_max: 10_000,
  /** Handoffs in one `create` or `claim`: one transaction stays far below a second. */
  batch_max: 1_000,
  /** Handoffs counted as left out by a scope before the count stops: counting is linear. */
  left_out_max: 1_000,
  /** Shorter leases lapse while a slow machine still writes the answer. */
  lease_ms_min: 1_000,
  /** A claim without renewal is worth a quarter of an hour of silence. */
  lease_ms_default: 15 * 60_000,
  /** A day: a holder that needs longer renews. */
  lease_ms_max: 24 * 60 * 60_000,
  /** Attempts before a handoff is dead; a poison handoff must not stop a queue for long. */
  attempts_max_default: 5,
  /** First wait after a failure; it doubles with each attempt. */
  backoff_ms_min: 10_000,
  /** Longest wait after a failure. */
  backoff_ms_max: 10 * 60_000,
  /** Ten years: longer is as good as never. */
  expiry_ms_max: 3_650 * 24 * 60 * 60_000,
  /** How long an idempotency key is remembered: a retry comes within a day or is a new request. */
  idempotency_ms: 24 * 60 * 60_000,
  /** An idempotency key is a UUID or a session name, not a document. */
  idempotency_key_characters_max: 200,
  /** Events in one answer; the cursor fetches more. */
  events_max: 10_000,
  /** How long a write waits for another process's transaction before it is `unavailable`. */
  write_wait_ms: 10_000,
  /** One sync of a folder separates a record from its line of the index; after so long its writer is gone. */
  index_grace_ms: 2_000,
  /** An index of JSON records: some 800,000 lines, all held in memory by a list. */
  index_bytes_max: 256 * 1024 * 1024,
  /** A file that is written once and names its writer, as the owner of a lock. */
  once_file_bytes_max: 64 * 1024,
  /** A temporary file of this age belongs to no writer any more. */
  unplaced_file_ms: 60_000,
  /** How long a process waits for the lock of a folder: its holder writes some files, or is taken over within it. */
  lock_wait_ms: 10_000,
  /** A holder of a folder's lock that is silent for so long is stopped or gone; a slow disk answers in a tenth of it. */
  lock_stale_ms: 10_000,
  /** How long a subscription relies on notifications before it polls: the safety net for lost ones. */
  subscription_look_ms: 1_000,
  /** Events that a subscription reads at once: what a slow reader keeps in memory, read in some milliseconds. */
  subscription_events_max: 1_000,
  /** First pause of a loop after a store was unavailable; it doubles with each. */
  retry_ms_min: 100,
  /** Longest of these pauses: a store that is back is noticed within it. */
  retry_ms_max: 10_000,
  /** One line of a transcript; a longer one is counted as unread instead of filling the memory. */
  transcript_line_bytes_max: 32 * 1024 * 1024,
  /** Rollouts of Codex whose first line is read for one list: a busy month has some hundred. */
  codex_rollouts_max: 2_000,
  /** Helper agents of one session whose work is read, the last by name: their files are read in addition to the transcript. */
  subagents_max: 200,
  /** Files and commands of one helper agent: a search through a repository must not drown the conversation. */
  subagent_calls_max: 100,
  /** What is kept of a growing transcript between two readings; above it, reading the kept part costs as much as reading all again. */
  transcript_progress_characters_max: 8 * 1024 * 1024,
  /** One row that is searched for an injection: injected text has at most 10,000 characters, escapes included a tenth of this. */
  injection_row_bytes_max: 1024 * 1024,
  /** Text of a conversation that extraction reads, the newest of it: some twenty seconds; months of sessions have less. */
  extraction_characters_max: 200_000_000,
  /** Of one message, which above it is a pasted file or a dump. */
  extraction_message_characters_max: 1_000_000,
  /** Rejected items of a model that a draft keeps for its reviewer: more only show that the model invents. */
  refused_items_max: 50,
  /** Messages of a conversation in one request to a model, as specified. A longer one is read in windows. */
  model_messages_max: 50,
  /** Messages that a window has in common with the one before, so that a question and its answer are read together. */
  model_overlap_messages: 5,
  /** Windows of one conversation, the newest of it: each is a request that costs time and money. */
  model_windows_max: 100,
  /** Characters of a conversation in one request: some 30,000 tokens, which every hosted model reads. */
  model_window_characters: 120_000,
  /** Below this a window holds no answer to what was asked. */
  model_window_characters_min: 2_000,
  /** Some 250,000 tokens: more is read worse, and costs more than two windows. */
  model_window_characters_max: 1_000_000,
  /** Tokens of one answer: a window's items need some 4,000, the rest is for models that reason first. */
  model_output_tokens: 16_000,
  /** Bytes of one answer: what the tokens above can be, many times over. */
  model_answer_bytes_max: 4 * 1024 * 1024,
  /** Items in one list of an answer: fifty messages hold fewer; more are made up. */
  model_entries_max: 200,
  /** One item that a model words is a sentence or two; its summary is not much more. */
  model_entry_characters_max: 2_000,
  /** How long one request may take: models on a machine of one's own need minutes. */
  model_request_ms: 180_000,
  /** The longest of these: Node itself gives up a request that has no answer after five minutes. */
  model_request_ms_max: 300_000,
  /** How long all requests for one conversation may take. */
  model_total_ms: 30 * 60_000,
  /** Times that one request is sent before the rules answer. */
  model_attempts_max: 4,
  /** First wait before a request is sent again; it doubles with each. */
  model_retry_ms_min: 1_000,
  /** Longest wait that a server may request: one that requests more will not answer soon. */
  model_retry_ms_max: 60_000,
  /** What an agent writes of its own session: four times the longest answer seen. */
  written_answer_characters_max: 100_000,
  /** How long it may take: it has read the session already, and writes for a minute or two. */
  written_answer_ms: 3 * 60_000,
  /** Calls of hosts in one day; more only by command. */
  written_calls_a_day: 20,
  /** Tokens of a session that is asked by itself: a longer one costs too much unasked. */
  written_input_tokens_max: 200_000,
  /** Turns of a session below which there is nothing to write. */
  written_turns_min: 4,
  /** A host that is rate limited or logged out is left alone so long. */
  written_rest_ms: 60 * 60_000,
  /** Items that it returns for one session; it is asked for sixty. */
  written_items_max: 100,
  /** Tokens of a rendered context for a receiver that did not ask for another budget. */
  render_tokens_default: 2_000,
  /** Estimated tokens of the whole prompt of a planning agent: three quarters of the smallest window that plans are made in. */
  plan_prompt_tokens_max: 150_000,
  /** Steps of a planning agent, each a request to its model, as specified. */
  plan_steps_max: 20,
  /** Decisions that one planning adds: more are made up. */
  plan_decisions_max: 100,
  /** What a tool was given, what it gave, or the text of a step, in a report: ten tools fit next to each other. */
  plan_report_part_bytes_max: 2_500,
  /** A step as it is kept to go on from: a page of a model's words and a long plan; its handoff's snapshot is the largest part. */
  plan_step_bytes_max: 2 * 1024 * 1024,
  /** UTF-16 units of a piece of such a step: at most three bytes each, so that a report takes it. */
  plan_step_piece_units: 20_000,
  /** The end of a model's text in a step that is not done, as it is shown while it grows. */
  plan_live_units_max: 8_000,
  /** Between two showings of it. */
  plan_live_ms: 100,
  /** Tools of one step that a report lists one by one; the rest is counted. */
  plan_report_tools_max: 10,
  /** Below this a rendered context cannot hold its own frame. */
  render_tokens_min: 200,
  /** One line or body that a client sends: a whole content, twice over for what JSON escapes. */
  request_bytes_max: 8 * 1024 * 1024,
  /** A transcript that a browser sends as a file: the longest sessions have a third of it, and it is held in memory while it is read. */
  request_transcript_bytes_max: 256 * 1024 * 1024,
  /** Array elements and object members in one request: a full content has some ten thousand, an attack millions. */
  request_elements_max: 100_000,
  /** Tools of the MCP door: a host shows them all to its model. */
  mcp_tools_max: 10,
  /** After the end of a client's input: a request that waits must not take a handoff for a client that is gone. */
  last_answers_ms: 2_000,
  /** The longest time that Node's timers count; a longer one would ring at once. */
  timer_ms_max: 2_147_483_647,
  /** Claude Code keeps a longer text of a hook out of the context and shows its beginning only. */
  hook_characters_max: 10_000,
  /** What a hook gets on standard input: the assistant's last message is the longest part. */
  hook_input_bytes_max: 8 * 1024 * 1024,
  /** A hook is registered with ten seconds; people wait before it too. */
  hook_ms: 8_000,
  /** The time that Claude Code gives the hook of an ending session by default. */
  session_end_ms: 1_500,
  /** A hook reserves this part of it, to report what went wrong. */
  session_end_rest_ms: 300,
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
  /** The last characters of an id, where a person is shown one: enough to name a handoff in its project. */
  id_shown_characters: 8,
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
  /** Untracked files that are searched for one that was moved without git. */
  drift_candidates_max: 200,
  /** Handoffs that one check without an id compares. */
  check_handoffs_max: 50,
  /** A name in a folder may have 255 bytes; the rest is for the suffix of its temporary file. */
  file_name_bytes_max: 200,
  /** A message in TOON: twice a plan of 1,000 tasks; the decoder needs half a second for a megabyte. */
  toon_bytes_max: 2 * 1024 * 1024,
  /** Its lines: a plan of 1,000 tasks written out has some 15,000, and the decoder searches all blank ones for each list. */
  toon_lines_max: 20_000,
  /** Its nesting: messages have some five levels, and each costs the decoder time for every value below it. */
  toon_depth_max: 64,
  /** Repairs of a text that are reported one by one; the rest is counted. */
  toon_repairs_max: 100,
  /** A document that is read whole: twice what a content may have. */
  document_bytes_max: 8 * 1024 * 1024,
  /** Front matter is a head of some lines, or a whole content with its words; a YAML reader takes a second for megabytes. */
  front_matter_bytes_max: 512 * 1024,
  /** Values of one front matter, those that aliases repeat counted each time: only an alias bomb can have more. */
  front_matter_values_max: 100_000,
  /** Nesting of front matter; what people write has four levels. */
  front_matter_depth_max: 50,
  /** All that one comparison or measuring of files asks git and reads; what it does not get done stays unknown. */
  git_ms_max: 10_000,
  /** As much within a hook: a tree too large for it is so at each start, and a person waits before every one. */
  hook_drift_ms: 1_500,
  /** One document of a plan: a thousand tasks with long checklists are a megabyte, and each update reads it all. */
  plan_document_bytes_max: 4 * 1024 * 1024,
  /** Tasks of a plan that one answer gives by default, some 50 KB with checklists, and at the most. */
  plan_tasks_page_default: 500,
  plan_tasks_page_max: 1_000,
  /** Phases of one plan: the known types have three to five. */
  plan_phases_max: 50,
  /** How long a handoff is held at the least while its plan is put on the disk: two waits for locks, and some documents. */
  plan_finish_ms: 60_000,
  /** The name of a plan, which is a folder, a word of commands and a part of branches. */
  task_name_characters_max: 50,
  /** How long a token for the HTTP door is valid by default. */
  token_ms_default: 90 * 24 * 60 * 60_000,
  /** A year: for longer, make a new one. */
  token_ms_max: 365 * 24 * 60 * 60_000,
  /** All headers of one HTTP request together; cookies and a token are some hundred bytes. */
  http_header_bytes_max: 16 * 1024,
  /** How long a client may take for its headers: a line is sent in one piece. */
  http_headers_ms: 10_000,
  /** How long a client may take for its whole request. */
  http_request_ms: 60_000,
  /** Connections at once; above it, the one that has been idle for longest is closed. */
  http_connections_max: 1_000,
  /** Streams of events that are open at once: each is a subscription of the store. */
  http_event_streams_max: 256,
  /** Of these, those of one caller, so that no one has them all. */
  http_event_streams_each_max: 64,
  /** Chats and runs that are streamed at the same time: each keeps a model at work. */
  http_answer_streams_max: 32,
  /** Of these, those of one caller. */
  http_answer_streams_each_max: 8,
  /** What is buffered of such an answer for a client that does not read it: more than a model writes in one turn. */
  http_answer_unread_bytes_max: 1024 * 1024,
  /** Between two keep-alive lines on a stream without events; proxies cut a silent one after 30 seconds. */
  http_heartbeat_ms: 15_000,
  /** Requests a second that one token may ask on the long run. */
  http_requests_per_second: 200,
  /** Requests that one token may ask at once after a silence. */
  http_requests_burst: 2_000,
  /** Failed requests a second, without a good token, that one address is answered 401 on the long run, and five times as many at once. */
  http_refusals_per_second: 10,
  /** The body of a browser's login: one secret of some hundred characters. */
  http_session_bytes_max: 1_024,
  /** How long a login's body may take: nothing is known of its sender yet. */
  http_session_ms: 2_000,
  /** How long requests that run may take to end when the server stops. */
  http_stop_ms: 5_000,
  /** How long a link into the browser is valid: it is opened at once, or made again. */
  browser_link_ms: 60 * 60_000,
  /** Sessions of browsers of one principal; a new one ends the oldest of the same principal. */
  browser_sessions_each_max: 20,
  /** Messages of a chat that one answer is asked with: a long afternoon; after that, hand over and start a new chat. */
  chat_messages_max: 200,
  /** Characters of all of them: some 100,000 tokens, which every hosted model reads, and which each answer costs again. */
  chat_characters_max: 400_000,
  /** An answer below this is not worth compressing. */
  compressed_bytes_min: 1_024,
} as const;
