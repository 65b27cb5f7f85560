import { type KeyboardEvent, type RefObject, useCallback } from 'react';
import { keyCommands } from './review-commands.ts';
import type { ReviewParts } from './review-context.ts';
import { parseKey } from './subjects.ts';
import { keyOf } from './use-kept-focus.ts';

/** What the review listens with. */
export interface ReviewKeysInput {
  root: RefObject<HTMLElement | null>;
  parts: ReviewParts;
  /** Whether letters alone do something: WCAG 2.1.4 asks that they can be switched off. */
  isSingle: boolean;
}

/** The keys of a review: they work with the focus inside of it alone, and never in a field. */
export function useReviewKeys({ root, parts, isSingle }: ReviewKeysInput): (event: KeyboardEvent) => void {
  return useCallback(
    (event: KeyboardEvent) => {
      const panel = root.current;
      const { target } = event;
      if (panel === null || !(target instanceof Element) || isField(target)) return;
      const name = nameOf(event);
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

/** Where letters are written or choose something; a check box takes none. */
function isField(target: Element): boolean {
  return target.closest('input:not([type="checkbox"]), textarea, select, dialog') !== null;
}

function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const isLetter = /^[a-z]$/i.test(key);
  // With the capitals locked a letter alone is a capital, and Shift makes it small.
  const name = isLetter ? key.toLowerCase() : key;
  const shift = shiftKey && (isLetter || key.length > 1) ? 'Shift+' : '';
  return `${ctrlKey || metaKey ? 'Mod+' : ''}${altKey ? 'Alt+' : ''}${shift}${name}`;
}

/** Whether a key is one that can be switched off: a character alone, or one that removes. */
export function isSingleKey(keys: string): boolean {
  return /^(?:Shift\+)?.$/u.test(keys) || keys === 'Backspace' || keys === 'Delete';
}
