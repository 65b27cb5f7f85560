import type { Virtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { runMove, useKeys } from '../../shell/keys.ts';
import { navigate } from '../../shell/router.ts';
import type { RowPages } from './row-pages.ts';
import type { Selected } from './selection.ts';

let lastOpened: string | undefined;

/** Opens a handoff's own page, and remembers its id. */
export function openHandoff(id: string): void {
  lastOpened = id;
  navigate(`/h/${id}`);
}

/** The handoff that was opened last, once: after the return to its row the user moves on freely. */
function takeLastOpened(): string | undefined {
  const id = lastOpened;
  lastOpened = undefined;
  return id;
}

/** The list that the focus moves in. */
interface RowMovesInput {
  pages: RowPages;
  /** How many rows are known. */
  count: number;
  /** The position of the focus, now or last; -1 before the first. */
  last: RefObject<number>;
  onActive: (id: string | undefined) => void;
  scroller: RefObject<HTMLDivElement | null>;
  virtual: Virtualizer<HTMLDivElement, Element>;
  selected: Selected;
}

/** Functions that move the focus, for other components. */
export interface RowMoves {
  /** To the row after a settled one, else to the one before it, else to the heading. */
  focusAfter: (id: string) => void;
  /** To the first row; scrolls the list to its start. */
  focusFirst: () => void;
}

/** Focuses a row, also one that is not rendered yet. */
function useRowFocus({ pages, count, last, onActive, scroller, virtual }: RowMovesInput) {
  const wanted = useRef<number | null>(null);
  const place = Math.max(0, Math.min(last.current, count - 1));
  const focus = (index: number) => {
    const bounded = Math.max(0, Math.min(index, count - 1));
    wanted.current = bounded;
    last.current = bounded;
    const row = pages.at(bounded);
    virtual.scrollToIndex(bounded);
    onActive(row?.id);
    focusRow();
  };
  // A row out of view is rendered later, and may be loaded later still.
  const focusRow = () => {
    if (wanted.current === null) return;
    const element = scroller.current?.querySelector<HTMLElement>(`[aria-rowindex="${wanted.current + 1}"]`);
    if (pages.at(wanted.current) !== undefined && element) wanted.current = null;
    element?.focus({ preventScroll: true });
  };
  useLayoutEffect(focusRow);
  const back = useRef(() => {});
  back.current = () => {
    const id = takeLastOpened();
    const index = id === undefined ? -1 : pages.indexOf(id);
    if (index !== -1) focus(index);
  };
  // After a handoff's page the focus returns to its row.
  useEffect(() => back.current(), []);
  // A row that is loaded late does not take the focus from another element.
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null && !scroller.current?.contains(relatedTarget)) wanted.current = null;
  };
  const onFocus = ({ target }: FocusEvent) => {
    if (target.ariaRowIndex !== String((wanted.current ?? 0) + 1)) wanted.current = null;
  };
  return { place, focus, onBlur, onFocus };
}

/** Moves the focus from row to row, and selects by keys. */
export function useRowMoves(input: RowMovesInput) {
  const { pages, count, last, virtual, selected } = input;
  const { place, focus, onBlur, onFocus } = useRowFocus(input);
  const step = (by: number) => focus(last.current === -1 ? 0 : place + by);
  const extend = (by: number) => {
    const here = pages.at(place);
    const there = pages.at(Math.max(0, Math.min(place + by, count - 1)));
    selected.add(...[here, there].filter((row) => row !== undefined));
    step(by);
  };
  const toggle = () => {
    const row = pages.at(place);
    if (row !== undefined && last.current !== -1) selected.toggle(row);
  };
  const open = () => {
    const row = pages.at(last.current);
    if (row !== undefined) openHandoff(row.id);
  };
  useKeys('Rows', [
    { keys: 'j', does: 'next row', run: () => step(1) },
    { keys: 'k', does: 'previous row', run: () => step(-1) },
    { keys: 'o', does: 'open the row', run: open },
    { keys: 'x', does: 'select the row', run: toggle },
    { keys: 'Shift+j', does: 'extend the selection to the next row', run: () => extend(1) },
    { keys: 'Shift+k', does: 'extend the selection to the previous row', run: () => extend(-1) },
    { keys: 'Mod+a', does: 'select all that match', run: () => selected.all() },
    { keys: 'Escape', does: 'select nothing', run: () => selected.clear() },
  ]);
  const inSight = Math.max(1, virtual.getVirtualItems().length - 14);
  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    'Shift+ArrowDown': () => extend(1),
    'Shift+ArrowUp': () => extend(-1),
    PageDown: () => step(inSight),
    PageUp: () => step(-inSight),
    Home: () => focus(0),
    End: () => focus(count - 1),
    Enter: open,
    ' ': toggle,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // A button or a check box within a row has its own keys.
    if (event.target !== document.activeElement?.closest('[role="row"]')) return;
    runMove(event, moves, event.shiftKey ? `Shift+${event.key}` : event.key);
  };
  const focusAfter = (id: string) => {
    const index = pages.indexOf(id);
    if (index + 1 < count) focus(index + 1);
    else if (index > 0) focus(index - 1);
    else document.querySelector<HTMLElement>('.inbox h1')?.focus();
  };
  return { place, on: { onKeyDown, onBlur, onFocus }, focusAfter, focusFirst: () => focus(0) };
}
