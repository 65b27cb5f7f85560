/** The version of the schema below. A schema of another version is refused. */
export const SCHEMA_VERSION = 1;

/**
 * The schema. `id` is the primary key: a key by position would tempt the planner to scan all history for the oldest open
 * handoff. Columns repeat what statements filter by; the content is one JSON text, not `jsonb`, which would change its bytes.
 * What is written once (`handoffs`) and how it travels (`deliveries`) are two tables: a claim writes no content again.
 */
export const schema = `
CREATE TABLE baton_schema (version integer NOT NULL);
INSERT INTO baton_schema VALUES (${SCHEMA_VERSION});

CREATE TABLE handoffs (
  id text PRIMARY KEY, seq bigint GENERATED ALWAYS AS IDENTITY, project text NOT NULL, created_at bigint NOT NULL,
  idempotency_key text, begun_as_draft integer NOT NULL,
  -- To nobody in particular is the empty text: the planner knows the order within a value, not within NULL.
  kind text NOT NULL, task_id text, source_agent text NOT NULL, target_agent text NOT NULL, scope text, phase text,
  session text, branch text, content_sha256 text NOT NULL, content text NOT NULL, payload_sha256 text
) WITH (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02
);
-- The indexes of lists are by seq + 0: a claim, which orders by seq, cannot be served by them.
CREATE INDEX handoffs_by_project ON handoffs (project, (seq + 0));
CREATE INDEX handoffs_by_place ON handoffs ((seq + 0));
CREATE INDEX handoffs_by_payload ON handoffs (payload_sha256) WHERE payload_sha256 IS NOT NULL;

-- What a claim asks of every row of a queue is here once more, for a claim reads nothing else.
CREATE TABLE deliveries (
  id text PRIMARY KEY, seq bigint NOT NULL, project text NOT NULL, created_at bigint NOT NULL,
  kind text NOT NULL, task_id text, target_agent text NOT NULL, scope text,
  state text NOT NULL, version bigint NOT NULL, content_revision bigint NOT NULL, available_at bigint NOT NULL,
  expires_at bigint, attempts bigint NOT NULL, max_attempts bigint NOT NULL, fence bigint NOT NULL,
  lease_holder text, lease_holder_type text, lease_token text, lease_expires_at bigint,
  acknowledged_by text, acknowledged_at bigint, approval text, offered text, injected text, failure text, waiting_on text,
  -- Whether a step was taken with it since it was added: what is open and has moved came back to its old place.
  has_moved boolean NOT NULL DEFAULT false
) WITH (
  -- A new version of a row is written next to its old one, in a page that is being written anyway.
  fillfactor = 70,
  -- A handoff leaves two dead rows on its way: they are cleared away long before they are a fifth of the table.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02
);

-- Claims ask in words of their own (state || ''), so that no index of lists serves them, which can be full of dead rows.
-- The claim of one task, and of any: each branch (mine, nobody's) finds its oldest without walking over others'. Both ask
-- for the receiver in different words, for in a table that was never counted one index looks as good as the other.
CREATE INDEX deliveries_open_by_task ON deliveries (project, task_id, target_agent, seq)
  WHERE state || '' = 'open' AND seq > 0 AND task_id IS NOT NULL;
CREATE INDEX deliveries_open_by_target ON deliveries (project, (target_agent || ''), seq)
  WHERE state || '' = 'open' AND seq > 0;
-- What came back, for claims that begin behind its place.
CREATE INDEX deliveries_returned ON deliveries (project, target_agent, (seq + 0))
  WHERE state || '' = 'open' AND has_moved;
-- What is looked for with every call is found by no other index: one can be full of dead rows, and look small.
CREATE INDEX deliveries_expiring ON deliveries (expires_at) WHERE state || '' = 'open' AND expires_at IS NOT NULL;
CREATE INDEX deliveries_leased ON deliveries (lease_expires_at) WHERE state = 'claimed';
-- What is open now, and what waits for a person, newest first, however long the history grows.
CREATE INDEX deliveries_open ON deliveries (project, (seq + 0)) WHERE state = 'open';
CREATE INDEX deliveries_unfinished ON deliveries (project, state, (seq + 0)) WHERE state IN ('draft', 'waiting', 'dead');
CREATE INDEX deliveries_offered ON deliveries (project, (seq + 0)) WHERE offered IS NOT NULL;

-- A line is written with its step; its place in the one order is given when it is first read, after its commit.
CREATE TABLE events (
  line bigint GENERATED ALWAYS AS IDENTITY, seq bigint, handoff_id text NOT NULL, project text NOT NULL,
  name text NOT NULL, at bigint NOT NULL, actor_name text NOT NULL, actor_type text NOT NULL, actor_token_id text,
  from_state text, to_state text NOT NULL, reason text, details text,
  PRIMARY KEY (handoff_id, line)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE UNIQUE INDEX events_by_place ON events (seq) WHERE seq IS NOT NULL;
CREATE INDEX events_unplaced ON events (line) WHERE seq IS NULL;

CREATE TABLE answers (
  key_sha256 text PRIMARY KEY, request_sha256 text NOT NULL, answer text NOT NULL, expires_at bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
CREATE INDEX answers_by_expiry ON answers (expires_at);

CREATE TABLE payloads (sha256 text PRIMARY KEY, json text NOT NULL);

-- Tokens of the HTTP door are kept with the handoffs; each line of history names the one that let its call in.
CREATE TABLE tokens (id text PRIMARY KEY, record text NOT NULL, last_used_at bigint);
`;
