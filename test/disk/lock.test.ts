import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { withLock } from '../../packages/batonpass/src/disk/lock.ts';
import { createFolders } from '../stores/folders.ts';
import { verifies } from '../verifies.ts';
import type { LockAnswer, LockCommand } from './lock-worker.ts';
import { createToldProcesses, type ToldProcess } from './told-process.ts';

/** `npm run soak -- lock` sets more. */
const ROUNDS = Number(process.env.BATON_LOCK_ROUNDS ?? 20);
const PROCESSES = 8;
const COUNTS = Number(process.env.BATON_LOCK_COUNTS ?? 50);
const STALE_MS = 40;

const createFolder = createFolders();
const startProcess = createToldProcesses();

function start(order: { folder: string; stale_ms?: number }, command: LockCommand): ToldProcess {
  const started = startProcess(join(import.meta.dirname, 'lock-worker.ts'), order);
  started.tell(command);
  return started;
}

verifies(
  ['LOCK.exclusive', 'LOCK.clean'],
  `${PROCESSES} processes count ${COUNTS} times each: none is lost`,
  async () => {
    const folder = createFolder();
    writeFileSync(join(folder, 'count'), '0');
    const all = Array.from({ length: PROCESSES }, () => start({ folder }, { do: 'count', times: COUNTS }));
    for (const each of all) expect(await each.hear<LockAnswer>()).toEqual({ told: 'done' });
    expect(readFileSync(join(folder, 'count'), 'utf8')).toBe(String(PROCESSES * COUNTS));
    expect(readdirSync(folder)).toEqual(['count']);
  },
);

verifies(['LOCK.exclusive'], 'callers of one process come in turn, in the order of coming', async () => {
  const folder = createFolder();
  const course: string[] = [];
  const enter = (name: string) =>
    withLock(folder, async () => {
      course.push(`${name} in`);
      await new Promise((resolve) => setImmediate(resolve));
      course.push(`${name} out`);
    });
  await Promise.all(['a', 'b', 'c'].map(enter));
  expect(course).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
  expect(readdirSync(folder)).toEqual([]);
});

verifies(
  ['LOCK.exclusive', 'LOCK.clean'],
  'a body that fails frees the lock, and its answer or error is passed on',
  async () => {
    const folder = createFolder();
    expect(await withLock(folder, () => 7)).toBe(7);
    const fail = () => {
      throw new Error('mine');
    };
    await expect(withLock(folder, fail)).rejects.toThrow('mine');
    await expect(withLock(folder, async () => fail())).rejects.toThrow('mine');
    expect(readdirSync(folder)).toEqual([]);
  },
);

verifies(['LOCK.killed', 'LOCK.clean'], 'the lock of a killed holder is taken at once, and its traces go', async () => {
  const folder = createFolder();
  const holder = start({ folder }, { do: 'hold' });
  await holder.hear();
  const waiter = start({ folder }, { do: 'hold' });
  const lock = join(folder, '.lock');
  // Stopped where it has written who it is, and not while it rewrites that.
  const words = () => globSync('*.new/*/owner-*.json', { cwd: lock }).map((path) => statSync(join(lock, path)).size);
  for (;;) {
    while (!words().some((size) => size > 0)) await new Promise((resolve) => setImmediate(resolve));
    await waiter.pause();
    if (words().some((size) => size > 0)) break;
    waiter.resume();
  }
  // Both leave what they had: the lock itself, and a place in the queue.
  waiter.kill();
  holder.kill();
  await Promise.all([holder.ended, waiter.ended]);
  expect(readdirSync(lock)).toHaveLength(2);
  await withLock(folder, ({ replaceFile }) => replaceFile('mine', 'x'), { wait_ms: 0 });
  expect(readdirSync(folder)).toEqual(['mine']);
});

verifies(
  ['LOCK.stopped', 'LOCK.fence'],
  `a stopped holder is taken over, and its late write changes nothing, ${ROUNDS} times`,
  async () => {
    const folder = createFolder();
    const holder = startProcess(join(import.meta.dirname, 'lock-worker.ts'), { folder, stale_ms: STALE_MS });
    for (let round = 0; round < ROUNDS; round += 1) {
      holder.tell({ do: 'write' } satisfies LockCommand);
      expect(await holder.hear()).toEqual({ told: 'begun' });
      // Stopped at its present step.
      for (let turns = Math.random() * 30; turns > 0; turns -= 1) await new Promise((next) => setImmediate(next));
      await holder.pause();
      await withLock(folder, async ({ replaceFile }) => {
        expect(readFileSync(join(folder, 'written'), 'utf8')).toMatch(/^(?:begun|old \d+)$/);
        replaceFile('written', `new ${round}`);
        holder.resume();
        expect(await holder.hear()).toEqual({ told: 'done', code: 'lease_lost' });
        expect(readFileSync(join(folder, 'written'), 'utf8')).toBe(`new ${round}`);
      });
      expect(readdirSync(folder)).toEqual(['written']);
    }
  },
  60_000 + ROUNDS * 1_000,
);

verifies(
  ['LOCK.alive', 'LOCK.deadline'],
  'a holder that waits keeps the lock, and a caller that gives up gets its identity',
  async () => {
    const folder = createFolder();
    const before = new Date().toISOString();
    const holder = start({ folder, stale_ms: 1_000 }, { do: 'hold' });
    await holder.hear();
    // Longer than it may be silent.
    const failure = await withLock(folder, () => 'never', { wait_ms: 1_500 }).catch((error) => error);
    expect(failure).toMatchObject({ code: 'unavailable', details: { host: hostname(), pid: expect.any(Number) } });
    expect(failure.message).toContain(`is held by process ${failure.details.pid} on ${hostname()} since `);
    expect(failure.details.since >= before && failure.details.since <= new Date().toISOString()).toBe(true);
    expect(readdirSync(join(folder, '.lock'))).toEqual(['held']);
  },
);

verifies(['LOCK.deadline', 'LOCK.clean'], 'a signal ends the waiting, on the disk and in the own process', async () => {
  const folder = createFolder();
  const holder = start({ folder }, { do: 'hold' });
  await holder.hear();
  const giveUp = new AbortController();
  const waits = [0, 1].map(() => withLock(folder, () => 'never', { signal: giveUp.signal }));
  giveUp.abort(new Error('enough'));
  for (const wait of waits) await expect(wait).rejects.toThrow('enough');
  expect(readdirSync(join(folder, '.lock'))).toEqual(['held']);
  await expect(withLock(folder, () => 'never', { signal: giveUp.signal })).rejects.toThrow('enough');
});

verifies(
  ['LOCK.deadline', 'LOCK.exclusive'],
  'a caller that gives up leaves the queue to the callers after it',
  async () => {
    const folder = createFolder();
    const giveUp = new AbortController();
    let end = () => {};
    const first = withLock(folder, () => new Promise<void>((resolve) => (end = resolve)));
    const second = withLock(folder, () => 'never', { signal: giveUp.signal });
    const third = withLock(folder, () => 'third', { wait_ms: 500 });
    giveUp.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    end();
    await first;
    expect(await third).toBe('third');
  },
);

verifies(['LOCK.place'], 'a lock is made in the folder itself or not at all', async () => {
  const folder = createFolder();
  await expect(withLock(join(folder, 'absent'), () => 1)).rejects.toMatchObject({ code: 'file_not_found' });
  const elsewhere = createFolder();
  symlinkSync(elsewhere, join(folder, '.lock'));
  await expect(withLock(folder, () => 1)).rejects.toMatchObject({ code: 'path_outside_root' });
  expect(readdirSync(elsewhere)).toEqual([]);
  const link = join(elsewhere, 'link');
  const real = createFolder();
  symlinkSync(real, link);
  const inside = await withLock(link, () => existsSync(join(real, '.lock')));
  expect(inside).toBe(true);
});

verifies(['LOCK.file'], 'a file under the lock is written whole, into the folder alone', async () => {
  const folder = createFolder();
  writeFileSync(join(folder, 'a'), 'old', { mode: 0o640 });
  mkdirSync(join(folder, 'sub'));
  await withLock(folder, (lock) => {
    lock.replaceFile('a', 'new');
    lock.replaceFile('b', Buffer.from([0, 255]));
    for (const name of ['../c', '.lock', 'x/y', '']) {
      expect(() => lock.replaceFile(name, 'x')).toThrowError(expect.objectContaining({ code: 'invalid_input' }));
    }
    expect(() => lock.replaceFile('sub', 'x')).toThrowError(expect.objectContaining({ code: 'invalid_input' }));
    lock.assertHeld();
  });
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('new');
  expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o640);
  expect([...readFileSync(join(folder, 'b'))]).toEqual([0, 255]);
  expect(readdirSync(folder)).toEqual(['a', 'b', 'sub']);
});

verifies(['LOCK.fence'], 'after its body a lock holds nothing', async () => {
  const folder = createFolder();
  const late = await withLock(folder, (lock) => lock);
  expect(() => late.replaceFile('a', 'x')).toThrowError(expect.objectContaining({ code: 'lease_lost' }));
  expect(() => late.assertHeld()).toThrowError(expect.objectContaining({ code: 'lease_lost' }));
  expect(readdirSync(folder)).toEqual([]);
});
