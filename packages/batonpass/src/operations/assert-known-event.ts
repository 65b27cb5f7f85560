import { HandoffError } from '../core/errors.ts';
import type { Store } from '../core/store.ts';

/**
 * Refuses a place in the history that the store has not reached. A caller that continues from there would wait for events
 * that never come: the store was replaced, or the place is another store's.
 *
 * @throws HandoffError `invalid_input`.
 */
export async function assertKnownEvent(store: Store, after_seq: number | undefined): Promise<void> {
  if (after_seq === undefined || after_seq === 0) return;
  const [newest] = await store.events({ newest: true, limit: 1 });
  if (after_seq <= (newest?.seq ?? 0)) return;
  throw new HandoffError('invalid_input', `There is no event ${after_seq} in this store yet.`, {
    details: { after_seq },
    alternatives: [
      'Leave out after_seq and Last-Event-ID: then it begins now.',
      'Begin with after_seq 0 for the whole history: the store may have been replaced or restored.',
    ],
  });
}
