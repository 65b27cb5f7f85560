import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { createFolders } from '../folders.ts';
import type { FullDiskReport } from './full-tmpfs.ts';

const newFolder = createFolders();

describe('a file system that is full', () => {
  for (const left_kib of [0, 12, 100, 333]) {
    verifies(['FAULT.real-disk', 'FAULT.recovers'], `but for ${left_kib} KiB refuses, and loses nothing`, async () => {
      const report = await runOnFull(left_kib);
      expect(report.refusals.length).toBeGreaterThan(0);
      for (const { code, message, alternatives } of report.refusals) {
        expect(code).toBe('unavailable');
        expect(message).toMatch(/baton\.db cannot grow: the disk is full/);
        expect(alternatives.join(' ')).toMatch(/Make room on the disk/);
      }
      expect(report.kept).toEqual(report.acknowledged);
      expect(report.reopened).toEqual(report.acknowledged);
      // Reading needs no room; the last three came when there was some again.
      expect(report.read).toEqual(report.acknowledged.slice(0, -3));
    });
  }
});

/** A file system of two megabytes, seen by one process alone; without the right to make one this fails. */
async function runOnFull(left_kib: number): Promise<FullDiskReport> {
  const isRoot = process.getuid?.() === 0;
  const script = join(import.meta.dirname, 'full-tmpfs.ts');
  const words = [isRoot ? '-m' : '-rm', process.execPath, script, newFolder(), `${left_kib}`];
  const { stdout } = await promisify(execFile)('unshare', words);
  return JSON.parse(stdout) as FullDiskReport;
}
