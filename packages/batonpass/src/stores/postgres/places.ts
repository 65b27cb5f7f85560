import type { Locks } from './locks.ts';
import type { Row, Session, Statement } from './session.ts';
import * as statements from './statements.ts';

/** Whether there are lines that have no place yet. */
export const selectIsUnplaced = 'SELECT EXISTS (SELECT 1 FROM events WHERE seq IS NULL) AS is_unplaced';

/**
 * Gives places to committed lines behind all that have one. Callers hold the lock of places until they commit: what
 * commits later is seen by a later call alone, and gets a later place.
 */
const placeBatch = `
WITH placed AS (
UPDATE events SET seq = given.seq FROM (
  SELECT line, (SELECT coalesce(max(seq), 0) FROM events WHERE seq IS NOT NULL) + row_number() OVER (ORDER BY line) AS seq
  FROM (SELECT line FROM events WHERE seq IS NULL ORDER BY line LIMIT :batch_max::bigint) AS unplaced
) AS given WHERE events.line = given.line AND events.seq IS NULL
RETURNING 1
) SELECT count(*) AS count FROM placed`;

/** The last place given; 0 where there is none. */
const selectLastPlace = 'SELECT coalesce(max(seq), 0) AS seq FROM events WHERE seq IS NOT NULL';

/** Lines that get their places by one statement. */
const BATCH = 10_000;

/**
 * Gives every committed line of history its place, and returns the last one there is. Under one lock until the commit:
 * whoever reads up to a place has seen everything that will ever stand before it.
 */
export async function placeLines(session: Session, locks: Locks): Promise<number> {
  // One after the other on the server, and sent at once.
  let [, placed] = await Promise.all(placingOf(locks).map(({ sql, parameters }) => session.send(sql, parameters)));
  while (!isAll(placed)) placed = await session.send(placeBatch, { batch_max: BATCH });
  return Number((await session.send(selectLastPlace))[0]?.seq);
}

/** The statements that lock the places and give them to a batch, to be sent with the beginning of a transaction. */
export function placingOf(locks: Locks): Statement[] {
  return [
    { sql: statements.lockExclusive, parameters: { key: locks.places } },
    { sql: placeBatch, parameters: { batch_max: BATCH } },
  ];
}

/** Whether one batch was enough, where the transaction began with it. */
export function areAllPlaced({ opened: [, placed] }: Session): boolean {
  return isAll(placed);
}

function isAll(placed: readonly Row[] | undefined): boolean {
  return Number(placed?.[0]?.count) < BATCH;
}
