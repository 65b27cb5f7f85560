import { useCallback, useEffect, useRef, useState } from 'react';
import { type EventFilter, useConnected, useEvents } from './events.ts';
import { isBrokenOff } from './server-problem.ts';

/** A loaded value that is kept current. */
export interface Live<T> {
  /** The value that was loaded last; it stays when a later load fails. */
  value: T | undefined;
  error: unknown;
  /** Loads again; resolves when the loaded value is shown. */
  reload: () => Promise<void>;
}

/** What triggers another load, in addition to a lost connection. */
interface LiveOptions {
  /** Which events do. Default: all. */
  filter?: EventFilter;
  /** Loads again at once when this key changes. */
  key?: string;
  /** Files send no events: loads again at this interval while the page is visible, and when the user returns. */
  every_ms?: number;
}

/** The shortest time between two loads, however many events arrive. */
const BETWEEN_MS = 500;

/** Loads a value by the rule of `useConnected`, which also defines `key`. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, key = ''): Live<T> {
  const [found, setFound] = useState<{ value?: T; error?: unknown }>({});
  const latest = useRef(load);
  latest.current = load;
  const running = useRef<AbortController | null>(null);
  const newest = useRef(Promise.resolve());
  const reload = useCallback(async () => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    newest.current = latest.current(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) setFound({ value });
      },
      (error: unknown) => {
        // The previous value is still useful.
        if (!isBrokenOff(error)) setFound(({ value }) => (value === undefined ? { error } : { value, error }));
      },
    );
    await newest.current;
    // A load that a newer one replaced shows nothing.
    if (controller.signal.aborted) await newest.current;
  }, []);
  useConnected(() => void reload(), key);
  useEffect(() => () => running.current?.abort(), []);
  return { value: found.value, error: found.error, reload };
}

/** Loads a value when it is first shown, and again whenever it may have changed. */
export function useLive<T>(load: (signal: AbortSignal) => Promise<T>, options: LiveOptions = {}): Live<T> {
  const { filter = {}, key, every_ms } = options;
  const live = useLoaded(load, key);
  const { reload } = live;
  const due = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(due.current), []);
  useEvents(filter, () => {
    due.current ??= setTimeout(() => {
      due.current = undefined;
      void reload();
    }, BETWEEN_MS);
  });
  useLooking(() => void reload(), every_ms);
  return live;
}

/** Loads again while the page is visible, and when the user returns to it. */
function useLooking(onLook: () => void, every_ms: number | undefined): void {
  const latest = useRef(onLook);
  latest.current = onLook;
  useEffect(() => {
    if (every_ms === undefined) return;
    const look = () => latest.current();
    const timer = setInterval(() => document.hidden || look(), every_ms);
    addEventListener('focus', look);
    return () => {
      clearInterval(timer);
      removeEventListener('focus', look);
    };
  }, [every_ms]);
}
