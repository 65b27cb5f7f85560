import { declare } from './declare.ts';

/** The draft of a handoff, beyond what source 5 names. */
export const draft = declare('issue "Brainstorm to plan", draft and snapshot', 'planning', {
  'DRAFT.removed': 'What a person removed or reworded does not come back by an extraction.',
  'DRAFT.summary': 'What was removed or reworded is so in the summary too, where that said it in its words.',
  'DRAFT.implied-last': 'What is only implied stands behind what was said, whatever is added, moved or merged.',
  'DRAFT.undo': 'Undo and redo go back and forth through a bounded number of changes, and never touch what is frozen.',
  'DRAFT.reorder': 'Decisions can be put at another place.',
  'DRAFT.merge-duplicates': 'Decisions that say the same can be made one, with the evidence of all.',
  'DRAFT.files-and-risks': 'Files, risks and the summary can be added and changed, and stay as a person left them.',
  'DRAFT.summary-worded':
    'Where somebody words the summary of a draft that had none, the planner is told it, and no mark of the empty one stays.',
  'DRAFT.content': 'A snapshot becomes content and comes back from it with the same hash.',
  'DRAFT.restore': 'After a reload only the snapshot that was frozen can be put back.',
  'DRAFT.stored-version': 'A draft that an older version stored is converted, one of a newer version kept aside.',
  'DRAFT.no-storage': 'The store works where there is no storage at all.',
  'DRAFT.changed-at': 'The draft knows when it changed last.',
  'DRAFT.entries': 'The package has entries for browsers, React and the AI SDK, which share one store.',
  'DRAFT.no-node': 'What the entries for browsers and React load needs nothing of Node.',
  'DRAFT.packed':
    'From the packed package, alone with its dependencies, what needs no optional package can be imported.',
});
