import { useEffect } from 'react';
import { call } from '../../server/call.ts';
import { isSignOfLife, isSilent } from '../../shown/age.tsx';
import type { RowPages, RowsState } from './row-pages.ts';
import type { InboxRow } from './rows.ts';

/** Concurrent requests. */
const AT_ONCE = 2;

/** Events of a history in which the last sign of a holder is searched. */
const LINES = 20;

/** Loads the last sign of life of the holders of visible claimed rows; the list does not include it. */
export function useSignsOfLife(pages: RowPages, state: RowsState, [first, last]: readonly [number, number]): void {
  useEffect(() => {
    void state;
    const rows = Array.from({ length: last - first + 1 }, (_, index) => pages.at(first + index));
    const unknown = rows.filter((row) => row?.state === 'claimed' && row.heard_at === undefined) as InboxRow[];
    const mine = unknown.filter(({ id }) => !asked.has(id));
    for (const { id } of mine) asked.add(id);
    const work = async () => {
      for (let row = mine.shift(); row !== undefined; row = mine.shift()) await ask(row, pages);
    };
    for (let each = 0; each < AT_ONCE; each += 1) void work();
  }, [pages, state, first, last]);
}

const asked = new Set<string>();

async function ask({ id }: InboxRow, pages: RowPages): Promise<void> {
  try {
    const { events } = await call('handoff.events', { id, limit: LINES });
    const heard_at = events.findLast(isSignOfLife)?.at;
    // A holder without a sign of life is not requested again.
    if (heard_at === undefined) return;
    asked.delete(id);
    pages.change(id, (row) => ({ ...row, heard_at: row.heard_at ?? heard_at }));
  } catch {
    // Without an answer nothing is shown, until the next request.
    asked.delete(id);
  }
}

/** For how long an overdue holder has sent no sign of life, in milliseconds; undefined where all is well. */
export function silenceOf({ state, heard_at, lease_until }: InboxRow, now_ms: number): number | undefined {
  if (state !== 'claimed' || heard_at === undefined || lease_until === undefined) return undefined;
  return isSilent(heard_at, lease_until, now_ms) ? now_ms - Date.parse(heard_at) : undefined;
}
