import type { Timing } from '../../packages/batonpass/src/core/timing.ts';

/** A timing that is fixed until a test moves it. */
export interface HeldTiming extends Timing {
  /** Lets time pass; what comes due rings in its order. */
  move: (ms: number) => void;
  /** Lets time pass while nothing can run, as in a process that is stopped: what came due fires at the next move. */
  pass: (ms: number) => void;
  /** How long each timer that is set still has to run. */
  readonly pending: number[];
}

export function createHeldTiming(): HeldTiming {
  let now_ms = 0;
  const timers = new Map<symbol, { due_ms: number; callback: () => void }>();
  const earliest = () => [...timers].sort(([, left], [, right]) => left.due_ms - right.due_ms)[0];
  return {
    now: () => now_ms,
    after: (ms, callback) => {
      const key = Symbol('timer');
      timers.set(key, { due_ms: now_ms + ms, callback });
      return () => timers.delete(key);
    },
    move: (ms) => {
      const end_ms = now_ms + ms;
      for (let next = earliest(); next !== undefined && next[1].due_ms <= end_ms; next = earliest()) {
        const [key, { due_ms, callback }] = next;
        timers.delete(key);
        now_ms = Math.max(now_ms, due_ms);
        callback();
      }
      now_ms = end_ms;
    },
    pass: (ms) => {
      now_ms += ms;
    },
    get pending() {
      return [...timers.values()].map(({ due_ms }) => due_ms - now_ms);
    },
  };
}
