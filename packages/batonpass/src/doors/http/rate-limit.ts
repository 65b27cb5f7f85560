import { Refusal } from './problem.ts';

/** How often something may happen. */
export interface Rate {
  per_second: number;
  burst: number;
}

/** More callers at once than a server ever has; beyond it the bucket that was unused for longest is dropped. */
const CALLERS_MAX = 10_000;

/** A bucket for each caller: a burst at once, then so many a second. */
export class RateLimit {
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #buckets = new Map<string, { left: number; at_ms: number }>();

  /** @param now - milliseconds of a clock that never goes back. */
  constructor(rate: Rate, now: () => number) {
    this.#rate = rate;
    this.#now = now;
  }

  /** Takes one from a caller's bucket. @throws Refusal that reports when the next one is available. */
  take(caller: string): void {
    const left = this.#left(caller);
    if (left < 1) throw this.#refuse(left);
    this.#keep(caller, left - 1);
  }

  /** Refuses a caller whose bucket is empty, and takes nothing. @throws Refusal */
  assertSome(caller: string): void {
    const left = this.#left(caller);
    if (left < 1) throw this.#refuse(left);
  }

  #left(caller: string): number {
    const { per_second, burst } = this.#rate;
    const bucket = this.#buckets.get(caller);
    return bucket === undefined
      ? burst
      : Math.min(burst, bucket.left + ((this.#now() - bucket.at_ms) / 1_000) * per_second);
  }

  /** Moves it to the end of the map, whose first entry is dropped first. */
  #keep(caller: string, left: number): void {
    this.#buckets.delete(caller);
    this.#buckets.set(caller, { left, at_ms: this.#now() });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > CALLERS_MAX && oldest !== undefined) this.#buckets.delete(oldest);
  }

  #refuse(left: number): Refusal {
    const seconds = Math.max(1, Math.ceil((1 - left) / this.#rate.per_second));
    return new Refusal('too_many_requests', `These are too many requests; there is room again in ${seconds} s.`, {
      headers: { 'retry-after': String(seconds) },
    });
  }
}
