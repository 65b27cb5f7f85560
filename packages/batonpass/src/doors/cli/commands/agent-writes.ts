import { defineCommand, underItsKey } from '../command.ts';
import { describeItems } from '../present/handoff-line.ts';
import { nextForNew } from '../present/next-steps.ts';
import { presentStep } from './lease-commands.ts';

export const agentWrites = defineCommand({
  name: 'agent-writes',
  arguments: [{ flags: '[session]', description: 'the host’s id of the session, or its beginning (the newest)' }],
  summary: 'Let the agent of a session that is over write its handoff now, beyond the limits of a day',
  examples: [
    { line: 'baton agent-writes', what: 'the session that ended last in this folder' },
    { line: 'baton agent-writes 4f1c2d3e', what: 'one that was too long to be asked by itself' },
  ],
  operation: 'session.write',
  toInput: (given) => ({ session: given.arguments[0] }),
  present: (handoff, view) => [presentStep(handoff, view), describeItems(handoff.content)].join('\n'),
  remark: (handoff, view) => nextForNew(handoff, view),
  toJson: underItsKey,
  progress: () => 'asking the agent of the session, which may take three minutes',
});
