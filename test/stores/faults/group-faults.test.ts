import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import { type Bench, rival, START_MS } from '../../../packages/batonpass/src/stores/contract/bench.ts';
import { verifies } from '../../verifies.ts';
import { createFolders } from '../folders.ts';
import { CrashDisk, type DiskFault } from './crash-disk.ts';
import { readTables } from './crash-store.ts';
import { expectExplained, reopen } from './fault-sweep.ts';
import { openBench } from './scene.ts';

const newFolder = createFolders();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('calls of one turn on a disk that fails', () => {
  verifies(['FAULT.group'], 'are not refused for a transaction that they took no part in', async () => {
    const fault = { on: 'sync', answer: 'io', lasts: false, nth: 1 } as const;
    // So much time passes with each transaction that it takes up one call alone.
    const { outcomes, titles } = await createTogether(['a', 'b', 'c'], fault, 1_000);
    expect(outcomes).toEqual(['refused', 'kept', 'kept']);
    expect(titles).toEqual(['b', 'c']);
  });

  verifies(['FAULT.error'], 'report when a crash may bring back what was refused', async () => {
    const path = join(newFolder(), 'baton.db');
    const disk = new CrashDisk();
    const { store, driver, bench } = await openBench(path, disk);
    await bench.create({ title: 'first' });
    disk.breakAt({ on: 'sync', answer: 'io', lasts: false, nth: 1 });
    const refused = await bench.create({ title: 'refused' }).catch((error: unknown) => error);
    disk.repair();
    const before = readTables(driver);
    expect(await reopen(disk.cutPower(), { path })).toBe(before);
    expect(await reopen(disk.copy(), { path })).toContain('refused');
    expectExplained(refused);
    expect(JSON.stringify(refused)).toMatch(/unless this process dies/);
    await store.close();
  });

  verifies(['FAULT.group', 'FAULT.error'], 'are refused as far as a read of theirs failed, and only then', async () => {
    const seen = new Set<string>();
    for (let nth = 1; !seen.has('kept,kept,kept'); nth += 1) {
      const { outcomes, titles } = await createTogether(['a', 'b', 'c'], {
        on: 'read',
        answer: 'io',
        lasts: false,
        nth,
      });
      expect(titles).toEqual(['a', 'b', 'c'].filter((_, index) => outcomes[index] === 'kept'));
      seen.add(outcomes.join());
    }
    expect(seen.size).toBeGreaterThan(1);
  });
});

/** Creates handoffs in one turn, on a database that nothing of is in memory yet. */
async function createTogether(titles: readonly string[], fault: DiskFault, passing_ms = 0) {
  const path = join(newFolder(), 'baton.db');
  const disk = new CrashDisk();
  let isPassing = false;
  const now = () => {
    if (isPassing) vi.advanceTimersByTime(passing_ms);
    return START_MS;
  };
  await (await openBench(path, disk)).store.close();
  const { store, bench } = await openBench(path, disk, { now });
  await gather(bench);
  isPassing = true;
  disk.breakAt(fault);
  const settled = await Promise.allSettled(titles.map((title) => bench.create({ title })));
  disk.repair();
  for (const outcome of settled) if (outcome.status === 'rejected') expectExplained(outcome.reason);
  const { handoffs } = await store.list({ filter: {}, limit: 10 });
  await store.close();
  return {
    outcomes: settled.map(({ status }) => (status === 'fulfilled' ? 'kept' : 'refused')),
    titles: handoffs.map(({ content }) => content.title).reverse(),
  };
}

/** Where no other call wrote at the same time before, the first of a group is not kept waiting for the others. */
async function gather(bench: Bench): Promise<void> {
  await Promise.all([1, 2, 3, 4].map(() => bench.claim(rival)));
}
