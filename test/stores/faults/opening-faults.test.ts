import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { callBy, newHandoff, START_MS, writer } from '../../../packages/batonpass/src/stores/contract/bench.ts';
import { migrate } from '../../../packages/batonpass/src/stores/sqlite/migrations/migrate.ts';
import { migrations } from '../../../packages/batonpass/src/stores/sqlite/migrations/migrations.ts';
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

  for (const version of migrations.slice(1).keys()) {
    verifies(['FAULT.opening'], `at each step of leaving schema ${version + 1}: nothing of it is lost`, async () => {
      const former = await makeFormer(version + 1);
      await sweepOpening(() => former.copy(), ['kept']);
    });
  }
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

/** A database of an older schema with one handoff. */
async function makeFormer(version: number): Promise<CrashDisk> {
  const disk = new CrashDisk();
  const driver = await openCrashDriver(disk);
  driver.prepare('PRAGMA journal_mode = WAL').get();
  driver.exec('BEGIN');
  migrate(driver, 'baton.db', migrations.slice(0, version));
  driver.exec('COMMIT');
  const { project, content_json, content_sha256 } = newHandoff({ title: 'kept' });
  driver
    .prepare(
      `INSERT INTO handoffs (seq, id, project, created_at, state, begun_as_draft, version, content_revision,
        available_at, attempts, max_attempts, fence, kind, source_agent, content_sha256, content)
      VALUES (1, 'ID', :project, :now, 'open', 0, 1, 1, :now, 0, 5, 0, 'context', 'ada', :content_sha256, :content)`,
    )
    .run({ project, now: START_MS, content_sha256, content: content_json });
  driver.close();
  return disk.copy();
}
