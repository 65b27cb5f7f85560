import type { Locks } from './locks.ts';
import * as placing from './place-statements.ts';
import type { Session } from './session.ts';
import * as statements from './statements.ts';

/** Lines that get their places by one statement. */
const BATCH = 10_000;

/**
 * Gives every committed line of history its place, and returns the last one there is. Under one lock until the commit:
 * whoever reads up to a place has seen everything that will ever stand before it.
 */
export async function placeLines(session: Session, locks: Locks): Promise<number> {
  const place = () => session.send(placing.placeLines, { batch_max: BATCH });
  // One after the other on the server, and sent at once.
  let [, placed] = await Promise.all([session.send(statements.lockExclusive, { key: locks.places }), place()]);
  while (Number(placed[0]?.count) === BATCH) placed = await place();
  return Number((await session.send(placing.selectLastPlace))[0]?.seq);
}
