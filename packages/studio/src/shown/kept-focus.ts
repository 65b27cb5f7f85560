import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Keeps the focus within a list whose lines change: when the focused line is removed, the focus goes to the line in its
 * place, else to the last one, else to the heading.
 *
 * @param lines - selects the lines, each with at least one control.
 */
export function useFocusInList(root: RefObject<HTMLElement | null>, lines: string): void {
  const held = useRef<{ element: Element; place: number } | null>(null);
  useLayoutEffect(() => {
    const note = ({ target }: FocusEvent) => {
      const all = [...(root.current?.querySelectorAll(lines) ?? [])];
      const place = all.findIndex((line) => line.contains(target as Node));
      held.current = place === -1 ? null : { element: target as Element, place };
    };
    addEventListener('focusin', note);
    return () => removeEventListener('focusin', note);
  }, [root, lines]);
  useLayoutEffect(() => {
    if (held.current === null || held.current.element.isConnected) return;
    const { place } = held.current;
    held.current = null;
    if (document.activeElement !== document.body) return;
    const all = root.current?.querySelectorAll(lines) ?? [];
    const next = all[Math.min(place, all.length - 1)]?.querySelector<HTMLElement>('a, button, textarea');
    (next ?? root.current?.querySelector<HTMLElement>('[tabindex="-1"]'))?.focus();
  });
}
