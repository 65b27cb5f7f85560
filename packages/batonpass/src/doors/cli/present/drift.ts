import { describeDrift, type FileDrift, hasDrifted } from '../../../core/drift.ts';
import { shortId } from './handoff-line.ts';
import { oneLine, type View, visible, wrapped } from './view.ts';

/** A handoff whose files were compared. */
export interface CheckedHandoff {
  id: string;
  title: string;
  files: readonly FileDrift[];
}

/** The files of one handoff, one per line: the changed ones first, a longer path wrapped. */
export function presentDrift({ id, title, files }: CheckedHandoff, view: View): string {
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
