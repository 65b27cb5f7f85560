import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';
import type { HandoffDraftStore } from '../draft/draft-store.ts';
import type { FileNote } from './file-note.ts';
import type { ReviewActions } from './review-actions.ts';
import { type Subject, toKey } from './subjects.ts';
import type { Doubts } from './use-doubts.ts';
import type { Edit, Edits } from './use-edits.ts';
import type { Selection } from './use-selection.ts';

/** The shared objects of a review screen: the same at every rendering. */
export interface ReviewParts {
  store: HandoffDraftStore;
  actions: ReviewActions;
  edits: Edits;
  selection: Selection;
  doubts: Doubts;
  /** The filter of the lists; empty for all. */
  filter: StoreApi<string>;
  /** The state of files on the disk, by their ids. */
  fileNotes: StoreApi<ReadonlyMap<string, FileNote>>;
  /** The entry that had the focus last; null before the first. */
  focused: StoreApi<Subject | null>;
  /** Whether the application can show a place in the conversation. */
  hasEvidence: boolean;
}

/** The screen around a part. */
export const ReviewContext = createContext<ReviewParts | null>(null);

/** The actions of the review screen around a component. */
export function useReviewActions(): ReviewActions {
  return useReviewParts().actions;
}

/** The open edit of a subject; undefined where it has none. */
export function useEdit(subject: Subject): Edit | undefined {
  return useStore(useReviewParts().edits.open, (open) => open.get(toKey(subject)));
}

/** All open edits by their keys. */
export function useOpenEdits(): ReadonlyMap<string, Edit> {
  return useStore(useReviewParts().edits.open);
}

/** Whether an entry is selected. */
export function useIsChosen(subject: Subject): boolean {
  return useStore(useReviewParts().selection.chosen, (chosen) => chosen.has(toKey(subject)));
}

/** The parts of the review screen around a component: every component that asks for them is inside one. */
export function useReviewParts(): ReviewParts {
  return useContext(ReviewContext) as ReviewParts;
}
