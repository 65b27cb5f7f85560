import { type RefObject, useLayoutEffect } from 'react';
import type { Level, ReviewActions } from './review-actions.ts';
import type { ReviewParts } from './review-context.ts';
import { parseKey, type Subject, toKey } from './subjects.ts';
import { findPlace, listKeys } from './use-kept-focus.ts';

/** One command of a key on the review, for an application's help and palette. */
export interface ReviewCommand {
  /** As `KeyboardEvent.key` names it, in lower case, after `Mod+` (Ctrl, on a Mac also Command), `Alt+` and `Shift+`. */
  keys: string;
  does: string;
  run: () => void;
}

/** What a key does to the screen around it. */
type Command = (place: CommandPlace) => void;

/** Where a key was pressed. */
interface CommandPlace {
  actions: ReviewActions;
  panel: HTMLElement;
  key: string;
  subject: Subject | null;
  /** Whether anything is selected. */
  hasChoice: boolean;
}

const step =
  (by: -1 | 1): Command =>
  ({ panel, key }) => {
    const keys = listKeys(panel);
    const index = keys.indexOf(key);
    const next = index === -1 ? keys[by === 1 ? 0 : keys.length - 1] : keys[index + by];
    if (next !== undefined) findPlace(panel, next)?.focus();
  };

const leap =
  (by: -1 | 1): Command =>
  ({ panel, key, subject }) => {
    const keys = listKeys(panel);
    const kinds = [...new Set(keys.map((each) => parseKey(each)?.kind))];
    const kind = kinds[kinds.indexOf(subject?.kind) + by];
    const next = keys.find((each) => parseKey(each)?.kind === kind);
    if (next !== undefined && next !== key) findPlace(panel, next)?.focus();
  };

const onEntry =
  (act: (actions: ReviewActions, subject: Subject) => void): Command =>
  ({ actions, subject }) => {
    if (subject !== null) act(actions, subject);
  };

/** The selection comes before the focused entry. */
const remove: Command = ({ actions, subject, hasChoice }) => {
  if (hasChoice) actions.removeChosen();
  else if (subject !== null && subject.kind !== 'summary') actions.remove(subject);
};

/** Selects the entry and the next one, and focuses that. */
const extend =
  (by: -1 | 1): Command =>
  (place) => {
    const { panel, key, actions } = place;
    const keys = listKeys(panel);
    const next = keys[keys.indexOf(key) + by];
    actions.chooseAll(next === undefined ? [key] : [key, next]);
    step(by)(place);
  };

const toFilter: Command = ({ panel }) => panel.querySelector<HTMLElement>('[data-baton-filter]')?.focus();

const chooseAll: Command = ({ actions, panel }) => actions.chooseAll(listKeys(panel));

const leave: Command = ({ actions, hasChoice }) => (hasChoice ? actions.clearChoice() : actions.back());

const setLevel = (level: Level): Command =>
  onEntry((actions, subject) => {
    if (subject.kind === 'file' || subject.kind === 'risk') actions.setLevel(subject, level);
  });

const move = (by: -1 | 1): Command =>
  onEntry((actions, { kind, id }) => {
    if (kind === 'decision') actions.move(id, by);
  });

/** A key of the review. */
interface KeyCommand {
  keys: string;
  does: string;
  command: Command;
  /** `card`: with the focus on an entry itself. `entry`: it needs one. Otherwise anywhere. */
  where?: 'card' | 'entry';
}

const undo: Command = ({ actions }) => actions.undo();
const redo: Command = ({ actions }) => actions.redo();
const edit = onEntry((actions, subject) => actions.edit(subject));

/** Every key of the review: the keyboard, the help and an application's palette use this list. */
export const keyCommands: readonly KeyCommand[] = [
  { keys: 'j', does: 'next entry', command: step(1) },
  { keys: 'ArrowDown', does: 'next entry', command: step(1), where: 'card' },
  { keys: 'k', does: 'previous entry', command: step(-1) },
  { keys: 'ArrowUp', does: 'previous entry', command: step(-1), where: 'card' },
  { keys: '[', does: 'previous list', command: leap(-1) },
  { keys: ']', does: 'next list', command: leap(1) },
  { keys: '/', does: 'filter the entries', command: toFilter },
  { keys: 'e', does: 'edit', command: edit, where: 'entry' },
  { keys: 'Enter', does: 'edit', command: edit, where: 'card' },
  { keys: 'a', does: 'add a decision', command: ({ actions }) => actions.add() },
  {
    keys: 'p',
    does: 'pin or unpin a decision',
    command: onEntry((actions, subject) => actions.pin(subject)),
    where: 'entry',
  },
  { keys: '1', does: 'high', command: setLevel('high'), where: 'entry' },
  { keys: '2', does: 'medium', command: setLevel('medium'), where: 'entry' },
  { keys: '3', does: 'low', command: setLevel('low'), where: 'entry' },
  {
    keys: 'v',
    does: 'show where it was said',
    command: onEntry((actions, subject) => actions.showEvidence(subject)),
    where: 'entry',
  },
  { keys: 'x', does: 'select', command: onEntry((actions, subject) => actions.choose(subject)), where: 'entry' },
  { keys: 'Shift+j', does: 'select further down', command: extend(1), where: 'entry' },
  { keys: 'Shift+k', does: 'select further up', command: extend(-1), where: 'entry' },
  { keys: 'Mod+a', does: 'select all', command: chooseAll },
  { keys: 'm', does: 'merge the selected decisions', command: ({ actions }) => actions.merge(), where: 'entry' },
  { keys: '#', does: 'remove it, or all that is selected', command: remove, where: 'entry' },
  { keys: 'Backspace', does: 'remove it, or all that is selected', command: remove, where: 'entry' },
  { keys: 'Delete', does: 'remove it, or all that is selected', command: remove, where: 'entry' },
  { keys: 'Alt+ArrowUp', does: 'move a decision up', command: move(-1), where: 'entry' },
  { keys: 'Alt+ArrowDown', does: 'move a decision down', command: move(1), where: 'entry' },
  { keys: 'z', does: 'undo', command: undo },
  { keys: 'Mod+z', does: 'undo', command: undo },
  { keys: 'Shift+z', does: 'redo', command: redo },
  { keys: 'Mod+Shift+z', does: 'redo', command: redo },
  { keys: 'Escape', does: 'select nothing, else back to the brainstorm', command: leave },
  { keys: 'Mod+Enter', does: 'start planning', command: ({ actions }) => void actions.start() },
];

/** The inputs of a report to the application: where the keys work, and on what. */
interface CommandsInput {
  root: RefObject<HTMLElement | null>;
  parts: ReviewParts;
  onCommands: ((commands: readonly ReviewCommand[]) => void) | undefined;
  /** Whether undo is the application's: then the application lists it. */
  hasUndo: boolean;
}

/** Reports the keys' commands to the application; each runs on the entry that had the focus last. */
export function useCommands({ root, parts, onCommands, hasUndo }: CommandsInput): void {
  useLayoutEffect(() => {
    const { actions, selection, focused } = parts;
    const run = ({ command, where }: KeyCommand) => {
      const panel = root.current;
      if (panel === null) return;
      const subject = focused.getState();
      const key = subject === null ? 'review:' : toKey(subject);
      // A key that is pressed outside of the entries first focuses one: nothing is changed out of view.
      if (where !== undefined) findPlace(panel, key)?.focus();
      const isThere = where === undefined || panel.contains(document.activeElement);
      if (isThere) command({ actions, panel, key, subject, hasChoice: selection.chosen.getState().size > 0 });
    };
    const named = keyCommands.filter(
      ({ where, keys, command }) =>
        where !== 'card' && (parts.hasEvidence || keys !== 'v') && !(hasUndo && command === undo),
    );
    onCommands?.(named.map((each) => ({ keys: each.keys, does: each.does, run: () => afterDialog(() => run(each)) })));
  }, [root, parts, onCommands, hasUndo]);
}

/** A command of a palette runs after the palette is closed: nothing below it can have the focus before. */
function afterDialog(run: () => void): void {
  if (document.activeElement?.closest('dialog') === null) run();
  else requestAnimationFrame(run);
}
