/**
 * The first schema. `seq` is the order of everything; `id` is only unique. Columns repeat what statements ask for; the
 * content itself is one canonical JSON text. `payload`, `origin` and `consumed` are there for SQL written for source 3.
 */
export const handoffsMigration = `
CREATE TABLE handoffs (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  project TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  idempotency_key TEXT,
  state TEXT NOT NULL,
  begun_as_draft INTEGER NOT NULL,
  version INTEGER NOT NULL,
  content_revision INTEGER NOT NULL,
  available_at INTEGER NOT NULL,
  expires_at INTEGER,
  attempts INTEGER NOT NULL,
  max_attempts INTEGER NOT NULL,
  fence INTEGER NOT NULL,
  lease_holder TEXT,
  lease_holder_type TEXT,
  lease_token TEXT,
  lease_expires_at INTEGER,
  acknowledged_by TEXT,
  acknowledged_at INTEGER,
  approval TEXT,
  injected TEXT,
  failure TEXT,
  waiting_on TEXT,
  kind TEXT NOT NULL,
  task_id TEXT,
  source_agent TEXT NOT NULL,
  target_agent TEXT,
  scope TEXT,
  phase TEXT,
  session TEXT,
  branch TEXT,
  content_sha256 TEXT NOT NULL,
  content TEXT NOT NULL,
  payload TEXT GENERATED ALWAYS AS (content -> '$.payload') VIRTUAL,
  origin TEXT GENERATED ALWAYS AS (source_agent) VIRTUAL,
  consumed INTEGER GENERATED ALWAYS AS (state <> 'open') VIRTUAL
) STRICT;

-- The claim of one task, and of any: each branch (mine, nobody's) finds its oldest without walking over others'.
CREATE INDEX handoffs_open_by_task ON handoffs (project, task_id, target_agent, seq) WHERE state = 'open';
CREATE INDEX handoffs_open_by_target ON handoffs (project, target_agent, seq) WHERE state = 'open';
-- What is open now, newest first, however long the history grows.
CREATE INDEX handoffs_open ON handoffs (project, seq) WHERE state = 'open';
CREATE INDEX handoffs_by_project ON handoffs (project, seq);
-- What somebody still has to act on: few rows beside a long history.
CREATE INDEX handoffs_unfinished ON handoffs (project, state, seq)
  WHERE state IN ('draft', 'claimed', 'waiting', 'dead');
-- The last characters of an id, by which people name a handoff.
CREATE INDEX handoffs_by_suffix ON handoffs (project, substr(id, -8));
CREATE INDEX handoffs_leased ON handoffs (lease_expires_at) WHERE state = 'claimed';
CREATE INDEX handoffs_expiring ON handoffs (expires_at) WHERE state = 'open' AND expires_at IS NOT NULL;

-- No reference to handoffs: the history outlives a row that foreign SQL deletes.
CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  handoff_id TEXT NOT NULL,
  project TEXT NOT NULL,
  name TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor_name TEXT NOT NULL,
  actor_type TEXT NOT NULL,
  from_state TEXT,
  to_state TEXT NOT NULL,
  reason TEXT,
  details TEXT
) STRICT;
CREATE INDEX events_by_handoff ON events (handoff_id, seq);

CREATE TABLE answers (
  key_sha256 TEXT PRIMARY KEY,
  request_sha256 TEXT NOT NULL,
  answer TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX answers_by_expiry ON answers (expires_at);
`;
