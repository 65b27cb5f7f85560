import { declare } from './declare.ts';

/** From a frozen snapshot to what the planning agent is told: the prompt, its approval, reports of the work. */
export const planning = {
  ...declare('issue "Brainstorm to plan", the snapshot handed on', 'planning', {
    'PLANNING.hand-on':
      'A frozen snapshot becomes an open handoff for the planning agent, approved with who, when, content and text.',
    'PLANNING.one-transaction': 'Draft and approval are one transaction, and the same key hands on once.',
    'PLANNING.same-snapshot': 'Another snapshot or text than the one that was shown is refused, and nothing is made.',
    'PLANNING.supersede': 'A later snapshot supersedes the handoff of an earlier one, with an approval of its own.',
  }),
  ...declare('issue "Brainstorm to plan", the prompt', 'planning', {
    'PLANNING.same-bytes': 'Approved, rendered, claimed, injected and hashed are the same bytes.',
    'PLANNING.whole': 'What the planning agent is told is never cut: beyond its bound it is refused, with a way out.',
    'PLANNING.further': 'What source 5 has no heading for stands under headings of its own, where there is something.',
    'PLANNING.approve-text': 'An approval can name the text that was reviewed; another one is a conflict.',
  }),
  ...declare('issue "Brainstorm to plan", the history of a run', 'planning', {
    'LIFE.report': 'The holder reports how its work goes on: one line of the history, under the fence of its claim.',
    'PLANNING.report':
      'A report is bounded, masked and kept with its data, and can be made and read through every door.',
  }),
} as const;
