import { HandoffError } from '../../core/errors.ts';
import type { Timing } from '../../core/timing.ts';
import { isPassing } from './passing.ts';

/** What a keeper of leases is told of. */
export interface LeaseKeeperOptions<Held> {
  /** The length of every lease, in milliseconds. */
  lease_ms: number;
  timing: Timing;
  /** Renews one lease; rejects where the store refuses or cannot. */
  renew: (held: Held) => Promise<unknown>;
  /** A lease that is gone, or that could not be renewed before its end. It is not kept any more. */
  onLost: (held: Held, reason: unknown) => void;
  /** A renewal that the store could not do now; it is tried again. */
  onError: (error: unknown) => void;
}

interface Lease {
  /** Until when it surely runs, by this process's clock: counted from before it was asked for. */
  ends_ms: number;
  renew_ms: number;
  isRenewing: boolean;
}

/** Looks in the length of one lease: a renewal that fails is tried again at each, eight times before the end. */
const LOOKS = 12;

/** Renews every lease of a loop when a third of it has passed. One timer serves all, while there are any. */
export class LeaseKeeper<Held> {
  readonly #options: LeaseKeeperOptions<Held>;
  readonly #leases = new Map<Held, Lease>();
  #cancel: (() => void) | undefined;

  constructor(options: LeaseKeeperOptions<Held>) {
    this.#options = options;
  }

  /** @param asked_ms - when the lease was asked for, by the timing's clock. */
  keep(held: Held, asked_ms: number): void {
    this.#leases.set(held, { ...this.#spanFrom(asked_ms), isRenewing: false });
    if (this.#cancel === undefined) this.#lookLater();
  }

  /** How long a lease surely runs still, in milliseconds; 0 where it is not kept. */
  remaining(held: Held): number {
    return Math.max(0, (this.#leases.get(held)?.ends_ms ?? 0) - this.#options.timing.now());
  }

  forget(held: Held): void {
    this.#leases.delete(held);
  }

  /** Forgets all, and leaves no timer behind. */
  end(): void {
    this.#leases.clear();
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #spanFrom(asked_ms: number) {
    const { lease_ms } = this.#options;
    return { ends_ms: asked_ms + lease_ms, renew_ms: asked_ms + lease_ms / 3 };
  }

  #lookLater(): void {
    const { timing, lease_ms } = this.#options;
    this.#cancel = timing.after(lease_ms / LOOKS, () => {
      this.#cancel = undefined;
      this.#look();
      if (this.#leases.size > 0) this.#lookLater();
    });
  }

  #look(): void {
    const { timing, lease_ms } = this.#options;
    const now_ms = timing.now();
    // What is due within half a look is due now: the next look comes later.
    const due_ms = now_ms + lease_ms / LOOKS / 2;
    for (const [held, lease] of this.#leases) {
      if (lease.ends_ms <= now_ms) this.#lose(held, endedLease());
      else if (lease.renew_ms <= due_ms && !lease.isRenewing) void this.#renew(held, lease);
    }
  }

  async #renew(held: Held, lease: Lease): Promise<void> {
    const { timing, renew, onError } = this.#options;
    const asked_ms = timing.now();
    lease.isRenewing = true;
    try {
      await renew(held);
      Object.assign(lease, this.#spanFrom(asked_ms));
    } catch (error) {
      if (!isPassing(error)) this.#lose(held, error);
      else if (this.#leases.has(held)) onError(error);
    }
    lease.isRenewing = false;
  }

  #lose(held: Held, reason: unknown): void {
    if (this.#leases.delete(held)) this.#options.onLost(held, reason);
  }
}

/** The error of a lease that may have ended, by this process's own clock or by a claim that found its handoff open. */
export function endedLease(): HandoffError {
  return new HandoffError('lease_lost', 'The lease has ended before it was renewed.', {
    alternatives: ['Treat work done under it as possibly done twice.'],
  });
}
