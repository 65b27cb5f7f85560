import assert from 'node:assert/strict';
import { type Bench, callBy, newHandoff, only, receiver, refusal, tokenOf, writer } from './bench.ts';
import type { ContractCase } from './case.ts';

/** Creates that acknowledge: one handoff became the next. */
export const createAndAcknowledgeCases: readonly ContractCase[] = [
  {
    ids: ['STORE.create-acknowledges'],
    name: "a create acknowledges its caller's handoff in one transaction",
    run: async (bench) => {
      const { held, acknowledges } = await hold(bench);
      const given = newHandoff({ title: 'next', parent_id: held.id });
      const next = only(await bench.store.create([given], callBy(receiver, 'handoff.create'), { acknowledges }));
      const { delivery } = await bench.read(held);
      assert.deepEqual([delivery.state, delivery.acknowledged_by], ['acknowledged', receiver.name]);
      assert.equal(await bench.stateOf(next), 'open');
      assert.deepEqual(await bench.history(held), ['handoff-created', 'handoff-claimed', 'handoff-acknowledged']);
    },
  },
  {
    ids: ['STORE.create-acknowledges', 'STORE.atomic'],
    name: 'if the acknowledgement of a create is refused, nothing is added; if the create is refused, nothing is acknowledged',
    run: async (bench) => {
      const { held, acknowledges } = await hold(bench);
      const call = callBy(receiver, 'handoff.create');
      const given = newHandoff({ title: 'next' });
      const create = (token: string, id = held.id) =>
        bench.store.create([given], call, { acknowledges: { id, token } });
      await refusal(create('stale'), 'lease_lost');
      await refusal(create(acknowledges.token, 'NOBODY'), 'not_found');
      const orphan = newHandoff({ supersedes_id: 'NOBODY' });
      await refusal(bench.store.create([given, orphan], call, { acknowledges }), 'not_found');
      assert.equal((await bench.store.list({ filter: {}, limit: 10 })).handoffs.length, 1);
      assert.equal(await bench.stateOf(held), 'claimed');
    },
  },
  {
    ids: ['STORE.create-acknowledges'],
    name: 'a create after the lease lapsed, or repeated after it took effect, fails with lease_lost and adds nothing',
    run: async (bench) => {
      const { acknowledges: lapsed } = await hold(bench);
      bench.clock.move(3_600_000);
      const call = callBy(receiver, 'handoff.create');
      const create = (acknowledges: { id: string; token: string }) =>
        bench.store.create([newHandoff({ title: 'next' })], call, { acknowledges });
      await refusal(create(lapsed), 'lease_lost');
      const again = await bench.claimOne(receiver);
      const acknowledges = { id: again.id, token: tokenOf(again) };
      await create(acknowledges);
      await refusal(create(acknowledges), 'lease_lost');
      assert.equal((await bench.store.list({ filter: {}, limit: 10 })).handoffs.length, 2);
    },
  },
  {
    ids: ['STORE.create-acknowledges', 'LIFE.idempotency'],
    name: 'a repeated keyed create that acknowledges returns its first answer; with another token it is a conflict',
    run: async (bench) => {
      const { acknowledges } = await hold(bench);
      const call = callBy(receiver, 'handoff.create', 'key-1');
      const given = newHandoff({ title: 'next' });
      const first = await bench.store.create([given], call, { acknowledges });
      assert.deepEqual(await bench.store.create([given], call, { acknowledges }), first);
      await refusal(
        bench.store.create([given], call, { acknowledges: { ...acknowledges, token: 'other' } }),
        'conflict',
      );
      await refusal(bench.store.create([given], call), 'conflict');
    },
  },
];

async function hold(bench: Bench) {
  const [held] = await bench.store.create([newHandoff({ title: 'held' })], callBy(writer, 'handoff.create'));
  assert.ok(held);
  const claimed = await bench.claimOne(receiver);
  return { held, acknowledges: { id: held.id, token: tokenOf(claimed) } };
}
