import type { Locks } from './locks.ts';
import * as placing from './place-statements.ts';
import type { Row, Session, Statement } from './session.ts';
import * as statements from './statements.ts';

/** Lines that get their places by one statement. */
const BATCH = 10_000;

/**
 * Gives every committed line of history its place, and returns the last one there is. Under one lock until the commit:
 * whoever reads up to a place has seen everything that will ever stand before it.
 */
export async function placeLines(session: Session, locks: Locks): Promise<number> {
  // One after the other on the server, and sent at once.
  let [, placed] = await Promise.all(placingOf(locks).map(({ sql, parameters }) => session.send(sql, parameters)));
  while (!isAll(placed)) placed = await session.send(placing.placeLines, { batch_max: BATCH });
  return Number((await session.send(placing.selectLastPlace))[0]?.seq);
}

/** The statements that lock the places and give them to a batch, to be sent with the beginning of a transaction. */
export function placingOf(locks: Locks): Statement[] {
  return [
    { sql: statements.lockExclusive, parameters: { key: locks.places } },
    { sql: placing.placeLines, parameters: { batch_max: BATCH } },
  ];
}

/** Whether one batch was enough, where the transaction began with it. */
export function areAllPlaced({ opened: [, placed] }: Session): boolean {
  return isAll(placed);
}

function isAll(placed: readonly Row[] | undefined): boolean {
  return Number(placed?.[0]?.count) < BATCH;
}
