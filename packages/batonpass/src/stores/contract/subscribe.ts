import assert from 'node:assert/strict';
import type { HandoffEvent } from '../../core/delivery.ts';
import { callBy, LEASE_MS, newHandoff, PROJECT, receiver, refusal, writer } from './bench.ts';
import type { ContractCase } from './case.ts';

/** Takes events until there are as many as expected, or the subscription ends. */
async function take(events: AsyncIterable<HandoffEvent>, count: number): Promise<HandoffEvent[]> {
  const taken: HandoffEvent[] = [];
  for await (const event of events) {
    taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
}

/** Events as they come. */
export const subscribeCases: readonly ContractCase[] = [
  {
    ids: ['STORE.subscribe'],
    name: 'a subscription without a position returns only later events',
    run: async (bench) => {
      await bench.createOne();
      const events = bench.store.subscribe({}, new AbortController().signal);
      const created = await bench.createOne();
      await bench.claimOne(receiver, { id: created.id });
      assert.deepEqual(
        (await take(events, 2)).map(({ handoff_id, name }) => [handoff_id, name]),
        [
          [created.id, 'handoff-created'],
          [created.id, 'handoff-claimed'],
        ],
      );
    },
  },
  {
    ids: ['STORE.subscribe'],
    name: 'a subscription from a position returns the earlier events first, then the new ones, each once',
    run: async (bench) => {
      await bench.create({}, {}, {});
      const events = bench.store.subscribe({ after_seq: 0 }, new AbortController().signal);
      const taking = take(events, 8);
      for (let count = 0; count < 5; count += 1) await bench.createOne();
      const taken = await taking;
      assert.deepEqual(taken, await bench.store.events({ limit: 8 }));
    },
  },
  {
    ids: ['STORE.subscribe'],
    name: 'the next event of its project wakes a waiting subscription',
    run: async (bench) => {
      const taking = take(bench.store.subscribe({ project: PROJECT }, new AbortController().signal), 1);
      const elsewhere = { ...newHandoff({}), project: 'elsewhere' };
      await bench.store.create([elsewhere], callBy(writer, 'handoff.create'));
      const created = await bench.createOne();
      assert.equal((await taking)[0]?.handoff_id, created.id);
    },
  },
  {
    ids: ['STORE.subscribe', 'LIFE.clock'],
    name: 'a subscription notices lapses and expiries by itself',
    run: async (bench) => {
      await bench.createOne();
      await bench.claimOne(receiver);
      const taking = take(bench.store.subscribe({}, new AbortController().signal), 1);
      bench.clock.move(LEASE_MS);
      assert.equal((await taking)[0]?.name, 'handoff-lapsed');
    },
  },
  {
    ids: ['STORE.subscribe'],
    name: 'each of several subscriptions gets all events',
    run: async (bench) => {
      const { signal } = new AbortController();
      const taking = [1, 2, 3].map(() => take(bench.store.subscribe({}, signal), 2));
      await bench.create({}, {});
      const [first, second, third] = await Promise.all(taking);
      assert.equal(first?.length, 2);
      assert.deepEqual(second, first);
      assert.deepEqual(third, first);
    },
  },
  {
    ids: ['STORE.subscribe', 'STORE.close'],
    name: 'a subscription ends when its signal aborts, before or while it waits, and when the store closes',
    run: async (bench) => {
      assert.deepEqual(await take(bench.store.subscribe({ after_seq: 0 }, AbortSignal.abort()), 1), []);
      const controller = new AbortController();
      const aborted = take(bench.store.subscribe({}, controller.signal), 1);
      controller.abort();
      assert.deepEqual(await aborted, []);
      const closed = take(bench.store.subscribe({}, new AbortController().signal), 1);
      await bench.store.close();
      assert.deepEqual(await closed, []);
    },
  },
  {
    ids: ['STORE.subscribe', 'STORE.limits'],
    name: 'a subscription from an invalid position is refused',
    run: async ({ store }) => {
      await refusal(
        (async () => take(store.subscribe({ after_seq: -1 }, new AbortController().signal), 1))(),
        'invalid_input',
      );
    },
  },
];
