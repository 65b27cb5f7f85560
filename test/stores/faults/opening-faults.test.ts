import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { callBy, newHandoff, writer } from '../../../packages/batonpass/src/stores/contract/bench.ts';
import { literalTable } from '../../agents/source-3-database.ts';
import { verifies } from '../../verifies.ts';
import { createFolders } from '../folders.ts';
import { CrashDisk } from './crash-disk.ts';
import { openCrashDriver } from './crash-driver.ts';
import { checkIntegrity, openCrashStore } from './crash-store.ts';
import { expectExplained, type FaultSeries } from './fault-sweep.ts';

const newFolder = createFolders();

const full = { on: 'write', answer: 'full', lasts: true } as const;
const broken = { on: 'write', answer: 'io', lasts: false } as const;

const everySeries: readonly FaultSeries[] = [
  (nth) => (nth % 2 === 1 ? full : broken),
  () => ({ ...broken, on: 'sync' }),
  () => ({ ...broken, on: 'read' }),
];

describe('a disk that fails while a database is opened', () => {
  verifies(['FAULT.opening'], 'at each step of making one: it is made by the next opening', async () => {
    await sweepOpening(() => new CrashDisk(), []);
  });

  verifies(['FAULT.opening'], "at each step of taking source 3's over: nothing of it is lost", async () => {
    const former = await makeSource3();
    await sweepOpening(() => former.copy(), [TITLE]);
  });
});

async function sweepOpening(make: () => CrashDisk, titles: readonly string[]): Promise<void> {
  const path = join(newFolder(), 'baton.db');
  for (const series of everySeries) {
    let refused = 0;
    for (let nth = 1; ; nth += 1) {
      const disk = make();
      disk.breakAt({ ...series(nth), nth });
      refused += await tryToOpen(path, disk);
      if (disk.fired === 0) break;
      disk.repair();
      for (const image of [disk.cutPower(), disk]) await expectWhole(path, image, titles);
    }
    expect(refused, series(1).on).toBeGreaterThan(0);
  }
}

/** @returns 1 where it is refused, with an error that explains itself. */
async function tryToOpen(path: string, disk: CrashDisk): Promise<number> {
  try {
    const { store } = await openCrashStore(path, disk);
    await store.close();
    return 0;
  } catch (error) {
    expectExplained(error);
    return 1;
  }
}

async function expectWhole(path: string, disk: CrashDisk, titles: readonly string[]): Promise<void> {
  const { store, driver } = await openCrashStore(path, disk);
  expect(checkIntegrity(driver)).toBe('ok');
  await store.create([newHandoff({ title: 'new' })], callBy(writer, 'handoff.create'));
  const { handoffs } = await store.list({ filter: {}, limit: 10 });
  expect(handoffs.map(({ content }) => content.title)).toEqual(['new', ...titles]);
  await store.close();
}

const TITLE = 'Handoff for task from ada';

/** A database of source 3 with one row. */
async function makeSource3(): Promise<CrashDisk> {
  const disk = new CrashDisk();
  const driver = await openCrashDriver(disk);
  driver.prepare('PRAGMA journal_mode = WAL').get();
  driver.exec(literalTable);
  driver.exec(`INSERT INTO handoffs (id, task_id, payload, origin, created_at) VALUES ('ID', 'task', '{}', 'ada', 1)`);
  driver.close();
  return disk.copy();
}
