import type { HandoffEvent } from '../../../packages/batonpass/src/core/delivery.ts';
import type { Handoff } from '../../../packages/batonpass/src/core/handoff.ts';
import { limits } from '../../../packages/batonpass/src/core/limits.ts';
import type { Store } from '../../../packages/batonpass/src/core/store.ts';
import type { Evidence } from './check-history.ts';
import type { Recorder } from './recorder.ts';

/** Everything that a store holds, oldest first. */
export async function readContents(store: Store): Promise<Pick<Evidence, 'handoffs' | 'events'>> {
  const handoffs: Handoff[] = [];
  for (let cursor: string | undefined, isLast = false; !isLast; isLast = cursor === undefined) {
    const page = await store.list({ filter: {}, limit: limits.list_max, cursor });
    handoffs.push(...page.handoffs);
    cursor = page.cursor;
  }
  const events: HandoffEvent[] = [];
  for (let isLast = false; !isLast; ) {
    const more = await store.events({ after_seq: events.at(-1)?.seq, limit: limits.events_max });
    events.push(...more);
    isLast = more.length < limits.events_max;
  }
  return { handoffs: handoffs.reverse(), events };
}

/** Enough for any queue of a test; a broken store could give the same handoffs for ever. */
const DRAIN_ROUNDS_MAX = 20;

/** Claims and acknowledges everything that can be claimed. */
export async function drain(recorder: Recorder, actor: string): Promise<void> {
  for (let round = 0; round < DRAIN_ROUNDS_MAX; round += 1) {
    const { held } = await recorder.claim(actor, { max: limits.batch_max });
    if (held.length === 0) return;
    await Promise.all(held.map((each) => recorder.acknowledge(actor, each)));
  }
}
