import { HandoffError } from '../../../../core/errors.ts';
import type { OperationOutput } from '../../../../operations/catalogue.ts';
import { defineCommand, type Given } from '../../command.ts';
import { shellWord } from '../../present/command-words.ts';
import { counted } from '../../present/plural.ts';
import { presentRemarks } from '../../present/remarks.ts';
import { type View, visible, wrapped } from '../../present/view.ts';

type Copying = OperationOutput<'store.copy'>;

export const storeCopy = defineCommand({
  name: 'store copy',
  summary: 'Copy every handoff of one store into another, with its history, and compare both',
  options: [
    { flags: '--from <url>', description: 'the store to read, or handoffs:FOLDER; default: the current store' },
    { flags: '--to <url>', description: 'the store to write, or handoffs:FOLDER; created if it is missing' },
  ],
  examples: [
    { line: 'baton store copy --to sqlite:/backup/baton.db', what: 'if interrupted, the same command continues' },
    { line: 'baton store copy --from sqlite:baton.archive.db --to sqlite:baton.db', what: 'bring the archive back' },
    { line: 'baton store copy --from handoffs:.twining --to sqlite:baton.db', what: 'import JSON records' },
  ],
  operation: 'store.copy',
  toInput: (given) => ({ from: given.options.from as string | undefined, to: targetOf(given) }),
  isNo: ({ differences, complete }) => differences > 0 || !complete,
  progress: () => 'Copying handoffs',
  present: presentCopying,
  remark: (copying, view) => presentRemarks(remarksOn(copying), view),
});

function targetOf({ options }: Given): string {
  if (typeof options.to === 'string') return options.to;
  throw new HandoffError('invalid_input', 'The store to copy into is missing.', {
    alternatives: [
      'Name it: baton store copy --to sqlite:/path/to/other.db',
      'For a copy of the file: baton store backup',
    ],
  });
}

function presentCopying(copying: Copying, view: View): string {
  const { from, to, added, updated, unchanged, ahead, verified, differing, differences } = copying;
  const counts = [
    `${added} added`,
    `${updated} updated`,
    `${unchanged} unchanged`,
    ...(ahead > 0 ? [`${ahead} newer there`] : []),
  ];
  const isAlike = verified.from.sha256 === verified.to.sha256;
  const verdict = isAlike
    ? view.style(
        'green',
        `✓ Both hold the same ${counted(verified.to.handoffs, 'handoff')}: sha256 ${verified.to.sha256}`,
      )
    : `${verified.from.handoffs} there, ${verified.to.handoffs} of them here; not all identical`;
  const more = differences - differing.length;
  return [
    `${visible(from)} → ${visible(to)}`,
    counts.join(', '),
    verdict,
    ...differing.map((each) => wrapped(`! ${each.id}: ${sayDifference(each)}`, view.width, '  ')),
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ].join('\n');
}

function sayDifference({ how, reason }: Copying['differing'][number]): string {
  switch (how) {
    case 'conflict':
      return 'diverged: changed in both stores; the target keeps its own.';
    case 'changing':
      return 'changed while it was copied.';
    case 'missing':
      return 'is not in the target.';
    case 'reduced':
      return `is there, but ${reason ?? 'not whole'}.`;
    case 'unfit':
      return reason ?? 'is damaged.';
  }
}

function remarksOn({ complete, differing, from, to }: Copying): string[] {
  const has = (wanted: string) => differing.some(({ how }) => how === wanted);
  const [conflict] = differing.filter(({ how }) => how === 'conflict');
  return [
    ...(complete && !has('changing') && !has('missing')
      ? []
      : ['→ Run the same command again: it continues where this one ended.']),
    ...(conflict === undefined ? [] : [`→ Compare: baton log ${conflict.id} --store ${from}, and --store ${to}`]),
    ...(has('unfit') && !from.startsWith('handoffs:') && !to.startsWith('handoffs:')
      ? [`→ See what is damaged: baton store check --store ${from}`]
      : []),
    ...(has('unfit') && from.startsWith('handoffs:')
      ? [`→ See what is damaged: baton file store check ${shellWord(from.slice('handoffs:'.length))}`]
      : []),
  ];
}
