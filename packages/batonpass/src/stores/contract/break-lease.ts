import assert from 'node:assert/strict';
import { hook, receiver, refusal, reviewer, rival, tokenOf } from './bench.ts';
import type { ContractCase } from './case.ts';
import { holderSteps } from './lease.ts';

/** Leases that a person breaks. */
export const breakLeaseCases: readonly ContractCase[] = [
  {
    ids: ['LIFE.break', 'LIFE.fence', 'LIFE.events'],
    name: "a person breaks another holder's lease: the handoff is open in its old position, the old token is lost",
    run: async (bench) => {
      const [first] = await bench.create({ max_attempts: 1 }, {});
      const broken = { type: 'break', to: 'open', if_fence: 1, reason: 'The host died.' } as const;
      const held = await bench.claimOne(receiver);
      const before = await bench.read(held);
      for (const actor of [receiver, rival, hook]) await refusal(bench.step(actor, held, broken), 'conflict');
      await refusal(bench.step(reviewer, held, { ...broken, if_fence: 0 }), 'conflict');
      assert.deepEqual(await bench.read(held), before);
      const opened = await bench.step(reviewer, held, broken);
      const { state, lease, fence, attempts } = opened.delivery;
      assert.deepEqual([state, lease, fence, attempts], ['open', undefined, 2, 0]);
      for (const step of holderSteps(tokenOf(held))) await refusal(bench.step(receiver, held, step), 'lease_lost');
      const { name, actor, from, to, reason, details } =
        (await bench.store.events({ handoff_id: held.id, limit: 10 })).at(-1) ?? {};
      assert.deepEqual(
        { name, actor, from, to, reason, details },
        {
          name: 'handoff-broken',
          actor: reviewer,
          from: 'claimed',
          to: 'open',
          reason: 'The host died.',
          details: { holder: receiver.name, fence: 2 },
        },
      );
      const again = await bench.claimOne(rival);
      assert.deepEqual([again.id, again.delivery.fence], [first?.id, 3]);
    },
  },
  {
    ids: ['LIFE.break'],
    name: 'a person withdraws a held or waiting handoff; a handoff without a holder has no lease to break',
    run: async (bench) => {
      const [claimed, waiting, open] = await bench.create({}, {}, {});
      const held = await bench.claimOne(receiver);
      const asking = await bench.claimOne(receiver);
      await bench.step(receiver, asking, { type: 'ask', token: tokenOf(asking), question: 'Which?' });
      for (const [handoff, token] of [
        [claimed, tokenOf(held)],
        [waiting, tokenOf(asking)],
      ] as const) {
        const ended = await bench.step(reviewer, handoff ?? { id: '' }, { type: 'break', to: 'withdrawn' });
        assert.deepEqual([ended.delivery.state, ended.delivery.lease], ['withdrawn', undefined]);
        await refusal(bench.step(receiver, ended, { type: 'acknowledge', token }), 'lease_lost');
      }
      await refusal(bench.step(reviewer, open ?? { id: '' }, { type: 'break', to: 'open' }), 'conflict');
      await refusal(bench.step(reviewer, claimed ?? { id: '' }, { type: 'break', to: 'open' }), 'conflict');
    },
  },
];
