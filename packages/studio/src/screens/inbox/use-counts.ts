import { useEffect, useRef } from 'react';
import type { OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import { call } from '../../server/call.ts';
import { useLoaded } from '../../server/use-live.ts';
import type { InboxFilter } from './filter-words.ts';
import { useLiveEvents } from './live.ts';
import { type Tab, tabs } from './tabs.ts';

/** The shortest time between two counts. */
const COUNT_MS = 1_000;

/** The number of handoffs in each tab, by its name, as texts; absent where it was not counted. */
export type TabCounts = Readonly<Record<string, string>>;

/** The counts of all tabs; undefined until the first answer. */
export function useCounts(filter: InboxFilter): TabCounts | undefined {
  const { value, error, reload } = useLoaded(
    (signal) => call('handoff.count', filter, { signal }),
    JSON.stringify(filter),
  );
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const countLater = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void reload();
    }, COUNT_MS);
  };
  useLiveEvents((events) => {
    if (events.some(({ from, to }) => from !== to)) countLater();
  }, countLater);
  useEffect(() => () => clearTimeout(timer.current), []);
  // Without an answer the list shows the problem.
  if (value === undefined) return error === undefined ? undefined : {};
  return Object.fromEntries(tabs.map((tab) => [tab.name, textOf(tab, value)]));
}

/** A partial count is "at least". */
function textOf({ states }: Tab, { counts, partial }: OperationOutput<'handoff.count'>): string {
  const sum = states.reduce((total, state) => total + (counts[state] ?? 0), 0);
  return `${sum.toLocaleString('en')}${states.some((state) => partial.includes(state)) ? '+' : ''}`;
}
