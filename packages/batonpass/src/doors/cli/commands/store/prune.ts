import { HandoffError } from '../../../../core/errors.ts';
import type { OperationInput, OperationOutput } from '../../../../operations/catalogue.ts';
import { defineCommand, type Given } from '../../command.ts';
import { durationWithin } from '../../duration.ts';
import { formatBytes } from '../../present/bytes.ts';
import { shellWord } from '../../present/command-words.ts';
import { counted } from '../../present/plural.ts';
import { presentRemarks } from '../../present/remarks.ts';
import { presentStates } from '../../present/store-states.ts';
import { type View, visible, wrapped } from '../../present/view.ts';

type Pruning = OperationOutput<'store.prune'>;
type Input = OperationInput<'store.prune'>;

export const storePrune = defineCommand({
  name: 'store prune',
  summary: 'Move old finished handoffs into the archive next to the store',
  options: [
    {
      flags: '--older-than <age>',
      description: 'since it finished, e.g. 90d; default: the setting "retention", or 90d',
      parse: durationWithin({ option: '--older-than' }),
    },
    {
      flags: '--state <states>',
      description: 'acknowledged,withdrawn,expired, and dead if it is named',
      many: true,
    },
    { flags: '--dry-run', description: 'count, and change nothing' },
    { flags: '--vacuum', description: 'rewrite the file afterwards, to return its free space to the disk' },
  ],
  examples: [
    { line: 'baton store prune --dry-run', what: 'how much is old enough' },
    { line: 'baton store prune --older-than 30d --state acknowledged', what: '' },
    { line: 'baton list --store sqlite:.git/baton/baton.archive.db', what: 'what was archived' },
  ],
  operation: 'store.prune',
  toInput: (given) => ({
    older_than_ms: given.options.olderThan as number | undefined,
    state: statesOf(given),
    dry_run: given.options.dryRun as boolean | undefined,
    give_back_space: given.options.vacuum as boolean | undefined,
  }),
  isNo: ({ kept, complete }) => kept > 0 || !complete,
  progress: () => 'Pruning the store',
  present: presentPruning,
  remark: (pruning, view) => presentRemarks(remarksOn(pruning), view),
});

const prunable = ['acknowledged', 'withdrawn', 'expired', 'dead'] as const;

/** `--state dead,expired` and `--state dead --state expired` are the same. */
function statesOf({ options }: Given): Input['state'] {
  const words = (options.state as string[] | undefined)?.flatMap((list) => list.split(',')).map((word) => word.trim());
  const wrong = words?.filter((word) => prunable.every((state) => state !== word)) ?? [];
  if (wrong.length === 0) return words as Input['state'];
  const named = wrong.map((word) => `"${word}"`).join(', ');
  throw new HandoffError('invalid_input', `--state takes ${prunable.join(', ')}; not ${named}.`, {
    details: { wrong },
    alternatives: ['A handoff that is not finished is never archived: acknowledge or withdraw it first.'],
  });
}

function presentPruning({ dry_run, due, archived, archive, until, kept, kept_handoffs }: Pruning, view: View): string {
  const count = Object.values(due).reduce((sum, each) => sum + each, 0);
  if (count === 0) return `Nothing is old enough: none entered its state before ${until}.`;
  if (dry_run) return `${counted(count, 'handoff')} would be archived${presentStates(due)}`;
  const more = kept - kept_handoffs.length;
  return [
    `${counted(archived, 'handoff')} archived: ${view.style('bold', visible(archive))}`,
    ...kept_handoffs.map(({ id, reason }) => wrapped(`! ${id} stays: ${reason}`, view.width, '  ')),
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ].join('\n');
}

function remarksOn({ archived, archive, size, dry_run, complete }: Pruning): string[] {
  return [
    ...(complete ? [] : ['! Stopped before the end; run it again to continue.']),
    ...(archived === 0
      ? []
      : [`→ See them: ${size === undefined ? 'baton list, with that URL in --store' : listOf(archive)}`]),
    ...(dry_run || size === undefined || size.free_bytes === 0
      ? []
      : [
          `${formatBytes(size.free_bytes)} of ${formatBytes(size.bytes)} are free for new handoffs; to return them to the disk: baton store prune --vacuum`,
        ]),
  ];
}

function listOf(file: string): string {
  return `baton list --store ${shellWord(`sqlite:${file}`)}`;
}
