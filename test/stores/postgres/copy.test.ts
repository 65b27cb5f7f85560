import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished } from 'vitest';
import type { OperationOutput } from '../../../packages/batonpass/src/operations/catalogue.ts';
import { openStore } from '../../../packages/batonpass/src/stores/open.ts';
import { digestStored } from '../../../packages/batonpass/src/stores/stored-digest.ts';
import { exportAll, fillMany } from '../../operations/store-contents.ts';
import { Load } from '../../operations/store-load.ts';
import { newPlace, openOn } from '../../operations/store-stage.ts';
import { verifies } from '../../verifies.ts';
import { createChance } from '../history/chance.ts';
import { createServer } from './server.ts';

/** `npm run soak -- postgres-copy` sets more. */
const KILLS = Number(process.env.BATON_POSTGRES_COPY_KILLS ?? 1);
const seed = Number(process.env.BATON_POSTGRES_SEED ?? Date.now() % 2 ** 31);
const HANDOFFS = 250;
/** Between two handoffs of one worker: so fast that pages change while they are copied. */
const PAUSE_MS = 25;

const server = createServer();
const chance = createChance(seed);

type Copying = OperationOutput<'store.copy'>;

/** Copies in a separate process. @param killed_at - the progress report at which it is killed. Default: it is not. */
async function copy(from: string, to: string, killed_at?: number): Promise<Copying | undefined> {
  const program = `
    const { openBaton } = await import('./packages/batonpass/src/index.ts');
    const [from, to] = process.argv.slice(1);
    const baton = await openBaton({ cwd: '/', environment: {}, store: from, project: 'p' });
    const onProgress = (progress) => console.log(JSON.stringify({ progress }));
    console.log(JSON.stringify({ copied: await baton.run('store.copy', { to }, { onProgress }) }));
    await baton.close();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, from, to], {
    cwd: join(import.meta.dirname, '../../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const ended = new Promise<string | number | null>((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  let copied: Copying | undefined;
  let words = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    words += 1;
    // A killed process can leave half a line.
    if (line.endsWith('}')) copied = (JSON.parse(line) as { copied?: Copying }).copied;
    if (words === killed_at) child.kill('SIGKILL');
  }
  expect(await ended).toBe(killed_at === undefined ? 0 : 'SIGKILL');
  return copied;
}

/** What a store holds, by id. */
async function digestsIn(url: string): Promise<Map<string, string>> {
  const store = await openStore(url);
  try {
    return new Map((await exportAll(store)).map((stored) => [stored.handoff.id, digestStored(stored)]));
  } finally {
    await store.close();
  }
}

const placeOf = (url: string) => url.replace(/^sqlite:/, '');

/** Copies while workers use both stores, is killed during it, continues, and compares when all are idle. */
async function move(from: string, to: string, name: string): Promise<void> {
  await (await openStore(to)).close();
  // Each in its own project: what both stores offer would be claimed in both, and diverge.
  const loads = [from, to].map((url) => {
    const side = `${name} ${url === from ? 'here' : 'there'}`;
    return new Load(placeOf(url), side, { project: side, pause_ms: PAUSE_MS });
  });
  const working = () => Promise.all(loads.map((load) => load.work(6)));
  await working();
  for (let kill = 0; kill < KILLS; kill += 1) {
    await copy(from, to, 1 + Math.floor(chance() * 3));
    await working();
  }
  const [known] = loads.map((load) => load.known);
  const live = await copy(from, to);
  await working();
  await Promise.all(loads.map((load) => load.stop()));
  // What went on in the source while it was copied is all that may differ.
  expect(live).toMatchObject({ complete: true });
  for (const { how } of live?.differing ?? []) expect(how).toBe('changing');
  const there = await digestsIn(to);
  for (const id of known?.keys() ?? []) expect([id, there.has(id)]).toEqual([id, true]);
  const last = await copy(from, to);
  expect(last).toMatchObject({ complete: true, differences: 0 });
  expect(last?.verified.to).toEqual(last?.verified.from);
  const [here, copied] = [await digestsIn(from), await digestsIn(to)];
  for (const [id, digest] of here) expect([id, copied.get(id)]).toEqual([id, digest]);
  expect(last?.verified.from.handoffs).toBe(here.size);
  expect(copied.size).toBeGreaterThan(here.size);
}

verifies(
  ['PGTEAM.copy', 'STORECMD.copy-live', 'STORECMD.kill'],
  `a store in use is copied to a server in use, killed ${KILLS} times at it, and on into a file (seed ${seed})`,
  async () => {
    const { folder, file } = newPlace();
    const baton = await openOn(file);
    await fillMany(baton, HANDOFFS);
    const url = await server.newDatabase();
    await move(`sqlite:${file}`, url, 'out');
    await move(url, `sqlite:${join(folder, 'back.db')}`, 'back');
  },
  120_000 + KILLS * 60_000,
);
