import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import type { FullDiskReport } from './store-full-disk.ts';
import { newPlace } from './store-stage.ts';

/** A file system of four megabytes, seen by that process alone; without the right to make one this fails. */
async function runOnFullDisk(operation: string, inputOf: (folder: string) => object): Promise<FullDiskReport> {
  const folder = join(newPlace().folder, 'disk');
  const script = join(import.meta.dirname, 'store-full-disk.ts');
  const isRoot = process.getuid?.() === 0;
  const words = [isRoot ? '-m' : '-rm', process.execPath, script, folder, operation, JSON.stringify(inputOf(folder))];
  return JSON.parse((await promisify(execFile)('unshare', words)).stdout);
}

const cases: [operation: string, input: (folder: string) => object, answer: object][] = [
  ['store.backup', () => ({}), { handoffs: 12 }],
  ['store.restore', (folder) => ({ file: `${folder}/baton.db.backup` }), { restored: true, backup: { handoffs: 12 } }],
  ['store.prune', () => ({ older_than_ms: 0 }), { archived: 4 }],
  ['store.copy', (folder) => ({ to: `sqlite:${folder}/other.db` }), { complete: true, differences: 0 }],
  ['store.migrate', () => ({}), { migrated: true, from: 0 }],
];

for (const [operation, input, answer] of cases) {
  verifies(
    ['STORECMD.words', 'STORECMD.backup-first'],
    `${operation} on a full disk is refused, loses nothing, and completes once there is room`,
    async () => {
      const report = await runOnFullDisk(operation, input);
      expect(report.refusal).toMatchObject({ code: 'unavailable' });
      expect(report.refusal?.message).toMatch(/full|no space|ENOSPC/i);
      expect(report.refusal?.alternatives.length).toBeGreaterThan(0);
      expect(report).toMatchObject({ isKept: true, unfinished: [], answer });
    },
  );
}
