import { HandoffError } from '../core/errors.ts';
import type { HandoffDraftStore } from '../draft/draft-store.ts';
import type { FrozenSnapshot } from '../draft/snapshot.ts';

/**
 * Freezes the present draft of the store, for the plan agent. An unchanged frozen draft gives the same snapshot again.
 *
 * @throws HandoffError `invalid_input` where the draft cannot be frozen.
 */
export function freezeDraft(store: HandoffDraftStore): FrozenSnapshot {
  store.getState().freezeForPlanning();
  const { frozenPayload, frozenHash } = store.getState();
  if (frozenPayload === null || frozenHash === null) {
    throw new HandoffError('invalid_input', 'The draft could not be frozen.');
  }
  return { snapshot: frozenPayload, sha256: frozenHash };
}
