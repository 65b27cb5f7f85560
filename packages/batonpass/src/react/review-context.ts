import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { ReviewActions } from './review-actions.ts';
import { type Subject, toKey } from './subjects.ts';
import type { Edit, Edits } from './use-edits.ts';

/** What the parts of a review screen share: the same object at every rendering. */
export interface ReviewParts {
  actions: ReviewActions;
  edits: Edits;
}

/** The screen around a part. */
export const ReviewContext = createContext<ReviewParts | null>(null);

/** The actions of the review screen that a part stands in. */
export function useReviewActions(): ReviewActions {
  return useParts().actions;
}

/** The open edit of a subject; undefined where it has none. */
export function useEdit(subject: Subject): Edit | undefined {
  return useStore(useParts().edits.open, (open) => open.get(toKey(subject)));
}

/** All open edits by their keys. */
export function useOpenEdits(): ReadonlyMap<string, Edit> {
  return useStore(useParts().edits.open);
}

function useParts(): ReviewParts {
  const parts = useContext(ReviewContext);
  if (parts === null) throw new Error('This part stands outside of a HandoffReview.');
  return parts;
}
