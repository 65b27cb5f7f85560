import { declare } from './declare.ts';

/** What the inbox guarantees beyond a live list, and what the stores provide for it. */
export const studioInbox = declare('issue 10', 'studio', {
  'LIFE.search': 'A list is searched for a text in titles and summaries and for a file, with bounded work.',
  'LIFE.count': 'Handoffs are counted by state under any filter, with bounded work, and a partial count is marked.',
  'INBOX.filter': 'Typed words narrow the list, are suggested while typing, and are in the address.',
  'INBOX.views': 'A filter is saved under a name in this browser, applied again and deleted.',
  'INBOX.select': 'Rows are selected one by one, as a range and all; focus alone selects nothing.',
  'INBOX.bulk':
    'An action applies to the selection or to all that match, and is undone as a whole; its failures are shown by row.',
  'INBOX.verdicts': 'Verdict keys take steps that the life cycle has, and the help lists those that it does not have.',
  'INBOX.pause': 'Changes elsewhere wait while the list is paused, by a button or because the page is hidden.',
  'INBOX.after-step': 'After a verdict the focus goes to the next row, else the one before, else the heading.',
  'INBOX.claims': 'A claim shows its holder, the rest of its lease, and a missing heartbeat.',
  'INBOX.grid':
    'The grid reports to assistive technology how many rows there are and which are here, selection included.',
  'INBOX.any-place': 'Any position of a list of a hundred thousand is reached at once, its end too.',
  'STUDIO.start': 'npm start shows the studio with sample handoffs, and leaves nothing behind when it is stopped.',
  'STUDIO.prompt': 'A screen shows as soon as its part is loaded, and requests once what it follows.',
  'STUDIO.broken-part': 'A screen whose part does not load reports that, and the others continue.',
  'STUDIO.bench': 'The studio is measured in a real browser on the work that its targets name.',
});
