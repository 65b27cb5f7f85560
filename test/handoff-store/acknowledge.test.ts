import fs, { appendFileSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '../verifies.ts';
import { createRecordStages, sampleInput } from './record-stage.ts';
import { watchDisk } from './watched-disk.ts';

const openStage = createRecordStages();
const HOUR_MS = 3_600_000;

verifies(
  ['HND-05.held.acknowledge-other', 'HND-05.held.acknowledge-same'],
  'the first acknowledgement is final: the same agent again changes nothing, another learns who and when',
  async () => {
    const { store, folder, index_path, setClock, open } = openStage();
    const { id } = await store.create(sampleInput());
    setClock('2026-06-01T00:00:00Z');
    const first = await store.acknowledge(id, 'coder');
    const bytes = [join(folder, `${id}.json`), index_path].map((path) => readFileSync(path, 'utf8'));
    setClock('2026-06-02T00:00:00Z');
    expect(await open().acknowledge(id, 'coder')).toEqual(first);
    const failure = await open()
      .acknowledge(id, 'tester')
      .catch((error) => error);
    expect(failure).toMatchObject({
      code: 'conflict',
      message: `Handoff ${id} was acknowledged by coder at 2026-06-01T00:00:00.000Z.`,
      details: { id, acknowledged_by: 'coder', acknowledged_at: '2026-06-01T00:00:00.000Z' },
    });
    expect([join(folder, `${id}.json`), index_path].map((path) => readFileSync(path, 'utf8'))).toEqual(bytes);
  },
);

verifies(
  ['HND-05.held.index-readable', 'HND-05.held.index-cost'],
  'an acknowledgement changes five bytes of the index, in place, at any line',
  async () => {
    const { store, index_path, readLines, folder } = openStage();
    const ids: string[] = [];
    // Lines of all lengths, over several of the pieces that a search reads.
    for (let made = 0; made < 400; made += 1) {
      const summary = `"id":"${ids[0] ?? 'x'}","acknowledged":false ${'ä'.repeat((made * 37) % 2_000)}`;
      ids.push((await store.create(sampleInput({ summary }))).id);
    }
    const before = readFileSync(index_path);
    const { ino } = statSync(index_path);
    const chosen = [0, 1, 57, 199, 200, 398, 399].map((place) => ids[place] ?? '');
    for (const id of chosen) await store.acknowledge(id, 'coder');
    const after = readFileSync(index_path);
    expect(statSync(index_path).ino).toBe(ino);
    expect(after.length).toBe(before.length);
    expect(after.toString().replaceAll('"acknowledged":true }', '"acknowledged":false}')).toBe(before.toString());
    expect(readLines().map(({ id }) => id)).toEqual(ids);
    expect(
      readLines()
        .filter(({ acknowledged }) => acknowledged)
        .map(({ id }) => id),
    ).toEqual(chosen);
    const disk = watchDisk();
    await store.acknowledge(ids[100] ?? '', 'coder');
    const written = disk.calls.filter(({ name, path }) => name === 'writeSync' && path === index_path);
    expect(written).toHaveLength(1);
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  },
);

verifies(['HND-05.held.index-readable'], 'a line that another program wrote, with spaces, is marked too', async () => {
  const { store, index_path, readLines } = openStage();
  const { id } = await store.create(sampleInput());
  const [line] = readLines();
  writeFileSync(index_path, `${JSON.stringify(line, null, 1).replaceAll('\n', '')}\n`);
  await store.acknowledge(id, 'coder');
  expect(readLines()).toEqual([{ ...line, acknowledged: true }]);
  expect(await store.list()).toEqual(readLines());
});

verifies(
  ['RECORDS.stopped', 'RECORDS.steps'],
  'any process that finds a decision carries it out, whoever made it',
  async () => {
    const { store, folder, readLines, setClock, open } = openStage();
    const { id } = await store.create(sampleInput());
    const decided = { acknowledged_by: 'stopped', acknowledged_at: '2026-01-01T00:00:00.000Z' };
    writeFileSync(join(folder, `.${id}.acknowledging`), JSON.stringify(decided));
    // It is final from the moment that it exists.
    expect(await open().get(id)).toMatchObject(decided);
    expect(await open().list()).toMatchObject([{ acknowledged: true }]);
    expect(readLines()).toMatchObject([{ acknowledged: false }]);
    await expect(store.acknowledge(id, 'other')).rejects.toMatchObject({ code: 'conflict', details: decided });
    expect(JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8'))).toMatchObject(decided);
    expect(readLines()).toMatchObject([{ acknowledged: true }]);
    // One that comes too late changes nothing, and goes.
    writeFileSync(join(folder, `.${id}.acknowledging`), JSON.stringify({ ...decided, acknowledged_by: 'late' }));
    expect(await store.get(id)).toMatchObject(decided);
    setClock(Date.now() + HOUR_MS);
    await open().list();
    expect(await store.get(id)).toMatchObject(decided);
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  },
);

verifies(
  ['RECORDS.order'],
  'an acknowledgement without a line adds one, and its writer may still add the other',
  async () => {
    const { store, index_path, readLines, setClock, open } = openStage();
    const { id } = await store.create(sampleInput());
    const late = readFileSync(index_path, 'utf8');
    rmSync(index_path);
    await store.acknowledge(id, 'coder');
    expect(readLines()).toMatchObject([{ id, acknowledged: true }]);
    appendFileSync(index_path, late);
    setClock(Date.now() + HOUR_MS);
    expect(await open().list()).toMatchObject([{ id, acknowledged: true }]);
    expect(readLines()).toMatchObject([{ id, acknowledged: true }]);
  },
);

verifies(['RECORDS.order'], 'while the index is repaired, a decision stays for the next process to see', async () => {
  const { store, folder, index_path, readLines, setClock, open } = openStage();
  const { id } = await store.create(sampleInput());
  const { withLock } = await import('../../packages/batonpass/src/disk/lock.ts');
  await withLock(folder, async (lock) => {
    // Read before the acknowledgement, written after it.
    const before = readFileSync(index_path);
    await store.acknowledge(id, 'coder');
    expect(readdirSync(folder)).toContain(`.${id}.acknowledging`);
    lock.replaceFile('index.jsonl', before);
  });
  expect(readLines()).toMatchObject([{ acknowledged: false }]);
  expect(await open().list()).toMatchObject([{ acknowledged: true }]);
  setClock(Date.now() + HOUR_MS);
  await open().list();
  expect(readLines()).toMatchObject([{ acknowledged: true }]);
  expect(readdirSync(folder).sort()).toEqual([`${id}.json`, 'index.jsonl']);
});

verifies(['RECORDS.order'], 'an index that is replaced while it is marked is marked again', async () => {
  const { store, dir, index_path, readLines } = openStage();
  const { id } = await store.create(sampleInput());
  const before = readFileSync(index_path);
  const { fdatasyncSync } = fs;
  let replaced = 0;
  onTestFinished(() => {
    fs.fdatasyncSync = fdatasyncSync;
    syncBuiltinESMExports();
  });
  fs.fdatasyncSync = (file) => {
    fdatasyncSync(file);
    // By a process that had read it before it was marked.
    if (replaced > 0) return;
    replaced += 1;
    writeFileSync(join(dir, 'new'), before);
    renameSync(join(dir, 'new'), index_path);
  };
  syncBuiltinESMExports();
  await store.acknowledge(id, 'coder');
  expect(replaced).toBe(1);
  expect(readLines()).toMatchObject([{ acknowledged: true }]);
});
