/** So often all leases are looked at, and not only those that have ended since the last look. */
const WHOLE_LOOK_MS = 60_000;

/** What a look at the leases told. */
export interface LapseLook {
  /** The time of the transaction that looked. */
  now_ms: number;
  is_due: boolean;
}

/**
 * From which end of a lease on each transaction looks for lapses: what ended before has been seen to be settled. Without
 * it every look would pass all leases that ever ended, for as long as an old transaction of the server keeps their rows.
 *
 * A lease begins after the transaction that gives it, and lasts a second at least; one that is older came from another store,
 * which `forget` is for, or from a transaction slower than its lease: that one is seen with the next whole look.
 */
export class LapseWatermark {
  readonly #now: () => number;
  #settled_ms = 0;
  #whole_ms = Number.NEGATIVE_INFINITY;

  /** @param now - milliseconds of a clock that never goes back; the machine's by default. */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Leases that ended at this instant or before are passed over. */
  from(): number {
    return this.#now() - this.#whole_ms < WHOLE_LOOK_MS ? this.#settled_ms : 0;
  }

  /** @param from - where that look began. */
  saw({ now_ms, is_due }: LapseLook, from: number): void {
    if (is_due) return;
    this.#settled_ms = now_ms;
    if (from === 0) this.#whole_ms = this.#now();
  }

  /** The next look is a whole one. */
  forget(): void {
    this.#whole_ms = Number.NEGATIVE_INFINITY;
  }
}
