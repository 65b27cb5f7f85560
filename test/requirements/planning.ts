import { declare } from './declare.ts';

/** From a frozen snapshot to the planning agent: the prompt, its approval, reports of the work. */
export const planning = {
  ...declare('issue "Brainstorm to plan", the snapshot handed on', 'planning', {
    'PLANNING.hand-on':
      'A frozen snapshot becomes an open handoff for the planning agent, approved with who, when, content and text.',
    'PLANNING.one-transaction': 'Draft and approval are one transaction, and the same key hands on once.',
    'PLANNING.same-snapshot':
      'A snapshot or text other than the one that was shown is refused, and nothing is created.',
    'PLANNING.supersede': 'A later snapshot supersedes the handoff of an earlier one, with its own approval.',
  }),
  ...declare('issue "Brainstorm to plan", the prompt', 'planning', {
    'PLANNING.same-bytes': 'Approved, rendered, claimed, injected and hashed are the same bytes.',
    'PLANNING.whole': 'The prompt of the planning agent is never cut: beyond its bound it is refused, with a remedy.',
    'PLANNING.further': 'Content that source 5 has no heading for is under its own headings, where there is any.',
    'PLANNING.approve-text': 'An approval can name the text that was reviewed; another one is a conflict.',
  }),
  ...declare('issue "Brainstorm to plan", the history of a run', 'planning', {
    'LIFE.report':
      'The holder reports the progress of its work: one line of the history, under the fence of its claim.',
    'PLANNING.report':
      'A report is bounded, masked and kept with its data, and can be made and read through every door.',
  }),
} as const;
