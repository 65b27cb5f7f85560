import { HandoffError } from '../core/errors.ts';
import type { StoredHandoff } from '../core/store.ts';
import { continues } from './stored-digest.ts';
import { listMismatches } from './stored-faults.ts';

/** How a handoff from another store compares with what this store has. */
export interface ImportVerdict {
  became: 'added' | 'updated' | 'unchanged';
  /** The lines of its history that are not here yet. */
  missing: StoredHandoff['events'];
}

/**
 * Refuses a handoff whose parts contradict each other because something changed them in transit: content and hash, pointer
 * and payload, state and history.
 *
 * @throws HandoffError `invalid_input`.
 */
export function assertStored(stored: StoredHandoff): void {
  const [fault] = listMismatches(stored);
  if (fault !== undefined) throw unfit(stored.handoff.id, fault.says);
}

/**
 * Judges a handoff from another store against the one that is here.
 *
 * @throws HandoffError `conflict` where both went on apart from each other.
 */
export function judgeImport(present: StoredHandoff | undefined, came: StoredHandoff): ImportVerdict {
  if (present === undefined) return { became: 'added', missing: came.events };
  if (!continues(came.events, present.events)) throw parted(present, came);
  const missing = came.events.slice(present.events.length);
  return { became: missing.length === 0 ? 'unchanged' : 'updated', missing };
}

function unfit(id: string, reason: string): HandoffError {
  return new HandoffError('invalid_input', `Handoff ${id} cannot be taken over: ${reason}.`, {
    details: { id },
    alternatives: ['Check the store that it comes from: baton store check', 'Take it from a backup.'],
  });
}

function parted({ handoff }: StoredHandoff, came: StoredHandoff): HandoffError {
  const { id, delivery } = handoff;
  return new HandoffError('conflict', `Handoff ${id} went on in both stores.`, {
    details: { id, version: delivery.version, came_version: came.handoff.delivery.version, state: delivery.state },
    alternatives: [
      `See what happened here: baton log ${id}`,
      'Go on with one of the two stores; the other keeps its own.',
    ],
  });
}
