import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { HandoffEvent } from '../../../batonpass/src/core/delivery.ts';
import { transitions } from '../../../batonpass/src/core/transitions.ts';
import type { LivePlanning } from '../../../batonpass/src/operations/planning/background-runs.ts';
import { ask } from './call.ts';
import { beginSession, session } from './session.ts';

/** Which events a screen wants; every member narrows it. */
export interface EventFilter {
  handoff_id?: string;
}

/** The state of the event stream. */
export interface Connection {
  state: 'connecting' | 'live' | 'lost';
  /** When it was lost, by this machine's clock. */
  lost_at_ms?: number;
  /**
   * Increases each time the stream becomes live: data loaded before may be out of date. It is 0 until the first opening
   * or its timeout, so that screens load once, after it.
   */
  number: number;
}

/** The one stream of events of this page. */
export const connection = createStore<Connection>(() => ({ state: 'connecting', number: 0 }));

/** The current steps of planning runs, by handoff, as the server reported them last. They are not stored. */
export const livePlannings = createStore<Readonly<Record<string, LivePlanning>>>(() => ({}));

/** Stores the step that an event reports. */
function takeLivePlanning({ data }: MessageEvent<string>): void {
  const planning = JSON.parse(data) as LivePlanning;
  livePlannings.setState({ [planning.handoff_id]: planning });
}

type Listener = (events: readonly HandoffEvent[]) => void;

const names = ['handoff-created', ...Object.values(transitions).map(({ event }) => event)];
const listeners = new Set<Listener>();

/** The delay of a flush in a hidden page, which is not painted, and the delay before a lost stream is opened again. */
const UNSEEN_MS = 250;
const AGAIN_MS = 1_500;

/** The timeout of the first opening: a proxy may hold the stream back. */
const FIRST_MS = 300;

let source: EventSource | undefined;
let last_seq: string | undefined;
let again: ReturnType<typeof setTimeout> | undefined;
let waiting: HandoffEvent[] = [];
let isDue = false;

/** Listens to the server; after an interruption it continues after the last event, so that none is missed. */
export function followEvents(): void {
  open();
  setTimeout(() => connection.setState(({ number }) => ({ number: Math.max(1, number) })), FIRST_MS);
  session.subscribe(({ isIn, number }, before) => {
    if (isIn && number !== before.number) reconnect();
  });
}

/** Retries at once if the stream is lost. */
export function reconnect(): void {
  if (connection.getState().state !== 'live') open();
}

function open(): void {
  clearTimeout(again);
  source?.close();
  source = new EventSource(`/api/events${last_seq === undefined ? '' : `?after_seq=${last_seq}`}`);
  source.addEventListener('opened', () => {
    connection.setState(({ number }) => ({ state: 'live', number: number + 1, lost_at_ms: undefined }));
    // Another tab of this browser may have signed in.
    if (!session.getState().isIn) beginSession();
  });
  for (const name of names) source.addEventListener(name, receiveEvent);
  source.addEventListener('planning-progress', takeLivePlanning);
  source.onerror = () => {
    // The browser's own retry does not report the cause: the page opens a new stream after a delay.
    source?.close();
    const { state, number } = connection.getState();
    if (state !== 'lost') {
      connection.setState({ state: 'lost', lost_at_ms: Date.now(), number: Math.max(1, number) });
    }
    again = setTimeout(open, AGAIN_MS);
    // The stream does not report why it ended: the answer to a call does.
    if (session.getState().isIn) ask('/api/handoff.list?limit=0').catch(() => {});
  };
}

function receiveEvent({ data, lastEventId }: MessageEvent<string>): void {
  if (lastEventId !== '') last_seq = lastEventId;
  waiting.push(JSON.parse(data) as HandoffEvent);
  if (isDue) return;
  isDue = true;
  if (document.hidden) setTimeout(flush, UNSEEN_MS);
  else requestAnimationFrame(flush);
}

function flush(): void {
  isDue = false;
  const events = waiting;
  waiting = [];
  for (const listener of [...listeners]) listener(events);
}

/**
 * The one rule by which screens load: once the page listens, and again when a lost connection is back, since events may
 * have been missed. A change of `key` also loads again. The signal aborts a load that a newer one replaces.
 */
export function useConnected(load: (signal: AbortSignal) => void, key = ''): void {
  const { number } = useStore(connection);
  const latest = useRef(load);
  latest.current = load;
  // Number and key only trigger the load.
  useEffect(() => {
    if (number === 0) return;
    const leaving = new AbortController();
    latest.current(leaving.signal);
    return () => leaving.abort();
  }, [number, key]);
}

/** Reports events as they happen, of every actor; all events of one frame in one call. */
export function useEvents(filter: EventFilter, onEvents: Listener): void {
  const { handoff_id } = filter;
  const latest = useRef(onEvents);
  latest.current = onEvents;
  useEffect(() => {
    const listener: Listener = (events) => {
      const wanted = handoff_id === undefined ? events : events.filter((event) => event.handoff_id === handoff_id);
      if (wanted.length > 0) latest.current(wanted);
    };
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, [handoff_id]);
}
