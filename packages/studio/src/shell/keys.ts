import { type KeyboardEvent as ReactKeyboardEvent, useLayoutEffect, useRef } from 'react';
import { createStore } from 'zustand/vanilla';
import { preferences } from './preferences.ts';

/** One command of a key: the help, the palette and the keyboard use the same list. */
export interface KeyBinding {
  /** As `KeyboardEvent.key` names it, as `j`, `Enter`, `Mod+k` (Ctrl, on a Mac also Command) or two in a row: `g i`. */
  keys: string;
  /** What it does, as the help shows it. */
  does: string;
  run: () => void;
}

/** The bindings of one part of the screen. */
interface KeyGroup {
  title: string;
  bindings: readonly KeyBinding[];
}

/** Every binding that works now, the newest group last. */
export const keyGroups = createStore<{ groups: readonly KeyGroup[] }>(() => ({ groups: [] }));

/**
 * Registers keys for as long as a component is shown. A newer group has precedence over an older one. Single letters
 * can be switched off, and no binding acts in a field or a dialog.
 */
export function useKeys(title: string, bindings: readonly KeyBinding[]): void {
  const latest = useRef(bindings);
  latest.current = bindings;
  const shape = bindings.map(({ keys, does }) => `${keys}\t${does}`).join('\n');
  // Before paint: a key that is pressed right after it must act on what is visible.
  useLayoutEffect(() => {
    const group = {
      title,
      bindings:
        shape === '' ? [] : shape.split('\n').map((line, index) => bindingOf(line, () => latest.current[index]?.run())),
    };
    keyGroups.setState(({ groups }) => ({ groups: [...groups, group] }));
    return () => keyGroups.setState(({ groups }) => ({ groups: groups.filter((each) => each !== group) }));
  }, [title, shape]);
}

function bindingOf(line: string, run: () => void): KeyBinding {
  const [keys = '', does = ''] = line.split('\t');
  return { keys, does, run };
}

/** The time limit for the second key of two. */
const SEQUENCE_MS = 1_500;

let first = '';
let first_at_ms = 0;

/** Listens to the keyboard for the whole page. */
export function listenToKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || isElsewhere(event)) return;
    const name = keyName(event);
    const isSequence = first !== '' && event.timeStamp - first_at_ms < SEQUENCE_MS;
    const found = (isSequence ? find(`${first} ${name}`) : undefined) ?? find(name);
    first = '';
    if (found !== undefined) {
      event.preventDefault();
      found.run();
    } else if (startsOne(name)) {
      [first, first_at_ms] = [name, event.timeStamp];
    }
  });
}

/**
 * In an open dialog keys belong to it, and in a field too: there Ctrl with a letter is the field's own, except to find
 * a command. A check box takes no letters: after a click on one the keys still work.
 */
function isElsewhere(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof Element)) return false;
  if (target.closest('dialog[open]') !== null) return true;
  return keyName(event) !== 'Mod+k' && target.closest('input:not([type="checkbox"]), textarea, select') !== null;
}

function keyName({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const isLetter = /^[a-z]$/i.test(key);
  // With Caps Lock a letter alone is a capital.
  const name = isLetter ? key.toLowerCase() : key;
  const shift = shiftKey && (isLetter || key.length > 1) ? 'Shift+' : '';
  return `${ctrlKey || metaKey ? 'Mod+' : ''}${altKey ? 'Alt+' : ''}${shift}${name}`;
}

function find(name: string): KeyBinding | undefined {
  if (isSingle(name) && !preferences.getState().hasSingleKeys) return undefined;
  const { groups } = keyGroups.getState();
  return groups.flatMap(({ bindings }) => bindings).findLast(({ keys }) => keys === name);
}

function startsOne(name: string): boolean {
  const { groups } = keyGroups.getState();
  return groups.some(({ bindings }) => bindings.some(({ keys }) => keys.startsWith(`${name} `)));
}

/** Runs the move of a key in a list that handles its own keys; with Ctrl, Alt or ⌘ a key is not the list's. */
export function runMove(
  event: ReactKeyboardEvent,
  moves: Readonly<Record<string, () => void>>,
  name: string = event.key,
): void {
  const move = Object.hasOwn(moves, name) ? moves[name] : undefined;
  if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  move();
}

/** WCAG 2.1.4: keys that are one character, without Ctrl or Alt, can be switched off. */
export function isSingle(keys: string): boolean {
  return /^(?:Shift\+)?.(?: .)?$/u.test(keys);
}
