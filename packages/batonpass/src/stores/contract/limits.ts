import assert from 'node:assert/strict';
import { limits } from '../../core/limits.ts';
import { callBy, claimOf, newHandoff, receiver, refusal, reviewer, tokenOf, writer } from './bench.ts';
import type { ContractCase } from './case.ts';

/** What a store refuses before it touches anything, and how it ends. */
export const limitsCases: readonly ContractCase[] = [
  {
    ids: ['STORE.limits'],
    name: 'a lease that is too short, too long or no whole number is refused',
    run: async (bench) => {
      const created = await bench.createOne();
      for (const lease_ms of [0, limits.lease_ms_min - 1, limits.lease_ms_max + 1, 1_500.5, Number.NaN]) {
        await refusal(bench.claim(receiver, { lease_ms }), 'invalid_input');
      }
      const token = tokenOf(await bench.claimOne(receiver, { lease_ms: limits.lease_ms_min }));
      await refusal(bench.step(receiver, created, { type: 'renew', token, lease_ms: 0 }), 'invalid_input');
      await bench.step(receiver, created, { type: 'renew', token, lease_ms: limits.lease_ms_max });
    },
  },
  {
    ids: ['STORE.limits'],
    name: 'a claim of zero or too many handoffs is refused',
    run: async (bench) => {
      await bench.createOne();
      for (const max of [0, -1, limits.batch_max + 1, 0.5])
        await refusal(bench.claim(receiver, { max }), 'invalid_input');
      assert.equal((await bench.claim(receiver, { max: limits.batch_max })).length, 1);
    },
  },
  {
    ids: ['STORE.limits', 'STORE.atomic'],
    name: 'too many handoffs in one create fail with too_large, and none is added',
    run: async (bench) => {
      const many = Array.from({ length: limits.batch_max + 1 }, () => newHandoff({}));
      await refusal(bench.store.create(many, callBy(writer, 'handoff.create')), 'too_large');
      await refusal(bench.create({ max_attempts: 0 }), 'invalid_input');
      assert.deepEqual(await bench.store.events({ limit: 1 }), []);
    },
  },
  {
    ids: ['STORE.limits'],
    name: 'a request for events with an invalid limit or from an invalid position is refused',
    run: async (bench) => {
      for (const limit of [-1, limits.events_max + 1]) await refusal(bench.store.events({ limit }), 'invalid_input');
      await refusal(bench.store.events({ limit: 1, after_seq: -1 }), 'invalid_input');
    },
  },
  {
    ids: ['STORE.limits'],
    name: 'an empty or endless key, name or reason is refused',
    run: async (bench) => {
      const created = await bench.createOne();
      const long = 'x'.repeat(limits.entry_characters_max + 1);
      const key = callBy(receiver, 'handoff.claim', 'k'.repeat(limits.idempotency_key_characters_max + 1));
      await refusal(bench.store.claim(claimOf(), key), 'invalid_input');
      await refusal(bench.store.claim(claimOf(), callBy(receiver, 'handoff.claim', '')), 'invalid_input');
      await refusal(bench.claim({ name: '', type: 'agent' }), 'invalid_input');
      await refusal(bench.claim(receiver, { project: '' }), 'invalid_input');
      await refusal(bench.step(reviewer, created, { type: 'withdraw', reason: long }), 'invalid_input');
      for (const acknowledges of [
        { id: '', token: 'x' },
        { id: created.id, token: '' },
      ]) {
        await refusal(bench.store.claim(claimOf({ acknowledges }), callBy(receiver, 'handoff.claim')), 'invalid_input');
        const call = callBy(receiver, 'handoff.create');
        await refusal(bench.store.create([newHandoff({})], call, { acknowledges }), 'invalid_input');
      }
      assert.equal(await bench.stateOf(created), 'open');
    },
  },
  {
    ids: ['STORE.close'],
    name: 'a closed store refuses every call, and closing it twice does no harm',
    run: async ({ store }) => {
      await store.close();
      await store.close();
      await refusal(store.get('X'), 'unavailable');
      await refusal(store.list({ filter: {}, limit: 1 }), 'unavailable');
      await refusal(store.events({ limit: 1 }), 'unavailable');
      await refusal(store.create([newHandoff({})], callBy(writer, 'handoff.create')), 'unavailable');
      await refusal(store.claim(claimOf(), callBy(receiver, 'handoff.claim')), 'unavailable');
    },
  },
];
