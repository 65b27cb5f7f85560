import assert from 'node:assert/strict';
import { callBy, newHandoff, PROJECT, receiver, refusal, tokenOf, writer } from './bench.ts';
import type { ContractCase } from './case.ts';

/** History. */
export const eventsCases: readonly ContractCase[] = [
  {
    ids: ['LIFE.events'],
    name: 'the end of a history is told oldest first too',
    run: async (bench) => {
      const handoff = await bench.createOne();
      await bench.claimOne(receiver);
      const newest = async (about: object) =>
        (await bench.store.events({ ...about, newest: true, limit: 1 })).map(({ name }) => name);
      assert.deepEqual(await newest({}), ['handoff-claimed']);
      assert.deepEqual(await newest({ handoff_id: handoff.id }), ['handoff-claimed']);
    },
  },
  {
    ids: ['LIFE.events'],
    name: 'every step leaves one event, in one rising order, with who, from, to and why',
    run: async (bench) => {
      const created = await bench.createOne();
      const token = tokenOf(await bench.claimOne(receiver));
      await bench.step(receiver, created, { type: 'fail', token, reason: 'No "network" here.' });
      const events = await bench.store.events({ limit: 100 });
      assert.deepEqual(
        events.map(({ name, actor, from, to, reason }) => [name, actor.name, actor.type, from, to, reason]),
        [
          ['handoff-created', 'writer', 'agent', undefined, 'open', undefined],
          ['handoff-claimed', 'receiver', 'agent', 'open', 'claimed', undefined],
          ['handoff-failed', 'receiver', 'agent', 'claimed', 'open', 'No "network" here.'],
        ],
      );
      const places = events.map(({ seq }) => seq);
      assert.deepEqual(
        places,
        [...new Set(places)].sort((left, right) => left - right),
      );
    },
  },
  {
    ids: ['LIFE.events'],
    name: 'a refused step leaves no event',
    run: async (bench) => {
      const created = await bench.createOne();
      await refusal(bench.step(receiver, created, { type: 'acknowledge', token: 'wrong' }), 'lease_lost');
      await refusal(bench.step(receiver, created, { type: 'reopen' }), 'conflict');
      assert.deepEqual(await bench.history(created), ['handoff-created']);
    },
  },
  {
    ids: ['LIFE.events'],
    name: 'events are read by handoff, by project, after a place, and at most as many as asked for',
    run: async (bench) => {
      const [first, second] = await bench.create({}, {});
      const elsewhere = { ...newHandoff({}), project: 'elsewhere' };
      const [third] = await bench.store.create([elsewhere], callBy(writer, 'handoff.create'));
      const all = await bench.store.events({ limit: 100 });
      const idsOf = async (request: object) =>
        (await bench.store.events({ limit: 100, ...request })).map((event) => event.handoff_id);
      assert.deepEqual(await idsOf({ project: PROJECT }), [first?.id, second?.id]);
      assert.deepEqual(await idsOf({ project: 'elsewhere' }), [third?.id]);
      assert.deepEqual(await idsOf({ handoff_id: second?.id }), [second?.id]);
      assert.deepEqual(await idsOf({ handoff_id: second?.id, project: 'elsewhere' }), []);
      assert.deepEqual(await idsOf({ after_seq: all[0]?.seq }), [second?.id, third?.id]);
      assert.deepEqual(await idsOf({ limit: 1 }), [first?.id]);
      assert.deepEqual(await idsOf({ limit: 0 }), []);
      assert.deepEqual(await idsOf({ handoff_id: 'NOBODY' }), []);
    },
  },
];
