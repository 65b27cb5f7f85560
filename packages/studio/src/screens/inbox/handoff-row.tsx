import './row.css';
import { memo, type ReactNode } from 'react';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { describeAge, describeInstant, describeLease, describeStretch } from '../../shown/age.tsx';
import { countKinds } from '../../shown/count.ts';
import { StateMark } from '../../shown/state-mark.tsx';
import type { InboxRow } from './rows.ts';
import { silenceOf } from './use-signs-of-life.ts';

/** The position of a row. */
interface Place {
  index: number;
  start: number;
  /** Whether Tab stops at it. */
  isStop: boolean;
}

/** The actions on a row. */
export interface RowHandlers {
  onFocus: (row: InboxRow) => void;
  onOpen: (row: InboxRow) => void;
  onToggle: (row: InboxRow) => void;
  onUndo: (row: InboxRow) => void;
}

interface HandoffRowProps extends Place {
  row: InboxRow;
  /** Whether it no longer matches the list. */
  hasLeft: boolean;
  isSelected: boolean;
  now_ms: number;
  /** The same object at each rendering, so that unchanged rows are not rendered again. */
  on: RowHandlers;
}

/** One handoff: its state, title, source and target, content counts, and age. */
export const HandoffRow = memo(function HandoffRow({
  row,
  hasLeft,
  isSelected,
  now_ms,
  on,
  ...place
}: HandoffRowProps) {
  // The grid handles the keys.
  const acts = { onFocus: () => on.onFocus(row), onClick: () => on.onOpen(row) };
  return (
    <div {...attributesOf(place)} {...selecting(isSelected)} {...acts} data-left={hasLeft}>
      <Cell name="inbox-check">
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={`Select ${showHidden(row.title)}`}
          checked={isSelected}
          onClick={(event) => event.stopPropagation()}
          onChange={(event) => {
            on.onToggle(row);
            event.currentTarget.closest<HTMLElement>('[role="row"]')?.focus();
          }}
        />
      </Cell>
      <Cell name="inbox-state">
        <StateMark state={row.state} />
      </Cell>
      <Cell name="inbox-title">
        <span className="inbox-words">{showHidden(row.title)}</span>
        <Note row={row} />
      </Cell>
      {row.back === undefined ? (
        <Cell name="inbox-who">
          <Who row={row} now_ms={now_ms} />
        </Cell>
      ) : (
        <Cell name="inbox-back">
          <Button
            label="Undo"
            tabIndex={-1}
            look="quiet"
            onClick={(event) => {
              event.stopPropagation();
              event.currentTarget.closest<HTMLElement>('[role="row"]')?.focus();
              on.onUndo(row);
            }}
          />
        </Cell>
      )}
      <Cell name="inbox-size" title={describeHoldings(row)}>
        {/* There is little room. */}
        <span aria-hidden="true">{describeHoldings(row).replace(/decisions?/, 'dec')}</span>
        <span className="baton-unseen">{describeHoldings(row)}</span>
      </Cell>
      <Cell name="inbox-age" title={describeInstant(row.created_at)}>
        <Age created_at={row.created_at} now_ms={now_ms} />
      </Cell>
    </div>
  );
});

/** The details next to the title: why a step was refused, the question, or the failure. */
function Note({ row: { refusal, question, failure, state } }: { row: InboxRow }) {
  if (refusal !== undefined) return <span className="inbox-note inbox-refusal">not done: {refusal}</span>;
  if (question !== undefined) return <span className="inbox-note">asks: {showHidden(question)}</span>;
  if (failure !== undefined && state === 'dead') return <span className="inbox-note">{showHidden(failure)}</span>;
  return null;
}

/** The content counts in full words. */
export function describeHoldings(row: InboxRow): string {
  return countKinds(row).join(' · ');
}

/** Its age; the word is left out where there is no room for it. */
function Age({ created_at, now_ms }: { created_at: string; now_ms: number }) {
  const age = describeAge(created_at, now_ms);
  return (
    <>
      {age}
      {age === 'now' ? null : <span className="inbox-ago"> ago</span>}
    </>
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

/** A row that is loading: of equal height, so that nothing moves. */
export function SkeletonRow(place: Place) {
  return (
    <div {...attributesOf(place)} aria-busy="true">
      <Cell name="inbox-title">…</Cell>
    </div>
  );
}

const selecting = (isSelected: boolean) => ({ 'aria-selected': isSelected });

function attributesOf({ index, start, isStop }: Place) {
  return {
    role: 'row',
    'aria-rowindex': index + 1,
    className: 'inbox-row',
    tabIndex: isStop ? 0 : -1,
    style: { transform: `translateY(${start}px)` },
  } as const;
}

/** Source and target; of a claim the holder, the rest of the lease, and whether signs of life are missing. */
function Who({ row, now_ms }: { row: InboxRow; now_ms: number }) {
  const { from, to, holder, lease_until, state } = row;
  if (holder === undefined || (state !== 'claimed' && state !== 'waiting')) {
    return showHidden(to === undefined ? from : `${from} → ${to}`);
  }
  const silent_ms = silenceOf(row, now_ms);
  const lease = state === 'claimed' ? describeLease(lease_until, now_ms) : 'waits';
  return (
    <>
      {showHidden(lease === '' ? holder : `${holder} · ${lease}`)}
      {silent_ms === undefined ? null : (
        <span className="inbox-silent"> ⚠ no heartbeat for {describeStretch(silent_ms)}</span>
      )}
    </>
  );
}
