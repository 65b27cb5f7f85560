import type { HandoffEvent } from '../core/delivery.ts';
import { limits } from '../core/limits.ts';
import { untilNextLook } from '../core/timing.ts';

/** Notices other processes' commits, for all subscriptions of a store. */
export interface Watch {
  start: () => void;
  stop: () => void;
  /** Checks for changes that no signal announced; called only between `start` and `stop`. */
  verify: () => void;
}

/** Wakes the subscriptions of one store when something may have happened, here or in another process. */
export class Bell {
  readonly #listeners = new Set<() => void>();
  readonly #watch: Watch | undefined;

  /** @param watch - where other processes can write. It runs while anybody listens. */
  constructor(watch?: Watch) {
    this.#watch = watch;
  }

  /** Called after each commit, and for each sign of another process's commit. */
  ring(): void {
    for (const listener of this.#listeners) listener();
  }

  /** @returns a function that stops listening. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#watch?.start();
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#watch?.stop();
    };
  }

  /** Checks for other processes' commits that no signal announced. */
  verify(): void {
    this.#watch?.verify();
  }
}

/** What a subscription needs of its store. */
export interface EventSource {
  bell: Bell;
  /** Events after a sequence number, oldest first. */
  readAfter: (seq: number, limit: number) => Promise<HandoffEvent[]>;
  /** The sequence number to begin after. If it cannot be read, the reader of the events gets the error. */
  start: Promise<number>;
  /** Aborted by the subscriber or by the store's end. */
  signal: AbortSignal;
}

/**
 * Events as they come, a page at a time: a reader that is slow has at most one page in memory. It reads after each ring
 * of the bell, and once in `limits.subscription_look_ms`: what comes due makes no sign before somebody looks.
 */
export function follow(source: EventSource): AsyncGenerator<HandoffEvent, void> {
  // Not lost: the generator awaits the same promise. A subscription that is never read has no reader to report to.
  source.start.catch(() => {});
  return generate(source);
}

async function* generate(source: EventSource): AsyncGenerator<HandoffEvent, void> {
  const { signal } = source;
  if (signal.aborted) return;
  const waiter = createWaiter(source);
  try {
    let seq = await source.start;
    while (!signal.aborted) {
      const events = await source.readAfter(seq, limits.subscription_events_max);
      for (const event of events) {
        if (signal.aborted) return;
        seq = event.seq;
        yield event;
      }
      if (events.length === 0) await waiter.wait();
    }
  } catch (error) {
    // A store that closes in the middle of a read ends its subscriptions; it does not fail them.
    if (!signal.aborted) throw error;
  } finally {
    waiter.close();
  }
}

interface Waiter {
  /** Resolves at the next ring, at once for one since the last wait, at the next due look, or when the signal aborts. */
  wait: () => Promise<void>;
  close: () => void;
}

function createWaiter({ bell, signal }: EventSource): Waiter {
  let isRung = false;
  let wake = () => {};
  const ring = () => {
    isRung = true;
    wake();
  };
  const silence = bell.listen(ring);
  const close = () => {
    silence();
    signal.removeEventListener('abort', end);
  };
  // At once, also where no reader asks for the next event any more: a closed store must not be read.
  const end = () => {
    close();
    ring();
  };
  signal.addEventListener('abort', end);
  return {
    wait: async () => {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(
            () => {
              bell.verify();
              resolve();
            },
            untilNextLook(performance.now(), limits.subscription_look_ms),
          );
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isRung = false;
    },
    close,
  };
}
