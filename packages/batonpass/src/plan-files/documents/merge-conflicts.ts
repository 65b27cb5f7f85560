import { HandoffError } from '../../core/errors.ts';
import { firstPlace, readLines } from './document-lines.ts';
import { error, type Finding } from './plan-findings.ts';

/** The first marker of each merge conflict that git left in a document. Examples in code fences are none. */
function listConflicts(text: string): { line: number; marker: string }[] {
  const lines = readLines(text);
  let isOpen = false;
  return lines.flatMap(({ text: marker, is_structure }, index) => {
    if (!is_structure || !/^(?:<{7}|>{7})(?: |$)/.test(marker)) return [];
    const isEnd = isOpen && marker.startsWith('>');
    isOpen = marker.startsWith('<');
    return isEnd ? [] : [{ line: index + 1 - firstPlace(lines), marker: marker.slice(0, 100) }];
  });
}

/** The findings of a check: both sides of a conflict would count. */
export function findConflicts(text: string): Finding[] {
  return listConflicts(text).map(({ line, marker }) =>
    error('MERGE_CONFLICT', `Line ${line}: merge conflict "${marker}"`),
  );
}

/**
 * A document that is to be changed. @param name - the document's, as a message shows it.
 *
 * @throws HandoffError `invalid_structure` with the line where it has a merge conflict.
 */
export function assertMerged(text: string, name: string): void {
  const [first] = listConflicts(text);
  if (first === undefined) return;
  throw new HandoffError('invalid_structure', 'Document has a merge conflict', {
    details: { details: `${name}:${first.line}: ${first.marker}`, line: first.line },
    alternatives: [`Resolve the conflict in ${name}, and remove its markers`],
  });
}
