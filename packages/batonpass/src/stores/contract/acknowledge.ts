import assert from 'node:assert/strict';
import { LEASE_MS, receiver, refusal, rival, tokenOf } from './bench.ts';
import type { ContractCase } from './case.ts';

/** The end of a good delivery. */
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
];
