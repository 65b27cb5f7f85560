import assert from 'node:assert/strict';
import { type Filter, judgeScope, matches } from '../../core/filter.ts';
import { type Bench, callBy, newHandoff, PROJECT, receiver, refusal, reviewer, START_MS, writer } from './bench.ts';
import type { ContractCase } from './case.ts';

async function titles(bench: Bench, filter: Filter): Promise<string[]> {
  const { handoffs } = await bench.store.list({ filter, limit: 100 });
  return handoffs.map(({ content }) => content.title);
}

/** A mixture in which every member of a filter tells some apart. */
async function fill(bench: Bench): Promise<void> {
  await bench.create(
    { title: 'plan', kind: 'plan', task_id: 'A', phase: 'init', source_agent: 'planner' },
    { title: 'aimed', target_agent: 'receiver', scope: 'src/auth', origin: { branch: 'main', session: 's1' } },
    { title: 'draft', state: 'draft', task_id: 'A', scope: 'src/authz' },
  );
  bench.clock.move(1_000);
  const elsewhere = { ...newHandoff({ title: 'elsewhere', task_id: 'A' }), project: 'elsewhere' };
  await bench.store.create([elsewhere], callBy(writer, 'handoff.create'));
  await bench.create({ title: 'held', task_id: 'A', origin: { branch: 'other' } }, { title: 'done', phase: 'init' });
  const { handoffs } = await bench.store.list({ filter: {}, limit: 2 });
  await bench.claimOne(receiver, { id: handoffs[1]?.id });
  await bench.step(receiver, { id: handoffs[0]?.id ?? '' }, { type: 'acknowledge' });
}

const filters: readonly Filter[] = [
  {},
  { project: 'elsewhere' },
  { project: 'nowhere' },
  { state: ['open'] },
  { project: 'https://example.org/team/project', state: ['open'] },
  { project: 'https://example.org/team/project', state: ['draft', 'claimed', 'acknowledged'] },
  { kind: 'plan' },
  { task_id: 'A' },
  { source_agent: 'planner' },
  { target_agent: 'receiver' },
  { phase: 'init', state: ['open', 'acknowledged'] },
  { session: 's1' },
  { branch: 'main' },
  { branch: 'other', task_id: 'A', project: 'https://example.org/team/project' },
  { scope: 'src' },
  { scope: 'src/auth/token.ts', project: 'https://example.org/team/project', state: ['open'] },
  { scope: 'src/auth', include_unscoped: true },
  { since: new Date(START_MS + 1).toISOString() },
  { since: '2026-03-01T14:00:01+02:00' },
];

/** Lists: newest first, page by page, and answering every filter as the reference does. */
export const listCases: readonly ContractCase[] = [
  {
    ids: ['LIFE.list'],
    name: 'a list can begin with the oldest, of every state and of one',
    run: async (bench) => {
      const [first, second] = await bench.create({ title: 'first' }, { title: 'second' }, { title: 'third' });
      const oldest = async (filter: object) =>
        (await bench.store.list({ filter, first: 'oldest', limit: 2 })).handoffs.map(({ id }) => id);
      assert.deepEqual(await oldest({}), [first?.id, second?.id]);
      assert.deepEqual(await oldest({ project: PROJECT, state: ['open'] }), [first?.id, second?.id]);
    },
  },
  {
    ids: ['LIFE.list'],
    name: 'every filter finds exactly what the reference finds, newest first',
    run: async (bench) => {
      await fill(bench);
      const { handoffs: all } = await bench.store.list({ filter: {}, limit: 100 });
      assert.equal(all.length, 6);
      for (const filter of filters) {
        const expected = all.filter((handoff) => matches(handoff, filter) && judgeScope(handoff, filter) === 'in');
        const page = await bench.store.list({ filter, limit: 100 });
        assert.deepEqual(page.handoffs, expected, JSON.stringify(filter));
        const left_out = all.filter(
          (handoff) => matches(handoff, filter) && judgeScope(handoff, filter) === 'unscoped',
        );
        assert.equal(page.unscoped_left_out, left_out.length, JSON.stringify(filter));
      }
    },
  },
  {
    ids: ['LIFE.list'],
    name: 'the last characters of an id find it; their letter case counts and they are no pattern',
    run: async (bench) => {
      const [first] = await bench.create({ title: 'a' }, { title: 'b' });
      assert.ok(first);
      assert.deepEqual(await titles(bench, { id_suffix: first.id }), ['a']);
      assert.deepEqual(await titles(bench, { id_suffix: first.id.slice(-6) }), ['a']);
      assert.deepEqual(await titles(bench, { id_suffix: '%%%%' }), []);
      assert.deepEqual(await titles(bench, { id_suffix: '____' }), []);
      assert.deepEqual(await titles(bench, { id_suffix: first.id.slice(0, 8) }), []);
    },
  },
  {
    ids: ['LIFE.list'],
    name: 'pages follow each other without gap or repetition while new handoffs come in',
    run: async (bench) => {
      for (const title of ['1', '2', '3', '4', '5']) await bench.createOne({ title });
      const first = await bench.store.list({ filter: {}, limit: 2 });
      await bench.createOne({ title: '6' });
      const second = await bench.store.list({ filter: {}, limit: 2, cursor: first.cursor });
      const third = await bench.store.list({ filter: {}, limit: 2, cursor: second.cursor });
      const seen = [first, second, third].map((page) => page.handoffs.map(({ content }) => content.title));
      assert.deepEqual(seen, [['5', '4'], ['3', '2'], ['1']]);
      assert.equal(third.cursor, undefined);
    },
  },
  {
    ids: ['LIFE.list', 'STORE.limits'],
    name: 'a page that holds exactly all has no cursor, and a limit of 0 holds nothing',
    run: async (bench) => {
      await bench.create({}, {});
      const exact = await bench.store.list({ filter: {}, limit: 2 });
      assert.equal(exact.handoffs.length, 2);
      assert.equal(exact.cursor, undefined);
      const none = await bench.store.list({ filter: {}, limit: 0 });
      assert.deepEqual([none.handoffs, none.cursor], [[], undefined]);
    },
  },
  {
    ids: ['LIFE.list', 'STORE.limits'],
    name: 'a cursor that no list has given, a wrong filter and a wrong limit are refused',
    run: async (bench) => {
      await bench.createOne();
      const list = (request: object) => bench.store.list({ filter: {}, limit: 10, ...request });
      for (const cursor of ['', 'abc', 'MTIz', Buffer.from('before:-1').toString('base64url')]) {
        await refusal(list({ cursor }), 'invalid_input');
      }
      for (const limit of [-1, 1.5, 1_001, Number.NaN]) await refusal(list({ limit }), 'invalid_input');
      await refusal(list({ filter: { since: 'yesterday' } }), 'invalid_input');
      await refusal(list({ filter: { unknown: 1 } }), 'invalid_input');
    },
  },
  {
    ids: ['LIFE.list', 'LIFE.clock'],
    name: 'a list shows the effective state of what came due',
    run: async (bench) => {
      await bench.createOne({ title: 'old', expires_at: new Date(START_MS + 1_000).toISOString() });
      bench.clock.move(1_000);
      assert.deepEqual(await titles(bench, { state: ['open'] }), []);
      assert.deepEqual(await titles(bench, { state: ['expired'] }), ['old']);
      await bench.step(reviewer, (await bench.store.list({ filter: {}, limit: 1 })).handoffs[0] ?? { id: '' }, {
        type: 'reopen',
      });
      assert.deepEqual(await titles(bench, { state: ['open'] }), ['old']);
    },
  },
];
