import { declare } from './declare.ts';

/** The history of handoffs that are gone. */
export const queuePlaces = declare('issue “The queue at full strength”, the history', 'queue', {
  'HISTORY.gone': 'The history of a handoff that is gone is found by its id, and is nobody else’s.',
});
