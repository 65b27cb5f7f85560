import type { Evidence } from '../core/evidence.ts';
import type { HandoffDraftStoreState } from '../draft/handoff-store.ts';
import { findNeighbourIndex } from './decision-groups.ts';
import { freezeDraft } from './freeze-draft.ts';
import { describeWay, type ReviewActionsInput } from './review-actions-input.ts';
import { createSelectionActions, type SelectionActions } from './selection-actions.ts';
import { evidenceOf, newSubject, nouns, removeSubject, type Subject, toKey } from './subjects.ts';
import { describeFailure } from './use-announcements.ts';
import { listEntries } from './use-selection.ts';

/** How much something matters, or how bad it is. */
export type Level = 'high' | 'medium' | 'low';

/** Everything that a person can do on the review screen, whether by mouse or by key. */
export interface ReviewActions extends SelectionActions {
  edit(subject: Subject): void;
  change(subject: Subject, draft: string): void;
  save(subject: Subject): void;
  cancel(subject: Subject): void;
  /** Announces that a text which changed elsewhere is not overwritten without a choice. */
  askToChoose(): void;
  add(): void;
  remove(subject: Subject): void;
  accept(id: string): void;
  move(id: string, direction: -1 | 1): void;
  setLevel(subject: Subject, level: Level): void;
  undo(): void;
  redo(): void;
  /** Shows an entry's place in the conversation; nothing where that is not known, or the application cannot show it. */
  showEvidence(subject: Subject, evidence?: Evidence): void;
  back(): void;
  /** Saves what is open, freezes, and goes to planning; once, however often it is clicked meanwhile. */
  start(): Promise<void>;
}

/** The actions of one review screen. */
export function createReviewActions(input: ReviewActionsInput): ReviewActions {
  return {
    ...createWording(input),
    ...createListing(input),
    ...createSelectionActions(input),
    ...createHistory(input),
    showEvidence: createShowing(input),
    back: () => input.goBack(),
    start: createStart(input),
  };
}

function createShowing({ store, announcer, showEvidence }: ReviewActionsInput): ReviewActions['showEvidence'] {
  return (subject, evidence = evidenceOf(store.getState(), subject)[0]) => {
    if (evidence === undefined) announcer.say('Nothing is quoted for it.');
    else showEvidence?.(subject, evidence);
  };
}

type Wording = Pick<ReviewActions, 'edit' | 'change' | 'save' | 'cancel' | 'askToChoose' | 'add'>;

function createWording({ store, edits, announcer, focus }: ReviewActionsInput): Wording {
  const edit = (subject: Subject) => {
    edits.begin(subject);
    focus.send(toKey(subject));
  };
  return {
    edit,
    change: (subject, draft) => edits.change(subject, draft),
    save(subject) {
      const noun = nouns[subject.kind];
      const before = store.getState();
      let isSaved = true;
      focus.remember();
      const isDone = announcer.attempt(
        () => {
          isSaved = edits.save(subject);
        },
        subject.kind === 'new' ? `Added ${noun}.` : `Changed ${noun}.`,
      );
      if (!isSaved) announcer.fail(`A ${noun} needs a text. Write one, or cancel.`);
      else if (isDone && store.getState() === before) announcer.say('Nothing changed: these words are there already.');
    },
    cancel(subject) {
      focus.remember();
      edits.cancel(subject);
      announcer.say('Edit cancelled.');
    },
    askToChoose: () =>
      announcer.fail('Not changed yet: somebody else changed this text. Press “Keep mine” or “Take theirs”.'),
    add: () => edit(newSubject),
  };
}

type Listing = Pick<ReviewActions, 'remove' | 'accept' | 'move' | 'setLevel'>;

function createListing(input: ReviewActionsInput): Listing {
  const { store, edits, announcer, focus } = input;
  const way = describeWay(input);
  return {
    remove(subject) {
      focus.remember();
      edits.cancel(subject);
      announcer.attempt(() => removeSubject(store, subject), `Removed ${nouns[subject.kind]}. ${way}`);
    },
    accept(id) {
      const found = store.getState().decisions.find((each) => each.id === id);
      if (found === undefined) return;
      const rest = store.getState().decisions.filter((each) => each.fromPlanning === true && each.id !== id);
      focus.send(toKey({ kind: 'decision', id: rest[0]?.id ?? id }));
      announcer.attempt(() => store.getState().addDecision(found.content, 'user-pinned'), `Accepted decision. ${way}`);
    },
    move(id, direction) {
      const { decisions } = store.getState();
      const index = findNeighbourIndex(decisions, id, direction);
      if (index === null) return announcer.say(direction === -1 ? 'Already the first.' : 'Already the last.');
      focus.send(toKey({ kind: 'decision', id }));
      announcer.attempt(
        () => store.getState().moveDecision(id, index),
        `Moved decision to place ${index + 1} of ${decisions.length}.`,
      );
    },
    setLevel({ kind, id }, level) {
      announcer.attempt(() => {
        if (kind === 'file') store.getState().updateFileRef(id, { relevance: level });
        if (kind === 'risk') store.getState().updateRisk(id, { severity: level });
      }, `Set to ${level}.`);
    },
  };
}

function createHistory({
  store,
  announcer,
  focus,
  undoLast,
}: ReviewActionsInput): Pick<ReviewActions, 'undo' | 'redo'> {
  const go = (step: 'undo' | 'redo') => {
    const before = listStored(store.getState());
    focus.remember();
    const isPossible = step === 'undo' ? store.getState().canUndo : store.getState().canRedo;
    if (!isPossible) return announcer.say(`Nothing to ${step}.`);
    if (!announcer.attempt(() => store.getState()[step](), step === 'undo' ? 'Undone.' : 'Done again.')) return;
    const known = new Set(before);
    const restored = listStored(store.getState()).find((key) => !known.has(key));
    if (restored !== undefined) focus.send(restored);
  };
  const own = () => go('undo');
  return { undo: () => (undoLast === null ? own() : undoLast(own)), redo: () => go('redo') };
}

function listStored(state: HandoffDraftStoreState): string[] {
  return listEntries(state).map(toKey);
}

function createStart({
  store,
  edits,
  announcer,
  focus,
  needsDecision,
  startPlanning,
}: ReviewActionsInput): () => Promise<void> {
  let isStarting = false;
  return async () => {
    if (isStarting) return;
    isStarting = true;
    try {
      const open = edits.saveAll();
      if (open !== null) {
        focus.send(toKey(open));
        return announcer.fail('This text is not saved yet: save or cancel it, then start planning.');
      }
      if (needsDecision && store.getState().decisions.length === 0) return;
      const { snapshot, sha256 } = freezeDraft(store);
      await startPlanning(snapshot, sha256);
    } catch (error) {
      announcer.fail(describeFailure(error));
    } finally {
      isStarting = false;
    }
  };
}
