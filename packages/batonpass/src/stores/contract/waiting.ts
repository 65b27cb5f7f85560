import assert from 'node:assert/strict';
import type { Bench } from './bench.ts';
import { LEASE_MS, receiver, refusal, reviewer, rival, tokenOf } from './bench.ts';
import type { ContractCase } from './case.ts';

async function ask(bench: Bench) {
  const created = await bench.createOne();
  const token = tokenOf(await bench.claimOne(receiver));
  const asked = await bench.step(receiver, created, { type: 'ask', token, question: 'Which database?' });
  return { created, token, asked };
}

/** Questions to a person. */
export const waitingCases: readonly ContractCase[] = [
  {
    ids: ['LIFE.ask'],
    name: 'a question pauses the lease: it never lapses, and nobody else can claim meanwhile',
    run: async (bench) => {
      const { created, asked } = await ask(bench);
      assert.deepEqual(asked.delivery.waiting_on, {
        question: 'Which database?',
        asked_by: 'receiver',
        asked_at: bench.now,
      });
      assert.equal(asked.delivery.lease?.expires_at, undefined);
      assert.equal(asked.delivery.lease?.holder, 'receiver');
      bench.clock.move(100 * LEASE_MS);
      assert.deepEqual(await bench.read(created), asked);
      assert.deepEqual(await bench.claim(rival), []);
      await refusal(bench.claim(rival, { id: created.id }), 'conflict');
    },
  },
  {
    ids: ['LIFE.ask', 'LIFE.lease'],
    name: 'an answer gives the same holder a new lease with its old token',
    run: async (bench) => {
      const { created, token } = await ask(bench);
      bench.clock.move(100 * LEASE_MS);
      const answered = await bench.step(reviewer, created, { type: 'answer', answer: 'SQLite.', lease_ms: LEASE_MS });
      assert.equal(answered.delivery.state, 'claimed');
      assert.equal(answered.delivery.waiting_on?.answer, 'SQLite.');
      assert.equal(answered.delivery.waiting_on?.answered_by, 'reviewer');
      assert.equal(answered.delivery.lease?.expires_at, new Date(Date.parse(bench.now) + LEASE_MS).toISOString());
      assert.deepEqual(await bench.read(created), answered);
      const done = await bench.step(receiver, created, { type: 'acknowledge', token });
      assert.equal(done.delivery.waiting_on?.answer, 'SQLite.');
    },
  },
  {
    ids: ['LIFE.ask', 'LIFE.lapse'],
    name: 'after an answer the lease runs and can lapse again',
    run: async (bench) => {
      const { created } = await ask(bench);
      await bench.step(reviewer, created, { type: 'answer', answer: 'SQLite.', lease_ms: LEASE_MS });
      bench.clock.move(LEASE_MS);
      assert.equal(await bench.stateOf(created), 'open');
    },
  },
  {
    ids: ['LIFE.waiting'],
    name: 'a person releases a waiting handoff without the token, and its holder loses it',
    run: async (bench) => {
      const { created, token } = await ask(bench);
      const released = await bench.step(reviewer, created, { type: 'release' });
      assert.equal(released.delivery.state, 'open');
      assert.equal(released.delivery.attempts, 0);
      await refusal(bench.step(receiver, created, { type: 'acknowledge', token }), 'lease_lost');
      assert.equal((await bench.claimOne(rival)).id, created.id);
    },
  },
  {
    ids: ['LIFE.waiting'],
    name: 'a person withdraws a waiting handoff',
    run: async (bench) => {
      const { created } = await ask(bench);
      const withdrawn = await bench.step(reviewer, created, { type: 'withdraw', reason: 'Done by hand.' });
      assert.equal(withdrawn.delivery.state, 'withdrawn');
      assert.equal(withdrawn.delivery.lease, undefined);
      await refusal(bench.step(reviewer, created, { type: 'answer', answer: 'Late.', lease_ms: LEASE_MS }), 'conflict');
    },
  },
];
