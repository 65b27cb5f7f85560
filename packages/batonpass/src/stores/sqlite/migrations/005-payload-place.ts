/**
 * The payload's column is computed with each change of a row, needed or not: it is cut out of the content at a place that
 * is written with it, where it was looked for in the whole JSON before. The guard of the rows looks at them after their
 * change, so that they are put together once.
 */
export const payloadPlaceMigration = `
DROP TRIGGER handoffs_are_moved_by_baton;
ALTER TABLE handoffs DROP COLUMN payload;
-- In characters, from 1: where in the content its payload stands, or the pointer to it. Both NULL where it has neither.
ALTER TABLE handoffs ADD COLUMN payload_at INTEGER;
ALTER TABLE handoffs ADD COLUMN payload_length INTEGER;
UPDATE handoffs SET
  payload_at = nullif(instr(content, '"payload":' || (content -> '$.payload')), 0) + length('"payload":'),
  payload_length = length(content -> '$.payload')
WHERE json_valid(content) AND content -> '$.payload' IS NOT NULL;
UPDATE handoffs SET
  payload_at = nullif(instr(content, '"payload_ref":' || (content -> '$.payload_ref')), 0) + length('"payload_ref":'),
  payload_length = length(content -> '$.payload_ref')
WHERE json_valid(content) AND content -> '$.payload' IS NULL AND content -> '$.payload_ref' IS NOT NULL;
ALTER TABLE handoffs ADD COLUMN payload TEXT GENERATED ALWAYS AS (substr(content, payload_at, payload_length)) VIRTUAL;

-- Every step of the life cycle raises the version by one.
CREATE TRIGGER handoffs_are_moved_by_baton AFTER UPDATE ON handoffs
WHEN NEW.version IS NOT OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'A handoff is moved by Baton alone (SELECT and DELETE are free): use the baton command or its library.');
END;
`;
