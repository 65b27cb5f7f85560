import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import type { Call, Store } from '../../core/store.ts';
import { pause, type Timing } from '../../core/timing.ts';
import type { Step } from '../../core/transitions.ts';
import { endedLease, LeaseKeeper } from './lease-keeper.ts';
import { isPassing, isRefusal } from './passing.ts';

/** What became of the handoffs that a loop claimed: each is counted once. */
export interface Consumed {
  acknowledged: number;
  failed: number;
  /** Claimed, and given back undone when the loop stopped. */
  released: number;
  /** Their lease ended, or was taken, before the store knew the end of their work: another receiver may do it again. */
  lost: number;
}

/** The step with which a holder lets go of a handoff. */
export type LastStep = Extract<Step, { type: 'acknowledge' | 'fail' | 'release' }>;

/** One handoff that a loop holds. */
export interface Held {
  readonly handoff: Handoff;
  readonly token: string;
  /** Aborted when the lease is lost, or when the loop waits no longer. */
  readonly stopping: AbortController;
  isRunning: boolean;
  isLost: boolean;
  isSettling: boolean;
}

/** The source of the held handoffs, and the callbacks for their results. */
export interface HoldingsOptions {
  store: Store;
  call: Omit<Call, 'operation'>;
  lease_ms: number;
  timing: Timing;
  /** There are fewer than before. */
  onRoom: () => void;
  /** The store cannot do something now; it is tried again. */
  onError: (error: unknown) => void;
  /** No retry heals it. */
  onFatal: (error: unknown) => void;
}

const outcomes = { acknowledge: 'acknowledged', fail: 'failed', release: 'released' } as const;

/** The handoffs that a loop holds, from their claim until the store knows what became of them. */
export class Holdings {
  readonly consumed: Consumed = { acknowledged: 0, failed: 0, released: 0, lost: 0 };
  readonly #options: HoldingsOptions;
  readonly #held = new Set<Held>();
  /** What waits or runs here, by its id. */
  readonly #current = new Map<string, Held>();
  /** Those whose lease is lost and whose handler has not ended. */
  readonly #lost = new Set<Held>();
  readonly #leases: LeaseKeeper<Held>;
  #onEmpty = () => {};

  constructor(options: HoldingsOptions) {
    const { lease_ms, timing, onError } = options;
    this.#options = options;
    this.#leases = new LeaseKeeper<Held>({
      lease_ms,
      timing,
      renew: (held) => this.#take(held, { type: 'renew', token: held.token, lease_ms }),
      onLost: (held, reason) => this.#lose(held, reason),
      onError,
    });
  }

  get size(): number {
    return this.#held.size;
  }

  /**
   * Takes up what was just claimed.
   *
   * @param asked_ms - when the claim was made, by the timing's clock.
   * @returns nothing where its handler still runs here under an earlier lease, lost unnoticed: it is released then.
   */
  keep(handoff: Handoff, asked_ms: number): Held | undefined {
    const former = this.#current.get(handoff.id);
    if (former !== undefined) this.#lose(former, endedLease());
    const token = handoff.delivery.lease?.token ?? '';
    const stopping = new AbortController();
    const held = { handoff, token, stopping, isRunning: false, isLost: false, isSettling: false };
    this.#held.add(held);
    this.#leases.keep(held, asked_ms);
    if (former?.isRunning === true) {
      void this.release(held);
      return undefined;
    }
    this.#current.set(handoff.id, held);
    return held;
  }

  /** Whether a handler may begin with it: not where its lease is lost, or may have ended while nothing ran here. */
  begin(held: Held): boolean {
    if (!held.isLost && this.#leases.remaining(held) === 0) this.#lose(held, endedLease());
    held.isRunning = !held.isLost;
    return held.isRunning;
  }

  /** What no claim should bring: its lease is lost, and its handler still runs. */
  get lostIds(): string[] {
    return [...this.#lost].map(({ handoff }) => handoff.id);
  }

  /**
   * Lets go of a handoff. An acknowledgement or a failure that the store cannot take now is tried again while the lease
   * lasts: work that is done is not thrown away. A release is not, since a lapse does the same. Never rejects.
   */
  async settle(held: Held, step: LastStep): Promise<void> {
    held.isSettling = true;
    this.#letGo(held);
    for (let pause_ms: number = limits.retry_ms_min; ; pause_ms = Math.min(pause_ms * 2, limits.retry_ms_max)) {
      try {
        await this.#take(held, step);
        this.end(held, outcomes[step.type]);
        return;
      } catch (error) {
        if (!this.#isWorthRetrying(held, step, { error, pause_ms })) {
          this.end(held, 'lost');
          return;
        }
      }
      await pause(this.#options.timing, pause_ms, held.stopping.signal);
    }
  }

  /** Gives back what was not worked at. Never rejects. */
  async release(held: Held): Promise<void> {
    if (!held.isLost) await this.settle(held, { type: 'release', token: held.token, reason: 'The receiver stopped.' });
  }

  /** Counts what became of a handoff, and forgets it. */
  end(held: Held, outcome: keyof Consumed): void {
    this.consumed[outcome] += 1;
    this.#forget(held);
  }

  /** @returns whether the lease was lost while the handler ran: nothing is left to be done then. */
  endHandler(held: Held): boolean {
    held.isRunning = false;
    if (held.isLost) this.#forget(held);
    return held.isLost;
  }

  /** Signals every handler to stop; results that the store cannot accept from now on are lost. */
  interrupt(reason: unknown): void {
    for (const { stopping } of this.#held) stopping.abort(reason);
  }

  /** Resolves when nothing is held any more; no timer is left then. */
  async empty(): Promise<void> {
    if (this.#held.size > 0) {
      await new Promise<void>((resolve) => {
        this.#onEmpty = resolve;
      });
    }
    this.#leases.end();
  }

  #take({ handoff }: Held, step: LastStep | Extract<Step, { type: 'renew' }>): Promise<unknown> {
    const { store, call } = this.#options;
    return store.transition(handoff.id, step, { ...call, operation: `handoff.${step.type}`, omits_content: true });
  }

  #isWorthRetrying(held: Held, { type }: LastStep, { error, pause_ms }: { error: unknown; pause_ms: number }): boolean {
    const { onError, onFatal } = this.#options;
    if (isRefusal(error)) return false;
    if (!isPassing(error)) {
      onFatal(error);
      return false;
    }
    onError(error);
    return type !== 'release' && !held.stopping.signal.aborted && pause_ms < this.#leases.remaining(held);
  }

  #lose(held: Held, reason: unknown): void {
    // Of one that is settled the answer to its last step decides.
    if (held.isSettling || held.isLost) return;
    held.isLost = true;
    this.consumed.lost += 1;
    held.stopping.abort(reason);
    if (held.isRunning) this.#lost.add(held);
    else this.#forget(held);
    if (!isRefusal(reason)) this.#options.onFatal(reason);
  }

  #letGo(held: Held): void {
    const { id } = held.handoff;
    if (this.#current.get(id) === held) this.#current.delete(id);
  }

  #forget(held: Held): void {
    this.#letGo(held);
    this.#held.delete(held);
    this.#lost.delete(held);
    this.#leases.forget(held);
    this.#options.onRoom();
    if (this.#held.size === 0) this.#onEmpty();
  }
}
