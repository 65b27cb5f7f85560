import assert from 'node:assert/strict';
import { limits } from '../../core/limits.ts';
import {
  callBy,
  claimOf,
  LEASE_MS,
  newHandoff,
  PROJECT,
  receiver,
  refusal,
  reviewer,
  rival,
  tokenOf,
} from './bench.ts';
import type { ContractCase } from './case.ts';

/** Retries. */
export const idempotencyCases: readonly ContractCase[] = [
  {
    ids: ['LIFE.idempotency'],
    name: 'the same create with the same key returns the first answer again and adds nothing',
    run: async (bench) => {
      const call = callBy(reviewer, 'handoff.create', 'key-1');
      const first = await bench.store.create([newHandoff({ title: 'once' })], call);
      assert.equal(first[0]?.idempotency_key, 'key-1');
      bench.clock.move(1_000);
      assert.deepEqual(await bench.store.create([newHandoff({ title: 'once' })], call), first);
      assert.equal((await bench.store.list({ filter: {}, limit: 10 })).handoffs.length, 1);
      assert.equal((await bench.store.events({ limit: 10 })).length, 1);
    },
  },
  {
    ids: ['LIFE.idempotency'],
    name: "a retry is recognized by the caller's input, not by derived values, and can be recalled",
    run: async (bench) => {
      const call = { ...callBy(reviewer, 'handoff.create', 'key-1'), request: { summary: 'the same words' } };
      assert.equal(await bench.store.recall(call), undefined);
      const first = await bench.store.create([newHandoff({ title: 'on one commit' })], call);
      assert.deepEqual(await bench.store.create([newHandoff({ title: 'on the next' })], call), first);
      assert.deepEqual(await bench.store.recall(call), first);
      await refusal(bench.store.recall({ ...call, request: { summary: 'other words' } }), 'conflict');
      assert.equal((await bench.store.list({ filter: {}, limit: 10 })).handoffs.length, 1);
    },
  },
  {
    ids: ['LIFE.idempotency'],
    name: 'the answer of a call that wrote elsewhere is stored by its key; without a key nothing is stored',
    run: async (bench) => {
      const call = { ...callBy(reviewer, 'plan.write-plan', 'key-1'), request: { title: 'the same words' } };
      assert.deepEqual(await bench.store.remember({ outcome: 'created' }, call), { outcome: 'created' });
      assert.deepEqual(await bench.store.remember({ outcome: 'updated' }, call), { outcome: 'created' });
      assert.deepEqual(await bench.store.recall(call), { outcome: 'created' });
      await refusal(bench.store.remember({ outcome: 'updated' }, { ...call, request: { title: 'other' } }), 'conflict');
      const unkeyed = callBy(reviewer, 'plan.write-plan');
      assert.deepEqual(await bench.store.remember({ outcome: 'updated' }, unkeyed), { outcome: 'updated' });
      assert.equal(await bench.store.recall(unkeyed), undefined);
      bench.clock.move(limits.idempotency_ms);
      assert.deepEqual(await bench.store.remember({ outcome: 'updated' }, call), { outcome: 'updated' });
      assert.deepEqual(await bench.store.recall(call), { outcome: 'updated' });
    },
  },
  {
    ids: ['LIFE.idempotency', 'LIFE.lease'],
    name: 'a claim that is repeated with its key gets the same lease with its token, and no second handoff',
    run: async (bench) => {
      await bench.create({}, {});
      const call = callBy(receiver, 'handoff.claim', 'key-1');
      const first = await bench.store.claim(claimOf(), call);
      const again = await bench.store.claim(claimOf(), call);
      assert.deepEqual(again, first);
      assert.equal(tokenOf(again.handoffs[0] ?? assert.fail()), tokenOf(first.handoffs[0] ?? assert.fail()));
      bench.clock.move(LEASE_MS);
      assert.deepEqual(await bench.store.claim(claimOf(), call), first);
      assert.equal((await bench.store.list({ filter: { state: ['open'] }, limit: 10 })).handoffs.length, 2);
    },
  },
  {
    ids: ['LIFE.idempotency'],
    name: 'a step that is repeated with its key returns its first answer, whatever happened since',
    run: async (bench) => {
      const created = await bench.createOne();
      const token = tokenOf(await bench.claimOne(receiver));
      const call = callBy(receiver, 'handoff.acknowledge', 'key-1');
      const first = await bench.store.transition(created.id, { type: 'acknowledge', token }, call);
      assert.deepEqual(await bench.store.transition(created.id, { type: 'acknowledge', token }, call), first);
      assert.equal((await bench.history(created)).length, 3);
    },
  },
  {
    ids: ['LIFE.idempotency'],
    name: 'the same key with another input is a conflict and changes nothing',
    run: async (bench) => {
      const call = callBy(reviewer, 'handoff.create', 'key-1');
      await bench.store.create([newHandoff({ title: 'once' })], call);
      await refusal(bench.store.create([newHandoff({ title: 'other' })], call), 'conflict');
      await refusal(bench.store.create([newHandoff({ title: 'once', state: 'draft' })], call), 'conflict');
      assert.equal((await bench.store.list({ filter: {}, limit: 10 })).handoffs.length, 1);
      const claim = callBy(receiver, 'handoff.claim', 'key-1');
      await bench.store.claim(claimOf(), claim);
      await refusal(bench.store.claim(claimOf({ max: 2 }), claim), 'conflict');
    },
  },
  {
    ids: ['LIFE.idempotency'],
    name: 'a key belongs to its project, actor and operation only',
    run: async (bench) => {
      const given = [newHandoff({ title: 'each' })];
      const key = 'key-1';
      const calls = [
        callBy(receiver, 'handoff.create', key),
        callBy(rival, 'handoff.create', key),
        callBy({ name: 'receiver', type: 'person' }, 'handoff.create', key),
        callBy(receiver, 'conversation.extract', key),
        { ...callBy(receiver, 'handoff.create', key), project: 'elsewhere' },
        // Names that run together when they are simply joined.
        callBy({ name: 'receiver","agent', type: 'agent' }, 'handoff.create', key),
      ];
      for (const call of calls) await bench.store.create(given, call);
      assert.equal((await bench.store.list({ filter: { project: PROJECT }, limit: 10 })).handoffs.length, calls.length);
    },
  },
  {
    ids: ['LIFE.idempotency'],
    name: 'an answer that changed nothing is not stored, so that an empty claim can be repeated',
    run: async (bench) => {
      const call = callBy(receiver, 'handoff.claim', 'key-1');
      assert.deepEqual((await bench.store.claim(claimOf(), call)).handoffs, []);
      const created = await bench.createOne();
      assert.equal((await bench.store.claim(claimOf(), call)).handoffs[0]?.id, created.id);
    },
  },
  {
    ids: ['LIFE.idempotency'],
    name: 'a refusal is not stored either',
    run: async (bench) => {
      const held = await bench.createOne();
      const token = tokenOf(await bench.claimOne(receiver));
      const call = callBy(rival, 'handoff.claim', 'key-1');
      await refusal(bench.store.claim(claimOf({ id: held.id }), call), 'already_claimed');
      await bench.step(receiver, held, { type: 'release', token });
      assert.equal((await bench.store.claim(claimOf({ id: held.id }), call)).handoffs.length, 1);
    },
  },
  {
    ids: ['LIFE.idempotency'],
    name: 'a key is free again after a day',
    run: async (bench) => {
      const call = callBy(reviewer, 'handoff.create', 'key-1');
      await bench.store.create([newHandoff({ title: 'once' })], call);
      bench.clock.move(limits.idempotency_ms - 1);
      await refusal(bench.store.create([newHandoff({ title: 'other' })], call), 'conflict');
      bench.clock.move(1);
      await bench.store.create([newHandoff({ title: 'other' })], call);
      assert.equal((await bench.store.list({ filter: {}, limit: 10 })).handoffs.length, 2);
    },
  },
  {
    ids: ['LIFE.idempotency'],
    name: 'a key with an expired answer is free again, however many are expired',
    run: async (bench) => {
      const calls = Array.from({ length: 12 }, (_, index) => callBy(receiver, 'handoff.create', `key-${index}`));
      for (const call of calls) await bench.store.create([newHandoff({ title: 'before' })], call);
      bench.clock.move(limits.idempotency_ms);
      for (const call of calls.reverse()) {
        const [again] = await bench.store.create([newHandoff({ title: 'after' })], call);
        assert.equal(again?.content.title, 'after');
      }
    },
  },
];
