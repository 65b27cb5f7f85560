import { declare } from './declare.ts';

/** The history, since its lines are found by the place of their handoff. */
export const queuePlaces = declare('issue “The queue at full strength”, the history by place', 'queue', {
  'HISTORY.place': 'Each line of history has the place of its handoff.',
  'HISTORY.place-former':
    'A file of the schema before has all its histories, with the lines that an older Baton writes which has it open.',
  'HISTORY.place-gone': 'The history of a handoff that is gone is found by its id, and is nobody else’s.',
  'HISTORY.place-checked': 'A line with the place of another handoff is a fault that a check names.',
});
