import { declare } from './declare.ts';

/** What the first screen guarantees, and what all screens share. */
export const studioHome = declare('issue 28', 'studio', {
  'HOME.needs':
    'The first screen shows what waits for a person: questions, failures, dead letters, drafts, each with its one action.',
  'HOME.flight':
    'Below is who holds what, since when, the last heartbeat, the rest of the lease, and a way to end the lease.',
  'HOME.past': 'Handoffs finished today are listed, and the last two weeks are a plot that is also a table.',
  'HOME.begin': 'An empty store offers three ways to start: a transcript by drop, the sessions found, a brainstorm.',
  'HOME.focus': 'A step that removes its line leaves the focus on the next line, else on the heading.',
  'HOME.accessible': 'The first screen has no violation and cuts nothing off, in both themes and on a phone.',
  'FLOW.keyboard-path':
    'The whole flow from the import to the plan works by keys alone, and the focus is never on the body of the page.',
  'INBOX.preview':
    'Next to the list is the handoff of its row: state, receiver, lease, hash, parent, and the text its agent sees.',
  'INBOX.opens-on-needs': 'The inbox opens on what needs the person, else on open handoffs.',
  'INBOX.why-empty': 'A list without rows says why, and in which other tab the same filter finds something.',
  'SHELL.palette-titles':
    'The palette finds handoffs by their titles as well as commands, and is navigated by arrow keys.',
  'SHELL.uncovered':
    'Messages of the studio have their own place and cover no control, and nothing next to them moves.',
  'SHELL.forced-colours':
    'With forced colours the current screen, the selection and the bars of a plot are distinguishable.',
  'SHELL.enlarged': 'On a page that is enlarged to 200 % no footer covers the text that is read or the focus.',
  'SHELL.cancel': 'A question that is cancelled gives the focus back to the button that asked it.',
  'DETAIL.repeats': 'Consecutive events that say the same are one line of the timeline, with their number.',
});
