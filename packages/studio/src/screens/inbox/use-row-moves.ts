import type { Virtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useKeys } from '../../shell/keys.ts';
import { openHandoff, takeLastOpened } from './last-opened.ts';
import type { RowPages } from './row-pages.ts';

/** What the focus moves over. */
interface RowMovesInput {
  pages: RowPages;
  /** How many rows are known. */
  count: number;
  active: string | undefined;
  onActive: (id: string) => void;
  scroller: RefObject<HTMLDivElement | null>;
  virtual: Virtualizer<HTMLDivElement, Element>;
}

/** Moves the focus from row to row, also to one that has no element yet. */
export function useRowMoves({ pages, count, active, onActive, scroller, virtual }: RowMovesInput) {
  const wanted = useRef<number | null>(null);
  const place = active === undefined ? 0 : Math.max(0, pages.indexOf(active));
  const focus = (index: number) => {
    const bounded = Math.max(0, Math.min(index, count - 1));
    wanted.current = bounded;
    const row = pages.at(bounded);
    virtual.scrollToIndex(bounded);
    if (row !== undefined) onActive(row.id);
    focusRow(scroller.current, wanted);
  };
  // A row that was out of sight has its element only after this.
  useLayoutEffect(() => focusRow(scroller.current, wanted));
  const back = useRef(() => {});
  back.current = () => {
    const id = takeLastOpened();
    const index = id === undefined ? -1 : pages.indexOf(id);
    if (index !== -1) focus(index);
  };
  // Whoever comes back from a handoff goes on at its row.
  useEffect(() => back.current(), []);
  const step = (by: number) => focus(active === undefined ? 0 : place + by);
  const open = () => {
    if (active !== undefined) openHandoff(active);
  };
  useKeys('Rows', [
    { keys: 'j', does: 'next row', run: () => step(1) },
    { keys: 'k', does: 'previous row', run: () => step(-1) },
    { keys: 'o', does: 'open the row', run: open },
  ]);
  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    PageDown: () => step(10),
    PageUp: () => step(-10),
    Home: () => focus(0),
    End: () => focus(count - 1),
    Enter: open,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined;
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move();
  };
  return { place, onKeyDown };
}

function focusRow(scroller: HTMLElement | null, wanted: { current: number | null }): void {
  if (wanted.current === null) return;
  const element = scroller?.querySelector<HTMLElement>(`[aria-rowindex="${wanted.current + 1}"]`);
  if (element === null || element === undefined) return;
  wanted.current = null;
  element.focus({ preventScroll: true });
}
