import fs, { readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { createRecordStages, sampleInput } from './record-stage.ts';

const openStage = createRecordStages();
const HOUR_MS = 3_600_000;

const { openSync: open, readdirSync: list, statSync: stat } = fs;

afterEach(() => {
  Object.assign(fs, { openSync: open, readdirSync: list, statSync: stat });
  syncBuiltinESMExports();
});

/** Counts from now on how often the index and the folder are read. */
function countReads(index_path: string): { files: number; folders: number } {
  const counts = { files: 0, folders: 0 };
  const table = fs as unknown as Record<string, (...values: unknown[]) => unknown>;
  const [file, folder] = [table.openSync, table.readdirSync];
  table.openSync = (...values) => {
    if (values[0] === index_path) counts.files += 1;
    return file?.(...values);
  };
  table.readdirSync = (...values) => {
    counts.folders += 1;
    return folder?.(...values);
  };
  syncBuiltinESMExports();
  return counts;
}

verifies(['RECORDS.notice'], 'a folder that did not change since long is not read again', async () => {
  const { store, folder, index_path } = openStage();
  for (let made = 0; made < 5; made += 1) await store.create(sampleInput());
  await store.list();
  // Changes within one step of a file system's clock show nowhere, so that what is young is always read.
  const counts = countReads(index_path);
  await store.list();
  expect(counts).toEqual({ files: 1, folders: 1 });
  const before = new Date(Date.now() - HOUR_MS);
  for (const path of [folder, index_path]) utimesSync(path, before, before);
  await new Promise((resolve) => setTimeout(resolve, 150));
  await store.list();
  expect(counts).toEqual({ files: 2, folders: 2 });
  expect(await store.list({ limit: 2 })).toHaveLength(2);
  expect(counts).toEqual({ files: 2, folders: 2 });
});

verifies(['RECORDS.notice'], 'every change between two lists is noticed, at any pace', async () => {
  const { store, folder, index_path, open } = openStage();
  const other = open();
  const ids: string[] = [];
  const seen = async () => (await store.list()).map(({ id, acknowledged }) => [id, acknowledged]).reverse();
  for (let round = 0; round < 50; round += 1) {
    const { id } = await other.create(sampleInput());
    ids.push(id);
    expect((await seen()).at(-1)).toEqual([id, false]);
    await other.acknowledge(id, 'other');
    expect((await seen()).at(-1)).toEqual([id, true]);
  }
  // A record without a line, copied in by hand.
  const text = readFileSync(join(folder, `${ids[0]}.json`), 'utf8');
  const copied = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  writeFileSync(join(folder, `${copied}.json`), text.replace(ids[0] ?? '', copied));
  expect((await seen()).some(([id]) => id === copied)).toBe(true);
  rmSync(join(folder, `${copied}.json`));
  expect((await seen()).map(([id]) => id)).toEqual(ids);
  // An index from a copy, older than this one.
  const lines = readFileSync(index_path, 'utf8').split('\n');
  writeFileSync(join(folder, 'index.copy'), `${lines.slice(0, 10).join('\n')}\n`);
  renameSync(join(folder, 'index.copy'), index_path);
  expect((await seen()).map(([id]) => id)).toEqual(ids);
});

verifies(['RECORDS.notice'], 'a file system that counts time in seconds hides nothing', async () => {
  const { store, open } = openStage();
  const other = open();
  const coarse = (path: string, options?: object) => {
    const seen = stat(path, options as { throwIfNoEntry: false });
    if (seen === undefined) return undefined;
    const [mtimeMs, ctimeMs] = [seen.mtimeMs, seen.ctimeMs].map((ms) => Math.floor(ms / 1_000) * 1_000);
    return Object.assign(seen, { mtimeMs, ctimeMs });
  };
  Object.assign(fs, { statSync: coarse });
  syncBuiltinESMExports();
  for (let round = 0; round < 20; round += 1) {
    const { id } = await other.create(sampleInput());
    expect((await store.list())[0]).toMatchObject({ id, acknowledged: false });
    // Neither size nor second of the index changes.
    await other.acknowledge(id, 'other');
    expect((await store.list())[0]).toMatchObject({ id, acknowledged: true });
  }
});

verifies(['RECORDS.notice'], 'what a caller does with an answer changes no later one', async () => {
  const { store } = openStage();
  await store.create(sampleInput());
  const [entry] = await store.list();
  if (entry !== undefined) entry.acknowledged = true;
  expect(await store.list()).toMatchObject([{ acknowledged: false }]);
});
