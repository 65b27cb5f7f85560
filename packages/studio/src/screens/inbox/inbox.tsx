import './inbox.css';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { connection, useEvents } from '../../server/events.ts';
import { describeProblem } from '../../server/server-problem.ts';
import { useKeys } from '../../shell/keys.ts';
import { navigate, useRoute } from '../../shell/router.ts';
import { Acts } from './acts.tsx';
import { EmptyInbox } from './empty-inbox.tsx';
import { FilterBar } from './filter-bar.tsx';
import { RowList } from './row-list.tsx';
import { RowPages } from './row-pages.ts';
import { findTab, readFilter, type Tab, tabs, toInput } from './tabs.ts';
import { useCounts } from './use-counts.ts';

/** The inbox: what is where, live, and what a person can do with it. Tab and filter stand in the address. */
export default function Inbox() {
  const { query } = useRoute();
  const tab = findTab(query.get('tab'));
  const shape = JSON.stringify(readFilter(query));
  const filter = useMemo(() => readFilter(new URLSearchParams(Object.entries(JSON.parse(shape)))), [shape]);
  const counts = useCounts(filter);
  const step = (by: number) => {
    const next = tabs[tabs.indexOf(tab) + by];
    if (next !== undefined) goTo(next, query);
  };
  useKeys('Inbox', [
    { keys: ']', does: 'next tab', run: () => step(1) },
    { keys: '[', does: 'previous tab', run: () => step(-1) },
    { keys: '/', does: 'filter', run: () => document.getElementById('filter-task_id')?.focus() },
  ]);
  return (
    <div className="inbox">
      <h1 className="studio-title">Inbox</h1>
      <nav className="studio-tabs" aria-label="States">
        {tabs.map((each) => (
          <a key={each.name} href={addressOf(each, query)} aria-current={each === tab ? 'true' : undefined}>
            {each.title} <span className="inbox-count">{counts[each.name] ?? '…'}</span>
          </a>
        ))}
      </nav>
      <FilterBar filter={filter} />
      <TabRows key={`${tab.name} ${shape}`} tab={tab} isFiltered={shape !== '{}'} />
    </div>
  );
}

function addressOf(tab: Tab, query: URLSearchParams): string {
  const changed = new URLSearchParams(query);
  changed.set('tab', tab.name);
  return `/inbox?${changed}`;
}

function goTo(tab: Tab, query: URLSearchParams): void {
  navigate(addressOf(tab, query));
}

function TabRows({ tab, isFiltered }: { tab: Tab; isFiltered: boolean }) {
  const { query } = useRoute();
  const [pages] = useState(() => new RowPages(toInput(tab, readFilter(query))));
  const state = useSyncExternalStore(pages.subscribe, pages.read);
  const { number } = useStore(connection);
  const [active, setActive] = useState<string>();
  useEffect(() => {
    // A connection that was lost may have missed what a reload shows.
    if (number >= 0) void pages.reload();
  }, [pages, number]);
  useEffect(() => () => pages.close(), [pages]);
  useEvents({}, (events) => pages.take(events));
  const row = active === undefined ? undefined : pages.at(pages.indexOf(active));
  const show = () => {
    setActive(undefined);
    void pages.reload();
  };
  useKeys('New rows', [{ keys: '.', does: 'show what is new', run: show }]);
  return (
    <>
      <div role="status" className="inbox-news">
        {state.buffered > 0 ? (
          <button type="button" className="baton-button baton-small" onClick={show}>
            {isFiltered ? 'Something changed' : `${state.buffered} new`} - show <kbd>.</kbd>
          </button>
        ) : null}
        {state.unscoped > 0 ? <span className="baton-hint">{state.unscoped} without a scope are left out.</span> : null}
      </div>
      {state.phase === 'failed' ? <FailedRows error={state.error} onRetry={() => void pages.reload()} /> : null}
      {state.phase === 'loading' ? <p className="studio-loading">Reading the list…</p> : null}
      {state.phase !== 'loading' && state.count > 0 ? (
        <RowList pages={pages} state={state} tab={tab} active={active} onActive={setActive} />
      ) : null}
      {state.phase === 'ready' && state.count === 0 ? <EmptyInbox tab={tab} isFiltered={isFiltered} /> : null}
      {row === undefined ? null : <Acts key={row.id} row={row} pages={pages} />}
    </>
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
