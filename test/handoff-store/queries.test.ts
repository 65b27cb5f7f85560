import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type {
  HandoffFilters,
  HandoffIndexEntry,
  HandoffRecord,
  HandoffResult,
} from '../../packages/batonpass/src/records.ts';
import { verifies } from '../verifies.ts';
import { createRecordStages, resultsOf, sampleInput } from './record-stage.ts';

const openStage = createRecordStages();

verifies(
  ['HND-05.held.scope-segments', 'HND-05.held.scope-spelling'],
  'scopes match by segment, in any spelling',
  async () => {
    const { store } = openStage();
    for (const scope of ['src/auth', 'src/authz', 'src/auth/', './src/auth/token.ts', 'sr']) {
      await store.create(sampleInput({ scope }));
    }
    const scopesOf = async (scope: string) => (await store.list({ scope })).map((entry) => entry.scope).reverse();
    const expected = ['src/auth', 'src/auth/', './src/auth/token.ts'];
    for (const spelling of ['src/auth', 'src/auth/', './src/auth', 'src//auth']) {
      expect(await scopesOf(spelling)).toEqual(expected);
    }
    expect(await scopesOf('src')).toEqual(['src/auth', 'src/authz', 'src/auth/', './src/auth/token.ts']);
    expect(await scopesOf('src/auth/token.ts/deep')).toEqual(expected);
  },
);

verifies(['HND-05.held.scope-unscoped-list'], 'a handoff without a scope answers every scope', async () => {
  const { store } = openStage();
  await store.create(sampleInput({ summary: 'everywhere' }));
  await store.create(sampleInput({ summary: 'here', scope: 'src/auth' }));
  await store.create(sampleInput({ summary: 'empty', scope: '' }));
  expect((await store.list({ scope: 'docs' })).map(({ summary }) => summary)).toEqual(['empty', 'everywhere']);
});

verifies(['HND-05.held.scope-spelling'], 'an empty filter matches all', async () => {
  const { store } = openStage();
  await store.create(sampleInput({ scope: 'src' }));
  const empty: HandoffFilters[] = [
    {},
    { scope: '' },
    { scope: '/' },
    { source_agent: '', target_agent: '', since: '' },
  ];
  for (const filters of empty) expect(await store.list(filters)).toHaveLength(1);
  expect(await store.list({ scope: undefined, limit: undefined })).toHaveLength(1);
});

verifies(['HND-05.held.since-instants'], 'since compares instants, in any time zones', async () => {
  const { store, setClock } = openStage();
  setClock('2026-03-01T12:00:00Z');
  await store.create(sampleInput());
  const isIn = async (since: string) => (await store.list({ since })).length === 1;
  expect(await isIn('2026-03-01T13:00:00+01:00')).toBe(true);
  expect(await isIn('2026-03-01T12:30:00+01:00')).toBe(true);
  expect(await isIn('2026-03-01T11:59:00-01:00')).toBe(false);
  expect(await isIn('2026-03-01')).toBe(true);
  expect(await isIn('2026-03-01T12:00:00')).toBe(true);
  expect(await isIn('2026-03-01T12:00:01')).toBe(false);
  for (const since of ['yesterday', '12:00', '2026-13-01', '1']) {
    await expect(store.list({ since })).rejects.toMatchObject({ code: 'invalid_input' });
  }
});

verifies(
  ['HND-05.truth.list'],
  'the newest is first by its instant, whatever its id, and by id within one',
  async () => {
    const { store, index_path, folder } = openStage();
    const written: string[] = [];
    for (let count = 0; count < 3; count += 1) written.push((await store.create(sampleInput())).id);
    const [first = '', second, third] = written;
    expect((await store.list()).map(({ id }) => id)).toEqual([third, second, first]);
    for (const path of [index_path, join(folder, `${first}.json`)]) {
      const [at] = /"created_at": ?"[^"]+"/.exec(readFileSync(path, 'utf8')) ?? [''];
      writeFileSync(path, readFileSync(path, 'utf8').replace(at, '"created_at":"2100-01-01T00:00:00.000Z"'));
    }
    expect((await store.list()).map(({ id }) => id)).toEqual([first, third, second]);
  },
);

verifies(['HND-05.held.limit-bounds'], 'a limit of 0 gives nothing, and one below is refused', async () => {
  const { store } = openStage();
  await store.create(sampleInput());
  expect(await store.list({ limit: 0 })).toEqual([]);
  expect(await store.list({ limit: 5 })).toHaveLength(1);
  for (const limit of [-1, 1.5, Number.NaN]) {
    await expect(store.list({ limit })).rejects.toMatchObject({ code: 'invalid_input' });
  }
  const unknown = { agent: 'x' } as HandoffFilters;
  await expect(store.list(unknown)).rejects.toMatchObject({ code: 'invalid_input' });
});

verifies(
  ['HND-05.held.get-bad-id'],
  'an id that is no part of a path is refused; any other unknown one is null',
  async () => {
    const { store, dir } = openStage();
    await store.create(sampleInput());
    writeFileSync(join(dir, 'secret.json'), '{}');
    const bad = [
      '../secret',
      '..',
      '.',
      '',
      'a/b',
      'a\\b',
      '/etc/passwd',
      'a\0b',
      'CON',
      'nul.json',
      '.lock',
      'x'.repeat(300),
    ];
    for (const id of bad) {
      await expect(store.get(id)).rejects.toMatchObject({ code: 'invalid_input' });
      await expect(store.acknowledge(id, 'coder')).rejects.toMatchObject({ code: 'invalid_input' });
    }
    for (const id of ['secret', 'index', '01ARZ3NDEKTSV4RRFFQ69G5FAV', 'no such id'])
      expect(await store.get(id)).toBeNull();
  },
);

verifies(
  ['HND-05.held.types-exported', 'HND-05.link.types'],
  'the types of records, results and entries are exported',
  async () => {
    const { store } = openStage();
    const results: HandoffResult[] = resultsOf('completed');
    const record: HandoffRecord = await store.create(sampleInput({ results }));
    const [entry]: HandoffIndexEntry[] = await store.list();
    expect(entry?.id).toBe(record.id);
  },
);

verifies(
  ['HND-05.held.any-folder'],
  'any folder works, .twining too, and what is created is open at once',
  async () => {
    const { dir, open } = openStage();
    const twining = join(dir, '.twining');
    mkdirSync(join(twining, 'handoffs'), { recursive: true });
    const { HandoffStore } = await import('../../packages/batonpass/src/records.ts');
    const store = new HandoffStore(twining);
    const { id } = await store.create(sampleInput());
    expect(await store.list()).toMatchObject([{ id, acknowledged: false }]);
    expect(readdirSync(join(twining, 'handoffs')).sort()).toEqual([`${id}.json`, 'index.jsonl']);
    expect(await open().list()).toEqual([]);
    expect((await store.acknowledge(id, 'coder')).acknowledged_by).toBe('coder');
  },
);

verifies(
  ['RECORDS.input'],
  'what is created is open: it takes no acknowledgement, and one that is undefined is none',
  async () => {
    const { store } = openStage();
    const unset = { acknowledged_by: undefined, acknowledged_at: undefined };
    expect(Object.keys(await store.create({ ...sampleInput(), ...unset }))).not.toContain('acknowledged_by');
    await expect(store.create({ ...sampleInput(), acknowledged_by: 'coder' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('acknowledged_by'),
    });
    expect(await store.list()).toHaveLength(1);
  },
);

verifies(['RECORDS.input'], 'what is written is checked, and refused as a whole', async () => {
  const { store, folder } = openStage();
  const wrong: [object, string][] = [
    [{ source_agent: '' }, 'source_agent'],
    [{ summary: undefined }, 'summary'],
    [{ results: undefined }, 'results'],
    [{ results: [{ description: 'x', status: 'done' }] }, 'results[0].status'],
    [{ results: [{ description: 'x', status: 'completed', extra: 1 }] }, 'results[0]'],
    [{ context_snapshot: { decision_ids: [] } }, 'context_snapshot.warning_ids'],
    [{ id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }, '(the whole)'],
    [{ acknowledged_by: 'me' }, 'acknowledged_by'],
    [{ colour: 'red' }, '(the whole)'],
    [{ scope: 7 }, 'scope'],
  ];
  for (const [given, field] of wrong) {
    const failure = await store.create({ ...sampleInput(), ...given }).catch((error) => error);
    expect(failure).toMatchObject({ code: 'invalid_input' });
    expect(failure.details.issues[0].field).toBe(field);
  }
  await expect(store.create(sampleInput({ summary: 'x'.repeat(5_000_000) }))).rejects.toMatchObject({
    code: 'too_large',
  });
  expect(() => readdirSync(folder)).toThrow('ENOENT');
  const { id } = await store.create(sampleInput());
  await expect(store.acknowledge(id, '')).rejects.toMatchObject({ code: 'invalid_input' });
});

verifies(
  ['RECORDS.input'],
  'a field that another program added is read, kept by an acknowledgement, and harmless',
  async () => {
    const { store, folder } = openStage();
    const { id } = await store.create(sampleInput());
    const path = join(folder, `${id}.json`);
    const theirs = readFileSync(path, 'utf8').replace('{', '{ "__proto__": {"polluted": true}, "team": {"x": [1]},');
    writeFileSync(path, theirs);
    await store.acknowledge(id, 'coder');
    const text = readFileSync(path, 'utf8');
    expect(JSON.parse(text)).toMatchObject({ team: { x: [1] }, acknowledged_by: 'coder' });
    expect(text).toContain('"__proto__": {');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(await store.get(id)).toMatchObject({ team: { x: [1] } });
  },
);
