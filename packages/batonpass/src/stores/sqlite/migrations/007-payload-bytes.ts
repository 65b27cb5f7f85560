/**
 * The payload's column, computed with each change of a row, is cut out of the content's bytes: to find a place in
 * characters, SQLite reads all that is before it. Rows whose place is kept in characters keep it: those that are there, those
 * that an older Baton writes which has the file open, and all of a database in another encoding than UTF-8.
 */
export const payloadBytesMigration = `
ALTER TABLE handoffs DROP COLUMN payload;
-- In bytes of UTF-8, from 1. Of use where payload_at is NULL.
ALTER TABLE handoffs ADD COLUMN payload_start INTEGER;
ALTER TABLE handoffs ADD COLUMN payload_bytes INTEGER;
ALTER TABLE handoffs ADD COLUMN payload TEXT GENERATED ALWAYS AS (
  CASE WHEN payload_at IS NULL THEN CAST(substr(CAST(content AS BLOB), payload_start, payload_bytes) AS TEXT)
  ELSE substr(content, payload_at, payload_length) END) VIRTUAL;
`;
