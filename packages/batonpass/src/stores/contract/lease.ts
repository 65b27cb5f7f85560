import assert from 'node:assert/strict';
import { limits } from '../../core/limits.ts';
import type { Step } from '../../core/transitions.ts';
import { callBy, hook, LEASE_MS, MINUTE_MS, newHandoff, receiver, refusal, reviewer, rival, tokenOf } from './bench.ts';
import type { ContractCase } from './case.ts';

/** The steps of a holder, written with a token. */
const holderSteps = (token: string): Step[] => [
  { type: 'renew', token, lease_ms: LEASE_MS },
  { type: 'report', token, text: 'Half of it.' },
  { type: 'acknowledge', token },
  { type: 'release', token },
  { type: 'fail', token, reason: 'It broke.' },
  { type: 'ask', token, question: 'Which?' },
];

/** Leases: renewed, released, failed and lapsed. */
export const leaseCases: readonly ContractCase[] = [
  {
    ids: ['LIFE.renew'],
    name: 'a renewal counts from now and keeps token and fence',
    run: async (bench) => {
      const created = await bench.createOne();
      const token = tokenOf(await bench.claimOne(receiver));
      bench.clock.move(10 * MINUTE_MS);
      const renewed = await bench.step(receiver, created, { type: 'renew', token, lease_ms: LEASE_MS });
      const { lease, fence, version } = renewed.delivery;
      assert.equal(lease?.expires_at, new Date(Date.parse(bench.now) + LEASE_MS).toISOString());
      assert.deepEqual([fence, version], [1, 3]);
      bench.clock.move(LEASE_MS - 1);
      assert.equal(await bench.stateOf(created), 'claimed');
      await bench.step(receiver, created, { type: 'acknowledge', token });
    },
  },
  {
    ids: ['LIFE.lapse', 'LIFE.clock', 'LIFE.events'],
    name: 'a lease lapses at its end, as one event at that time, and the handoff keeps its old position',
    run: async (bench) => {
      const [first, second] = await bench.create({}, {});
      await bench.claimOne(receiver);
      const due = new Date(Date.parse(bench.now) + LEASE_MS).toISOString();
      bench.clock.move(LEASE_MS - 1);
      assert.equal(await bench.stateOf(first ?? { id: '' }), 'claimed');
      bench.clock.move(2 * MINUTE_MS);
      // A read alone shows the effective state, and writes it down once.
      const read = await bench.read(first ?? { id: '' });
      assert.equal(read.delivery.state, 'open');
      assert.equal(read.delivery.lease, undefined);
      await bench.read(read);
      const lapses = (await bench.store.events({ handoff_id: read.id, limit: 10 })).slice(2);
      assert.equal(lapses.length, 1);
      assert.deepEqual(
        { ...lapses[0], seq: 0 },
        {
          seq: 0,
          handoff_id: read.id,
          name: 'handoff-lapsed',
          at: due,
          actor: { name: 'baton', type: 'agent' },
          from: 'claimed',
          to: 'open',
        },
      );
      const again = await bench.claim(rival, { max: 2 });
      assert.deepEqual(
        again.map(({ id }) => id),
        [first?.id, second?.id],
      );
    },
  },
  {
    ids: ['LIFE.lapse'],
    name: 'a handoff that waited longer than a lease before its claim does not lapse at the next call',
    run: async (bench) => {
      const created = await bench.createOne();
      bench.clock.move(10 * LEASE_MS);
      const token = tokenOf(await bench.claimOne(receiver));
      assert.equal(await bench.stateOf(created), 'claimed');
      assert.deepEqual(await bench.claim(rival), []);
      bench.clock.move(LEASE_MS - 1);
      assert.equal(await bench.stateOf(created), 'claimed');
      await bench.step(receiver, created, { type: 'acknowledge', token });
    },
  },
  {
    ids: ['LIFE.lease', 'LIFE.acknowledge'],
    name: "no step with a lost, wrong or missing token changes another holder's handoff",
    run: async (bench) => {
      const created = await bench.createOne();
      const stale = tokenOf(await bench.claimOne(receiver));
      bench.clock.move(LEASE_MS);
      const held = await bench.claimOne(rival);
      const before = await bench.read(created);
      for (const token of [stale, 'wrong']) {
        for (const step of holderSteps(token)) await refusal(bench.step(receiver, created, step), 'lease_lost');
      }
      await refusal(bench.step(receiver, created, { type: 'acknowledge' }), 'already_claimed');
      await refusal(bench.step(receiver, created, { type: 'release' }), 'already_claimed');
      await refusal(bench.step(reviewer, created, { type: 'withdraw' }), 'already_claimed');
      assert.deepEqual(await bench.read(created), before);
      const token = tokenOf(held);
      assert.equal(
        (await bench.step(rival, created, { type: 'acknowledge', token })).delivery.acknowledged_by,
        'rival',
      );
    },
  },
  {
    ids: ['LIFE.lease'],
    name: 'a stale token fails with lease_lost in every state that the handoff can have reached',
    run: async (bench) => {
      const created = await bench.createOne({ max_attempts: 2 });
      const stale = tokenOf(await bench.claimOne(receiver));
      const refuseAll = async (state: string) => {
        assert.equal(await bench.stateOf(created), state);
        for (const step of holderSteps(stale)) await refusal(bench.step(receiver, created, step), 'lease_lost');
      };
      bench.clock.move(LEASE_MS);
      await refuseAll('open');
      const token = tokenOf(await bench.claimOne(rival));
      await refuseAll('claimed');
      await bench.step(rival, created, { type: 'ask', token, question: 'Which?' });
      await refuseAll('waiting');
      await bench.step(reviewer, created, { type: 'withdraw' });
      await refuseAll('withdrawn');
      await bench.step(reviewer, created, { type: 'reopen' });
      await bench.step(rival, created, { type: 'acknowledge' });
      await refuseAll('acknowledged');
    },
  },
  {
    ids: ['LIFE.release'],
    name: 'a release returns the handoff to its old position and does not count its attempt',
    run: async (bench) => {
      const [first] = await bench.create({ max_attempts: 1 }, {});
      const claimed = await bench.claimOne(receiver);
      const step = { type: 'release', token: tokenOf(claimed), reason: 'Not mine.' } as const;
      const released = await bench.step(receiver, claimed, step);
      assert.equal(released.delivery.state, 'open');
      assert.equal(released.delivery.attempts, 0);
      assert.equal(released.delivery.lease, undefined);
      assert.equal((await bench.store.events({ handoff_id: released.id, limit: 10 })).at(-1)?.reason, 'Not mine.');
      assert.equal((await bench.claimOne(rival)).id, first?.id);
    },
  },
  {
    ids: ['LIFE.fail', 'LIFE.fifo'],
    name: 'a clock that is set back extends no back-off, and a handoff claimed after one lapses to its old position',
    run: async (bench) => {
      const [first, second] = await bench.create({}, {});
      assert.ok(first && second);
      const failed = await bench.claimOne(receiver);
      await bench.step(receiver, failed, { type: 'fail', token: tokenOf(failed), reason: 'It broke.' });
      bench.clock.move(-365 * 24 * 60 * MINUTE_MS);
      const again = await bench.claimOne(receiver);
      assert.equal(again.id, first.id);
      assert.equal(again.delivery.available_at, first.created_at);
      bench.clock.move(LEASE_MS);
      assert.equal((await bench.claimOne(rival)).id, first.id);
    },
  },
  {
    ids: ['LIFE.fail'],
    name: 'a failure is not offered again before its back-off, which doubles',
    run: async (bench) => {
      const created = await bench.createOne();
      for (const wait_ms of [10_000, 20_000]) {
        const token = tokenOf(await bench.claimOne(receiver));
        const failed = await bench.step(receiver, created, { type: 'fail', token, reason: 'No network.' });
        assert.equal(failed.delivery.state, 'open');
        assert.deepEqual(failed.delivery.failure, { reason: 'No network.', by: 'receiver', at: bench.now });
        const backoff_ms = Date.parse(failed.delivery.available_at) - Date.parse(bench.now);
        assert.ok(backoff_ms >= wait_ms / 2 && backoff_ms <= wait_ms, `${backoff_ms} of ${wait_ms}`);
        bench.clock.move(backoff_ms - 1);
        assert.deepEqual(await bench.claim(rival), []);
        await refusal(bench.claim(rival, { id: created.id }), 'conflict');
        bench.clock.move(1);
      }
      assert.equal((await bench.claimOne(rival)).id, created.id);
    },
  },
  {
    ids: ['LIFE.lease', 'STORE.atomic'],
    name: 'a read proves a token: the current one returns the handoff, every other fails with lease_lost, nothing changes',
    run: async (bench) => {
      const { id } = await bench.createOne();
      await refusal(bench.store.get(id, 'none yet'), 'lease_lost');
      const token = tokenOf(await bench.claimOne(receiver));
      const held = await bench.store.get(id);
      assert.deepEqual(await bench.store.get(id, token), held);
      assert.equal(held?.delivery.lease?.token, undefined);
      await refusal(bench.store.get(id, 'wrong'), 'lease_lost');
      assert.deepEqual(await bench.store.get(id), held);
      bench.clock.move(LEASE_MS);
      await refusal(bench.store.get(id, token), 'lease_lost');
      assert.equal(await bench.store.get('nowhere', token), null);
    },
  },
  {
    ids: ['LIFE.lapse', 'LIFE.fail'],
    name: 'a handoff without attempts left is dead, after a failure and after a lapse, and the queue continues',
    run: async (bench) => {
      const [fails, lapses, healthy] = await bench.create({ max_attempts: 1 }, { max_attempts: 1 }, {});
      const [first] = await bench.claim(receiver, { max: 2 });
      assert.ok(first && fails && lapses);
      await bench.step(receiver, fails, { type: 'fail', token: tokenOf(first), reason: 'Broken.' });
      assert.equal(await bench.stateOf(fails), 'dead');
      bench.clock.move(LEASE_MS);
      assert.equal((await bench.claimOne(rival, { max: 10 })).id, healthy?.id);
      assert.equal(await bench.stateOf(lapses), 'dead');
      await refusal(bench.claim(receiver, { id: lapses.id }), 'conflict');
    },
  },
  {
    ids: ['LIFE.clock', 'STORE.atomic'],
    name: 'lapses and expiries take effect even when the call that noticed them is refused',
    run: async (bench) => {
      const created = await bench.createOne();
      const token = tokenOf(await bench.claimOne(receiver));
      bench.clock.move(LEASE_MS);
      await refusal(bench.step(receiver, created, { type: 'acknowledge', token }), 'lease_lost');
      assert.deepEqual(await bench.history(created), ['handoff-created', 'handoff-claimed', 'handoff-lapsed']);
    },
  },
  {
    ids: ['LIFE.fence'],
    name: 'the fence increases with every claim and never decreases, not even after a reopening',
    run: async (bench) => {
      const created = await bench.createOne();
      const fences: (number | undefined)[] = [];
      for (let round = 0; round < 3; round += 1) {
        const claimed = await bench.claimOne(receiver);
        fences.push(claimed.delivery.lease?.fence);
        await bench.step(receiver, claimed, { type: 'release', token: tokenOf(claimed) });
        await bench.step(reviewer, claimed, { type: 'withdraw' });
        await bench.step(reviewer, claimed, { type: 'reopen' });
      }
      assert.deepEqual(fences, [1, 2, 3]);
      assert.equal((await bench.read(created)).delivery.fence, 3);
    },
  },
  {
    ids: ['LIFE.lapse', 'LIFE.clock'],
    name: 'a lease that ends later than any lease can, because the clock was set back, has lapsed',
    run: async (bench) => {
      const [first, second] = await bench.create({}, {});
      const stale = tokenOf(await bench.claimOne(receiver));
      bench.clock.move(LEASE_MS - limits.lease_ms_max);
      assert.equal(await bench.stateOf(first ?? { id: '' }), 'claimed');
      bench.clock.move(-1);
      assert.equal(await bench.stateOf(first ?? { id: '' }), 'open');
      const lapse = (await bench.store.events({ handoff_id: first?.id ?? '', limit: 10 })).at(-1);
      assert.deepEqual([lapse?.name, lapse?.at], ['handoff-lapsed', bench.now]);
      await refusal(bench.step(receiver, first ?? { id: '' }, { type: 'acknowledge', token: stale }), 'lease_lost');
      const again = await bench.claim(rival, { max: 2 });
      assert.deepEqual(
        again.map(({ id }) => id),
        [first?.id, second?.id],
      );
    },
  },
  {
    ids: ['LIFE.lease', 'LIFE.fence'],
    name: 'of two sessions with one name, the first loses its lease when the second claims again',
    run: async (bench) => {
      const created = await bench.createOne();
      const stale = tokenOf(await bench.claimOne(receiver));
      bench.clock.move(LEASE_MS);
      const held = await bench.claimOne(receiver);
      assert.equal(held.delivery.fence, 2);
      const before = await bench.read(created);
      const acknowledges = { id: created.id, token: stale };
      for (const step of holderSteps(stale)) await refusal(bench.step(receiver, created, step), 'lease_lost');
      await refusal(bench.claim(receiver, { acknowledges }), 'lease_lost');
      const call = callBy(receiver, 'handoff.create');
      await refusal(bench.store.create([newHandoff({})], call, { acknowledges }), 'lease_lost');
      await refusal(bench.store.get(created.id, stale), 'lease_lost');
      assert.deepEqual(await bench.read(created), before);
      const ended = await bench.step(receiver, created, { type: 'acknowledge', token: tokenOf(held) });
      assert.equal(ended.delivery.state, 'acknowledged');
    },
  },
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
