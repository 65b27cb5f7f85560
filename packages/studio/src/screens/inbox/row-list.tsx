import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useNow } from '../../shown/age.ts';
import { HandoffRow, SkeletonRow } from './handoff-row.tsx';
import type { RowPages, RowsState } from './row-pages.ts';
import type { Tab } from './tabs.ts';
import { useRowMoves } from './use-row-moves.ts';

const ROW_PIXELS = 40;

/** Rows above and below those that are seen. */
const OVERSCAN = 6;

/** What a list of rows is shown with. */
export interface RowListProps {
  pages: RowPages;
  state: RowsState;
  tab: Tab;
  /** The handoff whose row has the focus, or had it last. */
  active: string | undefined;
  onActive: (id: string) => void;
}

/** The rows that are in sight, of a list of any length: one stop for Tab, moved by arrows and letters. */
export function RowList({ pages, state, tab, active, onActive }: RowListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const now_ms = useNow();
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: state.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PIXELS,
    overscan: OVERSCAN,
  });
  const shown = virtual.getVirtualItems();
  const [first, last] = [shown[0]?.index ?? 0, shown.at(-1)?.index ?? 0];
  useEffect(() => pages.need(first, last), [pages, first, last, state]);
  const { place, onKeyDown } = useRowMoves({ pages, count: state.count, active, onActive, scroller, virtual });
  return (
    // biome-ignore lint/a11y/useSemanticElements: A table cannot hold rows that are only partly there.
    <div
      ref={scroller}
      className="inbox-rows"
      role="grid"
      aria-label={`${tab.title}, newest first`}
      aria-rowcount={state.isWhole ? state.count : -1}
      onKeyDown={onKeyDown}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: As above. */}
      <div role="rowgroup" className="inbox-room" style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const row = pages.at(index);
          const where = { index, start, isStop: index === place };
          return row === undefined ? (
            <SkeletonRow key={index} {...where} />
          ) : (
            <HandoffRow key={index} {...where} row={row} tab={tab} now_ms={now_ms} onFocus={() => onActive(row.id)} />
          );
        })}
      </div>
    </div>
  );
}
