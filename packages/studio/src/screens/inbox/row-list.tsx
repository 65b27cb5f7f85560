import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { useNow } from '../../shown/age.tsx';
import { HandoffRow, type RowHandlers, SkeletonRow } from './handoff-row.tsx';
import type { RowPages, RowsState } from './row-pages.ts';
import { isSelected, type Selected } from './selection.ts';
import { openHandoff, type RowMoves, useRowMoves } from './use-row-moves.ts';
import { useSignsOfLife } from './use-signs-of-life.ts';
import { undoRow } from './verdicts.ts';

const ROW_PIXELS = 40;

/** Rows that are rendered above and below the visible ones. */
const OVERSCAN = 6;

interface RowListProps {
  pages: RowPages;
  state: RowsState;
  title: string;
  selected: Selected;
  /** Called with the handoff whose row has the focus, or had it last. */
  onActive: (id: string | undefined) => void;
  /** Receives the functions that move the focus. */
  moves: { current: RowMoves | undefined };
}

/** The visible rows of a list of any length: one tab stop, moved by arrows and letters. */
export function RowList({ pages, state, title, selected, onActive, moves }: RowListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const now_ms = useNow();
  const selection = useStore(selected.store);
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: state.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PIXELS,
    overscan: OVERSCAN,
  });
  const shown = virtual.getVirtualItems();
  const [first, last] = [shown[0]?.index ?? 0, shown.at(-1)?.index ?? 0];
  useEffect(() => pages.need(first, last), [pages, first, last, state]);
  useSignsOfLife(pages, state, [first, last]);
  const lastPlace = useRef(-1);
  const input = { pages, count: state.count, last: lastPlace, onActive, scroller, virtual, selected };
  const { place, on: acts, ...ways } = useRowMoves(input);
  useEffect(() => {
    moves.current = ways;
  });
  const on = useMemo<RowHandlers>(
    () => ({
      onFocus: ({ id }) => {
        lastPlace.current = pages.indexOf(id);
        onActive(id);
      },
      onOpen: ({ id }) => openHandoff(id),
      onToggle: (row) => selected.toggle(row),
      onUndo: (row) => void undoRow(row, pages),
    }),
    [onActive, pages, selected],
  );
  const toElement = (place: { index: number; start: number; isStop: boolean }) => {
    const row = pages.at(place.index);
    if (row === undefined) return <SkeletonRow key={place.index} {...place} />;
    const hasLeft = !pages.input.state.includes(row.state);
    const props = { ...place, row, hasLeft, now_ms, on, isSelected: isSelected(selection, row.id) };
    return <HandoffRow key={place.index} {...props} />;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: A table cannot hold rows that are only partly rendered.
    <div
      ref={scroller}
      className="inbox-rows"
      role="grid"
      aria-label={`${title}, newest first`}
      aria-multiselectable="true"
      aria-rowcount={state.isWhole ? state.count : -1}
      {...acts}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: As above. */}
      <div role="rowgroup" className="inbox-room" style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, start }) => toElement({ index, start, isStop: index === place }))}
      </div>
    </div>
  );
}
