import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Evidence } from '../core/evidence.ts';
import { draftStore, type HandoffDraftStore, type HandoffDraftStoreState } from '../draft/draft-store.ts';
import type { HandoffSnapshot } from '../draft/handoff-draft.ts';
import type { FileNote } from './file-note.ts';
import { findProblems, type ReviewProblem } from './find-problems.ts';
import { createReviewActions } from './review-actions.ts';
import { ReviewBanners } from './review-banners.tsx';
import { keyCommands, type ReviewCommand, useCommands } from './review-commands.ts';
import { ReviewContext, type ReviewParts, useReviewParts } from './review-context.ts';
import { ReviewFooter } from './review-footer.tsx';
import { EmptyReview, ReviewLists } from './review-lists.tsx';
import { newSubject, parseKey, type Subject, toKey } from './subjects.ts';
import { type Announcement, useAnnouncements } from './use-announcements.ts';
import type { FlowFailure } from './use-brainstorm-flow.ts';
import { useDoubts } from './use-doubts.ts';
import { useEdits } from './use-edits.ts';
import { keyOf, useKeptFocus } from './use-kept-focus.ts';
import { useSelection } from './use-selection.ts';

/** The props of the review screen. */
export interface HandoffReviewProps {
  /** The draft under review. Default: the store behind `useHandoffStore`. */
  store?: HandoffDraftStore;
  /** Called by "Back to brainstorm". */
  onBack: () => void;
  /**
   * "Start planning": called with the new snapshot and its SHA-256. While its promise is pending a second click does
   * nothing; an error is shown.
   */
  onStartPlanning: (snapshot: HandoffSnapshot, sha256: string) => void | Promise<void>;
  /** Extracts again; offered where the draft is older than 24 hours. Default: not offered. */
  onExtractAgain?: () => void;
  /** Shown above the lists: the failure of an extraction or of the step to planning. Default: none. */
  failure?: FlowFailure | null;
  /** Whether an extraction runs during the review. Default: false. */
  isExtracting?: boolean;
  /** The progress of an extraction, empty where none runs. Default: a short text while one runs. */
  extracting?: ReactNode;
  /** Whether single letters are commands while the focus is on the screen. Default: true. */
  singleKeys?: boolean;
  /** The present time in milliseconds. Default: the system clock. */
  now?: () => number;
  /** When the draft was last changed, ISO 8601. Default: the store's own time. */
  changedAt?: string;
  /** Problems known to the application, in addition to those that the screen finds itself. Default: none. */
  problems?: readonly ReviewProblem[];
  /** The state of the draft's files on the disk, by their ids. Default: none. */
  fileNotes?: ReadonlyMap<string, FileNote>;
  /** Shows the conversation around a quote: by `v`, and by the message's number. Default: neither is there. */
  onShowEvidence?: (subject: Subject, evidence: Evidence) => void;
  /**
   * Called in place of undo, with the draft's own undo: for an application with one history and its keys for all
   * screens. Default: the draft's own.
   */
  onUndo?: (own: () => void) => void;
  /** Whether there is anything to undo, where `onUndo` is given. Default: the draft's own state. */
  canUndo?: boolean;
  /** The step after the review, if it is not planning. Default: "Start planning", which needs a decision. */
  wayOn?: WayOn;
  /** Renders the details of the focused entry next to the lists; null before the first focus. Default: nothing. */
  renderInspector?: (subject: Subject | null) => ReactNode;
  /** Called with the commands of the keys, for the application's help and palette, which replace the screen's own. */
  onCommands?: (commands: readonly ReviewCommand[]) => void;
}

/** The step after a review. */
export interface WayOn {
  /** The label of its button. */
  label: string;
  /** Whether it needs a decision. */
  needsDecision: boolean;
}

const toPlanning: WayOn = { label: 'Start planning', needsDecision: true };

/**
 * The review screen: decisions, files and risks in stacked lists, each entry with its source, its confidence and its
 * place in the conversation; edited in place, merged, removed, undone; then frozen for the plan agent. With an
 * inspector, the details of the focused entry are next to the lists where there is room.
 */
export function HandoffReview({ store = draftStore, onBack, now = Date.now, ...more }: HandoffReviewProps) {
  const { singleKeys = true, failure = null, isExtracting = false, onExtractAgain, renderInspector } = more;
  const state = useStore(store);
  const { onStartPlanning, onShowEvidence, onUndo, wayOn = toPlanning } = more;
  const { root, parts, last } = useReview({
    store,
    singleKeys,
    needsDecision: wayOn.needsDecision,
    onBack,
    onUndo,
    onStartPlanning,
    onShowEvidence,
  });
  const { edits, doubts } = parts;
  // The keys of the open edits, not their texts: the focus follows where one opens or closes.
  const open = useStore(edits.open, (all) => [...all.keys()].join(' '));
  const problems = [...(more.problems ?? noProblems), ...findProblems(state.decisions, useStore(doubts))];
  const onKeyDown = useReviewKeys({ root, parts, isSingle: singleKeys });
  useGiven(parts, more);
  useCommands({ root, parts, onCommands: more.onCommands, hasUndo: onUndo !== undefined });
  return (
    <ReviewContext value={parts}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are shortcuts of the buttons inside. */}
      <div
        className={`baton baton-review${renderInspector === undefined ? '' : ' baton-inspected'}${isLong(state) ? ' baton-long' : ''}`}
        ref={root}
        onKeyDown={onKeyDown}
        onFocus={(event) => noteFocus(parts, event.target)}
      >
        <h2 className="baton-title" data-baton-heading="review" tabIndex={-1}>
          Review the handoff
        </h2>
        <ReviewBanners
          changedAt={more.changedAt ?? state.changedAt}
          storageFault={state.storageFault}
          now={now}
          failure={failure}
          isExtracting={isExtracting}
          extracting={more.extracting}
          onExtractAgain={onExtractAgain}
        />
        <div className="baton-lists">
          {wayOn.needsDecision && isEmpty(state) && !open.includes(toKey(newSubject)) ? (
            <EmptyReview />
          ) : (
            <ReviewLists state={state} />
          )}
        </div>
        {renderInspector === undefined ? null : <Inspector render={renderInspector} />}
        {more.onCommands === undefined ? <KeyHelp isSingle={singleKeys} /> : null}
        <ReviewFooter
          last={last}
          canUndo={more.canUndo ?? state.canUndo}
          canRedo={state.canRedo}
          startLabel={wayOn.label}
          canStart={state.decisions.length > 0 || !wayOn.needsDecision}
          problems={problems}
        />
      </div>
    </ReviewContext>
  );
}

const noProblems: readonly ReviewProblem[] = [];

/** Passes the application's data on the draft's files to the cards. */
function useGiven({ fileNotes }: ReviewParts, { fileNotes: given }: Pick<HandoffReviewProps, 'fileNotes'>): void {
  useEffect(() => fileNotes.setState(given ?? new Map(), true), [fileNotes, given]);
}

/** The inspector shows the entry that last had the focus or a click. */
function noteFocus({ focused }: ReviewParts, target: Element): void {
  const subject = parseKey(keyOf(target));
  if (subject !== null && subject.kind !== 'new') focused.setState(subject, true);
}

/** The details of the focused entry. All of them are also on the card, so that the pane can be skipped. */
function Inspector({ render }: { render: NonNullable<HandoffReviewProps['renderInspector']> }): ReactNode {
  const subject = useStore(useReviewParts().focused);
  return (
    <aside className="baton-inspector" aria-label="Where it was said">
      {render(subject)}
    </aside>
  );
}

/** From this many entries on, those out of view are not laid out. */
const LONG = 100;

function isLong({ decisions, filesReferenced, risks }: HandoffDraftStoreState): boolean {
  return decisions.length + filesReferenced.length + risks.length > LONG;
}

function isEmpty({ decisions, filesReferenced, risks }: HandoffDraftStoreState): boolean {
  return decisions.length === 0 && filesReferenced.length === 0 && risks.length === 0;
}

/** The keys of the review, folded: from the list that the keyboard uses. */
function KeyHelp({ isSingle }: { isSingle: boolean }) {
  const { hasEvidence } = useReviewParts();
  const there = keyCommands.filter(({ keys }) => (isSingle || !isSingleKey(keys)) && (hasEvidence || keys !== 'v'));
  const lines = Map.groupBy(there, ({ does }) => does);
  return (
    <details className="baton-keys">
      <summary>Keys</summary>
      <dl>
        {[...lines].map(([does, all]) => (
          <div key={does}>
            <dt>
              <kbd>{all.map(({ keys }) => describeKeys(keys)).join('  ')}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

const signs: Readonly<Record<string, string>> = { Mod: 'Ctrl', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc' };

function describeKeys(keys: string): string {
  return keys
    .split('+')
    .map((key) => signs[key] ?? (key.length === 1 ? key.toUpperCase() : key))
    .join('+');
}

/** The inputs of the key handler. */
interface ReviewKeysInput {
  root: RefObject<HTMLElement | null>;
  parts: ReviewParts;
  /** Whether single letters are commands: WCAG 2.1.4 requires that they can be switched off. */
  isSingle: boolean;
}

/** The keys of a review: they work only with the focus inside it, and never in a field. */
function useReviewKeys({ root, parts, isSingle }: ReviewKeysInput): (event: KeyboardEvent) => void {
  return useCallback(
    (event: KeyboardEvent) => {
      const panel = root.current;
      const { target } = event;
      if (panel === null || !(target instanceof Element) || isField(target)) return;
      const name = keyName(event);
      if (!isSingle && isSingleKey(name)) return;
      const isCard = target.hasAttribute('data-baton-item');
      const found = keyCommands.find(({ keys, where }) => keys === name && (where !== 'card' || isCard));
      // A key that is held down starts nothing twice.
      if (found === undefined || (event.repeat && name === 'Mod+Enter')) return;
      event.preventDefault();
      const { actions, selection } = parts;
      const key = keyOf(target);
      const hasChoice = selection.chosen.getState().size > 0;
      found.command({ actions, panel, key, subject: parseKey(key), hasChoice });
    },
    [root, parts, isSingle],
  );
}

/** A field that uses letters itself; a check box does not. */
function isField(target: Element): boolean {
  return target.closest('input:not([type="checkbox"]), textarea, select, dialog') !== null;
}

function keyName({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const isLetter = /^[a-z]$/i.test(key);
  // With Caps Lock a letter alone is a capital, and with Shift a small one.
  const name = isLetter ? key.toLowerCase() : key;
  const shift = shiftKey && (isLetter || key.length > 1) ? 'Shift+' : '';
  return `${ctrlKey || metaKey ? 'Mod+' : ''}${altKey ? 'Alt+' : ''}${shift}${name}`;
}

/** Whether a key can be switched off: a character alone, or one that removes. */
function isSingleKey(keys: string): boolean {
  return /^(?:Shift\+)?.$/u.test(keys) || keys === 'Backspace' || keys === 'Delete';
}

/** The inputs of a review; functions may change at every rendering. */
interface ReviewInput {
  store: HandoffDraftStore;
  singleKeys: boolean;
  needsDecision: boolean;
  onBack: () => void;
  onUndo: ((own: () => void) => void) | undefined;
  onStartPlanning: (snapshot: HandoffSnapshot, sha256: string) => void | Promise<void>;
  onShowEvidence: ((subject: Subject, evidence: Evidence) => void) | undefined;
}

/** A mounted review. */
interface Review {
  root: RefObject<HTMLDivElement | null>;
  parts: ReviewParts;
  last: Announcement;
}

/** State for the lifetime of the screen: open edits, selection, announcements, focus, and the actions on them. */
function useReview(input: ReviewInput): Review {
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
    // The button that led here is gone, and the focus with it: it starts at the heading.
    if (document.activeElement === document.body) root.current?.querySelector<HTMLElement>('.baton-title')?.focus();
  }, []);
  return { root, parts, last };
}

/** The data that only the screen has. */
function createOwn(): Pick<ReviewParts, 'filter' | 'fileNotes' | 'focused'> {
  return {
    filter: createStore<string>(() => ''),
    fileNotes: createStore<ReadonlyMap<string, FileNote>>(() => new Map()),
    focused: createStore<Subject | null>(() => null),
  };
}
