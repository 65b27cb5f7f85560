import { defineCommand } from '../command.ts';
import { parseDuration, parseWholeNumber } from '../duration.ts';
import { shortId } from '../present/handoff-line.ts';

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
    { flags: '--unscoped', description: 'with --scope: those without a scope too' },
    { flags: '--lease <duration>', description: 'how long it is yours without renewal (15m)', parse: parseDuration },
    { flags: '--budget <tokens>', description: 'how long the printed text may be', parse: parseWholeNumber },
    {
      flags: '--wait [duration]',
      description: 'wait until there is one, for so long or for ever',
      parse: parseDuration,
    },
  ],
  examples: [
    { line: 'baton claim', what: 'the oldest that is open for you' },
    { line: 'baton claim --task auth --wait', what: 'wait for the next of a task' },
    { line: 'baton claim --json | jq -r .handoff.delivery.lease.token', what: 'for scripts' },
  ],
  operation: 'handoff.claim',
  toInput: ({ arguments: [id], options }) => ({
    id,
    task_id: options.task as string | undefined,
    kind: options.kind as string | undefined,
    scope: options.scope as string | undefined,
    include_unscoped: options.unscoped as boolean | undefined,
    lease_ms: options.lease as number | undefined,
    budget: options.budget as number | undefined,
    wait_ms: options.wait === true ? FOREVER_MS : (options.wait as number | undefined),
  }),
  isNo: ({ handoff }) => handoff === null,
  present: ({ context }) => (context === null ? '' : `${context.text}\n${context.situation}`),
  remark: ({ handoff, unscoped_left_out }, view) => {
    if (handoff === null) {
      const left =
        unscoped_left_out > 0 ? ` ${unscoped_left_out} without a scope left out; --unscoped takes them.` : '';
      return `Nothing is open for you here.${left} Wait for one: baton claim --wait`;
    }
    const { lease } = handoff.delivery;
    const id = shortId(handoff.id);
    const token = `--token ${lease?.token}`;
    return [
      view.style('bold', `Yours until ${lease?.expires_at}. Then:`),
      `  baton ack ${id} ${token}`,
      `  baton fail ${id} ${token} --reason "…"`,
      `  baton release ${id} ${token}`,
    ].join('\n');
  },
});
