import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { isHandoffError } from '../../packages/batonpass/src/core/errors.ts';
import { nextHandoffFile } from '../../packages/batonpass/src/handoff-files/write-handoff-file.ts';
import { findings, unversioned } from './samples.ts';

/** The errors of a writer on disks that accept nothing, and what was there afterwards. */
export interface DiskReport {
  full: unknown;
  readOnly: unknown;
  /** After the failures. */
  names: string[];
  /** Once there was room. */
  path: string;
}

/** Started in its own mount namespace, with a folder: writes to a full and to a read-only file system. */
async function main(folder: string): Promise<void> {
  mkdirSync(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', folder]);
  const filler = join(folder, 'filler');
  const { bavail, bsize } = statfsSync(folder);
  appendFileSync(filler, Buffer.alloc((bavail - 2) * bsize));
  const full = await attempt(folder);
  execFileSync('mount', ['-o', 'remount,ro', folder]);
  const readOnly = await attempt(folder);
  execFileSync('mount', ['-o', 'remount,rw', folder]);
  const names = readdirSync(folder);
  rmSync(filler);
  const path = await nextHandoffFile(folder, unversioned(findings), 'x'.repeat(100_000));
  process.stdout.write(JSON.stringify({ full, readOnly, names, path } satisfies DiskReport));
}

async function attempt(folder: string): Promise<unknown> {
  try {
    return await nextHandoffFile(folder, unversioned(findings), 'x'.repeat(100_000));
  } catch (error) {
    if (!isHandoffError(error)) throw error;
    const { code, message, alternatives } = error;
    return { code, message, alternatives };
  }
}

await main(process.argv[2] ?? '');
