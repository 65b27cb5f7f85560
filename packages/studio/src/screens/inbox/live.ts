import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { HandoffEvent } from '../../../../batonpass/src/core/delivery.ts';
import { useEvents } from '../../server/events.ts';

/** Why the inbox does not follow what happens. */
export interface Pause {
  /** A person paused it. */
  byHand: boolean;
  /** Nobody sees the page: what it would show comes when it is seen again. */
  isUnseen: boolean;
}

/** Whether the inbox follows what happens elsewhere. A page beside a terminal is seen, though it has not the focus. */
export const pause = createStore<Pause>(() => ({ byHand: false, isUnseen: document.hidden }));

document.addEventListener('visibilitychange', () => pause.setState({ isUnseen: document.hidden }));

/** Stops following, or goes on. */
export function togglePause(): void {
  pause.setState(({ byHand }) => ({ byHand: !byHand }));
}

/** Events of more handoffs than this are not kept while the inbox is paused: the list is read anew instead. */
const HELD_MAX = 5_000;

/** Tells of events while the inbox follows, and afterwards of the last of each handoff. */
export function useLiveEvents(onEvents: (events: readonly HandoffEvent[]) => void, onTooMany: () => void): void {
  const { byHand, isUnseen } = useStore(pause);
  const isPaused = byHand || isUnseen;
  const held = useRef(new Map<string, HandoffEvent>());
  const latest = useRef({ onEvents, onTooMany });
  latest.current = { onEvents, onTooMany };
  useEvents({}, (events) => {
    if (!isPaused) return onEvents(events);
    for (const event of events) if (held.current.size <= HELD_MAX) held.current.set(event.handoff_id, event);
  });
  useEffect(() => {
    if (isPaused || held.current.size === 0) return;
    const events = [...held.current.values()];
    held.current.clear();
    if (events.length > HELD_MAX) latest.current.onTooMany();
    else latest.current.onEvents(events);
  }, [isPaused]);
}
