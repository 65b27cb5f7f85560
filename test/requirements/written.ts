import { declare } from './declare.ts';

/** What the agent of a session writes about it, asked when the session has ended. */
export const written = declare('issue, written by the agent that did the work', 'extraction', {
  'WRITTEN.items': 'The agent’s answer replaces what rules guessed; tool facts and the words of the conversation stay.',
  'WRITTEN.check':
    'A quote that is in no message, a command that never ran and a file that is not in the conversation support nothing.',
  'WRITTEN.contradicted': 'An exit code or a file that contradicts the tool calls is shown as a contradiction.',
  'WRITTEN.broken': 'An answer of the wrong form, too long or empty leaves the handoff as rules made it, with a note.',
  'WRITTEN.attacks': 'Nothing in an answer reaches more than the lists of a content, or leaves its line there.',
  'WRITTEN.briefs':
    'A small budget shows each item in few words, the most important first; a larger one whole sentences.',
  'WRITTEN.overtaken':
    'What the agent reports as outdated is not shown in its old words either, and a dead end is named as one.',
  'WRITTEN.measured': 'The questions to agents are documented, and hand-written answers are measured like handoffs.',
});
