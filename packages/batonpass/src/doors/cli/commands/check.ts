import { describeDrift, type FileDrift, hasDrifted } from '../../../core/drift.ts';
import { defineCommand } from '../command.ts';
import { shortId } from '../present/handoff-line.ts';
import { counted } from '../present/plural.ts';
import { oneLine, type View, visible, wrapped } from '../present/view.ts';

export const check = defineCommand({
  name: 'check',
  arguments: [{ flags: '[id]', description: 'the files of one handoff; without it, of all that are open' }],
  summary: 'Compare the files that a handoff names with this work tree',
  examples: [
    { line: 'baton check 7QX4M2AB', what: 'what was edited, renamed or is missing since' },
    { line: 'baton check && echo fresh', what: 'exit code 1 where a file changed' },
  ],
  operation: 'handoff.check',
  toInput: (given) => ({ id: given.arguments[0] }),
  isNo: ({ drifted }) => drifted > 0,
  present: ({ handoffs }, view) =>
    handoffs
      .filter(({ files }) => files.length > 0)
      .map((handoff) => presentDrift(handoff, view))
      .join('\n\n'),
  remark: ({ handoffs, drifted, is_partial }) => {
    const files = handoffs.flatMap((handoff) => handoff.files);
    const unknown = files.filter(({ verdict }) => verdict === 'unknown' || verdict === 'no-git').length;
    const changed = files.filter(hasDrifted).length;
    return [
      ...(handoffs.length === 0 ? ['Nothing is open here. Check one that is not open: baton check ID'] : []),
      ...(handoffs.length > 0 && files.length === 0 ? ['No files are named.'] : []),
      ...(files.length > 0 ? [`${changed} of ${counted(files.length, 'file')} changed.`] : []),
      ...(unknown > 0 ? [`${counted(unknown, 'file')} could not be compared.`] : []),
      ...(drifted > 0 ? ['What changed may differ from what the handoff says about it.'] : []),
      ...(is_partial ? ['More handoffs are open: baton list --state open'] : []),
    ].join('\n');
  },
});

/** A handoff whose files were compared. */
interface CheckedHandoff {
  id: string;
  title: string;
  files: readonly FileDrift[];
}

/** The files of one handoff, one per line: the changed ones first, a longer path wrapped. */
function presentDrift({ id, title, files }: CheckedHandoff, view: View): string {
  const sorted = files.toSorted((left, right) => Number(hasDrifted(right)) - Number(hasDrifted(left)));
  return [
    `${view.style('bold', shortId(id))}  ${oneLine(title, view.width - 10)}`,
    ...sorted.map((file) => {
      const colour = hasDrifted(file) ? 'yellow' : file.verdict === 'unchanged' ? 'green' : 'gray';
      return `  ${view.style(colour, wrapped(describeDrift(file, onOneLine), view.width, '    '))}`;
    }),
  ].join('\n');
}

function onOneLine(path: string): string {
  return visible(path).replace(/\s+/g, ' ');
}
