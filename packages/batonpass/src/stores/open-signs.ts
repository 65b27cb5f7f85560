import type { HandoffEvent } from '../core/delivery.ts';
import type { Store } from '../core/store.ts';
import { machineTiming, pause, type Timing, untilNextLook } from '../core/timing.ts';

/** Signals a waiting receiver that a claim may succeed now. */
export interface OpenSigns {
  /**
   * Resolves at the next sign, at once for one that came since the last wait, or at the next look, where one comes in
   * so many milliseconds. After claims in vain a sign is not taken before a growing rest has passed: where others' work
   * opens all the time, a receiver with a task of its own does not keep the store busy.
   *
   * @param wasVain - whether the claim before it brought nothing. Default: it brought nothing.
   */
  wait: (ms: number, wasVain?: boolean) => Promise<void>;
  /** Ends the listening, and a wait with it. */
  end: () => void;
}

/** The longest rest after claims in vain; the first is a millisecond, and each next one twice as long. */
const REST_MS_MAX = 32;

/** What is waited for: something open in a project, or a change of one handoff. */
export interface OpenSignsRequest {
  project: string;
  id?: string;
}

/**
 * Listens for what opens in a project: created, approved, released, lapsed, failed or reopened. All events of a burst
 * are one sign. It begins to listen at once: claim after it was called, then wait.
 *
 * A subscription that fails leaves the waiter to its own looks, and is tried again at the next wait.
 */
export function listenForOpen(store: Store, request: OpenSignsRequest, timing: Timing = machineTiming): OpenSigns {
  const ending = new AbortController();
  let isRung = false;
  let isListening = false;
  let vain = 0;
  let wake = () => {};
  const listen = async () => {
    isListening = true;
    try {
      for await (const event of store.subscribe({ project: request.project }, ending.signal)) {
        if (!isSign(event, request)) continue;
        isRung = true;
        wake();
      }
    } catch {
      // The claim that the waiter tries next meets the same trouble, and says what it is.
    }
    isListening = false;
  };
  void listen();
  return {
    wait: async (ms, wasVain = true) => {
      vain = wasVain ? vain + 1 : 0;
      const rested_ms = timing.now() + (wasVain ? Math.min(2 ** (vain - 1), REST_MS_MAX) : 0);
      if (!isListening && !ending.signal.aborted) void listen();
      if (!isRung && !ending.signal.aborted) {
        await new Promise<void>((resolve) => {
          const cancel = timing.after(untilNextLook(timing.now(), ms), resolve);
          wake = () => {
            cancel();
            resolve();
          };
        });
      }
      const rest_ms = rested_ms - timing.now();
      if (rest_ms > 0) await pause(timing, rest_ms, ending.signal);
      isRung = false;
    },
    end: () => {
      ending.abort();
      wake();
    },
  };
}

/** A caller that waits for one handoff is also signalled when it is done: then waiting is pointless. */
function isSign({ handoff_id, to }: HandoffEvent, { id }: OpenSignsRequest): boolean {
  return id === undefined ? to === 'open' : handoff_id === id;
}
