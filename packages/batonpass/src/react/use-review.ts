import { type RefObject, useLayoutEffect, useMemo, useRef } from 'react';
import { createStore } from 'zustand/vanilla';
import type { Evidence } from '../core/evidence.ts';
import type { HandoffSnapshot } from '../draft/handoff-draft.ts';
import type { HandoffDraftStore } from '../draft/handoff-store.ts';
import type { FileNote } from './file-note.ts';
import { createReviewActions } from './review-actions.ts';
import type { ReviewParts } from './review-context.ts';
import type { Subject } from './subjects.ts';
import { type Announcement, useAnnouncements } from './use-announcements.ts';
import { useDoubts } from './use-doubts.ts';
import { useEdits } from './use-edits.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import { useSelection } from './use-selection.ts';

/** What a review is made of; functions may be others at every rendering. */
export interface ReviewInput {
  store: HandoffDraftStore;
  singleKeys: boolean;
  needsDecision: boolean;
  onBack: () => void;
  onUndo: ((own: () => void) => void) | undefined;
  onStartPlanning: (snapshot: HandoffSnapshot, sha256: string) => void | Promise<void>;
  onShowEvidence: ((subject: Subject, evidence: Evidence) => void) | undefined;
}

/** A review on the screen. */
export interface Review {
  root: RefObject<HTMLDivElement | null>;
  parts: ReviewParts;
  last: Announcement;
}

/** State that lasts as long as the screen: open edits, the selection, announcements, the focus, and the actions on them. */
export function useReview(input: ReviewInput): Review {
  const { store, singleKeys, needsDecision } = input;
  const root = useRef<HTMLDivElement>(null);
  const given = useRef(input);
  useLayoutEffect(() => {
    given.current = input;
  });
  const edits = useEdits(store);
  const selection = useSelection(store);
  const doubts = useDoubts(store);
  const [last, announcer] = useAnnouncements();
  const focus = useKeptFocus(root, store);
  const hasEvidence = input.onShowEvidence !== undefined;
  const hasUndo = input.onUndo !== undefined;
  const own = useMemo(createOwn, []);
  const parts = useMemo(() => {
    const actions = createReviewActions({
      store,
      edits,
      announcer,
      focus,
      selection,
      singleKeys,
      needsDecision,
      showEvidence: hasEvidence ? (subject, evidence) => given.current.onShowEvidence?.(subject, evidence) : null,
      goBack: () => given.current.onBack(),
      undoLast: hasUndo ? (ownUndo) => given.current.onUndo?.(ownUndo) : null,
      startPlanning: (snapshot, sha256) => given.current.onStartPlanning(snapshot, sha256),
    });
    return { ...own, store, actions, edits, selection, doubts, hasEvidence };
  }, [own, store, edits, announcer, focus, selection, doubts, singleKeys, needsDecision, hasEvidence, hasUndo]);
  useLayoutEffect(() => {
    // The button that led here is gone, and the focus with it: a reader begins at the heading.
    if (document.activeElement === document.body) root.current?.querySelector<HTMLElement>('.baton-title')?.focus();
  }, []);
  return { root, parts, last };
}

/** What the screen alone knows. */
function createOwn(): Pick<ReviewParts, 'filter' | 'fileNotes' | 'focused'> {
  return {
    filter: createStore<string>(() => ''),
    fileNotes: createStore<ReadonlyMap<string, FileNote>>(() => new Map()),
    focused: createStore<Subject | null>(() => null),
  };
}
