/**
 * For the queue at full strength: fewer indexes, each of which every create and claim pays for, and payloads apart.
 * An id is found by its last characters in the index of ids. What anybody still has to act on is one index; only what
 * has a task stands in the queue of a task. Foreign SQL may read and delete, not move what the life cycle moves.
 */
export const queueMigration = `
DROP INDEX handoffs_by_suffix;
DROP INDEX handoffs_open;
DROP INDEX handoffs_unfinished;
CREATE INDEX handoffs_unfinished ON handoffs (project, state, seq)
  WHERE state IN ('draft', 'open', 'claimed', 'waiting', 'dead');
DROP INDEX handoffs_open_by_task;
-- In the words of SQL written for source 3's table, so that the claim's index serves that too.
CREATE INDEX handoffs_open_by_task ON handoffs (task_id, project, target_agent, seq)
  WHERE consumed = 0 AND task_id IS NOT NULL;

-- Payloads too large for a row, each once, by the SHA-256 of its canonical JSON.
CREATE TABLE payloads (
  sha256 TEXT PRIMARY KEY,
  json TEXT NOT NULL
) STRICT;
ALTER TABLE handoffs ADD COLUMN payload_sha256 TEXT;
CREATE INDEX handoffs_by_payload ON handoffs (payload_sha256) WHERE payload_sha256 IS NOT NULL;
ALTER TABLE handoffs DROP COLUMN payload;
-- Computed with each change of a row: a content that the disk has damaged must not stop them all.
ALTER TABLE handoffs ADD COLUMN payload TEXT GENERATED ALWAYS AS (
  CASE WHEN json_valid(content) THEN coalesce(content -> '$.payload', content -> '$.payload_ref') END) VIRTUAL;

-- Every step of the life cycle raises the version by one.
CREATE TRIGGER handoffs_are_moved_by_baton BEFORE UPDATE ON handoffs
WHEN NEW.version IS NOT OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'A handoff is moved by Baton alone (SELECT and DELETE are free): use the baton command or its library.');
END;
`;
