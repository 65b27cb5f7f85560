import { HandoffError } from '../core/errors.ts';

/** The error of every call to a store after its `close`. */
export function closedStore(name: string): HandoffError {
  return new HandoffError('unavailable', `The store ${name} is closed.`, {
    details: { is_closed: true },
    alternatives: ['Open it again, and close it after the last call.'],
  });
}

/** Whether a call failed because the store was closed, which no retry heals. */
export function isClosedStore({ details }: HandoffError): boolean {
  return details.is_closed === true;
}
