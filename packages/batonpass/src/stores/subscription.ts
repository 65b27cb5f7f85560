import type { HandoffEvent } from '../core/delivery.ts';
import { limits } from '../core/limits.ts';

/** Wakes the subscriptions of one store when something may have happened. */
export class Bell {
  readonly #listeners = new Set<() => void>();

  /** Called after each commit, and for each sign of another process's commit. */
  ring(): void {
    for (const listener of this.#listeners) listener();
  }

  /** @returns a function that stops listening. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}

/** What a subscription needs of its store. */
export interface EventSource {
  bell: Bell;
  /** Begins to ring the bell at other processes' commits, where the store can; returns what ends it. */
  watch?: () => () => void;
  /** Events after a place, oldest first, at most `limits.events_max`. */
  readAfter: (seq: number) => Promise<HandoffEvent[]>;
  /** The place to begin behind. Where it cannot be read, whoever asks for events is told. */
  start: Promise<number>;
  /** Aborted by the subscriber or by the store's end. */
  signal: AbortSignal;
}

/** The first look after a sign; it doubles up to `limits.subscription_look_ms`. */
const FIRST_LOOK_MS = 2;

/**
 * Events as they come. A sign may come before its commit can be read (the WAL is written and synced first), so a sign
 * is followed by a few looks at growing distances, ending in one a second: no polling, and no lost event.
 */
export function follow(source: EventSource): AsyncGenerator<HandoffEvent, void> {
  // Not lost: the generator awaits the same promise. A subscription that is never read has nobody to tell.
  source.start.catch(() => {});
  return generate(source);
}

async function* generate(source: EventSource): AsyncGenerator<HandoffEvent, void> {
  const { bell, signal } = source;
  const unwatch = source.watch?.();
  const waiter = createWaiter(bell, signal);
  try {
    let seq = await source.start;
    while (!signal.aborted) {
      const events = await readUnlessEnded(source, seq);
      for (const event of events) {
        if (signal.aborted) return;
        seq = event.seq;
        yield event;
      }
      if (events.length === 0) await waiter.wait();
      else waiter.expectMore();
    }
  } finally {
    waiter.close();
    unwatch?.();
  }
}

/** A store that closes in the middle of a read ends its subscriptions; it does not fail them. */
async function readUnlessEnded({ readAfter, signal }: EventSource, seq: number): Promise<HandoffEvent[]> {
  try {
    return await readAfter(seq);
  } catch (error) {
    if (signal.aborted) return [];
    throw error;
  }
}

interface Waiter {
  /** Resolves at the next sign, at the next due look, or when the signal aborts. */
  wait: () => Promise<void>;
  expectMore: () => void;
  close: () => void;
}

function createWaiter(bell: Bell, signal: AbortSignal): Waiter {
  let look_ms = FIRST_LOOK_MS;
  let isRung = false;
  let wake = () => {};
  const ring = () => {
    isRung = true;
    look_ms = FIRST_LOOK_MS;
    wake();
  };
  const silence = bell.listen(ring);
  signal.addEventListener('abort', ring);
  return {
    wait: async () => {
      if (!isRung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, look_ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        look_ms = Math.min(look_ms * 2, limits.subscription_look_ms);
      }
      isRung = false;
    },
    expectMore: () => {
      look_ms = FIRST_LOOK_MS;
    },
    close: () => {
      silence();
      signal.removeEventListener('abort', ring);
    },
  };
}
