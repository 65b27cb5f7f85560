import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { createFolders } from '../stores/folders.ts';
import { root } from '../tidy/source-files.ts';
import { verifies } from '../verifies.ts';
import { createRecordStages, sampleInput } from './record-stage.ts';

const openStage = createRecordStages();
const createFolder = createFolders();
const HANG_MS = 30_000;

/** Runs calls of a store in a separate process, which is killed where it hangs. @returns its last line. */
function runApart(dir: string, calls: string): unknown {
  const module = join(root, 'packages/batonpass/src/handoff-store/handoff-store.ts');
  const program = `import { HandoffStore } from ${JSON.stringify(module)};
    const store = new HandoffStore(${JSON.stringify(dir)});
    const input = ${JSON.stringify(sampleInput())};
    const answer = await (async () => { ${calls} })().catch(({ code }) => ({ code }));
    console.log(JSON.stringify(answer));`;
  const ran = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    timeout: HANG_MS,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
  });
  expect(ran.signal).toBeNull();
  return JSON.parse(ran.stdout.trim().split('\n').at(-1) ?? '');
}

verifies(
  ['RECORDS.places'],
  'an index that is a symbolic link is not written through, and is replaced by a file',
  async () => {
    const { store, index_path, readLines, warnings } = openStage();
    const { id } = await store.create(sampleInput());
    const outside = join(createFolder(), 'outside');
    for (const text of ['keep me\n', readFileSync(index_path, 'utf8')]) {
      writeFileSync(outside, text);
      rmSync(index_path);
      symlinkSync(outside, index_path);
      await store.create(sampleInput());
      await store.acknowledge(id, 'coder');
      expect(readFileSync(outside, 'utf8')).toBe(text);
      expect(warnings.splice(0).join('\n')).toContain(`${index_path} is a symbolic link`);
      const listed = await store.list();
      expect(listed.at(-1)).toMatchObject({ id, acknowledged: true });
      expect(readFileSync(outside, 'utf8')).toBe(text);
      expect(lstatSync(index_path).isFile()).toBe(true);
      expect(readLines()).toHaveLength(listed.length);
      expect(warnings.splice(0).join('\n')).toContain(`${index_path} is a symbolic link`);
    }
  },
);

if (process.platform !== 'win32') {
  verifies(['RECORDS.places'], 'a pipe in the place of the index, or of a decision, is never waited for', async () => {
    const { store, dir, folder, index_path } = openStage();
    const { id } = await store.create(sampleInput());
    const pipe = () => {
      rmSync(index_path, { force: true });
      execFileSync('mkfifo', [index_path]);
    };
    pipe();
    expect(runApart(dir, 'await store.create(input); return (await store.list()).length')).toBe(2);
    expect(lstatSync(index_path).isFile()).toBe(true);
    pipe();
    expect(runApart(dir, `return (await store.acknowledge('${id}', 'coder')).acknowledged_by`)).toBe('coder');
    pipe();
    expect(runApart(dir, 'return (await store.list()).map((entry) => entry.acknowledged)')).toEqual([false, true]);
    const { id: other } = await store.create(sampleInput());
    execFileSync('mkfifo', [join(folder, `.${other}.acknowledging`)]);
    expect(runApart(dir, `return store.acknowledge('${other}', 'coder')`)).toEqual({ code: 'invalid_input' });
    expect(runApart(dir, `return store.get('${other}')`)).toEqual({ code: 'invalid_input' });
    expect(runApart(dir, 'return (await store.list()).length')).toBe(3);
  });
}

verifies(['RECORDS.places'], 'a folder of records, or a record, that is a symbolic link is refused', async () => {
  const { store, dir, folder } = openStage();
  const { id } = await store.create(sampleInput());
  const elsewhere = join(createFolder(), 'elsewhere');
  const path = join(folder, `${id}.json`);
  renameSync(path, elsewhere);
  symlinkSync(elsewhere, path);
  const text = readFileSync(elsewhere, 'utf8');
  await expect(store.get(id)).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(store.acknowledge(id, 'coder')).rejects.toMatchObject({ code: 'invalid_input' });
  expect(readFileSync(elsewhere, 'utf8')).toBe(text);
  const real = createFolder();
  mkdirSync(join(real, 'handoffs'));
  rmSync(folder, { recursive: true });
  symlinkSync(join(real, 'handoffs'), join(dir, 'handoffs'));
  const calls = [
    () => store.create(sampleInput()),
    () => store.list(),
    () => store.get(id),
    () => store.acknowledge(id, 'coder'),
  ];
  for (const call of calls)
    await expect(call()).rejects.toMatchObject({ code: 'invalid_input', details: { path: folder } });
  expect(existsSync(join(real, 'handoffs', 'index.jsonl'))).toBe(false);
});

verifies(['RECORDS.places'], 'an index that is larger than any is not read, and made from the records', async () => {
  const { store, index_path, open, readLines, warnings } = openStage();
  await store.create(sampleInput());
  truncateSync(index_path, limits.index_bytes_max + 1);
  expect(await open().list()).toHaveLength(1);
  expect(warnings.join('\n')).toContain(`${limits.index_bytes_max}`);
  expect(readLines()).toHaveLength(1);
});
