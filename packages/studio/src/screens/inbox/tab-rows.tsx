import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { useConnected } from '../../server/events.ts';
import { describeProblem } from '../../server/server-problem.ts';
import { useKeys } from '../../shell/keys.ts';
import { Acts } from './acts.tsx';
import { EmptyInbox } from './empty-inbox.tsx';
import { useLiveEvents } from './live.ts';
import { Preview } from './preview.tsx';
import { RowList } from './row-list.tsx';
import { RowPages, type RowsState } from './row-pages.ts';
import { isNothing, Selected } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import type { View } from './tabs.ts';
import type { TabCounts } from './use-counts.ts';
import type { RowMoves } from './use-row-moves.ts';

/** What the rows are given. */
export interface TabRowsProps {
  view: View;
  counts: TabCounts;
  /** Whether this is the view: else its rows are only asked for. */
  isShown: boolean;
}

/** The rows of one view, what is new since they were read, and what can be done with them. */
export function TabRows({ view, counts, isShown }: TabRowsProps) {
  const [pages] = useState(() => new RowPages({ ...view.filter, state: [...view.states] }));
  const [selected] = useState(() => new Selected());
  const state = useSyncExternalStore(pages.subscribe, pages.read);
  const selection = useStore(selected.store);
  const [active, setActive] = useState<string>();
  const moves = useRef<RowMoves>(undefined);
  useConnected(() => void pages.reload());
  useEffect(() => () => pages.close(), [pages]);
  const reload = useCallback(() => void pages.reload(), [pages]);
  useLiveEvents((events) => pages.take(events), reload);
  const show = async () => {
    // Whoever types elsewhere goes on there.
    const isElsewhere = document.activeElement?.closest('.inbox-filter, .studio-answer') != null;
    setActive(undefined);
    await pages.reload();
    if (!isElsewhere && pages.read().count > 0) moves.current?.focusFirst();
  };
  useKeys('New rows', [{ keys: '.', does: 'show what is new', run: () => void show() }]);
  const row = active === undefined ? undefined : pages.get(active);
  if (!isShown) return <p className="studio-loading">Reading the list…</p>;
  const hasRows = state.phase !== 'loading' && state.count > 0;
  const title = view.tab?.title ?? view.states.join(', ');
  return (
    <>
      <News
        state={state}
        isFiltered={view.typed !== ''}
        onShow={() => void show()}
        onSearchOn={() => pages.searchOn()}
      />
      {state.phase === 'failed' ? <FailedRows error={state.error} onRetry={reload} /> : null}
      {state.phase === 'loading' ? <p className="studio-loading">Reading the list…</p> : null}
      {hasRows ? (
        <div className="inbox-split">
          <RowList {...{ pages, state, title, selected, moves }} onActive={setActive} />
          <Preview row={row ?? pages.at(0)} />
        </div>
      ) : null}
      {state.phase === 'ready' && state.count === 0 && !state.isCut ? <EmptyInbox view={view} counts={counts} /> : null}
      {isNothing(selection) ? null : <SelectionBar {...{ selected, selection, pages, state }} />}
      {row === undefined || !isNothing(selection) ? null : (
        <Acts key={row.id} row={row} pages={pages} onDone={(id) => moves.current?.focusAfter(id)} />
      )}
    </>
  );
}

interface NewsProps {
  state: RowsState;
  isFiltered: boolean;
  onShow: () => void;
  onSearchOn: () => void;
}

/** What is not shown: it came since, it has no scope, or the search ended before it. */
function News({ state: { buffered, unscoped, isCut }, isFiltered, onShow, onSearchOn }: NewsProps) {
  return (
    <div role="status" className="inbox-news">
      {buffered > 0 ? (
        <button type="button" className="baton-button baton-small" onClick={onShow}>
          {isFiltered ? 'Something changed' : `${buffered} new`} - show <kbd>.</kbd>
        </button>
      ) : null}
      {unscoped > 0 ? <span className="baton-hint">{unscoped} without a scope are left out.</span> : null}
      {isCut ? (
        <>
          <span className="baton-hint">The newest were looked through.</span>
          <button type="button" className="baton-button baton-small" onClick={onSearchOn}>
            Search the older ones
          </button>
        </>
      ) : null}
    </div>
  );
}

function FailedRows({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="baton-banner baton-banner-fault" role="alert">
      <p>{describeProblem(error)}</p>
      <button type="button" className="baton-button baton-small" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
