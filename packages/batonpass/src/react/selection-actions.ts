import type { HandoffDecision } from '../draft/handoff-draft.ts';
import { describeWay, type ReviewActionsInput } from './review-actions-input.ts';
import { nouns, parseKey, type Subject, toKey } from './subjects.ts';
import { isChoosable, listChosen } from './use-selection.ts';

/** What a person does with several entries at once, and with one apart from its text. */
export interface SelectionActions {
  /** Chooses an entry, or no more. */
  choose(subject: Subject): void;
  /** Chooses all of these, of which the last gets the focus. */
  chooseAll(keys: readonly string[]): void;
  clearChoice(): void;
  /** Removes what is chosen as one step; nothing where nothing is. */
  removeChosen(): void;
  /** Makes one decision of those that are chosen, or of these. */
  merge(ids?: readonly string[]): void;
  /** Pins a decision, or unpins it. */
  pin(subject: Subject): void;
}

/** The actions on a selection. */
export function createSelectionActions(input: ReviewActionsInput): SelectionActions {
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

/** Which of several merged decisions is left. */
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
      isPinned ? 'Pinned decision.' : 'The pin is off.',
    );
  };
}
