import { useMemo, useState } from 'react';
import type { HandoffEvent } from '../../../../batonpass/src/core/delivery.ts';
import { call } from '../../server/call.ts';
import { useEvents } from '../../server/events.ts';
import { useLoaded } from '../../server/use-live.ts';

/** Events that are read: two weeks of a project with two hundred steps a day, some hundred kilobytes. */
const EVENTS_MAX = 3_000;

/** The newest events of the project. */
export interface History {
  events: readonly HandoffEvent[];
  /** Whether there are none before them. */
  isWhole: boolean;
}

/** The newest events of the project, oldest first, and those that come while the page is open. */
export function useHistory(): History | undefined {
  const { value: read } = useLoaded((signal) => call('handoff.events', { limit: EVENTS_MAX }, { signal }));
  // Those that come while the others are read are not lost.
  const [came, setCame] = useState<readonly HandoffEvent[]>([]);
  useEvents({}, (events) => setCame((before) => [...before, ...events].slice(-EVENTS_MAX)));
  return useMemo(() => {
    if (read === undefined) return undefined;
    const last = read.events.at(-1)?.seq ?? 0;
    const events = [...read.events, ...came.filter(({ seq }) => seq > last)];
    return { events, isWhole: read.events.length < EVENTS_MAX };
  }, [read, came]);
}
