import { declare } from './declare.ts';

/** How the agent of a session is asked. */
export const writtenAsking = declare('issue, written by the agent that did the work', 'extraction', {
  'ASKING.host': 'The agent of an ended session writes its handoff, which replaces what rules saved.',
  'ASKING.closed': 'It is asked without tools, hooks, servers and the configuration of the repository.',
  'ASKING.environment': 'Nothing that a repository put into the environment reaches the host that is asked.',
  'ASKING.taken':
    'What is written after a session claimed the save goes to that session once, with proof; else it is handed on with its own.',
  'ASKING.kept': 'What the agent wrote stays when rules save its session again, with what is new.',
  'ASKING.again':
    'A later answer of the same session keeps what only the earlier one said, and keeps once what both say.',
  'ASKING.rules': 'Orders that only a rules file gives stay in that file, and are not reported as unverified.',
  'ASKING.own': 'The handoff that an agent writes on its own and the save of its session are one handoff.',
  'ASKING.command': 'A command lets the agent of a session write, beyond the limits too, and reports why it did not.',
  'ASKING.consent': 'Nobody is asked unless the person chose it; a repository cannot choose it.',
  'ASKING.allowance': 'Each session is asked once, within a daily number and a number of tokens.',
  'ASKING.rest': 'A host that is rate limited or logged out is not asked again for an hour.',
  'ASKING.recursion': 'A host that is asked saves nothing and is given nothing.',
  'ASKING.reply': 'A host’s output is read as an answer with its cost, or as the reason that there is none.',
});
