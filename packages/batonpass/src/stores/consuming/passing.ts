import { isHandoffError } from '../../core/errors.ts';
import { isClosedStore } from '../closed.ts';

/** Whether the same call can succeed later: the store cannot do it now, and is not closed for good. */
export function isPassing(error: unknown): boolean {
  return isHandoffError(error) && error.code === 'unavailable' && !isClosedStore(error);
}

/** Whether the life cycle refused a step: its lease is another's, or its handoff has gone on without it. */
export function isRefusal(error: unknown): boolean {
  return isHandoffError(error) && refusals.has(error.code);
}

const refusals: ReadonlySet<string> = new Set(['lease_lost', 'already_claimed', 'conflict', 'not_found']);
