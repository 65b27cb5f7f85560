import assert from 'node:assert/strict';
import type { Offer } from '../../core/delivery.ts';
import type { ClaimRequest } from '../../core/store.ts';
import type { Step } from '../../core/transitions.ts';
import { type Bench, callBy, claimOf, hook, LEASE_MS, newHandoff, receiver, refusal, tokenOf } from './bench.ts';
import type { ContractCase } from './case.ts';

const offer: Offer = {
  host: 'claude-code',
  session: 's1',
  transcript: '/t.jsonl',
  from_byte: 7,
  rendered_sha256: 'r1',
};

const proof: Step = { type: 'inject', session: 's1', rendered_sha256: 'r1', row: 'hook_additional_context' };

/** A handoff that a hook claimed for session s1. */
async function createOffered(bench: Bench) {
  const { id } = await bench.createOne();
  return bench.claimOne(hook, { id, offer });
}

async function listAwaiting({ store }: Bench): Promise<string[]> {
  const { handoffs } = await store.list({ filter: { awaiting_proof: true }, limit: 10 });
  return handoffs.map(({ id }) => id);
}

/** A claim of a caller that looks for proofs first. */
async function claimUnlessUnproved({ store }: Bench, request: Partial<ClaimRequest> = {}) {
  return store.claim(claimOf({ ...request, unless_unproved: true }), callBy(receiver, 'handoff.claim'));
}

/** What hooks put into sessions, and the proof that it arrived. */
export const injectionCases: readonly ContractCase[] = [
  {
    ids: ['LIFE.unproved'],
    name: "a claim can be held until the offers of its project's sessions are checked",
    run: async (bench) => {
      const offered = await createOffered(bench);
      const open = await bench.createOne();
      const held = await bench.claimOne(receiver, { id: open.id });
      const call = { ...callBy(hook, 'handoff.create'), project: 'elsewhere' };
      const [elsewhere] = await bench.store.create([{ ...newHandoff({}), project: 'elsewhere' }], call);
      const acknowledges = { id: held.id, token: tokenOf(held) };
      const next = await bench.createOne();
      const nothing = { handoffs: [], unscoped_left_out: 0, is_unproved: true };
      assert.deepEqual(await claimUnlessUnproved(bench, { acknowledges }), nothing);
      assert.deepEqual(await claimUnlessUnproved(bench, { id: offered.id }), nothing);
      assert.equal(await bench.stateOf(held), 'claimed');
      const other = await claimUnlessUnproved(bench, { project: 'elsewhere' });
      assert.deepEqual([other.handoffs.map(({ id }) => id), other.is_unproved], [[elsewhere?.id], undefined]);
      await bench.step(receiver, offered, proof);
      const answer = await claimUnlessUnproved(bench, { acknowledges });
      assert.deepEqual([answer.handoffs.map(({ id }) => id), answer.is_unproved], [[next.id], undefined]);
      assert.equal(await bench.stateOf(held), 'acknowledged');
    },
  },
  {
    ids: ['LIFE.injected'],
    name: 'a proof acknowledges for the session that was offered the handoff, and is in its history',
    run: async (bench) => {
      const offered = await createOffered(bench);
      assert.deepEqual(offered.delivery.offered, { ...offer, by: hook.name, fence: 1 });
      assert.deepEqual(await listAwaiting(bench), [offered.id]);
      const { delivery } = await bench.step(receiver, offered, { ...proof, at: '2026-03-01T12:00:01.000Z' });
      assert.equal(delivery.state, 'acknowledged');
      assert.equal(delivery.acknowledged_by, hook.name);
      assert.deepEqual(delivery.injected, {
        host: 'claude-code',
        session: 's1',
        at: '2026-03-01T12:00:01.000Z',
        proof: 'r1',
      });
      assert.deepEqual([delivery.offered, delivery.lease], [undefined, undefined]);
      assert.deepEqual(await listAwaiting(bench), []);
      const [claimed, injected] = (await bench.store.events({ handoff_id: offered.id, limit: 10 })).slice(1);
      assert.deepEqual(claimed?.details, {
        fence: 1,
        attempts: 0,
        host: 'claude-code',
        session: 's1',
        rendered_sha256: 'r1',
      });
      assert.equal(injected?.name, 'handoff-injected');
      assert.deepEqual(injected?.actor, hook);
      assert.deepEqual(injected?.details, {
        host: 'claude-code',
        session: 's1',
        rendered_sha256: 'r1',
        row: 'hook_additional_context',
      });
    },
  },
  {
    ids: ['LIFE.injected'],
    name: 'a repeated proof changes nothing',
    run: async (bench) => {
      const offered = await createOffered(bench);
      const first = await bench.step(hook, offered, proof);
      assert.deepEqual(await bench.step(receiver, offered, proof), first);
      assert.equal((await bench.history(offered)).length, 3);
    },
  },
  {
    ids: ['LIFE.injected'],
    name: 'a proof after the lease has lapsed still counts, until another claim',
    run: async (bench) => {
      const late = await createOffered(bench);
      bench.clock.move(LEASE_MS);
      assert.equal(await bench.stateOf(late), 'open');
      assert.deepEqual(await listAwaiting(bench), [late.id]);
      assert.equal((await bench.step(hook, late, proof)).delivery.state, 'acknowledged');

      const lost = await createOffered(bench);
      bench.clock.move(LEASE_MS);
      await bench.claimOne(receiver, { id: lost.id });
      assert.deepEqual(await listAwaiting(bench), []);
      await refusal(bench.step(hook, lost, proof), 'conflict');
      assert.equal((await bench.read(lost)).delivery.lease?.holder, receiver.name);
    },
  },
  {
    ids: ['LIFE.injected'],
    name: 'a proof of another session or of other bytes is refused',
    run: async (bench) => {
      const offered = await createOffered(bench);
      await refusal(bench.step(hook, offered, { ...proof, session: 's2' }), 'conflict');
      await refusal(bench.step(hook, offered, { ...proof, rendered_sha256: 'r2' }), 'conflict');
      const plain = await bench.createOne();
      await refusal(bench.step(hook, plain, proof), 'conflict');
      assert.equal(await bench.stateOf(offered), 'claimed');
    },
  },
  {
    ids: ['LIFE.injected', 'LIFE.release'],
    name: 'a session that ends without proof releases its offer, which is offered again without an attempt',
    run: async (bench) => {
      const offered = await createOffered(bench);
      await bench.step(hook, offered, { type: 'release', token: tokenOf(offered), reason: 'ended without proof' });
      const { delivery } = await bench.read(offered);
      assert.deepEqual([delivery.state, delivery.attempts, delivery.offered], ['open', 0, undefined]);
      await refusal(bench.step(hook, offered, proof), 'conflict');
    },
  },
  {
    ids: ['LIFE.injected', 'LIFE.release'],
    name: 'only a hook that names the session releases its offer without the token',
    run: async (bench) => {
      const offered = await createOffered(bench);
      const named: Step = { type: 'release', session: 's1', reason: 'its process is gone' };
      await refusal(bench.step(receiver, offered, named), 'already_claimed');
      await refusal(bench.step(hook, offered, { ...named, session: 's2' }), 'already_claimed');
      const { delivery } = await bench.step({ name: 'another', type: 'hook' }, offered, named);
      assert.equal(delivery.state, 'open');
      const plain = await bench.createOne();
      await bench.claimOne(hook, { id: plain.id });
      await refusal(bench.step(hook, plain, named), 'already_claimed');
    },
  },
  {
    ids: ['LIFE.injected', 'LIFE.release'],
    name: 'a hook releases an offer whose lease has lapsed, but no handoff without an offer',
    run: async (bench) => {
      const offered = await createOffered(bench);
      bench.clock.move(LEASE_MS);
      const named: Step = { type: 'release', session: 's1' };
      await refusal(bench.step(receiver, offered, named), 'conflict');
      const { delivery } = await bench.step(hook, offered, named);
      assert.deepEqual([delivery.state, delivery.offered], ['open', undefined]);
      await refusal(bench.step(hook, offered, named), 'conflict');
    },
  },
  {
    ids: ['LIFE.injected', 'STORE.limits'],
    name: 'an offer without a named handoff, or with texts above the limits, is refused',
    run: async (bench) => {
      const { id } = await bench.createOne();
      await refusal(bench.claim(hook, { offer }), 'invalid_input');
      await refusal(bench.claim(hook, { id, offer: { ...offer, session: '' } }), 'invalid_input');
      await refusal(bench.claim(hook, { id, offer: { ...offer, from_byte: -1 } }), 'invalid_input');
      assert.equal(await bench.stateOf({ id }), 'open');
    },
  },
];
