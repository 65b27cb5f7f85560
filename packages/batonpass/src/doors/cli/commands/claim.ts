import { findToken } from '../../../operations/terminal-tokens.ts';
import { defineCommand } from '../command.ts';
import { formatDuration, parseBudget, parseDuration, parseLease } from '../duration.ts';
import { asAgent } from '../present/command-words.ts';
import { endOf } from '../present/handoff-line.ts';
import { nextForHolder } from '../present/next-steps.ts';
import { oneLine, type View } from '../present/view.ts';

/** `--wait` without a duration. */
const FOREVER_MS = Number.MAX_SAFE_INTEGER;

export const claim = defineCommand({
  name: 'claim',
  arguments: [{ flags: '[id]', description: 'only this handoff; without it, the oldest open one' }],
  summary: 'Take a handoff under a lease and print it for your context',
  options: [
    { flags: '--task <id>', description: 'only of this task' },
    { flags: '--kind <kind>', description: 'only of this kind' },
    { flags: '--scope <path>', description: 'only on this path' },
    { flags: '--unscoped', description: 'with --scope: also those without a scope' },
    { flags: '--ack <id>', description: 'acknowledge this one in the same step, with its --token' },
    { flags: '--token <token>', description: 'the token of what --ack names' },
    { flags: '--lease <duration>', description: 'how long the lease runs (15m)', parse: parseLease },
    { flags: '--budget <tokens>', description: 'maximum length of the printed text', parse: parseBudget },
    {
      flags: '--wait [duration]',
      description: 'wait until one is open, this long or forever',
      parse: parseDuration,
    },
  ],
  examples: [
    { line: 'baton claim', what: 'the oldest that is open for you' },
    { line: 'baton claim --task auth --wait', what: 'wait for the next of a task' },
    { line: 'baton claim --ack 7QX4M2AB --token TOKEN', what: 'acknowledge that one and claim the next' },
    { line: 'baton claim --json | jq -r .handoff.delivery.lease.token', what: 'for scripts' },
  ],
  operation: 'handoff.claim',
  toInput: ({ arguments: [id], options }) => ({
    id,
    task_id: options.task as string | undefined,
    kind: options.kind as string | undefined,
    scope: options.scope as string | undefined,
    include_unscoped: options.unscoped as boolean | undefined,
    // The operation refuses an unknown token.
    acknowledge:
      options.ack === undefined
        ? undefined
        : {
            id: options.ack as string,
            token: (options.token as string | undefined) ?? findToken(options.ack as string, process.env) ?? '',
          },
    lease_ms: options.lease as number | undefined,
    budget: options.budget as number | undefined,
    wait_ms: options.wait === true ? FOREVER_MS : (options.wait as number | undefined),
  }),
  isNo: ({ handoff }) => handoff === null,
  claimed: ({ handoff }) => handoff,
  present: ({ context }) => (context === null ? '' : `${context.text}\n${context.situation}`),
  progress: ({ options }) => (options.wait === undefined ? undefined : 'Waiting for a handoff'),
  toAbout: ({ handoff }, { arguments: [id], options }) =>
    handoff === null && options.wait !== undefined ? id : undefined,
  remark: ({ handoff, unscoped_left_out }, view) =>
    handoff === null ? describeNothing(unscoped_left_out, view) : nextForHolder(handoff, view),
});

function describeNothing(unscoped_left_out: number, view: View): string {
  const { options, about, agent } = view;
  const waited = typeof options.wait === 'number' ? ` Nothing came within ${formatDuration(options.wait)}.` : '';
  const lease = about?.delivery.lease;
  if (lease !== undefined) {
    const until =
      lease.expires_at === undefined ? ', waiting for an answer' : ` until ${endOf(lease.expires_at, view)}`;
    return `It is held by ${oneLine(lease.holder, 40)}${until}.${waited}`;
  }
  const left = unscoped_left_out > 0 ? ` ${unscoped_left_out} without a scope left out; --unscoped includes them.` : '';
  const advice = options.wait === undefined ? ` Wait for one: baton claim${asAgent(agent)} --wait` : '';
  return `Nothing is open for you here.${waited}${left}${advice}`;
}

export const resume = defineCommand({
  name: 'resume',
  summary: 'Claim the newest context of this branch, to continue where the last session stopped',
  options: [
    { flags: '--branch <name>', description: 'of this branch; default: the one checked out' },
    { flags: '--lease <duration>', description: 'how long the lease runs (15m)', parse: parseLease },
    { flags: '--budget <tokens>', description: 'maximum length of the printed text', parse: parseBudget },
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
