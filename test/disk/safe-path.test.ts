import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect } from 'vitest';
import { readRegularFile, resolveInside } from '../../packages/batonpass/src/disk/safe-path.ts';
import { createFolders } from '../stores/folders.ts';
import { verifies } from '../verifies.ts';

const createFolder = createFolders();

/** A root with a file and links, and a secret next to it. */
function openPlace() {
  const folder = realpathSync(createFolder());
  const [root, outside] = [join(folder, 'root'), join(folder, 'outside')];
  mkdirSync(join(root, 'sub'), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(root, 'sub/a.md'), 'inside');
  writeFileSync(join(outside, 'secret'), 'secret');
  symlinkSync(outside, join(root, 'away'));
  symlinkSync(join(outside, 'secret'), join(root, 'secret.md'));
  symlinkSync(join(outside, 'absent'), join(root, 'dangling'));
  symlinkSync('sub', join(root, 'within'));
  symlinkSync(root, join(folder, 'second'));
  return { folder, root, outside };
}

const failing = (code: string) => expect.objectContaining({ name: 'HandoffError', code });

verifies(
  ['DISK.safe-path'],
  'a path stays within its root, links resolved; what is not there yet is a place in it',
  () => {
    const { folder, root } = openPlace();
    const good = {
      'sub/a.md': 'sub/a.md',
      'within/a.md': 'sub/a.md',
      'sub/../sub/new/b.md': 'sub/new/b.md',
      'foo..bar.ts': 'foo..bar.ts',
      '.': '',
      [join(root, 'sub')]: 'sub',
      [join(folder, 'second/sub')]: 'sub',
    };
    for (const [path, place] of Object.entries(good)) {
      expect(resolveInside(join(folder, 'second'), path)).toBe(join(root, place));
    }
  },
);

verifies(['DISK.safe-path'], 'a path that leads out of the root in any way is refused', () => {
  const { root, outside } = openPlace();
  for (const path of [
    '..',
    '../outside/secret',
    'sub/../../outside',
    '/etc/passwd',
    outside,
    'away/secret',
    'away',
    'secret.md',
    'dangling',
    'dangling/x',
    'within/../away/x',
  ]) {
    expect(() => resolveInside(root, path), path).toThrowError(failing('path_outside_root'));
    expect(() => readRegularFile(path, { root, bytes_max: 100 }), path).toThrowError(failing('path_outside_root'));
  }
  expect(() => resolveInside(root, 'a\0b')).toThrowError(failing('invalid_input'));
  expect(() => resolveInside(root, '')).toThrowError(failing('invalid_input'));
  expect(() => resolveInside(join(root, 'none'), 'a')).toThrowError(failing('file_not_found'));
});

verifies(['DISK.regular-file'], 'a regular file is read whole, within its bound, even one that says no size', () => {
  const { root } = openPlace();
  const path = join(root, 'sub/a.md');
  expect(readRegularFile(path, { bytes_max: 6 }).toString()).toBe('inside');
  expect(readRegularFile('within/a.md', { root, bytes_max: 6 }).toString()).toBe('inside');
  expect(readRegularFile(join(root, 'secret.md'), { bytes_max: 6 }).toString()).toBe('secret');
  expect(() => readRegularFile(path, { bytes_max: 5 })).toThrowError(failing('too_large'));
  writeFileSync(join(root, 'empty'), '');
  expect(readRegularFile('empty', { root, bytes_max: 6 })).toHaveLength(0);
  // A file that the system generates on reading reports a size of 0.
  if (process.platform === 'linux') {
    expect(readRegularFile('/proc/self/status', { bytes_max: 1_000_000 }).toString()).toContain('Pid:');
    expect(() => readRegularFile('/proc/self/status', { bytes_max: 10 })).toThrowError(failing('too_large'));
  }
  appendFileSync(join(root, 'empty'), 'x'.repeat(200_000));
  expect(readRegularFile('empty', { root, bytes_max: 200_000 })).toHaveLength(200_000);
});

verifies(['DISK.regular-file'], 'a folder, a pipe, a device and nothing at all are refused at once', () => {
  const { root } = openPlace();
  const pipe = join(root, 'pipe');
  execFileSync('mkfifo', [pipe]);
  expect(() => readRegularFile(pipe, { bytes_max: 10 })).toThrowError(failing('invalid_input'));
  expect(() => readRegularFile('pipe', { root, bytes_max: 10 })).toThrowError(/not a file/);
  expect(() => readRegularFile(join(root, 'sub'), { bytes_max: 10 })).toThrowError(/is a folder, not a file/);
  expect(() => readRegularFile('/dev/zero', { bytes_max: 10 })).toThrowError(failing('invalid_input'));
  expect(() => readRegularFile(join(root, 'none'), { bytes_max: 10 })).toThrowError(failing('file_not_found'));
  expect(() => readRegularFile(join(root, 'sub/a.md/x'), { bytes_max: 10 })).toThrowError(failing('file_not_found'));
  expect(() => readRegularFile('sub/a.md/x', { root, bytes_max: 10 })).toThrowError(failing('file_not_found'));
  expect(() => readRegularFile('a\0', { bytes_max: 10 })).toThrowError(failing('invalid_input'));
});

verifies(
  ['DISK.regular-file', 'DISK.safe-path'],
  'while a folder is swapped for a link that leads out, and back, nothing from outside is read',
  async () => {
    const { root, outside } = openPlace();
    writeFileSync(join(outside, 'a.md'), 'secret');
    const swapping = new Worker(swapForEver, { eval: true, workerData: { root, outside } });
    const seen = new Set<string>();
    try {
      await new Promise((resolve) => swapping.once('message', resolve));
      for (let round = 0; round < 3_000; round += 1) seen.add(attemptRead(root));
    } finally {
      await swapping.terminate();
    }
    expect(seen).not.toContain('secret');
    expect(seen).toContain('inside');
  },
);

function attemptRead(root: string): string {
  try {
    return readRegularFile('sub/a.md', { root, bytes_max: 100 }).toString();
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
}

const swapForEver = `
  const { renameSync, symlinkSync } = require('node:fs');
  const { parentPort, workerData: { root, outside } } = require('node:worker_threads');
  symlinkSync(outside, root + '/link');
  parentPort.postMessage('begun');
  for (;;) {
    renameSync(root + '/sub', root + '/aside');
    renameSync(root + '/link', root + '/sub');
    renameSync(root + '/sub', root + '/link');
    renameSync(root + '/aside', root + '/sub');
  }
`;

verifies(['DISK.regular-file'], 'a file that was replaced while it was read is the old or the new one', () => {
  const { root } = openPlace();
  const path = join(root, 'sub/a.md');
  writeFileSync(`${path}.new`, 'replaced');
  renameSync(`${path}.new`, path);
  expect(readRegularFile('sub/a.md', { root, bytes_max: 100 }).toString()).toBe(readFileSync(path, 'utf8'));
  rmSync(path);
  expect(() => readRegularFile('sub/a.md', { root, bytes_max: 100 })).toThrowError(failing('file_not_found'));
});
