import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Linux keeps a file system in memory here. */
const memory = '/dev/shm';

const prefix = 'baton-tests-';

/** All tests together hold less at once. A container has 64 MB by default. */
const FREE_BYTES_MIN = 2 * 1024 * 1024 * 1024;

/**
 * Keeps the temporary files of all tests in memory, where the machine has room for them: most tests make a repository and a
 * store, and would wait for the disk to sync both. A TMPDIR that is set stays as it is: `npm run soak` runs on the disk so.
 *
 * @returns what removes the files again.
 */
export default function useMemory(): (() => void) | undefined {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return;
  removeAbandoned();
  const folder = join(memory, `${prefix}${process.pid}`);
  // A Postgres server runs as a user of its own, and has its folder in it.
  mkdirSync(folder, { mode: 0o711 });
  if (runsPrograms(folder)) process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= FREE_BYTES_MIN;
  } catch {
    // This system has none.
    return false;
  }
}

/** Tests write programs and start them, which some machines forbid there. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
  try {
    execFileSync(program);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(program);
  }
}

/** Folders of killed runs would take memory until the machine is restarted. */
function removeAbandoned(): void {
  for (const name of readdirSync(memory)) {
    if (!name.startsWith(prefix) || isRunning(Number(name.slice(prefix.length)))) continue;
    try {
      rmSync(join(memory, name), { recursive: true, force: true });
    } catch {
      // It is another user's.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
