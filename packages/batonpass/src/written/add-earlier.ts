import type { ContentInput } from '../core/content.ts';
import type { Evidence } from '../core/evidence.ts';
import { limits } from '../core/limits.ts';
import { withoutId } from '../extraction/carried-list.ts';
import { contentWords } from '../extraction/content-words.ts';
import { type Kept, normalize, saysTheSame } from '../extraction/merge-extractions.ts';
import { marks } from './add-written.ts';
import { fits } from './keep-written.ts';

/**
 * What a session's agent writes now, and after it what only its earlier text says: after a compaction the agent has a
 * summary of what the earlier text could quote. Where both say the same, or the agent says now that it no longer holds,
 * the earlier item is left out. The state and the next steps are those of now.
 *
 * @param reversed - what no longer holds, in the agent's words.
 */
export function addEarlier(now: ContentInput, earlier: ContentInput, reversed: readonly string[]): ContentInput {
  const joining = new Joining(reversed);
  const lists = {
    instructions: joining.join(now.instructions, earlier.instructions),
    decisions: joining.join(now.decisions, earlier.decisions),
    files: joining.join(now.files, earlier.files),
    risks: joining.join(now.risks, earlier.risks),
    tried: joining.join(now.tried, earlier.tried),
    open_questions: joining.join(now.open_questions, earlier.open_questions),
    results: joining.join(now.results, earlier.results),
    environment: joining.join(now.environment, earlier.environment),
  };
  const next_steps = now.next_steps?.length ? now.next_steps : earlier.next_steps;
  const briefs = (earlier.briefs ?? []).filter(({ of }) => joining.added.has(of));
  const all = { ...now, ...lists, next_steps, briefs: [...(now.briefs ?? []), ...briefs].slice(0, limits.entries_max) };
  return fits(all) ? all : now;
}

type EarlierItem =
  | string
  | { content?: string; path?: string; description?: string; what?: string; evidence?: Evidence | undefined };

/** Joins lists of two texts on one session, the later first. */
class Joining {
  /** What was added of the earlier one. */
  readonly added = new Set<string>();
  readonly #fallen: readonly Kept<object>[];

  constructor(reversed: readonly string[]) {
    this.#fallen = reversed.map((what) => compare(what));
  }

  join<Own extends EarlierItem, Given extends EarlierItem>(
    own: readonly Own[] = [],
    earlier: readonly Given[] = [],
  ): (Own | Given)[] {
    const known = [...this.#fallen, ...own.map(compare)];
    const only = earlier.filter((item) => {
      const isOfAnother = typeof item !== 'string' && item.evidence?.transcript !== undefined;
      // What other sessions said is passed on separately.
      if (isOfAnother) return false;
      const other = compare(item);
      return !known.some((each) => saysTheSame(each, other));
    });
    for (const item of only) this.added.add(textOf(item));
    return [...own, ...only.map((item) => withoutId(item))].slice(0, limits.entries_max);
  }
}

function compare(item: EarlierItem): Kept<object> {
  const text = textOf(item).replace(marks.told, '').replace(marks.pasted, '');
  const evidence = typeof item === 'string' ? undefined : item.evidence;
  return { item: {}, text, weight: 1, evidence, normal: normalize(text), words: contentWords(text) };
}

/** The text by which briefs name an item too. */
function textOf(item: EarlierItem): string {
  return typeof item === 'string' ? item : (item.content ?? item.path ?? item.description ?? item.what ?? '');
}
