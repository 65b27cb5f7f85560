import type { ContentInput } from '../packages/batonpass/src/core/content.ts';
import type { Handoff } from '../packages/batonpass/src/core/handoff.ts';
import type { Store } from '../packages/batonpass/src/core/store.ts';
import { consume } from '../packages/batonpass/src/stores/consume.ts';
import { openSqliteStore } from '../packages/batonpass/src/stores/sqlite/store.ts';
import type { Amount } from './bare-contenders.ts';
import type { Contender } from './contest.ts';
import * as sample from './sample-work.ts';
import { type Durability, fill } from './store-file.ts';

/** The store, by the calls that a program makes. */

/** One call and one transaction a batch. As with the bare rows, the contents are complete before. */
export function storeCreate({ count, batch, durability }: Amount): Contender {
  return {
    prepare: async (path) => {
      const store = await openSqliteStore(path, { durability });
      const batches = sample.inBatches(sample.createNewHandoffs(count), batch);
      const work = async () => {
        for (const handoffs of batches) await store.create(handoffs, sample.creating);
      };
      return { operations: count, work, close: () => store.close() };
    },
  };
}

/** A claim, then an acknowledgement of each: those of one claim at once, so that they share a transaction. */
export function storeClaim({ count, batch, durability }: Amount): Contender {
  return overFilled({ count, durability }, async (store) => {
    for (let done = 0; done < count; done += batch) {
      const claimed = await claimSome(store, batch);
      await Promise.all(claimed.map((handoff) => acknowledge(store, handoff)));
    }
  });
}

/** One call each: the last is acknowledged, and the next is claimed. */
export function storeNext({ count, durability }: Amount): Contender {
  return overFilled({ count, durability }, async (store) => {
    let [handoff] = await claimSome(store, 1);
    while (handoff !== undefined) {
      const acknowledges = { id: handoff.id, token: tokenOf(handoff) };
      const answer = await store.claim({ ...sample.requestOf(1), acknowledges }, sample.claiming);
      [handoff] = answer.handoffs;
    }
  });
}

/** From the writer's object to the disk, by callers that each wait for their own answer. */
export function createByCallers({ count, callers }: { count: number; callers: number }): Contender {
  return {
    prepare: async (path) => {
      const store = await openSqliteStore(path, { durability: 'full' });
      const inputs = sample.createInputs(count);
      const create = (input: ContentInput) => store.create([sample.createNewHandoff(input)], sample.creating);
      return { operations: count, work: () => share(inputs, callers, create), close: () => store.close() };
    },
  };
}

/** Each caller claims one and acknowledges it, in two calls, of which the second answers nothing, as the other's does. */
export function claimByCallers({ count, callers }: { count: number; callers: number }): Contender {
  const turns = Array.from({ length: count });
  return overFilled({ count, durability: 'full' }, (store) =>
    share(turns, callers, async () => {
      const [handoff] = await claimSome(store, 1);
      if (handoff === undefined) return;
      await acknowledge(store, handoff);
    }),
  );
}

/** The worker loop with a handler that only reads, at the same durability as the other's worker. */
export function consumeAll({ count, concurrency, prefetch }: ConsumeAmount): Contender {
  return overFilled({ count, durability: 'normal' }, async (store) => {
    const stop = new AbortController();
    let handled = 0;
    const options = { project: sample.project, task_id: sample.task_id, actor: sample.receiver, signal: stop.signal };
    const { acknowledged } = await consume(store, { ...options, concurrency, prefetch }, ({ content }) => {
      if (content.payload !== undefined) handled += 1;
      if (handled === count) stop.abort();
    });
    if (acknowledged !== count) throw new Error(`${acknowledged} of ${count} handoffs were acknowledged.`);
  });
}

/** How many handoffs, how many handlers, and how many handoffs are fetched ahead of them. */
export interface ConsumeAmount {
  count: number;
  concurrency: number;
  prefetch: number;
}

function overFilled(
  { count, durability }: { count: number; durability: Durability },
  body: (store: Store) => Promise<void>,
): Contender {
  return {
    prepare: async (path) => {
      await fill(path, sample.createNewHandoffs(count));
      const store = await openSqliteStore(path, { durability });
      return { operations: count, work: () => body(store), close: () => store.close() };
    },
  };
}

/** Each caller takes the next value as soon as its last one is done. */
async function share<T>(values: readonly T[], callers: number, body: (value: T) => Promise<unknown>): Promise<void> {
  const rest = values.values();
  const call = async () => {
    for (const value of rest) await body(value);
  };
  await Promise.all(Array.from({ length: callers }, call));
}

async function claimSome(store: Store, max: number): Promise<Handoff[]> {
  const { handoffs } = await store.claim(sample.requestOf(max), sample.claiming);
  if (handoffs.length === 0) throw new Error('The store has no handoff left.');
  return handoffs;
}

function acknowledge(store: Store, handoff: Handoff): Promise<Handoff> {
  return store.transition(handoff.id, { type: 'acknowledge', token: tokenOf(handoff) }, sample.acknowledging);
}

function tokenOf({ delivery }: Handoff): string {
  return delivery.lease?.token ?? '';
}
