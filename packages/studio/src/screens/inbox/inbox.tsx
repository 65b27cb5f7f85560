import './inbox.css';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { useKeys } from '../../shell/keys.ts';
import { changeQuery, navigate, useRoute } from '../../shell/router.ts';
import { FilterBar } from './filter-bar.tsx';
import { pause, togglePause } from './live.ts';
import { TabRows } from './tab-rows.tsx';
import { addressOf, firstTab, readView, tabs } from './tabs.ts';
import { useCounts } from './use-counts.ts';

/** The inbox: all handoffs by state, live, with their actions. Tab and filter are in the address. */
export default function Inbox() {
  const { query } = useRoute();
  const address = query.toString();
  const view = useMemo(() => readView(new URLSearchParams(address)), [address]);
  const counts = useCounts(view.filter);
  const isChosen = query.has('tab') || view.typed !== '';
  useEffect(() => {
    if (!isChosen && counts !== undefined) changeQuery({ tab: firstTab(counts.needs).name });
  }, [isChosen, counts]);
  const step = (by: number) => {
    const next = tabs[(view.tab === undefined ? 0 : tabs.indexOf(view.tab)) + by];
    if (next !== undefined) navigate(addressOf(next, view.typed));
  };
  useKeys('Inbox', [
    { keys: ']', does: 'next tab', run: () => step(1) },
    { keys: '[', does: 'previous tab', run: () => step(-1) },
    { keys: '/', does: 'filter', run: () => document.getElementById('filter')?.focus() },
    { keys: 'f', does: 'pause or resume live updates', run: togglePause },
  ]);
  return (
    <div className="inbox">
      <div className="inbox-head">
        <h1 className="studio-title" tabIndex={-1}>
          Inbox
        </h1>
        <PauseButton />
      </div>
      <nav className="studio-tabs" aria-label="States">
        {tabs.map((tab) => (
          <a
            key={tab.name}
            href={addressOf(tab, view.typed)}
            aria-current={isChosen && tab === view.tab ? 'true' : undefined}
          >
            {tab.title} <span className="inbox-count">{counts?.[tab.name] ?? '…'}</span>
          </a>
        ))}
      </nav>
      <FilterBar view={view} />
      {/* Open handoffs are loaded in parallel with the counts: mostly they are shown. */}
      <TabRows key={JSON.stringify([view.states, view.filter])} view={view} counts={counts ?? {}} isShown={isChosen} />
    </div>
  );
}

/** Pauses live updates while the user reads; the next press resumes them. */
function PauseButton() {
  const { byHand } = useStore(pause);
  const label = (
    <>
      <span aria-hidden="true">{byHand ? '▶' : '❚❚'}</span> {byHand ? 'Paused: resume' : 'Pause'}
    </>
  );
  return <Button label={label} hotkey="F" look="quiet" aria-pressed={byHand} onClick={togglePause} />;
}
