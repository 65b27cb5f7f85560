import { declare } from './declare.ts';

/** The studio's brainstorm: a chat with pins, and the way to its draft. */
export const studioBrainstorm = {
  ...declare('ui.md S1, on the server', 'studio', {
    'STORM.read': 'The messages of a transcript are read in order, with secrets masked, and nothing is kept.',
    'STORM.pins': 'What was pinned stands first in the draft, in its words and with its place, and once.',
    'STORM.unpinned': 'Read again, a draft loses pins that were taken off, and keeps what its review put in.',
    'STORM.progress': 'An import is told of while a model reads: what is read of all, and what was found.',
    'STORM.facts': 'The server says whether a model answers chats, and if not, what to do.',
  }),
  ...declare('ui.md S1, the screen', 'studio', {
    'STORM.flow-mouse': 'From the first question to the finished plan by mouse.',
    'STORM.flow-keys': 'From the first question to the finished plan by the keyboard alone.',
    'STORM.transcript': 'Without a model a transcript is shown in the column, pinned, and handed over by rules.',
    'STORM.back': 'Back from the review the conversation and its pins are as they were.',
    'STORM.pin': 'A pin is the selected sentence, else the message; it is moved, taken off, and taken back.',
    'STORM.kept': 'A reload in mid-chat loses neither what was said, pinned, nor written and not sent.',
    'STORM.stop': 'An answer is stopped, what was said of it is kept, and it can be asked for again.',
    'STORM.outage': 'Without its server the chat says so, keeps every word, and asks again.',
    'STORM.goes-on': 'An answer goes on while another screen is shown.',
    'STORM.failed': 'An extraction that is cancelled or fails leaves conversation and pins as they were.',
    'STORM.project': 'Brainstorms of one project are not shown in another one.',
    'STORM.hostile': 'What is said is text: no markup, no image, no link that leads away; hidden characters show.',
    'STORM.long': 'A conversation of thousands of messages opens at once.',
    'STORM.markdown': 'Markdown is shown by plain marks, whatever it holds, also half a text of it.',
    'STORM.accessible': 'The screen has no violation that axe finds, in either theme and at 320 pixels.',
  }),
} as const;
