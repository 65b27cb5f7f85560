import { existsSync, mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { LockFolder, type SeenLock } from '../../packages/batonpass/src/disk/lock-folder.ts';
import { LockWatch } from '../../packages/batonpass/src/disk/lock-watch.ts';
import { createFolders } from '../stores/folders.ts';
import { verifies } from '../verifies.ts';

const STALE_MS = 1_000;
const createFolder = createFolders();

verifies(['LOCK.fence'], 'a take-over takes away what the former holder had prepared', () => {
  const folder = createFolder();
  const [first, second] = [new LockFolder(folder, STALE_MS), new LockFolder(folder, STALE_MS)];
  expect([first.take(), second.take()]).toEqual([true, false]);
  const draft = join(first.desk, 'draft');
  writeFileSync(draft, 'old');
  expect(second.takeOver(first.token)).toBe(true);
  expect([first.isHeld(), second.isHeld()]).toEqual([false, true]);
  expect(() => renameSync(draft, join(folder, 'place'))).toThrowError(expect.objectContaining({ code: 'ENOENT' }));
  // Not even by the folder's new name: a system call in progress finds nothing.
  expect(readdirSync(second.desk)).toEqual([`owner-${second.token}.json`]);
  first.release();
  expect(second.isHeld()).toBe(true);
  second.release();
  expect(readdirSync(folder)).toEqual([]);
});

verifies(['LOCK.judged'], 'a holder that came after the one found silent is not taken over', () => {
  const folder = createFolder();
  const [first, second, third] = [0, 1, 2].map(() => new LockFolder(folder, STALE_MS)) as [
    LockFolder,
    LockFolder,
    LockFolder,
  ];
  first.take();
  third.take();
  const judged = third.look() as SeenLock;
  expect(judged).toMatchObject({ token: first.token, owner: { pid: process.pid, stale_ms: STALE_MS } });
  first.release();
  expect(second.take()).toBe(true);
  expect(third.takeOver(judged.token)).toBe(false);
  expect(second.isHeld()).toBe(true);
  second.release();
  expect(existsSync(join(folder, '.lock'))).toBe(true);
  third.abandon();
  expect(readdirSync(folder)).toEqual([]);
});

verifies(['LOCK.judged'], 'silence is measured by two clocks, and a heartbeat ends it', () => {
  let now_ms = 0;
  const watch = new LockWatch({ now: () => now_ms, after: () => () => {} });
  const isGone = (beat_ms: number, file_now_ms: number) =>
    watch.isGone({ token: 'a', owner: undefined, beat_ms }, file_now_ms, STALE_MS);
  // A file clock that jumped, or a holder silent since long: half of the time is watched first.
  expect(isGone(0, 1e9)).toBe(false);
  now_ms = STALE_MS / 2;
  expect(isGone(0, 1e9)).toBe(true);
  // It lives.
  expect(isGone(10, 1e9)).toBe(false);
  now_ms += STALE_MS / 2;
  expect(isGone(10, 20)).toBe(false);
  // A heartbeat from the future: watched for the whole time.
  now_ms += STALE_MS / 2;
  expect(isGone(10, -1e9)).toBe(true);
});

verifies(
  ['LOCK.judged'],
  'the end of a process is noticed at once, that of one on another machine by its silence alone',
  () => {
    const watch = (owner: object) =>
      new LockWatch({ now: () => 0, after: () => () => {} }).isGone(
        { token: 'a', owner: { ...(seen.owner as object), ...owner } as SeenLock['owner'], beat_ms: 0 },
        0,
        STALE_MS,
      );
    const lock = new LockFolder(createFolder(), STALE_MS);
    lock.take();
    const seen = lock.look() as SeenLock;
    expect(watch({})).toBe(false);
    expect(watch({ started: 'before' })).toBe(true);
    expect(watch({ started: 'before', machine: 'other' })).toBe(false);
  },
);

verifies(['LOCK.clean'], 'leftovers of a dead owner go at once, those of an unknown one after a minute', () => {
  const folder = createFolder();
  const lock = new LockFolder(folder, STALE_MS);
  lock.take();
  const { owner } = lock.look() as SeenLock;
  const owners = {
    unknown: undefined,
    elsewhere: { ...owner, machine: 'other' },
    running: owner,
    dead: { ...owner, started: 'before' },
  };
  for (const [name, told] of Object.entries(owners))
    for (const age_s of [30, 90])
      for (const kind of ['new', 'old']) {
        const token = `${name}-${age_s}`;
        const outer = join(folder, '.lock', `${token}.${kind}`);
        const inner = kind === 'new' ? join(outer, token) : outer;
        mkdirSync(inner, { recursive: true });
        if (told !== undefined) writeFileSync(join(inner, `owner-${token}.json`), JSON.stringify(told));
        const at_s = lock.now_ms / 1_000 - age_s;
        utimesSync(outer, at_s, at_s);
      }
  mkdirSync(join(folder, '.lock', 'notes'));
  lock.sweep();
  const kept = ['elsewhere-30', 'running-30', 'running-90', 'unknown-30'];
  expect(readdirSync(join(folder, '.lock')).sort()).toEqual(
    [...kept.flatMap((token) => [`${token}.new`, `${token}.old`]), 'held', 'notes'].sort(),
  );
  expect(lock.isHeld()).toBe(true);
});
