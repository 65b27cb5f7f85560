import type { HandoffSnapshot } from '../brainstorm/draft/handoff-draft.ts';
import type { HandoffDraftStore, HandoffDraftStoreState } from '../brainstorm/draft/handoff-store.ts';
import { findNeighbourIndex } from './decision-groups.ts';
import { freezeDraft } from './freeze-draft.ts';
import { newSubject, nouns, removeSubject, type Subject, toKey } from './subjects.ts';
import { type Announcer, describeFailure } from './use-announcements.ts';
import type { Edits } from './use-edits.ts';
import type { KeptFocus } from './use-kept-focus.ts';

/** How much something matters, or how bad it is. */
export type Level = 'high' | 'medium' | 'low';

/** Everything that a person can do on the review screen, whether by mouse or by key. */
export interface ReviewActions {
  edit(subject: Subject): void;
  change(subject: Subject, draft: string): void;
  save(subject: Subject): void;
  cancel(subject: Subject): void;
  add(): void;
  remove(subject: Subject): void;
  accept(id: string): void;
  move(id: string, direction: -1 | 1): void;
  setLevel(subject: Subject, level: Level): void;
  undo(): void;
  redo(): void;
  /** Saves what is open, freezes, and goes to planning; once, however often it is clicked meanwhile. */
  start(): Promise<void>;
}

/** What the actions work with: all of it stays the same while the screen is shown. */
export interface ReviewActionsInput {
  store: HandoffDraftStore;
  edits: Edits;
  announcer: Announcer;
  focus: KeptFocus;
  singleKeys: boolean;
  /** What the application does with what was frozen. */
  startPlanning: (snapshot: HandoffSnapshot, sha256: string) => void | Promise<void>;
}

/** The actions of one review screen. */
export function createReviewActions(input: ReviewActionsInput): ReviewActions {
  return { ...createWording(input), ...createListing(input), ...createHistory(input), start: createStart(input) };
}

type Wording = Pick<ReviewActions, 'edit' | 'change' | 'save' | 'cancel' | 'add'>;

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
        subject.kind === 'new' ? `Added ${noun}.` : `Saved ${noun}.`,
      );
      if (!isSaved) announcer.fail(`A ${noun} needs a text. Write one, or cancel.`);
      else if (isDone && store.getState() === before) announcer.say('Nothing changed: these words are there already.');
    },
    cancel(subject) {
      focus.remember();
      edits.cancel(subject);
      announcer.say('Edit cancelled.');
    },
    add: () => edit(newSubject),
  };
}

type Listing = Pick<ReviewActions, 'remove' | 'accept' | 'move' | 'setLevel'>;

function createListing({ store, edits, announcer, focus, singleKeys }: ReviewActionsInput): Listing {
  const way = singleKeys ? 'Undo with Z.' : 'Undo with the button below.';
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

function createHistory({ store, announcer, focus }: ReviewActionsInput): Pick<ReviewActions, 'undo' | 'redo'> {
  const go = (step: 'undo' | 'redo') => {
    const before = listStored(store.getState());
    focus.remember();
    const isPossible = step === 'undo' ? store.getState().canUndo : store.getState().canRedo;
    if (!isPossible) return announcer.say(`Nothing to ${step}.`);
    if (!announcer.attempt(() => store.getState()[step](), step === 'undo' ? 'Undone.' : 'Done again.')) return;
    const restored = listStored(store.getState()).find((key) => !before.includes(key));
    if (restored !== undefined) focus.send(restored);
  };
  return { undo: () => go('undo'), redo: () => go('redo') };
}

function listStored({ decisions, filesReferenced, risks }: HandoffDraftStoreState): string[] {
  return [
    ...decisions.map(({ id }) => toKey({ kind: 'decision', id })),
    ...filesReferenced.map(({ id }) => toKey({ kind: 'file', id })),
    ...risks.map(({ id }) => toKey({ kind: 'risk', id })),
  ];
}

function createStart({ store, edits, announcer, focus, startPlanning }: ReviewActionsInput): () => Promise<void> {
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
      if (store.getState().decisions.length === 0) return;
      const { snapshot, sha256 } = freezeDraft(store);
      await startPlanning(snapshot, sha256);
    } catch (error) {
      announcer.fail(describeFailure(error));
    } finally {
      isStarting = false;
    }
  };
}
