import { useCallback, useEffect, useRef, useState } from 'react';
import { type EventFilter, useConnected, useEvents } from './events.ts';
import { isBrokenOff } from './server-problem.ts';

/** What is loaded, and kept as it is now. */
export interface Live<T> {
  /** What was loaded last; it stays where a later loading fails. */
  value: T | undefined;
  error: unknown;
  /** Loads again; resolves when what is shown is what was loaded. */
  reload: () => Promise<void>;
}

/** What makes it load again, besides a connection that was lost. */
export interface LiveOptions {
  /** Which events do. Default: all. */
  filter?: EventFilter;
  /** What else it is loaded again for, at once. */
  key?: string;
  /** Files tell of no event: looks again so often while the page is seen, and whenever it is come back to. */
  every_ms?: number;
}

/** However many events come, so long lies between two loadings. */
const BETWEEN_MS = 500;

/** Loads something by the rule of `useConnected`, which also says what `key` is. */
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
        // What was loaded before is still worth looking at.
        if (!isBrokenOff(error)) setFound(({ value }) => (value === undefined ? { error } : { value, error }));
      },
    );
    await newest.current;
    // One that was overtaken by another shows nothing.
    if (controller.signal.aborted) await newest.current;
  }, []);
  useConnected(() => void reload(), key);
  useEffect(() => () => running.current?.abort(), []);
  return { value: found.value, error: found.error, reload };
}

/** Loads something when it is first shown, and again whenever it may be another. */
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

/** Looks again while somebody looks, and when the page is come back to. */
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
