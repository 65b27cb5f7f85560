import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { createFolders } from '../stores/folders.ts';
import { verifies } from '../verifies.ts';
import type { DiskReport } from './full-disk.ts';

const createFolder = createFolders();

verifies(
  ['FILE.disk-full', 'DISK.errors'],
  'a full and a read-only disk are reported, leave nothing, and take the file once they can',
  async () => {
    const folder = join(createFolder(), 'disk');
    const script = join(import.meta.dirname, 'full-disk.ts');
    const isRoot = process.getuid?.() === 0;
    const words = [isRoot ? '-m' : '-rm', process.execPath, script, folder];
    const report = JSON.parse((await promisify(execFile)('unshare', words)).stdout) as DiskReport;
    const path = join(folder, 'findings-001.md');
    expect(report.full).toEqual({
      code: 'unavailable',
      message: `${path} could not be written: the disk is full (ENOSPC).`,
      alternatives: expect.arrayContaining(['Free disk space and retry.']),
    });
    expect(report.readOnly).toMatchObject({
      code: 'unavailable',
      message: `${path} could not be written: the file system is read-only (EROFS).`,
    });
    expect(report.names).toEqual(['filler']);
    expect(report.path).toBe(path);
  },
);
