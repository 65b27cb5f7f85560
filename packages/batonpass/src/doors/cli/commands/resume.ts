import { defineCommand } from '../command.ts';
import { parseBudget, parseLease } from '../duration.ts';
import { asAgent } from '../present/command-words.ts';
import { nextForHolder } from '../present/next-steps.ts';

export const resume = defineCommand({
  name: 'resume',
  summary: 'Take the newest context of this branch, to continue where the last session stopped',
  options: [
    { flags: '--branch <name>', description: 'of this branch; default: the one checked out' },
    { flags: '--lease <duration>', description: 'how long it is yours without renewal (15m)', parse: parseLease },
    { flags: '--budget <tokens>', description: 'how long the printed text may be', parse: parseBudget },
  ],
  examples: [
    { line: 'baton resume', what: 'what hooks give a new session, by hand' },
    { line: 'baton resume --branch feature/login', what: 'of another branch' },
  ],
  operation: 'handoff.resume',
  toInput: ({ options }) => ({
    branch: options.branch as string | undefined,
    lease_ms: options.lease as number | undefined,
    budget: options.budget as number | undefined,
  }),
  isNo: ({ handoff }) => handoff === null,
  claimed: ({ handoff }) => handoff,
  present: ({ context }) => (context === null ? '' : `${context.text}\n${context.situation}`),
  remark: ({ handoff }, view) =>
    handoff === null
      ? `No open context for this branch. See what else is open: baton list${asAgent(view.agent)}`
      : nextForHolder(handoff, view),
});
