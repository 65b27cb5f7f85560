import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import type { HandoffDraftStore } from '../draft/draft-store.ts';

/** Where the keyboard's focus goes when the focused element was removed or moved. */
export interface KeptFocus {
  /** Remembers where the focus is, before an update that may remove its element. */
  remember(): void;
  /** Moves the focus to this key's editor, card or heading after the next rendering. */
  send(key: string): void;
}

/**
 * Keeps the focus inside of a review. A card has its key in `data-baton-item`, an editor in `data-baton-edit`, a list's
 * heading its kind in `data-baton-heading`. When the focused element is removed, the focus goes to its card, else to the
 * card after it, else to the one before, else to the list's heading; it never falls to the page.
 */
export function useKeptFocus(root: RefObject<HTMLElement | null>, store: HandoffDraftStore): KeptFocus {
  const held = useRef<string | null>(null);
  const wanted = useRef<string | null>(null);
  const shown = useRef<readonly string[]>([]);
  const remember = useCallback(() => {
    const active = document.activeElement;
    held.current = active !== null && root.current?.contains(active) ? keyOf(active) : null;
  }, [root]);
  // The store notifies before the screen is updated: the focused element is still there.
  useLayoutEffect(() => store.subscribe(remember), [store, remember]);
  useLayoutEffect(() => {
    const panel = root.current;
    if (panel === null) return;
    const before = shown.current;
    shown.current = listKeys(panel);
    const isLost = document.activeElement === null || document.activeElement === document.body;
    const key = wanted.current ?? (isLost ? held.current : null);
    held.current = null;
    wanted.current = null;
    if (key !== null) moveFocus(findTarget({ panel, key, before }));
  });
  const send = useCallback((key: string) => {
    wanted.current = key;
  }, []);
  return useMemo(() => ({ remember, send }), [remember, send]);
}

function moveFocus(target: HTMLElement | null): void {
  target?.focus();
  // A browser puts the caret at the start, but the user continues at the end.
  if (target instanceof HTMLTextAreaElement) target.setSelectionRange(target.value.length, target.value.length);
}

/** The key of the card that an element belongs to; outside of cards that of the whole review. */
export function keyOf(element: Element): string {
  return element.closest('[data-baton-item]')?.getAttribute('data-baton-item') ?? 'review:';
}

/** The keys of a review's cards in the order of the screen. */
export function listKeys(panel: HTMLElement): string[] {
  return [...panel.querySelectorAll('[data-baton-item]')].map((card) => keyOf(card));
}

/** The editor of a key, else its card. */
export function findPlace(panel: HTMLElement, key: string): HTMLElement | null {
  const name = CSS.escape(key);
  return panel.querySelector(`[data-baton-edit="${name}"]`) ?? panel.querySelector(`[data-baton-item="${name}"]`);
}

function findTarget({ panel, key, before }: { panel: HTMLElement; key: string; before: readonly string[] }) {
  const place = findPlace(panel, key);
  if (place !== null) return place;
  const kind = key.slice(0, key.indexOf(':'));
  const list = before.filter((each) => each.startsWith(`${kind}:`));
  const index = list.indexOf(key);
  const neighbours = [...list.slice(index + 1), ...list.slice(0, Math.max(0, index)).reverse()];
  for (const neighbour of neighbours) {
    const found = findPlace(panel, neighbour);
    if (found !== null) return found;
  }
  const heading = `[data-baton-heading="${CSS.escape(kind === 'new' ? 'decision' : kind)}"]`;
  return panel.querySelector<HTMLElement>(heading) ?? panel.querySelector<HTMLElement>('[data-baton-heading]');
}
