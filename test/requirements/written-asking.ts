import { declare } from './declare.ts';

/** How the agent of a session is asked. */
export const writtenAsking = declare('issue, written by the agent that did the work', 'extraction', {
  'ASKING.host': 'The agent of a session that ended writes its handoff, which takes the place of what rules saved.',
  'ASKING.closed': 'It is asked without tools, hooks, servers and the configuration of the repository.',
  'ASKING.environment': 'Nothing that a repository put into the environment reaches the host that is asked.',
  'ASKING.taken':
    'What is written after a session took up the save goes to that session once, with proof; else it is handed on with its own.',
  'ASKING.kept': 'What the agent wrote stays when rules save its session again, with what is new.',
  'ASKING.again': 'A later answer of the same session keeps what only the earlier one said, and what both say once.',
  'ASKING.rules': 'Orders that only a rules file gives are left to that file, and are not told as unverified.',
  'ASKING.own': 'What the agent hands over of itself and the save of its session are one handoff.',
  'ASKING.command':
    'A person lets the agent of a session write by a command, beyond the limits too, and is told why it did not.',
  'ASKING.consent': 'Nobody is asked unless the person chose it; a repository cannot choose it.',
  'ASKING.allowance': 'Sessions are asked once, so often a day and up to so many tokens.',
  'ASKING.rest': 'A host that is rate limited or logged out is left alone for an hour.',
  'ASKING.recursion': 'A host that is asked saves nothing and is given nothing.',
  'ASKING.reply': 'What a host prints is read as an answer with its cost, or as the reason that there is none.',
});
