import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { HandoffStore } from '../../packages/batonpass/src/records.ts';
import { newPlace, openOn, refusalOf } from '../operations/store-stage.ts';
import { verifies } from '../verifies.ts';
import { resultsOf, sampleInput } from './record-stage.ts';

const HOUR_MS = 3_600_000;

/** A folder of records of all kinds, a store of Baton next to it, and a second folder for the copy back. */
async function filled() {
  const { folder, file } = newPlace();
  const dir = join(folder, '.twining');
  const store = new HandoffStore(dir);
  const results = [
    ...resultsOf('completed', 'blocked'),
    {
      description: 'Täglich ▶',
      status: 'partial' as const,
      artifacts: ['a b.ts', ''.padEnd(400, 'x')],
      notes: 'two\nlines',
    },
  ];
  const records = [
    await store.create(sampleInput()),
    await store.create(sampleInput({ target_agent: 'coder', scope: 'src/auth', results })),
    await store.create(sampleInput({ scope: './src/auth/', summary: '  spaces  ' })),
    await store.create(sampleInput({ scope: '' })),
  ];
  const ids = records.map(({ id }) => id);
  await store.acknowledge(ids[1] ?? '', 'somebody else');
  await store.acknowledge(ids[2] ?? '', 'tester');
  // Another program's: other spelling, other fields, another zone.
  const theirs = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  const text = JSON.stringify({ ...records[0], id: theirs, created_at: '2026-01-01T01:00:00+01:00', team: { x: 1 } });
  writeFileSync(join(dir, 'handoffs', `${theirs}.json`), `${text}\n`);
  const baton = await openOn(file);
  const back = join(folder, 'back');
  return { folder, dir, store, ids: [...ids, theirs], baton, back, from: `handoffs:${dir}`, to: `handoffs:${back}` };
}

const recordsIn = (dir: string) =>
  Object.fromEntries(
    readdirSync(join(dir, 'handoffs'))
      .filter((name) => name.endsWith('.json'))
      .map((name) => [name, readFileSync(join(dir, 'handoffs', name), 'utf8')]),
  );

verifies(
  ['RECORDS.copy', 'HND-05.held.any-folder'],
  'records become open or acknowledged handoffs, and are the same bytes after copying back',
  async () => {
    const { dir, baton, ids, from, to, back } = await filled();
    const store = baton.context.store_url;
    const copied = await baton.run('store.copy', { from, to: store });
    expect(copied).toMatchObject({ added: 5, updated: 0, unchanged: 0, differences: 0, complete: true });
    expect(copied.verified.to).toEqual(copied.verified.from);
    const { handoffs } = await baton.run('handoff.list', { limit: 10 });
    expect(handoffs.map(({ id, delivery }) => [id, delivery.state]).sort()).toEqual(
      ids.map((id, place) => [id, place === 1 || place === 2 ? 'acknowledged' : 'open']).sort(),
    );
    const handoff = await baton.run('handoff.get', { id: ids[1] ?? '' });
    expect(handoff).toMatchObject({
      content: {
        source_agent: 'planner',
        target_agent: 'coder',
        scope: 'src/auth',
        context_snapshot: { summaries: ['Use JWT'] },
      },
      delivery: { acknowledged_by: 'somebody else' },
    });
    expect(handoff.content.extra).toBeUndefined();
    const returned = await baton.run('store.copy', { to });
    expect(returned).toMatchObject({ added: 5, differences: 0, complete: true });
    expect(returned.verified.to).toEqual(returned.verified.from);
    expect(recordsIn(back)).toEqual(recordsIn(dir));
    const listed = await new HandoffStore(back).list();
    expect(listed).toEqual(await new HandoffStore(dir).list());
    for (const way of [{ from, to: store }, { to }]) {
      expect(await baton.run('store.copy', way)).toMatchObject({ added: 0, unchanged: 5, differences: 0 });
    }
  },
);

verifies(['RECORDS.copy'], 'what was acknowledged meanwhile is copied, in both directions', async () => {
  const { store, baton, ids, from, to, back } = await filled();
  const url = baton.context.store_url;
  await baton.run('store.copy', { from, to: url });
  await baton.run('store.copy', { to });
  await store.acknowledge(ids[0] ?? '', 'coder');
  expect(await baton.run('store.copy', { from, to: url })).toMatchObject({ updated: 1, unchanged: 4, differences: 0 });
  expect(await baton.run('store.copy', { to })).toMatchObject({ updated: 1, unchanged: 4, differences: 0 });
  expect(await new HandoffStore(back).get(ids[0] ?? '')).toEqual(await store.get(ids[0] ?? ''));
  // Here and there by different agents: neither is overwritten.
  await store.acknowledge(ids[3] ?? '', 'one');
  await new HandoffStore(back).acknowledge(ids[3] ?? '', 'two');
  await baton.run('store.copy', { from, to: url });
  const parted = await baton.run('store.copy', { to });
  expect(parted.differing).toEqual([{ id: ids[3], how: 'conflict' }]);
  expect(await new HandoffStore(back).get(ids[3] ?? '')).toMatchObject({ acknowledged_by: 'two' });
  // Acknowledged in Baton: the record of another program keeps its own fields.
  const { handoff: taken } = await baton.run('handoff.claim', { id: ids[4] ?? '' });
  await baton.run('handoff.acknowledge', { id: ids[4] ?? '', token: taken?.delivery.lease?.token ?? '' });
  expect(await baton.run('store.copy', { to })).toMatchObject({ updated: 1 });
  expect(await new HandoffStore(back).get(ids[4] ?? '')).toMatchObject({
    team: { x: 1 },
    acknowledged_by: taken?.delivery.lease?.holder,
  });
});

verifies(
  ['RECORDS.copy-left'],
  'what a record cannot hold is named and left out, or written and reported as less',
  async () => {
    const { folder, file } = newPlace();
    const baton = await openOn(file);
    const make = async (content: object) => (await baton.run('handoff.create', { content })).id;
    const plain = await make({ source_agent: 'a', summary: 'Plain' });
    const rich = await make({ source_agent: 'a', summary: 'Rich', decisions: ['Use JWT'], task_id: 't' });
    const held = await make({ source_agent: 'a', summary: 'Held' });
    const done = await make({ source_agent: 'a', summary: 'Done' });
    await baton.run('handoff.claim', { id: held });
    const claimed = (await baton.run('handoff.claim', { id: done })).handoff;
    await baton.run('handoff.acknowledge', { id: done, token: claimed?.delivery.lease?.token ?? '' });
    const back = join(folder, 'back');
    const copied = await baton.run('store.copy', { to: `handoffs:${back}` });
    expect(copied).toMatchObject({ added: 2, differences: 4, complete: true });
    expect(Object.keys(recordsIn(back)).sort()).toEqual([`${plain}.json`, `${done}.json`].sort());
    const reasonOf = (id: string) => copied.differing.find((each) => each.id === id);
    expect(reasonOf(plain)).toMatchObject({ how: 'reduced', reason: expect.stringContaining('origin') });
    expect(reasonOf(rich)).toMatchObject({ how: 'unfit', reason: expect.stringContaining('task_id') });
    expect(reasonOf(rich)?.reason).toContain('decisions');
    expect(reasonOf(held)).toMatchObject({ how: 'unfit', reason: expect.stringContaining('it is claimed') });
    expect(reasonOf(done)).toMatchObject({ how: 'reduced', reason: expect.stringContaining('3 lines') });
  },
);

verifies(['RECORDS.copy-left'], 'a damaged record is named, and keeps no other away', async () => {
  const { dir, baton, ids, from } = await filled();
  writeFileSync(join(dir, 'handoffs', `${ids[0]}.json`), '{"id":');
  const url = baton.context.store_url;
  const copied = await baton.run('store.copy', { from, to: url });
  expect(copied).toMatchObject({ added: 4, differences: 1 });
  expect(copied.differing).toMatchObject([{ id: ids[0], how: 'unfit', reason: expect.stringContaining('line 1') }]);
});

verifies(
  ['RECORDS.copy-left'],
  'two folders, or a folder that does not exist, are refused with the remedy',
  async () => {
    const { baton, from, to } = await filled();
    expect(await refusalOf(baton.run('store.copy', { from, to }))).toMatchObject({ code: 'invalid_input' });
    const nowhere = { from: 'handoffs:/nowhere/at/all', to: baton.context.store_url };
    expect(await refusalOf(baton.run('store.copy', nowhere))).toMatchObject({ code: 'file_not_found' });
  },
);

verifies(['RECORDS.look'], 'the folder can be listed, shown, checked and put in order through operations', async () => {
  const { dir, baton, ids } = await filled();
  const listed = await baton.run('file.store-list', { folder: dir, scope: 'src', limit: 2 });
  expect(listed).toMatchObject({ folder: dir, warnings: [] });
  expect(listed.handoffs.map(({ id }) => id)).toEqual([ids[3], ids[2]]);
  // The folder itself can be named as well.
  const shown = await baton.run('file.store-show', { folder: join(dir, 'handoffs'), id: ids[4] ?? '' });
  expect(shown).toMatchObject({ folder: dir, record: { id: ids[4], team: { x: 1 } } });
  await expect(baton.run('file.store-show', { folder: dir, id: 'none' })).rejects.toMatchObject({ code: 'not_found' });

  const index_path = join(dir, 'handoffs/index.jsonl');
  const path = (id: string | undefined) => join(dir, 'handoffs', `${id}.json`);
  const checked = await baton.run('file.store-check', { folder: dir });
  expect(checked).toMatchObject({ repaired: false, records: 5, acknowledged: 2, lines: 4 });
  expect(checked.findings).toEqual([{ path: path(ids[4]), what: 'the index has no line for it' }]);
  const lines = readFileSync(index_path, 'utf8').split('\n');
  lines[0] = lines[0]?.replace('Rotate', 'Forget') ?? '';
  writeFileSync(index_path, `${lines.join('\n')}{"id":"torn`);
  copyFileSync(path(ids[1]), join(dir, 'handoffs', `.${ids[1]}.json.${crypto.randomUUID()}.new`));
  writeFileSync(path(ids[2]), '{\n"id": oops');
  const worse = await baton.run('file.store-check', { folder: dir });
  expect(worse.findings).toMatchObject([
    { path: index_path, line: 5, what: 'the line is torn or damaged' },
    { path: index_path, what: expect.stringContaining('no line break at its end') },
    { path: path(ids[4]) },
    { path: index_path, line: 1, what: `summary differ from the record ${ids[0]}.json` },
    { path: path(ids[2]), line: 2, what: expect.stringContaining('is not JSON, line 2') },
    { what: expect.stringContaining('left by a writer') },
  ]);
  const later = await openOn(join(dir, '../baton.db'), { now: () => Date.now() + HOUR_MS });
  const repaired = await later.run('file.store-check', { folder: dir, repair: true });
  expect(repaired).toMatchObject({ repaired: true, records: 5, lines: 5 });
  expect(repaired.findings).toMatchObject([{ path: path(ids[2]), line: 2 }]);
  mkdirSync(join(dir, 'empty'));
  await expect(baton.run('file.store-check', { folder: join(dir, 'empty') })).rejects.toMatchObject({
    code: 'file_not_found',
  });
});
