import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { HandoffEvent } from '../../../../batonpass/src/core/delivery.ts';
import { call } from '../../server/call.ts';
import { connection, useEvents } from '../../server/events.ts';

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
  const [read, setRead] = useState<History>();
  // Those that come while the others are read are not lost.
  const [came, setCame] = useState<readonly HandoffEvent[]>([]);
  const { number } = useStore(connection);
  useEffect(() => {
    if (number === 0) return;
    const leaving = new AbortController();
    call('handoff.events', { limit: EVENTS_MAX }, { signal: leaving.signal }).then(
      ({ events }) => setRead({ events, isWhole: events.length < EVENTS_MAX }),
      () => {
        // The lists are of the same server, and say what is wrong.
      },
    );
    return () => leaving.abort();
  }, [number]);
  useEvents({}, (events) => setCame((before) => [...before, ...events].slice(-EVENTS_MAX)));
  return useMemo(() => {
    if (read === undefined) return undefined;
    const last = read.events.at(-1)?.seq ?? 0;
    return { ...read, events: [...read.events, ...came.filter(({ seq }) => seq > last)] };
  }, [read, came]);
}
