import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { State } from '../../../../batonpass/src/core/state.ts';
import { call } from '../../server/call.ts';
import { connection, useEvents } from '../../server/events.ts';
import { type InboxFilter, type Tab, tabs, toInput } from './tabs.ts';

/** Up to so many are counted; beyond that "99+" says enough. */
const COUNTED_MAX = 100;

/** A tab is not counted more often than this. */
const COUNT_MS = 1_000;

/** How many handoffs stand in each tab, by its name, as texts; what is not counted yet is absent. */
export function useCounts(filter: InboxFilter): Readonly<Record<string, string>> {
  const [counts, setCounts] = useState<Record<string, string>>({});
  const { number } = useStore(connection);
  const due = useRef(new Set<Tab>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const shape = JSON.stringify(filter);
  const count = useRef(async () => {});
  count.current = async () => {
    timer.current = undefined;
    const wanted = [...due.current];
    due.current.clear();
    // A count that fails leaves the last one: the list beside it says what is wrong.
    await Promise.all(
      wanted.map((tab) =>
        countOne(tab, filter).then(
          (text) => put(tab, text),
          () => {},
        ),
      ),
    );
  };
  const put = (tab: Tab, text: string) => setCounts((before) => ({ ...before, [tab.name]: text }));
  useEffect(() => {
    // The filter and the connection are what a whole count is for.
    void [shape, number];
    for (const tab of tabs) due.current.add(tab);
    void count.current();
  }, [shape, number]);
  useEvents({}, (events) => {
    const touched = new Set<State | undefined>(events.flatMap(({ from, to }) => (from === to ? [] : [from, to])));
    for (const tab of tabs) if (tab.states.some((state) => touched.has(state))) due.current.add(tab);
    if (due.current.size > 0) timer.current ??= setTimeout(() => void count.current(), COUNT_MS);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return counts;
}

async function countOne(tab: Tab, filter: InboxFilter): Promise<string> {
  const { handoffs } = await call('handoff.list', { ...toInput(tab, filter), limit: COUNTED_MAX });
  return handoffs.length === COUNTED_MAX ? `${COUNTED_MAX - 1}+` : String(handoffs.length);
}
