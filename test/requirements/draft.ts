import { declare } from './declare.ts';

/** The draft of a handoff, beyond what source 5 names. */
export const draft = declare('issue "Brainstorm to plan", draft and snapshot', 'planning', {
  'DRAFT.removed': 'What a person removed or reworded does not come back by an extraction.',
  'DRAFT.summary': 'A removal or rewording also changes the summary, where the summary used the same words.',
  'DRAFT.implied-last': 'Implied decisions come after stated ones, after any addition, move or merge.',
  'DRAFT.undo': 'Undo and redo go back and forth through a bounded number of changes, and never touch what is frozen.',
  'DRAFT.reorder': 'Decisions can be moved to another position.',
  'DRAFT.merge-duplicates': 'Decisions that say the same can be merged into one, with the evidence of all.',
  'DRAFT.files-and-risks': 'Files, risks and the summary can be added and changed, and stay as a person left them.',
  'DRAFT.summary-worded':
    'When a person writes the summary of a draft that had none, the planner gets it, and no mark of the empty summary stays.',
  'DRAFT.content': 'A snapshot becomes content and comes back from it with the same hash.',
  'DRAFT.restore': 'After a reload only the snapshot that was frozen can be restored.',
  'DRAFT.stored-version': 'A draft that an older version stored is converted; one of a newer version is kept aside.',
  'DRAFT.no-storage': 'The store works where there is no storage at all.',
  'DRAFT.changed-at': 'The draft records when it last changed.',
  'DRAFT.entries': 'The package has entries for browsers, React and the AI SDK, which share one store.',
  'DRAFT.no-node': 'What the entries for browsers and React load needs nothing of Node.',
  'DRAFT.packed':
    'From the packed package, alone with its dependencies, what needs no optional package can be imported.',
});
