import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { SCHEMA_VERSION } from '../../packages/batonpass/src/stores/sqlite/schema.ts';
import { createChance } from '../stores/history/chance.ts';
import { verifies } from '../verifies.ts';
import { digestsOf, fill, fillMany, makeSource3, rowsOfSource3, withDatabase } from './store-contents.ts';
import { expectSound, newPlace, openOn } from './store-stage.ts';

const KILLS = Number(process.env.BATON_STORE_KILLS ?? 2);
const seed = Number(process.env.BATON_STORE_SEED ?? Date.now() % 2 ** 31);

type Digests = Map<string, string>;

/** An operation, the folder that it begins in, and what must be so whenever it dies, and after it ran again. */
interface Scene {
  operation: 'store.copy' | 'store.prune' | 'store.restore' | 'store.migrate';
  input: (folder: string) => object;
  /** Fills a folder whose store is `baton.db`. */
  prepare: (folder: string) => Promise<void>;
  afterKill: (folder: string, before: Digests) => Promise<void>;
  afterAll: (folder: string, before: Digests) => Promise<void>;
}

const storeIn = (folder: string) => join(folder, 'baton.db');
const archiveIn = (folder: string) => join(folder, 'baton.archive.db');
const otherIn = (folder: string) => join(folder, 'other.db');
const backupIn = (folder: string) => join(folder, 'backup.db');

/** Several pages, of which most can be archived. */
async function prepareMany(folder: string): Promise<void> {
  const baton = await openOn(storeIn(folder));
  await fill(baton);
  await fillMany(baton, 438);
  const store = await baton.context.openStore();
  const { actor, project } = baton.context;
  const callOf = (operation: string) => ({ actor, project, operation });
  const claim = { project, task_id: 'many', lease_ms: 60_000, max: 300 };
  const { handoffs } = await store.claim(claim, callOf('handoff.claim'));
  const acknowledge = ({ id, delivery }: (typeof handoffs)[number]) =>
    store.transition(id, { type: 'acknowledge', token: delivery.lease?.token }, callOf('handoff.acknowledge'));
  await Promise.all(handoffs.map(acknowledge));
  await baton.close();
}

async function prepareBackup(folder: string): Promise<void> {
  const baton = await openOn(storeIn(folder));
  const ids = await fill(baton);
  await baton.run('store.backup', { file: backupIn(folder) });
  await baton.run('handoff.acknowledge', { id: ids[3] ?? '' });
  await fill(baton, 4);
  await baton.close();
}

/** Every file with the name of a backup is one. */
async function expectBackupsSound(folder: string): Promise<string[]> {
  const backups = join(folder, 'backups');
  const names = existsSync(backups) ? readdirSync(backups).filter((name) => !name.endsWith('.new')) : [];
  const paths = names.map((name) => join(backups, name));
  for (const path of paths) expect((await (await openOn(path)).run('store.check', {})).problems).toBe(0);
  return paths;
}

const scenes: Record<string, Scene> = {
  copy: {
    operation: 'store.copy',
    input: (folder) => ({ to: `sqlite:${otherIn(folder)}` }),
    prepare: prepareMany,
    afterKill: async (folder, before) => {
      expect(await digestsOf(storeIn(folder))).toEqual(before);
      if (!existsSync(otherIn(folder))) return;
      for (const [id, digest] of await digestsOf(otherIn(folder))) expect(before.get(id)).toBe(digest);
      await expectSound(otherIn(folder));
    },
    afterAll: async (folder, before) => {
      expect(await digestsOf(storeIn(folder))).toEqual(before);
      expect(await digestsOf(otherIn(folder))).toEqual(before);
    },
  },
  prune: {
    operation: 'store.prune',
    input: () => ({ older_than_ms: 0, give_back_space: true }),
    prepare: prepareMany,
    afterKill: async (folder, before) => {
      const archived = existsSync(archiveIn(folder)) ? await digestsOf(archiveIn(folder)) : new Map<string, string>();
      const here = await digestsOf(storeIn(folder));
      for (const [id, digest] of [...archived, ...here]) expect(before.get(id)).toBe(digest);
      expect(new Set([...archived.keys(), ...here.keys()])).toEqual(new Set(before.keys()));
      await expectSound(storeIn(folder));
    },
    afterAll: async (folder, before) => {
      const [here, archived] = [await digestsOf(storeIn(folder)), await digestsOf(archiveIn(folder))];
      expect(archived.size).toBe(304);
      expect(here.size).toBe(before.size - 304);
      expect(new Map([...here, ...archived])).toEqual(
        new Map([...here, ...archived].map(([id]) => [id, before.get(id)])),
      );
    },
  },
  restore: {
    operation: 'store.restore',
    input: (folder) => ({ file: backupIn(folder) }),
    prepare: prepareBackup,
    afterKill: async (folder, before) => {
      const backup = await digestsOf(backupIn(folder));
      const [here, copies] = [await digestsOf(storeIn(folder)), await expectBackupsSound(folder)];
      const isOld = here.size === before.size;
      expect(here).toEqual(isOld ? before : backup);
      if (!isOld) expect(await digestsOf(copies[0] ?? '')).toEqual(before);
      await expectSound(storeIn(folder));
    },
    afterAll: async (folder) => {
      expect(await digestsOf(storeIn(folder))).toEqual(await digestsOf(backupIn(folder)));
      await expectBackupsSound(folder);
    },
  },
  migration: {
    operation: 'store.migrate',
    input: () => ({}),
    prepare: async (folder) => makeSource3(storeIn(folder), 12),
    afterKill: async (folder) => {
      const version = (file: string) =>
        withDatabase(file, (database) => database.prepare('PRAGMA user_version').get()?.user_version);
      const copies = await expectBackupsSound(folder);
      expect([0, SCHEMA_VERSION]).toContain(version(storeIn(folder)));
      // Every database that was taken over had its copy first.
      if (version(storeIn(folder)) !== 0) expect(copies.length).toBe(1);
    },
    afterAll: async (folder) => {
      expect(await expectBackupsSound(folder)).toHaveLength(1);
      makeSource3(otherIn(folder), 12);
      expect(rowsOfSource3(storeIn(folder))).toEqual(rowsOfSource3(otherIn(folder)));
      await expectSound(storeIn(folder));
    },
  },
};

interface Order {
  folder: string;
  scene: Scene;
  /** Before which moment it kills itself. Default: it does not. */
  dies_at?: number;
  /** The moment at whose report its parent kills it. Default: it does not. */
  killed_at?: number;
}

/** Runs the operation in a separate process. @returns how many moments it passed, as far as it reported. */
async function run({ folder, scene, dies_at = 0, killed_at }: Order): Promise<number> {
  const worker = join(import.meta.dirname, 'store-kill-worker.ts');
  const words = [storeIn(folder), scene.operation, JSON.stringify(scene.input(folder)), String(dies_at)];
  const child = spawn(process.execPath, [worker, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<string | number | null>((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  let complaints = '';
  child.stderr.on('data', (text) => {
    complaints += text;
  });
  let moments = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    moments = Number(line);
    if (moments === killed_at) child.kill('SIGKILL');
  }
  const how = await ended;
  if (how !== 0 && how !== 'SIGKILL') throw new Error(`The operation ended with ${how}: ${complaints}`);
  return moments;
}

for (const [name, scene] of Object.entries(scenes)) {
  verifies(
    ['STORECMD.kill', 'STORECMD.migration-kill'],
    `${KILLS} killed at a moment of a ${name} lose nothing, and the same command completes (seed ${seed})`,
    async () => {
      const { folder: root } = newPlace();
      const begun = join(root, 'begun');
      mkdirSync(begun);
      await scene.prepare(begun);
      const copyOf = (number: number) => {
        const folder = join(root, `run-${number}`);
        cpSync(begun, folder, { recursive: true });
        return folder;
      };
      // What a database of source 3 holds is known by what a store makes of it.
      cpSync(begun, join(root, 'known'), { recursive: true });
      const before = await digestsOf(storeIn(join(root, 'known')));
      const whole = copyOf(0);
      const moments = await run({ folder: whole, scene });
      await scene.afterAll(whole, before);
      expect(moments).toBeGreaterThan(20);

      const chance = createChance(seed);
      // With as many kills as there are moments each has its own.
      const isWhole = KILLS >= moments;
      for (let kill = 1; kill <= Math.min(KILLS, moments); kill += 1) {
        const folder = copyOf(kill);
        const moment = isWhole ? kill : 1 + Math.floor(chance() * moments);
        await run({ folder, scene, ...(isWhole || kill % 2 === 0 ? { dies_at: moment } : { killed_at: moment }) });
        await scene.afterKill(folder, before);
        await run({ folder, scene });
        await scene.afterAll(folder, before);
      }
    },
    1_200_000,
  );
}

verifies(
  ['STORECMD.backup-first', 'STORECMD.kill'],
  'three processes that migrate one store at once make one copy, and none of them fails',
  async () => {
    const { folder } = newPlace();
    makeSource3(storeIn(folder), 12);
    const { migration } = scenes;
    if (migration === undefined) throw new Error('There is no such scene.');
    await Promise.all([1, 2, 3].map(() => run({ folder, scene: migration })));
    expect(readdirSync(join(folder, 'backups'))).toEqual([`baton-before-schema-${SCHEMA_VERSION}.db`]);
    await expectSound(storeIn(folder));
  },
);
