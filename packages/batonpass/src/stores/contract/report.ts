import assert from 'node:assert/strict';
import type { Json } from '../../core/canonical-json.ts';
import { limits } from '../../core/limits.ts';
import {
  type Bench,
  callBy,
  LEASE_MS,
  MINUTE_MS,
  newHandoff,
  only,
  receiver,
  refusal,
  reviewer,
  rival,
  tokenOf,
} from './bench.ts';
import type { ContractCase } from './case.ts';

const data: Json = { type: 'step', tools: [{ name: 'edit', input: { path: 'a\u0000b', empty: null } }], tokens: 7 };

/** Reports of a holder, and drafts that are approved as they are made. */
export const reportCases: readonly ContractCase[] = [
  {
    ids: ['LIFE.report', 'LIFE.events'],
    name: 'a report is one event with the fence of the claim, and changes only the version',
    run: async (bench) => {
      const claimed = await bench.claimOne(receiver, { id: (await bench.createOne()).id });
      bench.clock.move(MINUTE_MS);
      const step = { type: 'report', token: tokenOf(claimed), text: 'Half of it.', data } as const;
      const reported = await bench.step(rival, claimed, step);
      const { token: _token, ...lease } = claimed.delivery.lease ?? {};
      assert.deepEqual(reported, { ...claimed, delivery: { ...claimed.delivery, version: 3, lease } });
      assert.deepEqual(await bench.read(claimed), reported);
      const [, , event] = await bench.store.events({ handoff_id: claimed.id, limit: 10 });
      assert.deepEqual(
        { ...event, seq: 0 },
        {
          seq: 0,
          handoff_id: claimed.id,
          name: 'handoff-reported',
          at: bench.now,
          // A caller that presents the token acts as the holder, and is named.
          actor: receiver,
          from: 'claimed',
          to: 'claimed',
          reason: 'Half of it.',
          details: { fence: 1, data, by: rival.name },
        },
      );
    },
  },
  {
    ids: ['LIFE.report', 'LIFE.lapse'],
    name: 'a report without data has only its fence, and does not extend the lease',
    run: async (bench) => {
      const created = await bench.createOne();
      const token = tokenOf(await bench.claimOne(receiver));
      bench.clock.move(LEASE_MS - 1);
      await bench.step(receiver, created, { type: 'report', token, text: 'Nearly.' });
      assert.deepEqual((await lastEvent(bench, created)).details, { fence: 1 });
      bench.clock.move(1);
      assert.equal(await bench.stateOf(created), 'open');
      const again = tokenOf(await bench.claimOne(rival));
      await refusal(bench.step(receiver, created, { type: 'report', token, text: 'Done.' }), 'lease_lost');
      await bench.step(rival, created, { type: 'report', token: again, text: 'Anew.' });
      assert.deepEqual((await lastEvent(bench, created)).details, { fence: 2 });
    },
  },
  {
    ids: ['LIFE.report', 'STORE.atomic'],
    name: 'data above its limit fails with too_large and writes nothing; data at its limit is stored',
    run: async (bench) => {
      const created = await bench.createOne();
      const token = tokenOf(await bench.claimOne(receiver));
      const report = (characters: number) =>
        bench.step(receiver, created, { type: 'report', token, text: 'x', data: 'y'.repeat(characters) });
      // The quotes of the text are two bytes of its JSON.
      await refusal(report(limits.report_data_bytes_max - 1), 'too_large');
      assert.equal((await bench.history(created)).length, 2);
      await report(limits.report_data_bytes_max - 2);
      assert.equal((await bench.history(created)).length, 3);
    },
  },
  {
    ids: ['LIFE.approve', 'LIFE.create'],
    name: 'a draft created with its approval is open at once, with both events',
    run: async (bench) => {
      const made = await createApproved(bench, { title: 'reviewed' });
      const { state, approval, begun_as_draft, version } = made.delivery;
      assert.deepEqual([state, begun_as_draft, version], ['open', true, 2]);
      const { content_sha256 } = made;
      assert.deepEqual(approval, { by: 'reviewer', at: bench.now, content_sha256, ...APPROVAL });
      assert.deepEqual(await bench.history(made), ['handoff-created', 'handoff-approved']);
      assert.equal((await bench.claimOne(receiver)).id, made.id);
    },
  },
  {
    ids: ['LIFE.approve', 'LIFE.supersede', 'STORE.atomic'],
    name: 'an approved draft withdraws the handoff that it supersedes, and is not created where that is held',
    run: async (bench) => {
      const former = await createApproved(bench, { title: 'first' });
      const second = await createApproved(bench, { title: 'second', supersedes_id: former.id });
      assert.equal(await bench.stateOf(former), 'withdrawn');
      await bench.claimOne(receiver, { id: second.id });
      await refusal(createApproved(bench, { title: 'third', supersedes_id: second.id }), 'already_claimed');
      assert.equal((await bench.store.list({ filter: {}, limit: 10 })).handoffs.length, 2);
    },
  },
  {
    ids: ['LIFE.approve'],
    name: 'an approval of an open handoff is refused, and the same key creates one handoff',
    run: async (bench) => {
      const given = newHandoff({ title: 'reviewed' });
      const call = callBy(reviewer, 'planning.hand-on', 'once');
      await refusal(bench.store.create([{ ...given, approval: APPROVAL }], call), 'invalid_input');
      const draft = { ...given, state: 'draft' as const, approval: APPROVAL };
      const first = await bench.store.create([draft], call);
      assert.deepEqual(await bench.store.create([draft], call), first);
      const other = { ...draft, approval: { ...APPROVAL, budget: 300 } };
      await refusal(bench.store.create([other], call), 'conflict');
      assert.equal((await bench.store.list({ filter: {}, limit: 10 })).handoffs.length, 1);
    },
  },
];

const APPROVAL = { rendered_sha256: 'c'.repeat(64), budget: 150_000 };

async function createApproved(bench: Bench, content: Parameters<typeof newHandoff>[0]) {
  const given = { ...newHandoff({ ...content, state: 'draft' }), approval: APPROVAL };
  return only(await bench.store.create([given], callBy(reviewer, 'planning.hand-on')));
}

async function lastEvent(bench: Bench, { id }: { id: string }) {
  return only(await bench.store.events({ handoff_id: id, limit: 1, newest: true }));
}
