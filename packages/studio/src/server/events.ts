import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { HandoffEvent } from '../../../batonpass/src/core/delivery.ts';
import { transitions } from '../../../batonpass/src/core/transitions.ts';
import { ask } from './call.ts';
import { takeLivePlanning } from './live-plannings.ts';
import { beginSession, session } from './session.ts';

/** Which events a screen wants; every member narrows it. */
export interface EventFilter {
  handoff_id?: string;
}

/** How the studio hears of what happens. */
export interface Connection {
  state: 'connecting' | 'live' | 'lost';
  /** When it was lost, by this machine's clock. */
  lost_at_ms?: number;
  /**
   * Rises with each time that it is live: what was loaded before may have missed something. 0 while the first opening is
   * waited for: whoever follows something loads it behind that, once.
   */
  number: number;
}

/** The one stream of events of this page. */
export const connection = createStore<Connection>(() => ({ state: 'connecting', number: 0 }));

type Listener = (events: readonly HandoffEvent[]) => void;

const names = ['handoff-created', ...Object.values(transitions).map(({ event }) => event)];
const listeners = new Set<Listener>();

/** How long a page that nobody sees waits, since it is not painted; and how long a lost stream does. */
const UNSEEN_MS = 250;
const AGAIN_MS = 1_500;

/** The first opening is waited for so long: something between here and the server may hold the stream back. */
const FIRST_MS = 300;

let source: EventSource | undefined;
let last_seq: string | undefined;
let again: ReturnType<typeof setTimeout> | undefined;
let waiting: HandoffEvent[] = [];
let isDue = false;

/** Listens to the server from now on; goes on where it was cut off, so that nothing is missed in between. */
export function followEvents(): void {
  open();
  setTimeout(() => connection.setState(({ number }) => ({ number: Math.max(1, number) })), FIRST_MS);
  session.subscribe(({ isIn, number }, before) => {
    if (isIn && number !== before.number) reconnect();
  });
}

/** Tries again at once where the stream is lost. */
export function reconnect(): void {
  if (connection.getState().state !== 'live') open();
}

function open(): void {
  clearTimeout(again);
  source?.close();
  source = new EventSource(`/api/events${last_seq === undefined ? '' : `?after_seq=${last_seq}`}`);
  source.addEventListener('opened', () => {
    connection.setState(({ number }) => ({ state: 'live', number: number + 1, lost_at_ms: undefined }));
    // Another tab of this browser may have been let in.
    if (!session.getState().isIn) beginSession();
  });
  for (const name of names) source.addEventListener(name, receiveEvent);
  source.addEventListener('planning-progress', takeLivePlanning);
  source.onerror = () => {
    // What the browser would try by itself says nothing of why: a stream of our own is tried again after a wait.
    source?.close();
    const { state, number } = connection.getState();
    if (state !== 'lost') {
      connection.setState({ state: 'lost', lost_at_ms: Date.now(), number: Math.max(1, number) });
    }
    again = setTimeout(open, AGAIN_MS);
    // The stream does not say why it ended: an answer to a call does.
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
 * The one rule by which screens load: as soon as the page listens, and again when a lost connection comes back, since
 * something may have been missed. Also where `key` is another. The signal ends a loading that is overtaken.
 */
export function useConnected(load: (signal: AbortSignal) => void, key = ''): void {
  const { number } = useStore(connection);
  const latest = useRef(load);
  latest.current = load;
  // Number and key only say when.
  useEffect(() => {
    if (number === 0) return;
    const leaving = new AbortController();
    latest.current(leaving.signal);
    return () => leaving.abort();
  }, [number, key]);
}

/** Tells of events as they happen, whoever caused them: all of one frame at once. */
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
