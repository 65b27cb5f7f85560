import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { createRecordStages, type RecordStage, resultsOf, sampleInput } from './record-stage.ts';

const openStage = createRecordStages();
const HOUR_MS = 3_600_000;

/** A stage with some handoffs, oldest first. */
async function fill(count: number): Promise<RecordStage & { ids: string[] }> {
  const stage = openStage();
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1)
    ids.push((await stage.store.create(sampleInput({ scope: `s${made}` }))).id);
  return { ...stage, ids };
}

verifies(
  ['HND-05.held.torn-index-line'],
  'a torn or foreign index line is skipped with a warning, and repaired',
  async () => {
    const { store, index_path, ids, warnings, readLines } = await fill(3);
    const whole = readFileSync(index_path, 'utf8');
    const [one = '', two = '', three = ''] = whole.split('\n');
    writeFileSync(index_path, [one, two.slice(0, 40), 'null', '{"id":7}', '', three].join('\n'));
    expect((await store.list()).map(({ id }) => id).reverse()).toEqual(ids);
    expect(warnings).toEqual(
      [2, 3, 4].map((line) => `${index_path}:${line}: the line is torn or damaged; it is skipped.`),
    );
    expect(
      readLines()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids);
    expect(readFileSync(index_path, 'utf8').endsWith('\n')).toBe(true);
  },
);

verifies(['HND-05.held.torn-index-line'], 'a line added after a torn one is not lost with it', async () => {
  const { store, index_path, ids, readLines, setClock } = await fill(2);
  appendFileSync(index_path, '{"id":"01');
  const { id } = await store.create(sampleInput());
  expect(readFileSync(index_path, 'utf8').trimEnd().split('\n').at(-1)).toMatch(new RegExp(`^{"id":"${id}"`));
  setClock(Date.now() + HOUR_MS);
  expect((await store.list()).map((entry) => entry.id).reverse()).toEqual([...ids, id]);
  expect(readLines().map((entry) => entry.id)).toEqual([...ids, id]);
});

verifies(['RECORDS.order'], 'a duplicate line is removed, acknowledged where either of the two is', async () => {
  const { store, index_path, ids, readLines } = await fill(2);
  const [first = ''] = readFileSync(index_path, 'utf8').split('\n');
  await store.acknowledge(ids[0] ?? '', 'coder');
  // As a merge of two branches leaves it, which keeps the lines of both.
  appendFileSync(index_path, `${first}\n`);
  expect((await store.list()).map(({ acknowledged }) => acknowledged)).toEqual([false, true]);
  expect(readLines().map(({ id, acknowledged }) => [id, acknowledged])).toEqual([
    [ids[0], true],
    [ids[1], false],
  ]);
});

verifies(
  ['RECORDS.order'],
  'of two lines the acknowledged one counts where the index cannot be put in order',
  async () => {
    const { store, folder, index_path, ids, open } = await fill(1);
    const open_line = readFileSync(index_path, 'utf8');
    await store.acknowledge(ids[0] ?? '', 'coder');
    appendFileSync(index_path, readFileSync(index_path));
    writeFileSync(index_path, open_line + readFileSync(index_path, 'utf8').slice(open_line.length));
    const later = new Date(Date.now() + HOUR_MS);
    utimesSync(index_path, later, later);
    // A file in place of the lock refuses the order.
    writeFileSync(join(folder, '.lock'), '');
    expect((await open().list()).map(({ id, acknowledged }) => [id, acknowledged])).toEqual([[ids[0], true]]);
  },
);

verifies(['HND-05.missing-record'], 'an index entry whose record is missing is skipped with a warning', async () => {
  const { store, folder, index_path, ids, warnings } = await fill(3);
  await store.list();
  rmSync(join(folder, `${ids[1]}.json`));
  expect((await store.list()).map(({ id }) => id)).toEqual([ids[2], ids[0]]);
  expect(warnings).toEqual([`${index_path}:2: the record ${ids[1]}.json is missing; the line is skipped.`]);
  expect(await store.get(ids[1] ?? '')).toBeNull();
});

verifies(
  ['HND-05.held.corrupt-record', 'HND-05.get.other-errors'],
  'a damaged record is an error that names its file',
  async () => {
    const { store, folder, ids } = await fill(2);
    const path = join(folder, `${ids[0]}.json`);
    const text = readFileSync(path, 'utf8');
    const failureOf = async (damaged: string) => {
      writeFileSync(path, damaged);
      const failure = await store.get(ids[0] ?? '').catch((error) => error);
      await expect(store.acknowledge(ids[0] ?? '', 'x')).rejects.toMatchObject({ code: failure.code });
      expect(failure.message).toContain(path);
      return failure;
    };
    expect(await failureOf(text.slice(0, 60))).toMatchObject({ code: 'parse_error', line: 4 });
    expect(await failureOf(text.replace('"results": []', '"results": oops'))).toMatchObject({
      code: 'parse_error',
      line: 5,
    });
    expect(await failureOf('')).toMatchObject({ code: 'parse_error', line: 1 });
    expect(await failureOf('{}')).toMatchObject({ code: 'invalid_structure', details: { field: 'id' } });
    expect(await failureOf('[]')).toMatchObject({ code: 'invalid_structure' });
    expect(await failureOf(text.replace(ids[0] ?? '', ids[1] ?? ''))).toMatchObject({ code: 'invalid_structure' });
    // Its line of the index is whole, and others are not kept away.
    expect(await store.list()).toHaveLength(2);
  },
);

verifies(
  ['RECORDS.bounds', 'HND-05.get.other-errors'],
  'what is no file, or too large, is refused and not waited for',
  async () => {
    const { store, folder, ids } = await fill(1);
    mkdirSync(join(folder, 'folder.json'));
    await expect(store.get('folder')).rejects.toMatchObject({ code: 'invalid_input' });
    if (process.platform !== 'win32') {
      spawnSync('mkfifo', [join(folder, 'pipe.json')]);
      await expect(store.get('pipe')).rejects.toMatchObject({ code: 'invalid_input' });
    }
    writeFileSync(join(folder, 'large.json'), Buffer.alloc(9 * 1024 * 1024, ' '));
    await expect(store.get('large')).rejects.toMatchObject({ code: 'too_large' });
    expect((await store.list()).map(({ id }) => id)).toEqual(ids);
  },
);

verifies(
  ['HND-05.held.index-rebuilt'],
  'a missing index next to records is rebuilt, and without records it stays missing',
  async () => {
    const { store, index_path, ids, readLines, folder } = await fill(3);
    await store.acknowledge(ids[1] ?? '', 'coder');
    const before = readLines();
    rmSync(index_path);
    expect((await store.list()).map(({ id }) => id).reverse()).toEqual(ids);
    expect(readLines()).toEqual(before);
    for (const id of ids) rmSync(join(folder, `${id}.json`));
    rmSync(index_path);
    expect(await store.list()).toEqual([]);
    expect(existsSync(index_path)).toBe(false);
  },
);

verifies(
  ['HND-05.held.crash-before-index', 'HND-05.create.file-first'],
  'a record without a line is listed, and gets its line',
  async () => {
    const { store, folder, index_path, ids, readLines, setClock, open } = await fill(3);
    const whole = readFileSync(index_path);
    // What a crash between file and index leaves.
    truncateSync(index_path, whole.lastIndexOf('\n', whole.length - 2) + 1);
    expect((await open().list()).map(({ id }) => id).reverse()).toEqual(ids);
    // Its writer may still be about to add the line.
    expect(readLines()).toHaveLength(2);
    setClock(Date.now() + HOUR_MS);
    expect(await store.list()).toHaveLength(3);
    expect(readFileSync(index_path)).toEqual(whole);
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  },
);

verifies(['RECORDS.order'], 'what killed writers left next to its place is removed, once it is old', async () => {
  const { store, folder } = await fill(1);
  const [young, old] = ['a', 'b'].map((name) => join(folder, `.${name}.json.${crypto.randomUUID()}.new`)) as [
    string,
    string,
  ];
  const mine = join(folder, '.notes');
  for (const path of [young, old, mine]) writeFileSync(path, '{');
  const before = new Date(Date.now() - HOUR_MS);
  for (const path of [old, mine]) utimesSync(path, before, before);
  expect(await store.list()).toHaveLength(1);
  expect([young, old, mine].map((path) => existsSync(path))).toEqual([true, false, true]);
});

verifies(['RECORDS.order'], 'a decision that cannot be read is reported, and the rest is repaired', async () => {
  const { store, folder, ids, warnings, index_path, setClock, readLines } = await fill(2);
  const path = join(folder, `.${ids[0]}.acknowledging`);
  writeFileSync(path, '{');
  rmSync(index_path);
  setClock(Date.now() + HOUR_MS);
  await store.list();
  expect(warnings.join('\n')).toContain(path);
  expect(readLines()).toHaveLength(2);
  await expect(store.acknowledge(ids[0] ?? '', 'x')).rejects.toMatchObject({ code: 'invalid_structure' });
});

verifies(['RECORDS.read-only'], 'a folder that cannot be written is listed as it is', async () => {
  const { store, folder, index_path, ids, warnings } = await fill(2);
  appendFileSync(index_path, 'torn\n');
  // The superuser may write everywhere: a file in place of the lock refuses it too.
  if (process.getuid?.() === 0) writeFileSync(join(folder, '.lock'), '');
  else chmodSync(folder, 0o500);
  const listed = (await store.list()).map(({ id }) => id).reverse();
  chmodSync(folder, 0o700);
  expect(listed).toEqual(ids);
  expect(warnings).toHaveLength(2);
  expect(warnings[1]).toContain('The index is not put in order: ');
});

verifies(['RECORDS.cut'], 'a record cut at any byte is reported with its file and line', async () => {
  const { store, folder } = openStage();
  const { id } = await store.create(sampleInput({ summary: 'Täglich ▶', results: resultsOf('completed', 'failed') }));
  const path = join(folder, `${id}.json`);
  const whole = readFileSync(path);
  for (let length = 0; length < whole.length; length += 1) {
    truncateSync(path, 0);
    writeFileSync(path, whole.subarray(0, length));
    const failure = await store.get(id).catch((error) => error);
    const line = whole.subarray(0, length).toString().split('\n').length;
    expect(failure).toMatchObject({ code: 'parse_error', source: path, line });
  }
});

verifies(['RECORDS.cut'], 'an index cut at any byte gives every handoff, and names the torn line', async () => {
  const { index_path, folder, ids } = await fill(2);
  const whole = readFileSync(index_path);
  const lengths = Array.from({ length: whole.length - 1 }, (_, index) => index + 1);
  const cut = async (length: number) => {
    const stage = openStage();
    cpSync(folder, stage.folder, { recursive: true });
    writeFileSync(stage.index_path, whole.subarray(0, length));
    expect((await stage.store.list()).map(({ id }) => id).reverse()).toEqual(ids);
    const rest = whole.subarray(0, length).toString().split('\n');
    const isTorn = rest.at(-1) !== '' && !rest.at(-1)?.endsWith('}');
    const warning = `${stage.index_path}:${rest.length}: the line is torn or damaged; it is skipped.`;
    expect(stage.warnings).toEqual(isTorn ? [warning] : []);
    // What was cut within a line is whole again at once; a line that is missing may still be in flight.
    if (rest.at(-1) !== '') expect(readFileSync(stage.index_path)).toEqual(whole);
  };
  await Promise.all(lengths.map(cut));
});
