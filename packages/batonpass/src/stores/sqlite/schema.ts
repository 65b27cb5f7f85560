/** The mark of a Baton database ("BTON"), which distinguishes it from another program's file. */
export const APPLICATION_ID = 0x42544f4e;

/** The version of the schema below. A file of another version is refused. */
export const SCHEMA_VERSION = 1;

/**
 * The schema. `seq` is the order of everything; `id` is only unique. Columns repeat what statements ask for; the content
 * is one canonical JSON text. `payload`, `origin` and `consumed` are there for SQL written for source 3, which may read and
 * delete, and not move what the life cycle moves.
 */
export const schema = `
CREATE TABLE handoffs (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, project TEXT NOT NULL, created_at INTEGER NOT NULL,
  idempotency_key TEXT, begun_as_draft INTEGER NOT NULL,
  state TEXT NOT NULL, version INTEGER NOT NULL, content_revision INTEGER NOT NULL, available_at INTEGER NOT NULL,
  expires_at INTEGER, attempts INTEGER NOT NULL, max_attempts INTEGER NOT NULL, fence INTEGER NOT NULL,
  lease_holder TEXT, lease_holder_type TEXT, lease_token TEXT, lease_expires_at INTEGER,
  acknowledged_by TEXT, acknowledged_at INTEGER, approval TEXT, offered TEXT, injected TEXT, failure TEXT, waiting_on TEXT,
  kind TEXT NOT NULL, task_id TEXT, source_agent TEXT NOT NULL, target_agent TEXT, scope TEXT, phase TEXT,
  session TEXT, branch TEXT, content_sha256 TEXT NOT NULL, content TEXT NOT NULL, payload_sha256 TEXT,
  -- A content that the disk has damaged must not stop every change of its row.
  payload TEXT GENERATED ALWAYS AS (
    CASE WHEN json_valid(content) THEN coalesce(content -> '$.payload', content -> '$.payload_ref') END) VIRTUAL,
  origin TEXT GENERATED ALWAYS AS (source_agent) VIRTUAL,
  consumed INTEGER GENERATED ALWAYS AS (state <> 'open') VIRTUAL
) STRICT;

-- The claim of one task, and of any: each branch (mine, nobody's) finds its oldest without walking over others'. That of a
-- task is in the words of SQL written for source 3, so that it serves that too.
CREATE INDEX handoffs_open_by_task ON handoffs (task_id, project, target_agent, seq)
  WHERE consumed = 0 AND task_id IS NOT NULL;
CREATE INDEX handoffs_open_by_target ON handoffs (project, target_agent, seq) WHERE state = 'open';
-- What somebody still has to act on, newest first, however long the history grows. States are asked one by one: for a
-- list of them SQLite builds a table with each row that is written.
CREATE INDEX handoffs_open ON handoffs (project, seq) WHERE state = 'open';
CREATE INDEX handoffs_unfinished ON handoffs (project, state, seq)
  WHERE (state = 'draft' OR state = 'waiting' OR state = 'dead');
CREATE INDEX handoffs_offered ON handoffs (project, seq) WHERE offered IS NOT NULL;
CREATE INDEX handoffs_by_project ON handoffs (project, seq);
CREATE INDEX handoffs_leased ON handoffs (lease_expires_at) WHERE state = 'claimed';
CREATE INDEX handoffs_expiring ON handoffs (expires_at) WHERE state = 'open' AND expires_at IS NOT NULL;
CREATE INDEX handoffs_by_payload ON handoffs (payload_sha256) WHERE payload_sha256 IS NOT NULL;

-- Every step of the life cycle raises the version.
CREATE TRIGGER handoffs_are_moved_by_baton AFTER UPDATE ON handoffs
WHEN NEW.version <= OLD.version
BEGIN
  SELECT RAISE(ABORT, 'A handoff is moved by Baton alone (SELECT and DELETE are free): use the baton command or its library.');
END;

-- No reference to handoffs: the history outlives a row that foreign SQL deletes.
CREATE TABLE events (
  seq INTEGER PRIMARY KEY, handoff_id TEXT NOT NULL, project TEXT NOT NULL, name TEXT NOT NULL, at INTEGER NOT NULL,
  actor_name TEXT NOT NULL, actor_type TEXT NOT NULL, actor_token_id TEXT,
  from_state TEXT, to_state TEXT NOT NULL, reason TEXT, details TEXT
) STRICT;
CREATE INDEX events_by_handoff ON events (handoff_id, seq);

CREATE TABLE answers (
  key_sha256 TEXT PRIMARY KEY, request_sha256 TEXT NOT NULL, answer TEXT NOT NULL, expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX answers_by_expiry ON answers (expires_at);

-- Payloads too large for a row, each once, by the SHA-256 of its canonical JSON.
CREATE TABLE payloads (sha256 TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;

-- Tokens of the HTTP door are kept with the handoffs; each line of history names the one that let its call in.
CREATE TABLE tokens (id TEXT PRIMARY KEY, record TEXT NOT NULL, last_used_at INTEGER) STRICT;
`;
