import assert from 'node:assert/strict';
import { callBy, LEASE_MS, newHandoff, PROJECT, receiver, refusal, rival, tokenOf, writer } from './bench.ts';
import type { ContractCase } from './case.ts';

/** History. */
export const eventsCases: readonly ContractCase[] = [
  {
    ids: ['LIFE.events'],
    name: 'the end of a history is also returned oldest first',
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
    name: 'every step writes one event, in one increasing order, with who, from, to and why',
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
    name: 'a refused step writes no event',
    run: async (bench) => {
      const created = await bench.createOne();
      await refusal(bench.step(receiver, created, { type: 'acknowledge', token: 'wrong' }), 'lease_lost');
      await refusal(bench.step(receiver, created, { type: 'reopen' }), 'conflict');
      assert.deepEqual(await bench.history(created), ['handoff-created']);
    },
  },
  {
    ids: ['LIFE.events'],
    name: 'events are read by handoff, by project, after a position, and up to the limit',
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
  {
    ids: ['LIFE.events', 'HTTP.tokens'],
    name: "each event names the access token of its call, independent of the lease's holder",
    run: async (bench) => {
      const ada = { ...receiver, token_id: 'token-of-ada' };
      const [made] = await bench.store.create(
        [newHandoff({})],
        callBy({ ...writer, token_id: 'of-writer' }, 'handoff.create'),
      );
      const first = tokenOf(await bench.claimOne(ada));
      await bench.step(rival, made ?? { id: '' }, { type: 'release', token: first });
      const second = tokenOf(await bench.claimOne(ada));
      await bench.step(ada, made ?? { id: '' }, { type: 'renew', token: second, lease_ms: LEASE_MS });
      await bench.step(ada, made ?? { id: '' }, { type: 'acknowledge', token: second });
      const events = await bench.store.events({ limit: 100 });
      assert.deepEqual(
        events.map(({ name, actor }) => [name, actor.name, actor.token_id]),
        [
          ['handoff-created', 'writer', 'of-writer'],
          ['handoff-claimed', 'receiver', 'token-of-ada'],
          ['handoff-released', 'receiver', undefined],
          ['handoff-claimed', 'receiver', 'token-of-ada'],
          ['handoff-renewed', 'receiver', 'token-of-ada'],
          ['handoff-acknowledged', 'receiver', 'token-of-ada'],
        ],
      );
    },
  },
  {
    ids: ['HTTP.tokens'],
    name: 'a token is stored with its last use until it is removed, and another id does not find it',
    run: async ({ store, now }) => {
      const facts = { project: PROJECT, role: 'agent', created_by: 'ada', expires_at: now } as const;
      const tokenAt = (id: string, created_at: string) => ({
        ...facts,
        id,
        name: `of ${id}`,
        created_at,
        secret_sha256: id.repeat(64).slice(0, 64),
      });
      const [one, two] = [tokenAt('a', now), tokenAt('b', new Date(Date.parse(now) - 1).toISOString())];
      for (const record of [one, two]) await store.tokens.add(record);
      assert.deepEqual(
        (await store.tokens.list()).map(({ id }) => id),
        ['b', 'a'],
      );
      await store.tokens.noteUse('a', Date.parse(now));
      assert.deepEqual(await store.tokens.find('a'), { ...one, last_used_at: now });
      assert.deepEqual(await store.tokens.find('b'), two);
      assert.equal(await store.tokens.find('c'), null);
      assert.deepEqual(await store.tokens.remove('a'), { ...one, last_used_at: now });
      assert.deepEqual([await store.tokens.find('a'), await store.tokens.remove('a')], [null, null]);
      await store.tokens.noteUse('a', 0);
      assert.deepEqual(await store.tokens.list(), [two]);
    },
  },
];
