import type { Handoff } from '../../core/handoff.ts';
import type { Call, ClaimRequest } from '../../core/store.ts';
import type { Timing } from '../../core/timing.ts';

/** Which handoffs a loop takes, as whom, and how many at once. */
export interface ConsumeOptions
  extends Pick<ClaimRequest, 'project' | 'task_id' | 'kind' | 'scope' | 'include_unscoped'> {
  /** Who claims; recorded in the history. */
  actor: Call['actor'];
  /** The length of a lease; it is renewed at a third of it. Default: `limits.lease_ms_default`. */
  lease_ms?: number;
  /** How many handlers run at once, 1 to `limits.batch_max`. Default: 1. */
  concurrency?: number;
  /**
   * How many claimed handoffs may wait for a free handler, 0 to `limits.batch_max`. More of them means fewer
   * transactions; what waits in a process that dies comes back only when its lease lapses, and counts an attempt.
   * Default: as many as `concurrency`.
   */
  prefetch?: number;
  /** Stops the loop: nothing more is claimed, what did not start is released, what runs may finish. */
  signal?: AbortSignal;
  /** How long handlers may go on after the stop before their own signal aborts, in milliseconds. Default: no limit. */
  grace_ms?: number;
  /** Called with each failure of the store that the loop will retry. Default: not reported. */
  onError?: (error: unknown) => void;
  /** Clock and timers, for tests. Default: the machine's. */
  timing?: Timing;
}

/** What a handler receives in addition to its handoff. */
export interface ConsumeContext {
  /** Aborted when the lease is lost, or when the grace after a stop is over: what is done from then on may be done twice. */
  signal: AbortSignal;
}

/**
 * Does the work of one handoff. What it resolves with is not looked at: the handoff is acknowledged then. Where it
 * throws, the handoff has failed with that reason.
 */
export type ConsumeHandler = (handoff: Handoff, work: ConsumeContext) => unknown;
