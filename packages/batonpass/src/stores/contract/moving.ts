import assert from 'node:assert/strict';
import type { StoredHandoff } from '../../core/store.ts';
import {
  type Bench,
  callBy,
  LARGE_PAYLOAD,
  newHandoff,
  only,
  PROJECT,
  receiver,
  refusal,
  reviewer,
  tokenOf,
  writer,
} from './bench.ts';
import type { ContractCase } from './case.ts';

/** All that a store holds, page by page. */
async function exportAll({ store }: Bench, limit = 2): Promise<StoredHandoff[]> {
  const found: StoredHandoff[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.export({ cursor, limit });
    found.push(...page.handoffs);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}

/** A handoff as another store might have it: the same history under another id. */
function renamed(stored: StoredHandoff, id: string): StoredHandoff {
  return {
    ...stored,
    handoff: { ...stored.handoff, id },
    events: stored.events.map((event) => ({ ...event, handoff_id: id })),
  };
}

/** Handoffs on their way from store to store. */
export const movingCases: readonly ContractCase[] = [
  {
    ids: ['STORE.moving'],
    name: 'one store imports what another exports, with state, lease, history and payload; a second import has no effect',
    run: async (bench) => {
      const [done, held, open] = await bench.create({ payload: LARGE_PAYLOAD }, { title: 'held' }, { title: 'open' });
      assert.ok(done && held && open);
      const first = await bench.claimOne(receiver);
      await bench.step(receiver, first, { type: 'acknowledge', token: tokenOf(first) });
      const second = await bench.claimOne(receiver);
      const exported = await exportAll(bench);
      assert.deepEqual(
        exported.map(({ handoff }) => handoff.id),
        [done.id, held.id, open.id],
      );
      assert.deepEqual(await bench.store.import(exported), { added: 0, updated: 0, unchanged: 3 });
      const copies = exported.map((stored, index) => renamed(stored, `COPY-${index}`));
      assert.deepEqual(await bench.store.import(copies), { added: 3, updated: 0, unchanged: 0 });
      const strip = ({ handoff, events, payload_json }: StoredHandoff) => ({
        handoff,
        payload_json,
        events: events.map(({ seq: _seq, ...event }) => event),
      });
      assert.deepEqual((await exportAll(bench)).slice(3).map(strip), copies.map(strip));
      const token = tokenOf(second);
      const ended = await bench.step(receiver, { id: 'COPY-1' }, { type: 'acknowledge', token });
      assert.equal(ended.delivery.state, 'acknowledged');
      assert.equal((await bench.claimOne(receiver)).id, open.id);
      assert.equal((await bench.claimOne(receiver)).id, 'COPY-2');
    },
  },
  {
    ids: ['STORE.moving'],
    name: 'an import updates a handoff to a later version in its old position, and never to an earlier or diverged one',
    run: async (bench) => {
      const [first, second] = await bench.create({ title: 'first' }, { title: 'second' });
      assert.ok(first && second);
      const before = await exportAll(bench);
      const claimed = await bench.claimOne(receiver);
      const later = (await exportAll(bench)).map((stored, index) => renamed(stored, `COPY-${index}`));
      const earlier = before.map((stored, index) => renamed(stored, `COPY-${index}`));
      await bench.store.import(earlier);
      assert.deepEqual(await bench.store.import(later), { added: 0, updated: 1, unchanged: 1 });
      assert.equal((await bench.read({ id: 'COPY-0' })).delivery.lease?.holder, 'receiver');
      await refusal(bench.store.import(earlier), 'conflict');
      await bench.step(receiver, { id: 'COPY-0' }, { type: 'release', token: tokenOf(claimed) });
      await refusal(bench.store.import(later), 'conflict');
      await bench.step(receiver, claimed, { type: 'acknowledge', token: tokenOf(claimed) });
      // As many steps as here, the last one another.
      const diverged = renamed(only((await exportAll(bench)).slice(0, 1)), 'COPY-0');
      await refusal(bench.store.import([diverged]), 'conflict');
      assert.equal((await bench.read({ id: 'COPY-0' })).delivery.state, 'open');
      assert.deepEqual(
        (await exportAll(bench)).map(({ handoff }) => handoff.id),
        [first.id, second.id, 'COPY-0', 'COPY-1'],
      );
    },
  },
  {
    ids: ['STORE.moving'],
    name: 'an import whose parts do not belong together changes nothing',
    run: async (bench) => {
      await bench.createOne({ payload: LARGE_PAYLOAD });
      const stored = renamed(only(await exportAll(bench)), 'COPY');
      const { handoff, events } = stored;
      const wrong: StoredHandoff[] = [
        { ...stored, handoff: { ...handoff, content: { ...handoff.content, title: 'other' } } },
        { ...stored, payload_json: '{"text":"other"}' },
        { ...stored, events: [] },
        { ...stored, events: events.map((event) => ({ ...event, handoff_id: 'OTHER' })) },
        { ...stored, handoff: { ...handoff, delivery: { ...handoff.delivery, state: 'dead' } } },
      ];
      for (const each of wrong) await refusal(bench.store.import([stored, each]), 'invalid_input');
      assert.equal(await bench.store.get('COPY'), null);
    },
  },
  {
    ids: ['STORE.moving'],
    name: 'only a final handoff of the named version is removed, with its history and payload',
    run: async (bench) => {
      const [done, open] = await bench.create({ payload: LARGE_PAYLOAD }, {});
      assert.ok(done && open);
      const withdrawn = await bench.step(reviewer, done, { type: 'withdraw' });
      const { version } = withdrawn.delivery;
      assert.equal(await bench.store.remove([{ id: done.id, version: version - 1 }]), 0);
      assert.equal(
        await bench.store.remove([
          { id: open.id, version: 1 },
          { id: 'NOBODY', version: 1 },
        ]),
        0,
      );
      await bench.createOne({ title: 'later' });
      assert.equal(await bench.store.remove([{ id: done.id, version }]), 1);
      assert.equal(await bench.store.get(done.id), null);
      assert.deepEqual(await bench.history(done), []);
      const pointer = newHandoff({ payload_ref: done.content.payload_ref });
      await refusal(bench.store.create([pointer], callBy(writer, 'handoff.create')), 'invalid_input');
      assert.equal((await bench.claimOne(receiver)).id, open.id);
    },
  },
  {
    ids: ['STORE.moving', 'STORE.subscribe'],
    name: 'a subscription continues after removed events, also at the end of the history',
    run: async (bench) => {
      const done = await bench.createOne();
      const { delivery } = await bench.step(reviewer, done, { type: 'withdraw' });
      const after_seq = (await bench.store.events({ limit: 9 })).at(-1)?.seq ?? 0;
      await bench.store.remove([{ id: done.id, version: delivery.version }]);
      const next = await bench.createOne({ title: 'next' });
      const found = await bench.store.events({ after_seq, project: PROJECT, limit: 9 });
      assert.deepEqual(
        found.map(({ handoff_id }) => handoff_id),
        [next.id],
      );
    },
  },
  {
    ids: ['STORE.moving'],
    name: 'a removed handoff is imported completely: its history has each event once',
    run: async (bench) => {
      const done = await bench.createOne();
      const { delivery } = await bench.step(reviewer, done, { type: 'withdraw' });
      const exported = await exportAll(bench);
      const after_seq = (await bench.store.events({ limit: 9 })).at(-1)?.seq ?? 0;
      await bench.store.remove([{ id: done.id, version: delivery.version }]);
      assert.deepEqual(await bench.store.import(exported), { added: 1, updated: 0, unchanged: 0 });
      assert.deepEqual(await bench.history(done), ['handoff-created', 'handoff-withdrawn']);
      assert.deepEqual(await bench.store.import(await exportAll(bench)), { added: 0, updated: 0, unchanged: 1 });
      assert.equal((await bench.store.events({ after_seq, limit: 9 })).length, 2);
    },
  },
];
