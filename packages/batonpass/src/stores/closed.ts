import { HandoffError } from '../core/errors.ts';

/** The error of every call to a store after its `close`. */
export function closedStore(name: string): HandoffError {
  return new HandoffError('unavailable', `The store ${name} is closed.`, {
    alternatives: ['Open it again, and close it after the last call.'],
  });
}
