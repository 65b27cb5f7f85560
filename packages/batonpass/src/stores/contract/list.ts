import assert from 'node:assert/strict';
import { type Filter, judgeScope, matches } from '../../core/filter.ts';
import { states } from '../../core/state.ts';
import {
  type Bench,
  callBy,
  newHandoff,
  PROJECT,
  receiver,
  refusal,
  reviewer,
  START_MS,
  tokenOf,
  writer,
} from './bench.ts';
import type { ContractCase } from './case.ts';

async function titles(bench: Bench, filter: Filter): Promise<string[]> {
  const { handoffs } = await bench.store.list({ filter, limit: 100 });
  return handoffs.map(({ content }) => content.title);
}

/** A mixture in which every member of a filter matches some handoffs and not others. */
async function fill(bench: Bench): Promise<void> {
  await bench.create(
    { title: 'plan', kind: 'plan', task_id: 'A', phase: 'init', source_agent: 'planner' },
    {
      title: 'aimed',
      target_agent: 'receiver',
      scope: 'src/auth',
      origin: { branch: 'main', session: 's1' },
      files: ['src/a.ts'],
    },
    { title: 'draft', state: 'draft', task_id: 'A', scope: 'src/authz' },
  );
  bench.clock.move(1_000);
  const elsewhere = { ...newHandoff({ title: 'elsewhere', task_id: 'A' }), project: 'elsewhere' };
  await bench.store.create([elsewhere], callBy(writer, 'handoff.create'));
  await bench.create({ title: 'failed' }, { title: 'held', task_id: 'A', origin: { branch: 'other' } });
  await bench.create({ title: 'done', phase: 'init' });
  const { handoffs } = await bench.store.list({ filter: {}, limit: 3 });
  await bench.claimOne(receiver, { id: handoffs[1]?.id });
  await bench.step(receiver, { id: handoffs[0]?.id ?? '' }, { type: 'acknowledge' });
  const failing = await bench.claimOne(receiver, { id: handoffs[2]?.id });
  await bench.step(receiver, failing, { type: 'fail', token: tokenOf(failing), reason: 'No network.' });
}

const filters: readonly Filter[] = [
  {},
  { project: 'elsewhere' },
  { project: 'nowhere' },
  { state: ['open'] },
  { project: 'https://example.org/team/project', state: ['open'] },
  { project: 'https://example.org/team/project', state: ['draft', 'claimed', 'acknowledged'] },
  { failed: true },
  { failed: true, project: 'https://example.org/team/project', state: ['open'] },
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
  { text: 'AIM' },
  { text: 'summary of', project: 'https://example.org/team/project', state: ['open'] },
  { text: 'nowhere' },
  { file: 'src/' },
  { file: 'src/a', text: 'e', project: 'https://example.org/team/project' },
  { file: 'SRC' },
];

/** Texts that a pattern, a JSON escape or another alphabet would take amiss. */
const searchedFor = ['100%', 'a_b', 'say "so"', 'back\\slash', 'Ärger', 'naïve \u{1F600}'];

/** Lists: newest first, page by page, and answering every filter as the reference does. */
export const listCases: readonly ContractCase[] = [
  {
    ids: ['LIFE.list'],
    name: 'a list can start with the oldest, of every state and of one',
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
      assert.equal(all.length, 7);
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
    ids: ['LIFE.search'],
    name: 'a text is found as written, with the letters A to Z in either case',
    run: async (bench) => {
      await bench.create(...searchedFor.map((title) => ({ title })), { title: '1000', summary: 'ab say so' });
      for (const text of searchedFor) assert.deepEqual(await titles(bench, { text }), [text]);
      assert.deepEqual(await titles(bench, { text: 'NAÏVE'.replace('Ï', 'ï') }), ['naïve \u{1F600}']);
      assert.deepEqual(await titles(bench, { text: 'ärger' }), []);
    },
  },
  {
    ids: ['LIFE.search'],
    name: 'a search reads a bounded number of handoffs, and its cursor continues where it ended',
    run: async (bench) => {
      await bench.create({ title: 'hit 1' }, { title: 'miss' }, { title: 'miss', state: 'draft' }, { title: 'hit 2' });
      await bench.create({ title: 'miss' }, { title: 'miss' });
      const filter = { project: PROJECT, state: ['open' as const], text: 'hit' };
      const pages: string[][] = [];
      let cursor: string | undefined;
      do {
        const page = await bench.store.list({ filter, limit: 5, look_max: 2, ...(cursor && { cursor }) });
        pages.push(page.handoffs.map(({ content }) => content.title));
        cursor = page.cursor;
      } while (cursor !== undefined);
      assert.deepEqual(pages, [[], ['hit 2'], ['hit 1']]);
      const oldest = await bench.store.list({ filter, first: 'oldest', limit: 5, look_max: 1 });
      assert.deepEqual(
        oldest.handoffs.map(({ content }) => content.title),
        ['hit 1', 'hit 2'],
      );
    },
  },
  {
    ids: ['LIFE.list'],
    name: 'a page can skip any number, from the start, from a cursor and from the other end',
    run: async (bench) => {
      for (const title of ['1', '2', '3', '4', '5']) await bench.createOne({ title });
      const page = async (request: object) => {
        const found = await bench.store.list({ filter: { project: PROJECT }, limit: 2, ...request });
        return [found.handoffs.map(({ content }) => content.title).join(), found.cursor] as const;
      };
      const [first, cursor] = await page({ skip: 1 });
      assert.equal(first, '4,3');
      assert.deepEqual(await page({ cursor, skip: 1 }), ['1', undefined]);
      assert.deepEqual(await page({ skip: 5 }), ['', undefined]);
      assert.deepEqual(await page({ skip: 2, first: 'oldest' }), ['3,4', undefined]);
      await refusal(page({ skip: -1 }), 'invalid_input');
      await refusal(page({ look_max: 0 }), 'invalid_input');
    },
  },
  {
    ids: ['LIFE.count'],
    name: 'every filter counts what the reference finds, by state',
    run: async (bench) => {
      await fill(bench);
      const { handoffs: all } = await bench.store.list({ filter: {}, limit: 100 });
      for (const filter of [...filters, { state: ['draft', 'expired'] } as Filter]) {
        const asked = { ...filter, project: filter.project ?? PROJECT };
        const found = all.filter((handoff) => matches(handoff, asked) && judgeScope(handoff, asked) === 'in');
        const { counts, partial } = await bench.store.count({ filter: asked, look_max: 10 });
        const expected = (asked.state ?? states).map((state) => [
          state,
          found.filter(({ delivery }) => delivery.state === state).length,
        ]);
        assert.deepEqual(counts, Object.fromEntries(expected), JSON.stringify(asked));
        assert.deepEqual(partial, []);
      }
    },
  },
  {
    ids: ['LIFE.count'],
    name: 'a count reads a bounded number of each state, and reports where there may be more',
    run: async (bench) => {
      await bench.create({}, {}, {}, { state: 'draft' });
      const done = await bench.createOne();
      await bench.step(receiver, { id: done.id }, { type: 'acknowledge' });
      const { counts, partial } = await bench.store.count({ filter: { project: PROJECT }, look_max: 2 });
      assert.deepEqual([counts.open, counts.draft, counts.acknowledged, counts.dead], [2, 1, 1, 0]);
      assert.deepEqual([...partial].sort(), ['acknowledged', 'expired', 'open', 'withdrawn']);
      for (const look_max of [0, 1.5, 400_001]) {
        await refusal(bench.store.count({ filter: { project: PROJECT }, look_max }), 'invalid_input');
      }
    },
  },
  {
    ids: ['LIFE.list'],
    name: 'the last characters of an id find it; their case matters and they are not a pattern',
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
    name: 'pages have no gap and no repetition while new handoffs arrive',
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
    name: 'a page with exactly all handoffs has no cursor, and a limit of 0 returns nothing',
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
    name: 'a cursor that no list returned, an invalid filter and an invalid limit are refused',
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
    name: 'a list shows the effective state of lapsed and expired handoffs',
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
