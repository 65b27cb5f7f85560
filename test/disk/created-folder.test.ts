import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { withLock } from '../../packages/batonpass/src/disk/lock.ts';
import { createFolders } from '../stores/folders.ts';
import { verifies } from '../verifies.ts';

const newFolder = createFolders();

/** What another process does that considers a holder dead. */
function takeOver(folder: string): void {
  const held = join(folder, '.lock/held');
  const [token = ''] = readdirSync(held);
  renameSync(join(held, token), join(held, 'another'));
}

verifies(['LOCK.create-folder'], 'a folder appears with its files, and never onto one that is there', async () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'empty'));
  writeFileSync(join(folder, 'file'), 'mine');
  const made = await withLock(folder, (lock) =>
    ['new', 'new', 'empty', 'file'].map((name) => lock.createFolder(name, { 'a.md': `${name} a`, 'b.md': 'b' })),
  );
  expect(made).toEqual([true, false, false, false]);
  expect(readdirSync(folder).sort()).toEqual(['empty', 'file', 'new']);
  expect(readdirSync(join(folder, 'new'))).toEqual(['a.md', 'b.md']);
  expect(readFileSync(join(folder, 'new/a.md'), 'utf8')).toBe('new a');
  expect(readdirSync(join(folder, 'empty'))).toEqual([]);
});

for (const [when, wait] of [
  ['before it begins', false],
  ['while it writes the files', true],
] as const) {
  verifies(['LOCK.create-folder'], `a process that was taken over ${when} creates no folder`, async () => {
    const folder = newFolder();
    const made = withLock(folder, (lock) => {
      if (!wait) takeOver(folder);
      const files = {
        get 'a.md'() {
          if (wait) takeOver(folder);
          return 'a';
        },
      };
      return lock.createFolder('new', files);
    });
    await expect(made).rejects.toMatchObject({ code: 'lease_lost' });
    expect(readdirSync(folder)).not.toContain('new');
  });
}

verifies(['LOCK.create-folder'], 'a name that leads elsewhere is refused, and nothing is left of it', async () => {
  const folder = newFolder();
  for (const [name, file] of [
    ['../out', 'a.md'],
    ['in', '../a.md'],
  ] as const) {
    const made = withLock(folder, (lock) => lock.createFolder(name, { [file]: 'x' }));
    await expect(made).rejects.toMatchObject({ code: 'invalid_input' });
  }
  expect(readdirSync(folder)).toEqual([]);
});
