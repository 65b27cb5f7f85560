import type { ReactNode } from 'react';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { describeAge, describeInstant, describeLease } from '../../shown/age.ts';
import { StateMark } from '../../shown/state-mark.tsx';
import { openHandoff } from './last-opened.ts';
import type { Row } from './rows.ts';
import type { Tab } from './tabs.ts';

/** Where a row stands. */
interface Place {
  index: number;
  start: number;
  /** Whether Tab stops at it. */
  isStop: boolean;
}

/** What a row is shown with. */
interface HandoffRowProps extends Place {
  row: Row;
  tab: Tab;
  now_ms: number;
  onFocus: () => void;
}

/** One handoff: its state, title, who gives it to whom, what is in it, and how old it is. */
export function HandoffRow({ row, tab, now_ms, onFocus, ...place }: HandoffRowProps) {
  // The grid around it has the keys.
  const acts = { onFocus, onClick: () => openHandoff(row.id) };
  const hasLeft = !tab.states.includes(row.state);
  return (
    <div {...attributesOf(place)} {...acts} data-left={hasLeft}>
      <Cell name="inbox-state">
        <StateMark state={row.state} />
      </Cell>
      <Cell name="inbox-title">
        <span className="inbox-words">{showHidden(row.title)}</span>
        {row.question === undefined ? null : <span className="inbox-beside">asks: {showHidden(row.question)}</span>}
        {row.failure === undefined || row.state !== 'dead' ? null : (
          <span className="inbox-beside">{showHidden(row.failure)}</span>
        )}
      </Cell>
      <Cell name="inbox-who">{describeWho(row, now_ms)}</Cell>
      <Cell name="inbox-size" title="Decisions, files, risks">
        <span className="baton-unseen">Decisions, files, risks: </span>
        {row.decisions} · {row.files} · {row.risks}
      </Cell>
      <Cell name="inbox-age" title={describeInstant(row.created_at)}>
        {describeAge(row.created_at, now_ms)}
      </Cell>
    </div>
  );
}

/** A cell of the grid: the row has the focus, never a cell. */
function Cell({ name, title, children }: { name: string; title?: string; children: ReactNode }) {
  const role = { role: 'gridcell' };
  return (
    <span {...role} className={name} title={title}>
      {children}
    </span>
  );
}

/** A row whose handoff is still asked for: as high, so that nothing moves. */
export function SkeletonRow(place: Place) {
  return (
    <div {...attributesOf(place)} aria-busy="true">
      <Cell name="inbox-title">…</Cell>
    </div>
  );
}

function attributesOf({ index, start, isStop }: Place) {
  return {
    role: 'row',
    'aria-rowindex': index + 1,
    className: 'inbox-row',
    tabIndex: isStop ? 0 : -1,
    style: { transform: `translateY(${start}px)` },
  } as const;
}

function describeWho({ from, to, holder, lease_until, state }: Row, now_ms: number): string {
  if (holder !== undefined && (state === 'claimed' || state === 'waiting')) {
    const lease = state === 'claimed' ? describeLease(lease_until, now_ms) : 'waits';
    return showHidden(lease === '' ? holder : `${holder} · ${lease}`);
  }
  return showHidden(to === undefined ? from : `${from} → ${to}`);
}
