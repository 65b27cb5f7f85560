/** The places of lines in the one history: statements as in `statements.ts`. */

/** Whether there are lines that have no place yet. */
export const selectIsUnplaced = 'SELECT EXISTS (SELECT 1 FROM events WHERE seq IS NULL) AS is_unplaced';

/**
 * Gives places to committed lines behind all that have one. Callers hold the lock of places until they commit: what
 * commits later is seen by a later call alone, and gets a later place.
 */
export const placeLines = `
WITH placed AS (
UPDATE events SET seq = given.seq FROM (
  SELECT line, (SELECT coalesce(max(seq), 0) FROM events WHERE seq IS NOT NULL) + row_number() OVER (ORDER BY line) AS seq
  FROM (SELECT line FROM events WHERE seq IS NULL ORDER BY line LIMIT :batch_max::bigint) AS unplaced
) AS given WHERE events.line = given.line AND events.seq IS NULL
RETURNING 1
) SELECT count(*) AS count FROM placed`;

/** The last place given; 0 where there is none. */
export const selectLastPlace = 'SELECT coalesce(max(seq), 0) AS seq FROM events WHERE seq IS NOT NULL';
