import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect } from 'vitest';
import { parseFileName } from '../../packages/batonpass/src/handoff-files/file-name.ts';
import type { FindingsFrontmatter } from '../../packages/batonpass/src/handoff-files/frontmatter.ts';
import { parseHandoffFile } from '../../packages/batonpass/src/handoff-files/read-handoff-file.ts';
import { listVersions } from '../../packages/batonpass/src/handoff-files/versions.ts';
import { createToldProcesses } from '../disk/told-process.ts';
import { createFolders } from '../stores/folders.ts';
import { createChance } from '../stores/history/chance.ts';
import { verifies } from '../verifies.ts';
import type { WriteOrder, Written } from './write-worker.ts';

/** `npm run soak -- files` sets more of each. */
const PROCESSES = Number(process.env.BATON_FILE_PROCESSES ?? 8);
const FILES_EACH = Number(process.env.BATON_FILES_EACH ?? 12);
const KILLS = Number(process.env.BATON_FILE_KILLS ?? 10);
const seed = Number(process.env.BATON_FILE_KILL_SEED ?? Date.now() % 2 ** 31);

const worker = join(import.meta.dirname, 'write-worker.ts');
const createFolder = createFolders();
const startProcess = createToldProcesses();
const start = (order: WriteOrder) => startProcess(worker, order);

/** Every version from 001 on, each with the whole file of the writer that got that version. */
async function expectWhole(folder: string, told: readonly Written[]): Promise<void> {
  const count = told.length;
  expect(new Set(told.map(({ path }) => path)).size).toBe(count);
  expect(listVersions(folder, 'findings')).toEqual(
    Array.from({ length: count }, (_, index) => String(count - index).padStart(3, '0')),
  );
  expect(readdirSync(folder)).toHaveLength(count);
  for (const { path, body } of told) {
    const file = await parseHandoffFile<FindingsFrontmatter>(path);
    expect(file.body.startsWith(`${body}\n`)).toBe(true);
    expect(path).toBe(join(folder, `findings-${file.frontmatter.version}.md`));
  }
}

verifies(
  ['FILE.processes', 'FILE.next', 'HF.held.twenty-writers'],
  `${PROCESSES} processes write ${FILES_EACH} files each into one folder: as many files, and as many versions`,
  async () => {
    const folder = createFolder();
    const writers = Array.from({ length: PROCESSES }, () => start({ folder, files: FILES_EACH, characters: 10 }));
    await Promise.all(writers.map(({ ended }) => ended));
    const told = writers.flatMap(({ said }) => said as Written[]);
    expect(told).toHaveLength(PROCESSES * FILES_EACH);
    await expectWhole(folder, told);
  },
  60_000 + PROCESSES * FILES_EACH * 500,
);

verifies(['HF.held.twenty-writers'], 'twenty threads of one process get twenty files and versions', async () => {
  const folder = createFolder();
  const told = await Promise.all(Array.from({ length: 20 }, () => writeInThread(folder)));
  await expectWhole(folder, told);
});

function writeInThread(folder: string): Promise<Written> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(join(import.meta.dirname, 'write-thread.ts'), { workerData: { folder } });
    thread.once('message', resolve);
    thread.once('error', reject);
  });
}

verifies(
  ['FILE.kill'],
  `${KILLS} killed writers leave no torn file under a real name, and lose none that they reported (seed ${seed})`,
  async () => {
    const folder = createFolder();
    const chance = createChance(seed);
    const told: Written[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const writer = start({ folder, characters: 1 + Math.floor(chance() * 400_000) });
      const files = 1 + Math.floor(chance() * 4);
      for (let file = 0; file < files; file += 1) await writer.hear();
      writer.kill();
      expect(await writer.ended).toEqual({ wasKilled: true });
      told.push(...(writer.said as Written[]));
    }
    const names = readdirSync(folder);
    const files = names.filter((name) => parseFileName(name) !== null);
    for (const name of files) expect((await parseHandoffFile(join(folder, name))).body.endsWith('\nend')).toBe(true);
    // Of each killed process there may be one file that it did not report yet, and one unfinished.
    expect(files.length).toBeLessThanOrEqual(told.length + KILLS);
    for (const { path } of told) expect(files).toContain(path.slice(folder.length + 1));
    for (const name of names.filter((each) => !files.includes(each))) expect(name).toMatch(/^\.handoff\..+\.new$/);
    expect(names.length - files.length).toBeLessThanOrEqual(KILLS);
  },
  60_000 + KILLS * 2_000,
);
