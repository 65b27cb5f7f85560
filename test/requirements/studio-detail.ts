import { declare } from './declare.ts';

/** What the studio shows of one handoff, of its plan runs, of its descent, and of the plans of a project. */
export const studioDetail = {
  ...declare('ui.md S4, the detail of a handoff', 'studio', {
    'DETAIL.diff': 'What a handoff says otherwise than the one it replaces or goes on from is shown part by part.',
    'DETAIL.diff-whole': 'A comparison of two texts holds both of them, whole and in order.',
    'DETAIL.edits':
      'What was taken out of a draft and put into it is shown edit by edit and all together, readable without colour.',
    'DETAIL.edit-words':
      'The history keeps the words that an edit took out and put in, within a bound, and tells them to people alone.',
    'DETAIL.drift': 'What became of each file since is shown beside it, with what to do.',
    'DETAIL.parts':
      'Where it stands, instructions, done, dead ends, environment and earlier words are parts of the page.',
    'DETAIL.receiver-budget': 'The receiver’s text is shown at any budget, and the address keeps it.',
    'DETAIL.proof': 'The proof of a delivery is a line of the timeline.',
    'DETAIL.raw': 'The record is shown as JSON, laid out or in one line, and copied.',
    'DETAIL.version':
      'A new version of a handoff is written as a draft; one that nobody took up yet is replaced by it.',
    'DETAIL.requeue': 'A handoff that is dead goes back into the queue.',
    'DETAIL.keys': 'Parent and root of a handoff are reached by one key each.',
  }),
  ...declare('ui.md S5, the plan run', 'studio', {
    'RUN.steps':
      'The steps of a run are shown against the most it may take, each with what its tools were given and gave.',
    'RUN.times':
      'Each step lies in the time of its run where it was, as long as it took, below an axis; the same is told by a table.',
    'RUN.runs': 'Each run of a handoff can be seen, with why it ended.',
    'RUN.decisions': 'What the agent decided is accepted or rejected in the draft that goes on from the plan.',
    'RUN.decisions-open': 'Rejecting a decision of an open handoff writes a new version, and says so before.',
    'RUN.decisions-late': 'What somebody has taken up already is not changed any more.',
    'RUN.many': 'A run of two thousand steps stays usable: few rows are in the page.',
    'RUN.list': 'The runs of a project are listed, and what waits to be planned.',
    'RUN.survives':
      'A run goes on when its page is left, reloaded or closed, and every tab shows the step that it is at.',
    'RUN.interrupted':
      'After its server was killed a run waits for one press: it goes on from its last kept step, or its handoff is given back.',
    'RUN.reconnect': 'A tab that reconnects to its server shows what is so now.',
    'RUN.again': 'A run is made again from any of its steps.',
    'RUN.older': 'Runs beyond the first page are shown by a press, as are those of any number of handoffs.',
    'RUN.table':
      'Runs are compared in a table: model, steps, tokens, cost, duration and outcome; two of them side by side.',
    'RUN.whole-step': 'All of a step is shown, laid out, and can be searched.',
  }),
  ...declare('ui.md S6, the lineage', 'studio', {
    'LINEAGE.family': 'What a handoff comes from and what came of it is answered at once, from any member.',
    'LINEAGE.tenants': 'Handoffs of other projects are no part of a lineage.',
    'LINEAGE.circle': 'Links that lead in a circle or nowhere hide no handoff.',
    'LINEAGE.order': 'What replaces a handoff stands below it, and what goes on from it below the work done with it.',
    'LINEAGE.bounded': 'Where there may be more than was looked at, the answer says so.',
    'LINEAGE.screen': 'The lineage is a tree that is gone through by keys, from a conversation to the last handoff.',
    'LINEAGE.graph': 'The lineage is drawn as a graph too, whose places lead to their handoffs.',
  }),
  ...declare('ui.md S4 and source 4, plans', 'studio', {
    'PLANS.outline': 'A plan is answered whole, with what of each task is done.',
    'PLANS.screen': 'The plans of a project are shown with how far they are, and what waits.',
    'PLANS.tick': 'An item is ticked off by its words through the protocol, and taken back by undo.',
    'PLANS.changed':
      'What somebody else changes in the document is shown, and a tick for words that are gone is refused.',
  }),
  ...declare('ui.md 4, accessibility and hostile text', 'studio', {
    'DETAIL.accessible': 'None of these screens has a violation that axe finds, in either theme and at 320 pixels.',
    'DETAIL.hostile': 'Hostile titles, paths and names are text on these screens.',
  }),
} as const;
