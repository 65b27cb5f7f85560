import { declare } from './declare.ts';

/** What the agent of a session writes of it, asked when the session is over. */
export const written = declare('issue, written by the agent that did the work', 'extraction', {
  'WRITTEN.items':
    'What the agent tells replaces what rules guessed; tool facts and the words of the conversation stay.',
  'WRITTEN.check': 'A quote that nobody said, a command that never ran and a file that nobody named support nothing.',
  'WRITTEN.contradicted': 'An exit code or a file that the tool calls know otherwise is shown as a contradiction.',
  'WRITTEN.broken': 'An answer of the wrong form, too long or empty leaves the handoff as rules made it, with a note.',
  'WRITTEN.attacks': 'Nothing in an answer reaches more than the lists of a content, or leaves its line there.',
  'WRITTEN.briefs':
    'A small budget shows each item in few words, the most important first; a larger one whole sentences.',
  'WRITTEN.overtaken':
    'What the agent says no longer holds is not told by the words of its time either, and a dead end is named as one.',
  'WRITTEN.measured': 'What agents are asked is written out, and answers given by hand are measured like handoffs.',
});
