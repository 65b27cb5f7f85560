import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import type { HandoffSnapshot } from '../brainstorm/draft/handoff-draft.ts';
import {
  type HandoffDraftStore,
  type HandoffDraftStoreState,
  handoffStore,
} from '../brainstorm/draft/handoff-store.ts';
import { Card } from './card.tsx';
import { Decisions } from './decisions.tsx';
import { Files, Risks } from './files-and-risks.tsx';
import { KeyHelp } from './key-help.tsx';
import { createReviewActions, type ReviewActions } from './review-actions.ts';
import { ReviewBanners } from './review-banners.tsx';
import { ReviewContext, type ReviewParts } from './review-context.ts';
import { ReviewFooter } from './review-footer.tsx';
import { Section } from './section.tsx';
import { newSubject, summarySubject, toKey } from './subjects.ts';
import { type Announcement, useAnnouncements } from './use-announcements.ts';
import type { FlowFailure } from './use-brainstorm-flow.ts';
import { useEdits } from './use-edits.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import { useReviewKeys } from './use-review-keys.ts';

/** What the review screen is given. */
export interface HandoffReviewProps {
  /** The draft under review. Default: the store behind `useHandoffStore`. */
  store?: HandoffDraftStore;
  /** "Back to brainstorm". */
  onBack: () => void;
  /**
   * "Start planning": called with what was just frozen, and its SHA-256. While a promise of it is open a second click
   * does nothing; what it throws is shown.
   */
  onStartPlanning: (snapshot: HandoffSnapshot, sha256: string) => void | Promise<void>;
  /** Offered where the draft is older than 24 hours. Default: not offered. */
  onExtractAgain?: () => void;
  /** Shown above the lists: the flow's, of an extraction or of going to planning. Default: none. */
  failure?: FlowFailure | null;
  /** Whether an extraction runs beside the review. Default: false. */
  isExtracting?: boolean;
  /** Whether single letters are commands while the focus is on the screen. Default: true. */
  singleKeys?: boolean;
  /** The present time in milliseconds. Default: the machine's clock. */
  now?: () => number;
}

/**
 * The review screen of source 5: decisions, files and risks in stacked lists, each entry with who worded it, how sure it
 * is and where it was said; edited in place, removed, undone; then frozen for the plan agent.
 */
export function HandoffReview({ store = handoffStore, onBack, now = Date.now, ...more }: HandoffReviewProps) {
  const { singleKeys = true, failure = null, isExtracting = false, onExtractAgain } = more;
  const state = useStore(store);
  const { root, parts, last } = useReview({ store, singleKeys, onStartPlanning: more.onStartPlanning });
  const { actions, edits } = parts;
  // Which edits are open, not what is written in them: the focus follows where one opens or closes.
  const open = useStore(edits.open, (all) => [...all.keys()].join(' '));
  const onKeyDown = useReviewKeys({ root, actions, isSingle: singleKeys });
  return (
    <ReviewContext value={parts}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are shortcuts of the buttons inside. */}
      <div className="baton baton-review" ref={root} onKeyDown={onKeyDown}>
        <h2 className="baton-title" data-baton-heading="review" tabIndex={-1}>
          Review the handoff
        </h2>
        <ReviewBanners
          changedAt={state.changedAt}
          storageFault={state.storageFault}
          now={now}
          failure={failure}
          isExtracting={isExtracting}
          onExtractAgain={onExtractAgain}
        />
        {isEmpty(state) && !open.includes(toKey(newSubject)) ? <Empty actions={actions} /> : <Lists state={state} />}
        <KeyHelp isSingle={singleKeys} />
        <ReviewFooter
          last={last}
          canUndo={state.canUndo}
          canRedo={state.canRedo}
          canStart={state.decisions.length > 0}
          onBack={onBack}
        />
      </div>
    </ReviewContext>
  );
}

interface ReviewInput {
  store: HandoffDraftStore;
  singleKeys: boolean;
  onStartPlanning: HandoffReviewProps['onStartPlanning'];
}

interface Review {
  root: React.RefObject<HTMLDivElement | null>;
  parts: ReviewParts;
  last: Announcement;
}

/** What lives as long as the screen: open edits, announcements, the focus, and the actions upon them. */
function useReview({ store, singleKeys, onStartPlanning }: ReviewInput): Review {
  const root = useRef<HTMLDivElement>(null);
  const start = useRef(onStartPlanning);
  useEffect(() => {
    start.current = onStartPlanning;
  }, [onStartPlanning]);
  const edits = useEdits(store);
  const [last, announcer] = useAnnouncements();
  const focus = useKeptFocus(root, store);
  const parts = useMemo(() => {
    const actions = createReviewActions({
      store,
      edits,
      announcer,
      focus,
      singleKeys,
      startPlanning: (snapshot, sha256) => start.current(snapshot, sha256),
    });
    return { actions, edits };
  }, [store, edits, announcer, focus, singleKeys]);
  useEffect(() => {
    // The button that led here is gone, and the focus with it: a reader begins at the heading.
    if (document.activeElement === document.body) root.current?.querySelector<HTMLElement>('.baton-title')?.focus();
  }, []);
  return { root, parts, last };
}

function isEmpty({ decisions, filesReferenced, risks }: HandoffDraftStoreState): boolean {
  return decisions.length === 0 && filesReferenced.length === 0 && risks.length === 0;
}

function Empty({ actions }: { actions: ReviewActions }): ReactNode {
  return (
    <div className="baton-empty">
      <p className="baton-empty-title">Nothing to hand off yet</p>
      <p className="baton-hint">Pin a message of the brainstorm, or add a decision here.</p>
      <button type="button" className="baton-button" onClick={() => actions.add()}>
        Add decision
      </button>
    </div>
  );
}

function Lists({ state }: { state: HandoffDraftStoreState }): ReactNode {
  return (
    <>
      <Section kind="summary" heading="Summary">
        <Card
          subject={summarySubject}
          text={state.brainstormSummary}
          placeholder="No summary yet."
          label="Summary"
          className="baton-summary"
        />
      </Section>
      <Decisions decisions={state.decisions} />
      <Files files={state.filesReferenced} />
      <Risks risks={state.risks} />
    </>
  );
}
