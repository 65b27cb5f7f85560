import type { Evidence } from '../core/evidence.ts';
import type { HandoffDraftStore, HandoffDraftStoreState } from '../draft/draft-store.ts';
import type { HandoffDecision, HandoffSnapshot } from '../draft/handoff-draft.ts';
import { findNeighbourIndex } from './decision-groups.ts';
import { freezeDraft } from './freeze-draft.ts';
import { evidenceOf, newSubject, nouns, parseKey, removeSubject, type Subject, toKey } from './subjects.ts';
import { type Announcer, describeFailure } from './use-announcements.ts';
import type { Edits } from './use-edits.ts';
import type { KeptFocus } from './use-kept-focus.ts';
import { isChoosable, listChosen, listEntries, type Selection } from './use-selection.ts';

/** A relevance or severity. */
export type Level = 'high' | 'medium' | 'low';

/** Every action of the user on the review screen, by mouse or by key. */
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
  /** Shows an entry's place in the conversation, where that is known and the application can show it. */
  showEvidence(subject: Subject, evidence?: Evidence): void;
  back(): void;
  /** Saves open edits, freezes, and goes to planning; once, however often it is clicked meanwhile. */
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
    if (!announcer.attempt(() => store.getState()[step](), step === 'undo' ? 'Undone.' : 'Redone.')) return;
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

/** The actions on several entries at once, and those on one apart from its text. */
interface SelectionActions {
  /** Selects or deselects an entry. */
  choose(subject: Subject): void;
  /** Selects all of these; the last gets the focus. */
  chooseAll(keys: readonly string[]): void;
  clearChoice(): void;
  /** Removes the selection as one step; does nothing without one. */
  removeChosen(): void;
  /** Merges the selected decisions, or these, into one. */
  merge(ids?: readonly string[]): void;
  /** Pins a decision, or unpins it. */
  pin(subject: Subject): void;
}

/** The actions on a selection. */
function createSelectionActions(input: ReviewActionsInput): SelectionActions {
  return { ...createChoosing(input), ...createBulk(input), pin: createPin(input) };
}

function createChoosing({
  selection,
  announcer,
}: ReviewActionsInput): Pick<SelectionActions, 'choose' | 'chooseAll' | 'clearChoice'> {
  const say = () => announcer.say(`${selection.chosen.getState().size} selected.`);
  return {
    choose(subject) {
      if (!isChoosable(subject)) return;
      const key = toKey(subject);
      selection.choose([key], !selection.chosen.getState().has(key));
      say();
    },
    chooseAll(keys) {
      selection.choose(
        keys.filter((key) => {
          const subject = parseKey(key);
          return subject !== null && isChoosable(subject);
        }),
        true,
      );
      say();
    },
    clearChoice() {
      if (selection.chosen.getState().size === 0) return;
      selection.clear();
      announcer.say('Nothing selected.');
    },
  };
}

function createBulk(input: ReviewActionsInput): Pick<SelectionActions, 'removeChosen' | 'merge'> {
  const { store, edits, announcer, focus, selection } = input;
  return {
    removeChosen() {
      const subjects = listChosen(selection);
      const [only] = subjects;
      if (only === undefined) return;
      focus.remember();
      for (const subject of subjects) edits.cancel(subject);
      const said = subjects.length === 1 ? `Removed ${nouns[only.kind]}.` : `Removed ${subjects.length} entries.`;
      announcer.attempt(
        () => store.getState().removeEntries(subjects.map(({ id }) => id)),
        `${said} ${describeWay(input)}`,
      );
    },
    merge(ids = listChosen(selection, 'decision').map(({ id }) => id)) {
      if (ids.length < 2) return announcer.say('Select two decisions or more to merge them.');
      const { decisions } = store.getState();
      const first = decisions.find(({ id }) => ids.includes(id));
      if (first === undefined) return;
      for (const id of ids) edits.cancel({ kind: 'decision', id });
      const isDone = announcer.attempt(
        () => store.getState().mergeDecisions(ids),
        `Merged ${ids.length} decisions into one. ${describeWay(input)}`,
      );
      if (!isDone) return;
      selection.clear();
      const left = findLeft(store.getState().decisions, ids) ?? first;
      focus.send(toKey({ kind: 'decision', id: left.id }));
    },
  };
}

/** Which of several merged decisions stays. */
function findLeft(decisions: readonly HandoffDecision[], ids: readonly string[]): HandoffDecision | undefined {
  return decisions.find(({ id }) => ids.includes(id));
}

function createPin({ store, announcer, focus }: ReviewActionsInput): SelectionActions['pin'] {
  return ({ kind, id }) => {
    const decision = store.getState().decisions.find((each) => each.id === id);
    if (kind !== 'decision' || decision === undefined) return;
    const isPinned = decision.source !== 'user-pinned';
    focus.send(toKey({ kind, id }));
    announcer.attempt(
      () => store.getState().pinDecision(id, isPinned),
      isPinned ? 'Pinned decision.' : 'Unpinned decision.',
    );
  };
}

/** The inputs of the actions: all of them stay the same while the screen is shown. */
interface ReviewActionsInput {
  store: HandoffDraftStore;
  edits: Edits;
  announcer: Announcer;
  focus: KeptFocus;
  selection: Selection;
  singleKeys: boolean;
  /** Whether the next step needs a decision. */
  needsDecision: boolean;
  showEvidence: ((subject: Subject, evidence: Evidence) => void) | null;
  goBack: () => void;
  /** The application's own undo, called with the draft's; null where only the draft's exists. */
  undoLast: ((own: () => void) => void) | null;
  /** Called with the frozen draft. */
  startPlanning: (snapshot: HandoffSnapshot, sha256: string) => void | Promise<void>;
}

/** How to undo, as a hint. */
function describeWay({ singleKeys }: Pick<ReviewActionsInput, 'singleKeys'>): string {
  return singleKeys ? 'Undo with Z.' : 'Undo with the button below.';
}
