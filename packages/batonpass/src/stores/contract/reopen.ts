import assert from 'node:assert/strict';
import { LEASE_MS, MINUTE_MS, receiver, refusal, reviewer, START_MS, tokenOf } from './bench.ts';
import type { ContractCase } from './case.ts';

const IN_AN_HOUR = new Date(START_MS + 60 * MINUTE_MS).toISOString();

/** Expiry, and the way back from it and from the other ends. */
export const reopenCases: readonly ContractCase[] = [
  {
    ids: ['LIFE.expire', 'LIFE.clock', 'LIFE.events'],
    name: 'an open handoff expires at its time, as one event, and is then offered to nobody',
    run: async (bench) => {
      const created = await bench.createOne({ expires_at: IN_AN_HOUR });
      bench.clock.move(60 * MINUTE_MS - 1);
      assert.equal(await bench.stateOf(created), 'open');
      bench.clock.move(5 * MINUTE_MS);
      assert.deepEqual(await bench.claim(receiver), []);
      assert.equal(await bench.stateOf(created), 'expired');
      const [, event, ...more] = await bench.store.events({ handoff_id: created.id, limit: 10 });
      assert.deepEqual([event?.name, event?.at, event?.from], ['handoff-expired', IN_AN_HOUR, 'open']);
      assert.deepEqual(more, []);
    },
  },
  {
    ids: ['LIFE.expire'],
    name: 'drafts and claimed handoffs do not expire; a lapse after the expiry ends in expired',
    run: async (bench) => {
      const draft = await bench.createOne({ state: 'draft', expires_at: IN_AN_HOUR });
      const held = await bench.createOne({ expires_at: IN_AN_HOUR });
      bench.clock.move(55 * MINUTE_MS);
      await bench.claimOne(receiver);
      bench.clock.move(10 * MINUTE_MS);
      assert.equal(await bench.stateOf(held), 'claimed');
      assert.equal(await bench.stateOf(draft), 'draft');
      bench.clock.move(LEASE_MS);
      assert.equal(await bench.stateOf(held), 'expired');
      assert.deepEqual((await bench.history(held)).slice(-2), ['handoff-lapsed', 'handoff-expired']);
    },
  },
  {
    ids: ['LIFE.reopen', 'LIFE.expire'],
    name: 'an expired handoff that is reopened does not expire at the same instant again',
    run: async (bench) => {
      const created = await bench.createOne({ expires_at: IN_AN_HOUR });
      bench.clock.move(61 * MINUTE_MS);
      const reopened = await bench.step(reviewer, created, { type: 'reopen', reason: 'Still needed.' });
      assert.equal(reopened.delivery.state, 'open');
      assert.equal(reopened.delivery.expires_at, undefined);
      bench.clock.move(600 * MINUTE_MS);
      assert.equal((await bench.claimOne(receiver)).id, created.id);
    },
  },
  {
    ids: ['LIFE.reopen'],
    name: 'a dead handoff is reopened with its attempts reset, at once and in its old position',
    run: async (bench) => {
      const [dead, later] = await bench.create({ max_attempts: 1 }, {});
      const claimed = await bench.claimOne(receiver);
      await bench.step(receiver, claimed, { type: 'fail', token: tokenOf(claimed), reason: 'Broken.' });
      const reopened = await bench.step(reviewer, claimed, { type: 'reopen' });
      assert.deepEqual([reopened.delivery.attempts, reopened.delivery.failure], [0, undefined]);
      const claims = await bench.claim(receiver, { max: 2 });
      assert.deepEqual(
        claims.map(({ id }) => id),
        [dead?.id, later?.id],
      );
    },
  },
  {
    ids: ['LIFE.reopen'],
    name: 'a withdrawn handoff keeps a future expiry; an acknowledged one is never reopened',
    run: async (bench) => {
      const created = await bench.createOne({ expires_at: IN_AN_HOUR });
      await bench.step(reviewer, created, { type: 'withdraw' });
      const reopened = await bench.step(reviewer, created, { type: 'reopen' });
      assert.equal(reopened.delivery.expires_at, IN_AN_HOUR);
      await refusal(bench.step(reviewer, created, { type: 'reopen' }), 'conflict');
      await bench.step(receiver, created, { type: 'acknowledge' });
      await refusal(bench.step(reviewer, created, { type: 'reopen' }), 'conflict');
    },
  },
];
