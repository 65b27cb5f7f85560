import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { HandoffStore } from '../packages/batonpass/src/records.ts';
import { createRecordStages, resultsOf, sampleInput } from './handoff-store/record-stage.ts';
import { createFolders } from './stores/folders.ts';
import { verifies } from './verifies.ts';

/** The test cases of source 2, one by one. */

const openStage = createRecordStages();
const createFolder = createFolders();

const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

verifies(
  ['HND-05.case.create-id', 'HND-05.link.ids', 'HND-05.artifact.store'],
  'create generates ULID id and sets created_at',
  async () => {
    const { store, setClock } = openStage();
    setClock('2026-02-03T04:05:06.789Z');
    const record = await store.create(sampleInput());
    expect(record.id).toMatch(ulid);
    expect(record.created_at).toBe('2026-02-03T04:05:06.789Z');
    const next = await store.create(sampleInput());
    expect(next.id > record.id).toBe(true);
  },
);

verifies(
  ['HND-05.case.create-file', 'HND-05.truth.create-file', 'HND-05.form.pretty', 'HND-05.create.returns'],
  'create writes individual JSON file at handoffs/{id}.json',
  async () => {
    const { store, folder } = openStage();
    const input = sampleInput({ target_agent: undefined, scope: 'src/auth', results: resultsOf('partial') });
    const record = await store.create(input);
    const text = readFileSync(join(folder, `${record.id}.json`), 'utf8');
    expect(text).toBe(JSON.stringify({ ...input, id: record.id, created_at: record.created_at }, orderOf(text), 2));
    expect(JSON.parse(text)).toEqual(record);
    expect(text).not.toContain('target_agent');
  },
);

/** The names in a text in their order there, for an encoder that follows a list. */
function orderOf(text: string): string[] {
  return [...text.matchAll(/"([a-z_]+)":/g)].map(([, name]) => name ?? '');
}

verifies(
  ['HND-05.case.create-index', 'HND-05.truth.create-index', 'HND-05.create.index-entry', 'HND-05.form.pretty'],
  'create appends entry to index.jsonl',
  async () => {
    const { store, index_path } = openStage();
    const one = await store.create(sampleInput());
    const two = await store.create(sampleInput({ target_agent: 'coder', scope: 'src', summary: 'Two' }));
    const lines = [
      `{"id":"${one.id}","created_at":"${one.created_at}","source_agent":"planner","summary":"Rotate the refresh tokens","result_status":"completed","acknowledged":false}`,
      `{"id":"${two.id}","created_at":"${two.created_at}","source_agent":"planner","target_agent":"coder","scope":"src","summary":"Two","result_status":"completed","acknowledged":false}`,
    ];
    expect(readFileSync(index_path, 'utf8')).toBe(`${lines.join('\n')}\n`);
  },
);

verifies(
  ['HND-05.case.status-completed', 'HND-05.create.common-status', 'HND-05.success.status'],
  'create computes correct result_status ("completed" when all completed), and any other that all share',
  async () => {
    const { store, readLines } = openStage();
    for (const status of ['completed', 'partial', 'blocked', 'failed'] as const) {
      await store.create(sampleInput({ results: resultsOf(status, status) }));
      expect(readLines().at(-1)?.result_status).toBe(status);
    }
  },
);

verifies(['HND-05.case.status-mixed'], 'create computes "mixed" when results have different statuses', async () => {
  const { store, readLines } = openStage();
  await store.create(sampleInput({ results: resultsOf('completed', 'completed', 'failed') }));
  expect(readLines()[0]?.result_status).toBe('mixed');
});

verifies(['HND-05.case.status-empty'], 'create computes "completed" when results array is empty', async () => {
  const { store, readLines } = openStage();
  await store.create(sampleInput({ results: [] }));
  expect(readLines()[0]?.result_status).toBe('completed');
});

verifies(['HND-05.case.get-absent'], 'get returns null for non-existent id', async () => {
  const { store } = openStage();
  expect(await store.get('01ARZ3NDEKTSV4RRFFQ69G5FAV')).toBeNull();
  await store.create(sampleInput());
  expect(await store.get('01ARZ3NDEKTSV4RRFFQ69G5FAV')).toBeNull();
});

verifies(
  ['HND-05.case.get-full', 'HND-05.truth.get', 'HND-05.success.get', 'HND-05.form.record'],
  'get returns full record for existing handoff',
  async () => {
    const { store } = openStage();
    const input = sampleInput({
      target_agent: 'coder',
      scope: 'src/auth',
      results: [{ description: 'Token', status: 'blocked', artifacts: ['src/token.ts'], notes: 'Needs a key' }],
    });
    const { id, created_at } = await store.create(input);
    expect(await store.get(id)).toEqual({ ...input, id, created_at });
  },
);

verifies(
  ['HND-05.case.get-new-instance', 'HND-05.truth.persists', 'HND-05.success.persists', 'HND-05.success.create'],
  'get survives store re-instantiation',
  async () => {
    const { store, dir } = openStage();
    const record = await store.create(sampleInput());
    await store.acknowledge(record.id, 'coder');
    const other = new HandoffStore(dir);
    expect(await other.get(record.id)).toMatchObject({ ...record, acknowledged_by: 'coder' });
    expect(await other.list()).toMatchObject([{ id: record.id, acknowledged: true }]);
  },
);

verifies(
  ['HND-05.case.list-all', 'HND-05.truth.list', 'HND-05.list.no-default-limit'],
  'list returns all entries when no filters',
  async () => {
    const { store, readLines } = openStage();
    for (let made = 0; made < 120; made += 1) await store.create(sampleInput({ summary: `Number ${made}` }));
    const entries = await store.list();
    expect(entries).toHaveLength(120);
    expect(entries.toReversed()).toEqual(readLines());
    expect(await store.list({})).toEqual(entries);
  },
);

verifies(['HND-05.case.list-source', 'HND-05.list.source-exact'], 'list filters by source_agent', async () => {
  const { store } = openStage();
  await store.create(sampleInput({ source_agent: 'planner' }));
  await store.create(sampleInput({ source_agent: 'planner-2' }));
  expect(await store.list({ source_agent: 'planner' })).toMatchObject([{ source_agent: 'planner' }]);
  expect(await store.list({ source_agent: 'plan' })).toEqual([]);
});

verifies(['HND-05.case.list-target', 'HND-05.list.target-exact'], 'list filters by target_agent', async () => {
  const { store } = openStage();
  await store.create(sampleInput());
  await store.create(sampleInput({ target_agent: 'coder' }));
  await store.create(sampleInput({ target_agent: 'Coder' }));
  expect(await store.list({ target_agent: 'coder' })).toMatchObject([{ target_agent: 'coder' }]);
});

verifies(['HND-05.case.list-scope'], 'list filters by scope (prefix match, bidirectional)', async () => {
  const { store } = openStage();
  for (const scope of ['src', 'src/auth', 'src/auth/token.ts', 'docs']) await store.create(sampleInput({ scope }));
  const scopesOf = async (scope: string) => (await store.list({ scope })).map((entry) => entry.scope);
  expect(await scopesOf('src/auth')).toEqual(['src/auth/token.ts', 'src/auth', 'src']);
  expect(await scopesOf('docs')).toEqual(['docs']);
  expect(await scopesOf('test')).toEqual([]);
});

verifies(['HND-05.case.list-since'], 'list filters by since timestamp', async () => {
  const { store, setClock } = openStage();
  for (const day of ['2026-01-01', '2026-01-02', '2026-01-03']) {
    setClock(`${day}T12:00:00Z`);
    await store.create(sampleInput({ summary: day }));
  }
  const since = async (instant: string) => (await store.list({ since: instant })).map(({ summary }) => summary);
  expect(await since('2026-01-02T12:00:00.000Z')).toEqual(['2026-01-03', '2026-01-02']);
  expect(await since('2026-01-02T12:00:00.001Z')).toEqual(['2026-01-03']);
});

verifies(['HND-05.case.list-limit'], 'list applies limit', async () => {
  const { store } = openStage();
  for (const summary of ['one', 'two', 'three']) await store.create(sampleInput({ summary }));
  expect((await store.list({ limit: 2 })).map(({ summary }) => summary)).toEqual(['three', 'two']);
});

verifies(['HND-05.case.list-combined', 'HND-05.success.list'], 'list combines multiple filters', async () => {
  const { store, setClock } = openStage();
  setClock('2026-01-01T00:00:00Z');
  await store.create(sampleInput({ target_agent: 'coder', scope: 'src' }));
  setClock('2026-01-02T00:00:00Z');
  const wanted = { source_agent: 'planner', target_agent: 'coder', scope: 'src/auth' };
  await store.create(sampleInput({ ...wanted, summary: 'first' }));
  await store.create(sampleInput({ ...wanted, summary: 'second' }));
  await store.create(sampleInput({ ...wanted, source_agent: 'other' }));
  await store.create(sampleInput({ ...wanted, target_agent: 'other' }));
  await store.create(sampleInput({ ...wanted, scope: 'docs' }));
  const filters = { ...wanted, since: '2026-01-02T00:00:00Z' };
  expect((await store.list(filters)).map(({ summary }) => summary)).toEqual(['second', 'first']);
  expect((await store.list({ ...filters, limit: 1 })).map(({ summary }) => summary)).toEqual(['second']);
});

verifies(
  ['HND-05.case.list-newest-first', 'HND-05.form.tie-break'],
  'list returns newest first (descending created_at), of one instant the greater id first',
  async () => {
    const { store, setClock } = openStage();
    const made: string[] = [];
    for (const instant of ['2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z', '2026-01-03T00:00:00Z']) {
      setClock(instant);
      for (const _ of [1, 2]) made.push((await store.create(sampleInput())).id);
    }
    const [b1, b2, a1, a2, c1, c2] = made;
    expect((await store.list()).map(({ id }) => id)).toEqual([c2, c1, b2, b1, a2, a1]);
  },
);

verifies(
  ['HND-05.case.acknowledge-file', 'HND-05.acknowledge.returns', 'HND-05.form.record'],
  'acknowledge sets acknowledged_by and acknowledged_at on file',
  async () => {
    const { store, setClock, folder } = openStage();
    const record = await store.create(sampleInput());
    setClock('2026-05-06T07:08:09.010Z');
    const acknowledged = await store.acknowledge(record.id, 'coder');
    expect(acknowledged).toEqual({
      ...record,
      acknowledged_by: 'coder',
      acknowledged_at: '2026-05-06T07:08:09.010Z',
    });
    expect(readFileSync(join(folder, `${record.id}.json`), 'utf8')).toBe(JSON.stringify(acknowledged, null, 2));
    expect(await store.get(record.id)).toEqual(acknowledged);
  },
);

verifies(
  ['HND-05.case.acknowledge-index', 'HND-05.truth.acknowledge', 'HND-05.success.acknowledge'],
  'acknowledge updates index entry acknowledged=true, and no other',
  async () => {
    const { store, readLines, folder } = openStage();
    const ids: string[] = [];
    for (const _ of [1, 2, 3]) ids.push((await store.create(sampleInput())).id);
    await store.acknowledge(ids[1] ?? '', 'coder');
    expect(readLines().map(({ acknowledged }) => acknowledged)).toEqual([false, true, false]);
    expect((await store.list()).map(({ acknowledged }) => acknowledged)).toEqual([false, true, false]);
    expect(readdirSync(folder).sort()).toEqual([...ids.map((id) => `${id}.json`), 'index.jsonl']);
  },
);

verifies(['HND-05.case.acknowledge-absent'], 'acknowledge throws for non-existent handoff', async () => {
  const { store, folder } = openStage();
  const absent = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  await expect(store.acknowledge(absent, 'coder')).rejects.toMatchObject({
    code: 'not_found',
    details: { id: absent },
  });
  expect(existsSync(folder)).toBe(false);
});

verifies(
  ['HND-05.case.index-missing', 'HND-05.constructor', 'HND-05.creates-folder'],
  'index gracefully handles missing index.jsonl (returns empty array)',
  async () => {
    const dir = join(createFolder(), 'deep', '.twining');
    const store = new HandoffStore(dir);
    expect(await store.list()).toEqual([]);
    expect(existsSync(dir)).toBe(false);
    await store.create(sampleInput());
    expect(readdirSync(dir)).toEqual(['handoffs']);
  },
);
