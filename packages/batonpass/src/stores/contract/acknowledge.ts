import assert from 'node:assert/strict';
import {
  type Bench,
  callBy,
  claimOf,
  LEASE_MS,
  LARGE_PAYLOAD as large,
  newHandoff,
  only,
  receiver,
  refusal,
  rival,
  tokenOf,
  writer,
} from './bench.ts';
import type { ContractCase } from './case.ts';

/** The end of a good delivery, alone or together with a claim or a create. */
export const acknowledgeCases: readonly ContractCase[] = [
  {
    ids: ['LIFE.acknowledge', 'LIFE.events', 'LIFE.consumed'],
    name: 'the holder acknowledges: who and when are stored, the lease is removed',
    run: async (bench) => {
      const created = await bench.createOne();
      const token = tokenOf(await bench.claimOne(receiver));
      bench.clock.move(1_000);
      const done = await bench.step(receiver, created, { type: 'acknowledge', token });
      const { state, acknowledged_by, acknowledged_at, lease, consumed } = done.delivery;
      assert.deepEqual(
        { state, acknowledged_by, acknowledged_at, lease, consumed },
        {
          state: 'acknowledged',
          acknowledged_by: 'receiver',
          acknowledged_at: bench.now,
          lease: undefined,
          consumed: 1,
        },
      );
      assert.deepEqual(await bench.read(created), done);
      assert.deepEqual(await bench.history(created), ['handoff-created', 'handoff-claimed', 'handoff-acknowledged']);
      bench.clock.move(10 * LEASE_MS);
      assert.deepEqual(await bench.claim(rival), []);
    },
  },
  {
    ids: ['LIFE.acknowledge-open'],
    name: 'an open handoff is acknowledged without a claim; a repetition by the same agent changes nothing',
    run: async (bench) => {
      const created = await bench.createOne();
      const first = await bench.step(receiver, created, { type: 'acknowledge' });
      assert.equal(first.delivery.state, 'acknowledged');
      bench.clock.move(1_000);
      const again = await bench.step(receiver, created, { type: 'acknowledge' });
      assert.deepEqual(again, first);
      assert.deepEqual(await bench.history(created), ['handoff-created', 'handoff-acknowledged']);
    },
  },
  {
    ids: ['LIFE.acknowledge-open'],
    name: "a second agent's acknowledgement is refused with the name of the first, which stays",
    run: async (bench) => {
      const created = await bench.createOne();
      const first = await bench.step(receiver, created, { type: 'acknowledge' });
      const error = await refusal(bench.step(rival, created, { type: 'acknowledge' }), 'conflict');
      assert.equal(error.details.acknowledged_by, 'receiver');
      assert.equal(error.details.acknowledged_at, first.delivery.acknowledged_at);
      assert.deepEqual(await bench.read(created), first);
    },
  },
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
