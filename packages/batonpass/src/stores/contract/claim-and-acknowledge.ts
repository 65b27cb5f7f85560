import assert from 'node:assert/strict';
import { callBy, claimOf, LARGE_PAYLOAD as large, only, receiver, refusal, tokenOf } from './bench.ts';
import type { ContractCase } from './case.ts';

/** Claims that acknowledge: what they take, or what their caller is done with. */
export const claimAndAcknowledgeCases: readonly ContractCase[] = [
  {
    ids: ['STORE.without-lease'],
    name: 'a claim without a lease acknowledges at once, in order',
    run: async (bench) => {
      const [first, second] = await bench.create({ task_id: 'A' }, { task_id: 'A' });
      const { store } = bench;
      const take = () => store.claim(claimOf({ task_id: 'A', without_lease: true }), callBy(receiver, 'handoff.claim'));
      const { delivery, id } = only((await take()).handoffs);
      assert.equal(id, first?.id);
      assert.deepEqual([delivery.state, delivery.consumed, delivery.acknowledged_by], ['acknowledged', 1, 'receiver']);
      assert.deepEqual([delivery.lease, delivery.acknowledged_at], [undefined, bench.now]);
      assert.deepEqual(await bench.history({ id }), ['handoff-created', 'handoff-acknowledged']);
      assert.equal(only((await take()).handoffs).id, second?.id);
      assert.deepEqual((await take()).handoffs, []);
    },
  },
  {
    ids: ['STORE.without-lease', 'STORE.payload'],
    name: 'a claim without a lease returns separately stored payloads, a claim with a lease does not',
    run: async (bench) => {
      await bench.create({ payload: large }, { payload: { small: true } }, { payload: large });
      const call = callBy(receiver, 'handoff.claim');
      const { handoffs, payloads } = await bench.store.claim(claimOf({ max: 2, without_lease: true }), call);
      const [sha256 = ''] = handoffs.flatMap(({ content }) => content.payload_ref?.sha256 ?? []);
      assert.deepEqual(Object.keys(payloads ?? {}), [sha256]);
      assert.deepEqual(JSON.parse(payloads?.[sha256] ?? ''), large);
      assert.equal((await bench.store.claim(claimOf(), call)).payloads, undefined);
    },
  },
  {
    ids: ['STORE.acknowledge-next'],
    name: 'a claim acknowledges the finished handoff and claims the next one, both or neither',
    run: async (bench) => {
      const [first, second] = await bench.create({}, {});
      assert.ok(first && second);
      const held = await bench.claimOne(receiver);
      const acknowledges = { id: first.id, token: tokenOf(held) };
      const call = callBy(receiver, 'handoff.claim');
      await refusal(bench.store.claim(claimOf({ acknowledges: { id: first.id, token: 'stale' } }), call), 'lease_lost');
      await refusal(bench.store.claim(claimOf({ acknowledges: { id: 'NOBODY', token: 'x' } }), call), 'not_found');
      assert.equal(await bench.stateOf(second), 'open');
      const answer = await bench.store.claim(claimOf({ acknowledges }), call);
      assert.deepEqual([answer.acknowledged?.id, only(answer.handoffs).id], [first.id, second.id]);
      assert.equal(answer.acknowledged?.delivery.state, 'acknowledged');
      const last = { id: second.id, token: tokenOf(only(answer.handoffs)) };
      const nothing = await bench.store.claim(claimOf({ acknowledges: last }), call);
      assert.deepEqual([nothing.handoffs, nothing.acknowledged?.id], [[], second.id]);
      assert.equal(await bench.stateOf(second), 'acknowledged');
    },
  },
];
