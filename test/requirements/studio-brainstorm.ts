import { declare } from './declare.ts';

/** The studio's brainstorm: a chat with pins, and the path to its draft. */
export const studioBrainstorm = {
  ...declare('ui.md S1, on the server', 'studio', {
    'STORM.read': 'The messages of a transcript are read in order, with secrets masked, and nothing is kept.',
    'STORM.pins': 'A pinned text comes first in the draft, in its own words, with its position, and once.',
    'STORM.unpinned': 'When a draft is re-read it loses pins that were removed, and keeps what its review added.',
    'STORM.progress': 'While a model reads, an import reports how much of all is read and what was found.',
    'STORM.facts': 'The server says whether a model answers chats, and if not, what to do.',
  }),
  ...declare('ui.md S1, the screen', 'studio', {
    'STORM.flow-mouse': 'From the first question to the finished plan by mouse.',
    'STORM.flow-keys': 'From the first question to the finished plan by the keyboard alone.',
    'STORM.transcript': 'Without a model a transcript is shown in the column, pinned, and extracted by rules.',
    'STORM.back': 'After going back from the review the conversation and its pins are unchanged.',
    'STORM.pin': 'A pin is the selected sentence, else the message; it is moved, removed, and restored.',
    'STORM.kept': 'A reload in mid-chat loses no message, no pin and no unsent text.',
    'STORM.stop': 'An answer is stopped, its text so far is kept, and it can be requested again.',
    'STORM.outage': 'Without its server the chat reports that, keeps every word, and retries.',
    'STORM.goes-on': 'An answer continues while another screen is shown.',
    'STORM.failed': 'An extraction that is cancelled or fails leaves conversation and pins as they were.',
    'STORM.project': 'Brainstorms of one project are not shown in another one.',
    'STORM.hostile': 'Messages are text: no markup, no image, no link that leads away; hidden characters are visible.',
    'STORM.long': 'A conversation of thousands of messages opens at once.',
    'STORM.markdown': 'Markdown is shown by plain marks, for any content, also for an incomplete text.',
    'STORM.accessible': 'The screen has no violation that axe finds, in either theme and at 320 pixels.',
  }),
} as const;
