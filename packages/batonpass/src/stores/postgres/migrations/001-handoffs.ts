/**
 * The first schema. `id` is the primary key, because a key by place would tempt the planner to walk all history for the
 * oldest of what is open. Columns repeat what statements ask for; content and delivery are each one JSON text, as bytes
 * and not as `jsonb`, which would change them. Instants are milliseconds since 1970, as in every store.
 *
 * The indexes of lists are by `seq + 0`: a claim, which orders by `seq`, cannot be served by them.
 */
export const handoffsMigration = `
CREATE TABLE handoffs (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  project text NOT NULL,
  created_at bigint NOT NULL,
  idempotency_key text,
  state text NOT NULL,
  version bigint NOT NULL,
  delivery text NOT NULL,
  available_at bigint NOT NULL,
  expires_at bigint,
  lease_expires_at bigint,
  is_offered boolean NOT NULL,
  -- Whether a step was taken with it since it was added: what is open and has moved came back to its old place.
  has_moved boolean NOT NULL DEFAULT false,
  kind text NOT NULL,
  task_id text,
  source_agent text NOT NULL,
  -- Empty for a handoff to nobody in particular: the planner knows the order within a value, not within NULL.
  target_agent text NOT NULL,
  scope text,
  phase text,
  session text,
  branch text,
  content_sha256 text NOT NULL,
  content text NOT NULL,
  payload_sha256 text
) WITH (
  -- A new version of a row stands beside its old one, in a page that is being written anyway.
  fillfactor = 70,
  -- A handoff leaves two dead rows on its way: they are cleared away long before they are a fifth of the table.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02
);
-- Claims ask in words of their own (state || ''), so that no index of lists serves them, which can be full of dead rows.
-- The claim of one task, and of any: each branch (mine, nobody's) finds its oldest without walking over others'.
CREATE INDEX handoffs_open_by_task ON handoffs (project, task_id, target_agent, seq)
  WHERE state || '' = 'open' AND seq > 0 AND task_id IS NOT NULL;
CREATE INDEX handoffs_open_by_target ON handoffs (project, target_agent, seq)
  WHERE state || '' = 'open' AND seq > 0;
-- What came back, for claims that begin behind its place.
CREATE INDEX handoffs_returned ON handoffs (project, target_agent, (seq + 0))
  WHERE state || '' = 'open' AND has_moved;
-- What is open now, and what waits for a person, newest first, however long the history grows.
CREATE INDEX handoffs_open ON handoffs (project, (seq + 0)) WHERE state = 'open';
CREATE INDEX handoffs_unfinished ON handoffs (project, state, (seq + 0)) WHERE state IN ('draft', 'waiting', 'dead');
CREATE INDEX handoffs_offered ON handoffs (project, (seq + 0)) WHERE is_offered;
CREATE INDEX handoffs_by_project ON handoffs (project, (seq + 0));
CREATE INDEX handoffs_by_place ON handoffs ((seq + 0));
CREATE INDEX handoffs_leased ON handoffs (lease_expires_at) WHERE state = 'claimed';
CREATE INDEX handoffs_expiring ON handoffs (expires_at) WHERE state = 'open' AND expires_at IS NOT NULL;
CREATE INDEX handoffs_by_payload ON handoffs (payload_sha256) WHERE payload_sha256 IS NOT NULL;

-- A line is written with its step; its place in the one order is given when it is first read, after its commit.
CREATE TABLE events (
  line bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seq bigint,
  handoff_id text NOT NULL,
  project text NOT NULL,
  name text NOT NULL,
  at bigint NOT NULL,
  actor_name text NOT NULL,
  actor_type text NOT NULL,
  from_state text,
  to_state text NOT NULL,
  reason text,
  details text
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE UNIQUE INDEX events_by_place ON events (seq) WHERE seq IS NOT NULL;
CREATE INDEX events_unplaced ON events (line) WHERE seq IS NULL;
CREATE INDEX events_by_handoff ON events (handoff_id, line);

CREATE TABLE answers (
  key_sha256 text PRIMARY KEY,
  request_sha256 text NOT NULL,
  answer text NOT NULL,
  expires_at bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
CREATE INDEX answers_by_expiry ON answers (expires_at);

CREATE TABLE payloads (
  sha256 text PRIMARY KEY,
  json text NOT NULL
);
`;
