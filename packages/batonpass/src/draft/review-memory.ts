import { limits } from '../core/limits.ts';
import { normalize } from '../extraction/merge-extractions.ts';
import type { HandoffDraft, ReviewMemory } from './handoff-draft.ts';

/** The lists of a draft whose removed items are remembered. */
type RemovedList = keyof ReviewMemory['removed'];

/** Remembers texts that a person removed or reworded: an extraction does not bring them back. */
export function rememberRemoved(draft: HandoffDraft, list: RemovedList, texts: readonly string[]): HandoffDraft {
  const { review } = draft;
  const added = new Set(texts.map(normalize));
  const others = review.removed[list].filter((text) => !added.has(normalize(text)));
  const removed = { ...review.removed, [list]: [...others, ...texts].slice(-limits.entries_max) };
  return { ...draft, review: { ...review, removed } };
}

/** Remembers what a person added or worded himself: an extraction leaves it as it is. */
export function rememberSettled(draft: HandoffDraft, id: string): HandoffDraft {
  if (draft.review.settled.includes(id)) return draft;
  return { ...draft, review: { ...draft.review, settled: [...draft.review.settled, id] } };
}
