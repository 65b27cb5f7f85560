import { type KeyboardEvent, type RefObject, useCallback } from 'react';
import type { Level, ReviewActions } from './review-actions.ts';
import { parseKey, type Subject } from './subjects.ts';
import { findPlace, keyOf, listKeys } from './use-kept-focus.ts';

/** One line of the help: what is pressed, and what it does. */
export interface KeyLine {
  keys: string;
  does: string;
}

/** The single keys of the review, as its help lists them. */
export const singleKeyLines: readonly KeyLine[] = [
  { keys: 'J  K', does: 'next, previous' },
  { keys: '[  ]', does: 'previous, next list' },
  { keys: 'E', does: 'edit' },
  { keys: 'Backspace  #', does: 'remove' },
  { keys: 'A', does: 'add a decision' },
  { keys: '1  2  3', does: 'high, medium, low' },
  { keys: 'Z  Shift+Z', does: 'undo, redo' },
];

/** The keys that work whether single keys are on or off. */
export const otherKeyLines: readonly KeyLine[] = [
  { keys: 'Enter', does: 'edit the focused entry' },
  { keys: 'Alt+↑  Alt+↓', does: 'move a decision' },
  { keys: 'Ctrl+Z  Ctrl+Shift+Z', does: 'undo, redo' },
  { keys: 'Ctrl+Enter', does: 'start planning' },
];

/** What a key does to the screen around it. */
type Command = (place: { actions: ReviewActions; panel: HTMLElement; key: string; subject: Subject | null }) => void;

const levels: Readonly<Record<string, Level>> = { 1: 'high', 2: 'medium', 3: 'low' };

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

const remove = onEntry((actions, subject) => {
  if (subject.kind !== 'summary') actions.remove(subject);
});

const setLevel = (digit: string): Command =>
  onEntry((actions, subject) => {
    const level = levels[digit];
    if (level !== undefined && (subject.kind === 'file' || subject.kind === 'risk')) actions.setLevel(subject, level);
  });

const singleKeys: Readonly<Record<string, Command>> = {
  j: step(1),
  k: step(-1),
  '[': leap(-1),
  ']': leap(1),
  e: onEntry((actions, subject) => actions.edit(subject)),
  Backspace: remove,
  Delete: remove,
  '#': remove,
  a: ({ actions }) => actions.add(),
  1: setLevel('1'),
  2: setLevel('2'),
  3: setLevel('3'),
};

/** What the review listens with. */
export interface ReviewKeysInput {
  root: RefObject<HTMLElement | null>;
  actions: ReviewActions;
  /** Whether letters alone do something: WCAG 2.1.4 asks that they can be switched off. */
  isSingle: boolean;
}

/** The keys of a review: they work with the focus inside of it alone, and never in a field. */
export function useReviewKeys({ root, actions, isSingle }: ReviewKeysInput): (event: KeyboardEvent) => void {
  return useCallback(
    (event: KeyboardEvent) => {
      const panel = root.current;
      const { target } = event;
      if (panel === null || !(target instanceof Element) || target.closest('input, textarea, select') !== null) return;
      const command = findCommand(event, target, isSingle);
      if (command === undefined) return;
      event.preventDefault();
      const key = keyOf(target);
      command({ actions, panel, key, subject: parseKey(key) });
    },
    [root, actions, isSingle],
  );
}

function findCommand(event: KeyboardEvent, target: Element, isSingle: boolean): Command | undefined {
  const { key, altKey, shiftKey } = event;
  // With the capitals locked a letter alone is a capital, and Shift makes it small.
  const letter = key.length === 1 ? key.toLowerCase() : key;
  const travel: Command = ({ actions }) => (shiftKey ? actions.redo() : actions.undo());
  if (altKey) return findMove(key);
  if (event.ctrlKey || event.metaKey) {
    if (key === 'Enter' && !event.repeat) return ({ actions }) => void actions.start();
    return letter === 'z' ? travel : undefined;
  }
  const isCard = target.hasAttribute('data-baton-item');
  if (isCard && key === 'Enter') return onEntry((actions, subject) => actions.edit(subject));
  if (isCard && key === 'ArrowDown') return step(1);
  if (isCard && key === 'ArrowUp') return step(-1);
  if (!isSingle) return undefined;
  return letter === 'z' ? travel : Object.hasOwn(singleKeys, letter) ? singleKeys[letter] : undefined;
}

function findMove(key: string): Command | undefined {
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined;
  return onEntry((actions, { kind, id }) => {
    if (kind === 'decision') actions.move(id, key === 'ArrowUp' ? -1 : 1);
  });
}
