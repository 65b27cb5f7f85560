import { declare } from './declare.ts';

/** What the first screen promises, and what is shared by all screens around it. */
export const studioHome = declare('issue 28', 'studio', {
  'HOME.needs':
    'The first screen shows what waits for a person: questions, failures, dead letters, drafts, each with its one step.',
  'HOME.flight':
    'Below stands who holds what, since when, when they were last heard of, what is left of the lease, and a way to take it back.',
  'HOME.past': 'Handoffs finished today are listed, and the last two weeks are a plot that is also a table.',
  'HOME.begin': 'An empty store offers three ways to begin: a transcript by drop, the sessions found, a brainstorm.',
  'HOME.focus': 'A step that takes its line away leaves the focus on the next line, else on the heading.',
  'HOME.accessible': 'The first screen has no violation and cuts nothing off, in both themes and on a telephone.',
  'FLOW.keyboard-path':
    'The whole way from the import to the plan is gone by keys alone, and the focus is never on the body of the page.',
  'INBOX.preview':
    'Beside the list stands the handoff of its row: state, receiver, lease, hash, parent, and the text its agent sees.',
  'INBOX.opens-on-needs': 'The inbox opens on what needs the person, else on what is open.',
  'INBOX.why-empty': 'A list without rows says why, and in which other tab the same filter finds something.',
  'SHELL.palette-titles': 'The palette finds handoffs by their titles beside commands, and is gone through by arrows.',
  'SHELL.uncovered':
    'What the studio says stands in a place of its own and covers no control, and nothing beside it moves.',
  'SHELL.forced-colours':
    'With forced colours the screen that is shown, the choice and the bars of a plot are told apart.',
  'SHELL.enlarged': 'On a page that is enlarged to 200 % no foot stays over what is read or has the focus.',
  'SHELL.cancel': 'A question that is cancelled gives the focus back to the button that asked it.',
  'DETAIL.repeats':
    'Events that say the same one after the other stand in one line of the timeline, with their number.',
});
