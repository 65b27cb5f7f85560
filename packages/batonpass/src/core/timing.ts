/** The time that a loop runs by, so that a test can hold it in its hand. */
export interface Timing {
  /** Milliseconds of a clock that never goes back; its start has no meaning. */
  now: () => number;
  /** Calls back once, after so many milliseconds. @returns what calls it off. */
  after: (ms: number, callback: () => void) => () => void;
}

/** The machine's own clock and timers. */
export const machineTiming: Timing = {
  now: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(ms, TIMER_MS_MAX));
    return () => clearTimeout(timer);
  },
};

/** A longer timer would fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/**
 * The time until the next poll, one per period: about a period, and at the same moment for all waiters of one process,
 * so that any number of them wakes it once.
 */
export function untilNextLook(now_ms: number, period_ms: number): number {
  const rest_ms = period_ms - (now_ms % period_ms);
  // A timer may fire a little early: that poll was this one.
  return rest_ms < period_ms / 10 ? rest_ms + period_ms : rest_ms;
}

/** Resolves after so many milliseconds, or when the signal aborts. */
export function pause({ after }: Timing, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const finish = () => {
      cancel();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = after(ms, finish);
    signal.addEventListener('abort', finish);
  });
}
