import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { State } from '../../../../batonpass/src/core/state.ts';
import { call } from '../../server/call.ts';
import { connection } from '../../server/events.ts';
import type { InboxFilter } from './filter-words.ts';
import { useLiveEvents } from './live.ts';
import { type Tab, tabs } from './tabs.ts';

/** Tabs are not counted more often than this. */
const COUNT_MS = 1_000;

/** How many handoffs stand in each tab, by its name, as texts; what is not counted is absent. */
export type TabCounts = Readonly<Record<string, string>>;

/** The counts of all tabs; undefined until they were asked for once. */
export function useCounts(filter: InboxFilter): TabCounts | undefined {
  const [counts, setCounts] = useState<TabCounts>();
  const { number } = useStore(connection);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const shape = JSON.stringify(filter);
  const latest = useRef(shape);
  latest.current = shape;
  const count = useRef(async () => {});
  count.current = async () => {
    timer.current = undefined;
    try {
      const answer = await call('handoff.count', JSON.parse(shape));
      if (latest.current === shape) setCounts(Object.fromEntries(tabs.map((tab) => [tab.name, textOf(tab, answer)])));
    } catch {
      // The last counts stay: the list beside them says what is wrong.
      setCounts((before) => before ?? {});
    }
  };
  useEffect(() => {
    // The filter and the connection are what a count is for.
    void shape;
    if (number > 0) void count.current();
  }, [shape, number]);
  const countLater = () => {
    timer.current ??= setTimeout(() => void count.current(), COUNT_MS);
  };
  useLiveEvents((events) => {
    if (events.some(({ from, to }) => from !== to)) countLater();
  }, countLater);
  useEffect(() => () => clearTimeout(timer.current), []);
  return counts;
}

interface Counted {
  counts: Partial<Record<State, number>>;
  partial: readonly State[];
}

/** What was not looked at whole is "at least". */
function textOf({ states }: Tab, { counts, partial }: Counted): string {
  const sum = states.reduce((total, state) => total + (counts[state] ?? 0), 0);
  return `${sum.toLocaleString('en')}${states.some((state) => partial.includes(state)) ? '+' : ''}`;
}
