import { type Content, isByPerson } from '../core/content.ts';
import { keyOfItem } from './carried-list.ts';

/** So often sessions hand an item on that none of them touched. */
export const carriedTimesMax = 2;

/**
 * A received content without items that rules once found and that later sessions only passed on: nobody repeated, pinned or
 * edited them. Standing instructions and the environment are kept, as is everything that a person worded.
 *
 * @param before - what the sessions before handed on, the newest first; fewer than `carriedTimesMax` let nothing fade.
 */
export function withoutFaded(content: Content, before: readonly Content[]): Content {
  if (before.length < carriedTimesMax) return content;
  const last = before.slice(0, carriedTimesMax);
  const fresh = <T extends object | string>(listOf: (of: Content) => readonly T[]): T[] => {
    const older = last.map((each) => new Set(listOf(each).map(keyOfItem)));
    return listOf(content).filter((item) => isPersons(item) || !older.every((keys) => keys.has(keyOfItem(item))));
  };
  return {
    ...content,
    decisions: fresh((each) => each.decisions),
    files: fresh((each) => each.files),
    risks: fresh((each) => each.risks),
    tried: fresh((each) => each.tried),
    next_steps: fresh((each) => each.next_steps),
    open_questions: fresh((each) => each.open_questions),
  };
}

function isPersons(item: object | string): boolean {
  return (
    typeof item === 'object' && 'source' in item && isByPerson(item.source as Content['decisions'][number]['source'])
  );
}
