import { HandoffError } from '../core/errors.ts';
import type { HandoffDraftStore } from '../draft/draft-store.ts';
import type { FrozenSnapshot } from '../draft/snapshot.ts';

/**
 * Freezes what the store holds now, for the plan agent. What is frozen already and was not changed gives the same again.
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
