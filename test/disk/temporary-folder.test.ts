import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { makeTemporaryFolder } from '../../packages/batonpass/src/disk/temporary-folder.ts';
import { verifies } from '../verifies.ts';

verifies(
  ['DOCTOR.live-apart'],
  'a folder is removed whole while another process still removes files in it',
  async () => {
    const { path, remove } = makeTemporaryFolder('baton-removed-');
    const parts = Array.from({ length: 300 }, (_, index) => join(path, `part-${index}`));
    for (const part of parts) {
      mkdirSync(part);
      writeFileSync(join(part, 'file'), '');
    }
    const other = execFile('rm', ['-rf', ...parts.reverse()]);
    const ended = once(other, 'exit');
    remove();
    expect(existsSync(path)).toBe(false);
    await ended;
  },
);
