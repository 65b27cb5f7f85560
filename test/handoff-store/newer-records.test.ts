import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { HandoffStore } from '../../packages/batonpass/src/handoff-store/handoff-store.ts';
import { createFolders } from '../stores/folders.ts';
import { verifies } from '../verifies.ts';
import { createRecordStages, readLines, sampleInput } from './record-stage.ts';

const openStage = createRecordStages();
const createFolder = createFolders();
const HOUR_MS = 3_600_000;

function git(cwd: string, ...given: string[]): void {
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...given], { cwd, stdio: 'ignore' });
}

/** Two clones of one repository that ignores the index; one handoff is in both, listed there. */
async function cloneTwice() {
  const [one, two] = [join(createFolder(), 'one'), join(createFolder(), 'two')];
  mkdirSync(one);
  git(one, 'init', '-b', 'main');
  writeFileSync(join(one, '.gitignore'), 'index.jsonl\n');
  const here = new HandoffStore(one);
  const { id } = await here.create(sampleInput());
  await here.create(sampleInput({ summary: 'Another' }));
  git(one, 'add', '.');
  git(one, 'commit', '-m', 'A handoff');
  git(dirname(two), 'clone', one, two);
  const there = new HandoffStore(two);
  await there.list();
  const pull = async () => {
    await here.acknowledge(id, 'coder');
    git(one, 'commit', '-am', 'Acknowledged');
    git(two, 'pull');
  };
  return { id, two, there, pull };
}

async function stateOf(store: HandoffStore, id: string): Promise<boolean | undefined> {
  return (await store.list()).find((entry) => entry.id === id)?.acknowledged;
}

verifies(['RECORDS.newer'], 'a record acknowledged elsewhere and pulled is acknowledged in the next list', async () => {
  const { id, two, there, pull } = await cloneTwice();
  await pull();
  expect(await stateOf(new HandoffStore(two), id)).toBe(true);
  // A store that was open before sees it too, and the line is corrected.
  expect(await stateOf(there, id)).toBe(true);
  expect(readLines(join(two, 'handoffs/index.jsonl')).find((line) => line.id === id)?.acknowledged).toBe(true);
});

verifies(['RECORDS.newer'], 'what is written here after the pull and before a list hides nothing', async () => {
  const { id, two, there, pull } = await cloneTwice();
  await pull();
  const { id: mine } = await there.create(sampleInput({ summary: 'Written here' }));
  await new HandoffStore(two).create(sampleInput({ summary: 'And by another process' }));
  await there.acknowledge(mine, 'tester');
  expect(await stateOf(new HandoffStore(two), id)).toBe(true);
  expect(await stateOf(there, id)).toBe(true);
});

verifies(['RECORDS.newer'], 'acknowledging what is acknowledged elsewhere marks its line', async () => {
  const { id, two, there, pull } = await cloneTwice();
  await pull();
  const lineOf = () => readLines(join(two, 'handoffs/index.jsonl')).find((line) => line.id === id);
  expect(lineOf()?.acknowledged).toBe(false);
  await expect(there.acknowledge(id, 'tester')).rejects.toMatchObject({ code: 'conflict' });
  expect(lineOf()?.acknowledged).toBe(true);
  expect(await there.acknowledge(id, 'coder')).toMatchObject({ acknowledged_by: 'coder' });
});

verifies(
  ['RECORDS.newer'],
  'a branch on which a record is open again is used, although its index line differs',
  async () => {
    const { id, two, there, pull } = await cloneTwice();
    await pull();
    expect(await stateOf(there, id)).toBe(true);
    git(two, 'checkout', 'HEAD~1');
    expect(await stateOf(there, id)).toBe(false);
    expect(await stateOf(new HandoffStore(two), id)).toBe(false);
  },
);

verifies(['RECORDS.newer'], 'a record written in its place is used, with a time from elsewhere too', async () => {
  const { store, folder, open } = openStage();
  const { id } = await store.create(sampleInput());
  await store.list();
  const path = join(folder, `${id}.json`);
  const record = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...record, acknowledged_by: 'x', acknowledged_at: '2026-01-01T00:00:00Z' }));
  const before = new Date(Date.now() - HOUR_MS);
  utimesSync(path, before, before);
  expect(await stateOf(open(), id)).toBe(true);
});

verifies(
  ['RECORDS.newer'],
  'a newer record that cannot be read is reported by every first list, and keeps its line',
  async () => {
    const { store, folder, index_path, open } = openStage();
    const ids = [(await store.create(sampleInput())).id, (await store.create(sampleInput())).id];
    const path = join(folder, `${ids[0]}.json`);
    const text = readFileSync(path, 'utf8');
    writeFileSync(`${path}.new`, text.slice(0, 40));
    renameSync(`${path}.new`, path);
    // Old enough for a list to say up to when it compared.
    const [early, late] = [new Date(Date.now() - 2 * HOUR_MS), new Date(Date.now() - HOUR_MS)];
    for (const _ of [1, 2]) {
      utimesSync(index_path, early, early);
      utimesSync(folder, late, late);
      const told: string[] = [];
      const entries = await open({ onWarning: (warning) => told.push(warning) }).list();
      expect(entries.map((entry) => entry.id).reverse()).toEqual(ids);
      expect(told).toHaveLength(1);
      expect(told[0]).toContain(path);
      expect(statSync(index_path).mtimeMs).toBe(early.getTime());
    }
  },
);

verifies(['RECORDS.newer'], 'a folder copied from elsewhere is listed as its records say', async () => {
  const { store, folder, index_path } = openStage();
  const { id } = await store.create(sampleInput());
  const stale = readFileSync(index_path);
  await store.acknowledge(id, 'coder');
  writeFileSync(index_path, stale);
  const copy = createFolder();
  mkdirSync(join(copy, 'handoffs'));
  cpSync(index_path, join(copy, 'handoffs/index.jsonl'));
  cpSync(folder, join(copy, 'handoffs'), {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => path !== index_path,
  });
  expect(await stateOf(new HandoffStore(copy), id)).toBe(true);
});

verifies(
  ['RECORDS.newer'],
  'a damaged record is reported in a list also where it is older than the index',
  async () => {
    const folder = createFolder();
    const warnings: string[] = [];
    const open = () => new HandoffStore(folder, { onWarning: (text) => warnings.push(text) });
    const writer = open();
    const { id } = await writer.create(sampleInput());
    for (let count = 0; count < 3; count += 1) await writer.create(sampleInput({ summary: `Another ${count}` }));
    expect(await writer.list()).toHaveLength(4);
    const path = join(folder, 'handoffs', `${id}.json`);
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, 60));
    const later = new Date(Date.now() + HOUR_MS);
    utimesSync(join(folder, 'handoffs/index.jsonl'), later, later);
    // A line of another handoff says nothing of it.
    expect(await open().list({ limit: 1 })).toHaveLength(1);
    expect(warnings).toEqual([]);
    // Reported once by each store while it lasts, and its line is still listed.
    const reader = open();
    expect(await reader.list()).toHaveLength(4);
    expect(await reader.list()).toHaveLength(4);
    expect(warnings).toEqual([expect.stringContaining(`${id}.json`)]);
  },
);
