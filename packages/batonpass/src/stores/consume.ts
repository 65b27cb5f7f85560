import { HandoffError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import type { Store } from '../core/store.ts';
import { Consumer } from './consuming/consumer.ts';
import type { Consumed } from './consuming/holdings.ts';
import type { ConsumeHandler, ConsumeOptions } from './consuming/options.ts';

/**
 * The worker loop: claims handoffs, oldest first, gives each to the handler and acknowledges it. It waits for more
 * without polling until its signal aborts, then lets running handlers finish and returns the outcome of everything.
 *
 *     const { acknowledged } = await consume(store, { project, actor, concurrency: 4, signal }, async (handoff) => {
 *       await review(handoff.content);
 *     });
 *
 * Each handoff is handled at least once, never surely once: a process can die between its work and its acknowledgement,
 * or be paused until its lease has lapsed. Effects elsewhere are made safe by the fence (`handoff.delivery.fence`): it
 * rises with each claim, so a receiver that keeps the highest it has seen can refuse an older one. The leases of a loop
 * that died remain until they lapse; then its handoffs are claimed again, in their old positions.
 *
 * A handler that keeps the event loop busy for most of a lease delays the renewals and loses the lease. One that does not
 * end when its signal aborts keeps its slot and delays the end of the loop; meanwhile it never gets the same handoff again.
 *
 * At most `concurrency` + `prefetch` handoffs are held. Calls to a store that is `unavailable` are retried, with growing
 * pauses up to `limits.retry_ms_max`; an acknowledgement is retried as long as its lease lasts.
 *
 * @throws HandoffError `invalid_input` for options out of their bounds, and every error that a retry cannot fix, such as
 * that of a closed store: after the handlers have ended.
 */
export async function consume(store: Store, options: ConsumeOptions, handle: ConsumeHandler): Promise<Consumed> {
  assertWithin('concurrency', options.concurrency, 1);
  assertWithin('prefetch', options.prefetch, 0);
  assertGrace(options.grace_ms);
  return new Consumer(store, options, handle).run();
}

function assertWithin(name: string, value: number | undefined, min: number): void {
  const max = limits.batch_max;
  if (value === undefined || (Number.isSafeInteger(value) && value >= min && value <= max)) return;
  throw new HandoffError('invalid_input', `The value of ${name} is not allowed: ${value}.`, {
    details: { name, value, min, max },
    alternatives: [`Give a whole number from ${min} to ${max}.`],
  });
}

function assertGrace(grace_ms: number | undefined): void {
  if (grace_ms === undefined || (grace_ms >= 0 && grace_ms <= limits.timer_ms_max)) return;
  throw new HandoffError('invalid_input', `The value of grace_ms is not allowed: ${grace_ms}.`, {
    details: { name: 'grace_ms', value: grace_ms, min: 0, max: limits.timer_ms_max },
    alternatives: ['Leave it out to wait as long as handlers take.'],
  });
}
