import type { Locks } from './locks.ts';
import type { Session } from './session.ts';
import * as statements from './statements.ts';

/** Lines that get their places by one statement. */
const BATCH = 10_000;

/**
 * Gives every committed line of history its place, and returns the last one there is. Under one lock until the commit:
 * whoever reads up to a place has seen everything that will ever stand before it.
 */
export async function placeLines(session: Session, locks: Locks): Promise<number> {
  await session.run(statements.lockExclusive, { key: locks.places });
  while ((await session.run(statements.placeLines, { batch_max: BATCH })) === BATCH);
  return Number((await session.get(statements.selectLastPlace))?.seq);
}
