import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Linux keeps a file system in memory here. */
const memory = '/dev/shm';

const prefix = 'baton-tests-';

/** All tests together hold less at once. A container has 64 MB by default. */
const FREE_BYTES_MIN = 2 * 1024 * 1024 * 1024;

/** A folder in which nothing was made for longer than this was left by a run that was killed. */
const ABANDONED_MS = 60 * 60_000;

/**
 * Keeps the temporary files of all tests in memory, where the machine has room for them: most tests make a repository and a
 * store, and would wait for the disk to sync both. A TMPDIR that is set stays as it is: `npm run soak` runs on the disk so.
 *
 * @returns what removes the files again.
 */
export default function useMemory(): (() => void) | undefined {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return;
  removeAbandoned();
  const folder = makeFolder();
  if (folder === undefined) return;
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** The files take from the memory that the tests need, which may be less than the file system's size. */
function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, process.availableMemory()) >= FREE_BYTES_MIN;
  } catch {
    // This system has none.
    return false;
  }
}

/** A folder in which tests write programs and start them; some machines forbid one or the other there. */
function makeFolder(): string | undefined {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(memory, prefix));
    // A Postgres server runs as a user of its own, and has its folder in it.
    chmodSync(folder, 0o711);
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    execFileSync(program);
    rmSync(program);
    return folder;
  } catch {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
}

/** Folders of killed runs would take memory until the machine is restarted. */
function removeAbandoned(): void {
  for (const name of readdirSync(memory)) {
    const path = join(memory, name);
    try {
      const isAbandoned = Date.now() - statSync(path).mtimeMs > ABANDONED_MS;
      if (name.startsWith(prefix) && isAbandoned) rmSync(path, { recursive: true, force: true });
    } catch {
      // It is another user's, or another run removes it at this moment.
    }
  }
}
