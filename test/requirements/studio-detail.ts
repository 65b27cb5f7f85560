import { declare } from './declare.ts';

/** What the studio shows of one handoff, of its plan runs, of its lineage, and of the plans of a project. */
export const studioDetail = {
  ...declare('ui.md S4, the detail of a handoff', 'studio', {
    'DETAIL.diff':
      'The differences between a handoff and the one it replaces or continues are shown section by section.',
    'DETAIL.diff-whole': 'A comparison of two texts holds both of them, whole and in order.',
    'DETAIL.edits':
      'What was removed from a draft and added to it is shown edit by edit and all together, readable without colour.',
    'DETAIL.edit-words':
      'The history keeps the words that an edit removed and added, within a bound, and shows them to people alone.',
    'DETAIL.drift': 'The change of each file since is shown next to it, with what to do.',
    'DETAIL.parts':
      'Current state, instructions, done, dead ends, environment and earlier words are parts of the page.',
    'DETAIL.receiver-budget': 'The receiver’s text is shown at any budget, and the address keeps it.',
    'DETAIL.proof': 'The proof of a delivery is a line of the timeline.',
    'DETAIL.raw': 'The record is shown as JSON, laid out or in one line, and copied.',
    'DETAIL.version': 'A new version of a handoff is written as a draft; it replaces one that nobody claimed yet.',
    'DETAIL.requeue': 'A handoff that is dead goes back into the queue.',
    'DETAIL.keys': 'Parent and root of a handoff are reached by one key each.',
  }),
  ...declare('ui.md S5, the plan run', 'studio', {
    'RUN.steps': 'The steps of a run are shown against the maximum, each with the input and output of its tools.',
    'RUN.times':
      'Each step is drawn at its time in the run, as long as it took, below an axis; a table shows the same.',
    'RUN.runs': 'Each run of a handoff can be seen, with the reason of its end.',
    'RUN.decisions': 'The agent’s decisions are accepted or rejected in the draft that continues from the plan.',
    'RUN.decisions-open':
      'Rejecting a decision of an open handoff writes a new version, and the screen says that before.',
    'RUN.decisions-late': 'A handoff that somebody has already claimed is not changed any more.',
    'RUN.many': 'A run of two thousand steps stays usable: the page has few rows.',
    'RUN.list': 'The runs of a project are listed, with what waits to be planned.',
    'RUN.survives': 'A run continues when its page is left, reloaded or closed, and every tab shows its current step.',
    'RUN.interrupted':
      'After its server was killed a run waits for one press: it resumes from its last kept step, or its handoff is released.',
    'RUN.reconnect': 'A tab that reconnects to its server shows the current state.',
    'RUN.again': 'A run can be repeated from any of its steps.',
    'RUN.older': 'Runs beyond the first page are shown by a press, for any number of handoffs.',
    'RUN.table':
      'Runs are compared in a table: model, steps, tokens, cost, duration and outcome; two of them side by side.',
    'RUN.whole-step': 'All of a step is shown, formatted, and can be searched.',
  }),
  ...declare('ui.md S6, the lineage', 'studio', {
    'LINEAGE.family': 'The origins and the results of a handoff are answered in one call, from any member.',
    'LINEAGE.tenants': 'Handoffs of other projects are no part of a lineage.',
    'LINEAGE.circle': 'Links that lead in a circle or nowhere hide no handoff.',
    'LINEAGE.order': 'A handoff’s replacement is below it, and what continues it below the work done with it.',
    'LINEAGE.bounded': 'Where there may be more than was read, the answer says that.',
    'LINEAGE.screen': 'The lineage is a tree that is navigated by keys, from a conversation to the last handoff.',
    'LINEAGE.graph': 'The lineage is drawn as a graph too, whose nodes lead to their handoffs.',
  }),
  ...declare('ui.md S4 and source 4, plans', 'studio', {
    'PLANS.outline': 'A plan is returned whole, with what is done of each task.',
    'PLANS.screen': 'The plans of a project are shown with their progress, and what waits.',
    'PLANS.tick': 'An item is ticked by its words through the protocol, and undo removes the tick.',
    'PLANS.changed': 'Another person’s change of the document is shown, and a tick for words that are gone is refused.',
  }),
  ...declare('ui.md 4, accessibility and hostile text', 'studio', {
    'DETAIL.accessible': 'None of these screens has a violation that axe finds, in either theme and at 320 pixels.',
    'DETAIL.hostile': 'Hostile titles, paths and names are text on these screens.',
  }),
} as const;
