import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { HandoffEvent } from '../../../../batonpass/src/core/delivery.ts';
import { useEvents } from '../../server/events.ts';

/** Why the inbox does not follow events. */
export interface Pause {
  /** The user paused it. */
  byHand: boolean;
  /** The page is hidden: events are applied when it is visible again. */
  isUnseen: boolean;
}

/** Whether the inbox follows events. A page next to a terminal is visible, even without the focus. */
export const pause = createStore<Pause>(() => ({ byHand: false, isUnseen: document.hidden }));

document.addEventListener('visibilitychange', () => pause.setState({ isUnseen: document.hidden }));

/** Pauses or resumes live updates. */
export function togglePause(): void {
  pause.setState(({ byHand }) => ({ byHand: !byHand }));
}

/** While the inbox is paused, events of at most this many handoffs are kept; beyond that the list is loaded again. */
const HELD_MAX = 5_000;

/** Reports events while the inbox follows them, and after a pause the last event of each handoff. */
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
