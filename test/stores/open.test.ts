import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'vitest';
import { openStore } from '../../packages/batonpass/src/stores/open.ts';
import { verifies } from '../verifies.ts';
import { createFolders } from './folders.ts';

const newFolder = createFolders();

verifies(['STORE.url'], 'memory:, sqlite: with an absolute or relative path, and sqlite::memory: open', async () => {
  const folder = newFolder();
  const place = join(relative(process.cwd(), folder), 'b.db');
  const opened = [];
  for (const url of ['memory:', `sqlite:${join(folder, 'a.db')}`, `sqlite:${place}`, 'sqlite::memory:']) {
    const store = await openStore(url);
    opened.push(store.capabilities.durable);
    await store.close();
  }
  expect(opened).toEqual([false, true, true, false]);
  expect(existsSync(join(folder, 'a.db'))).toBe(true);
  expect(existsSync(join(folder, 'b.db'))).toBe(true);
});

verifies(
  ['STORE.url'],
  'an unknown URL is refused with the schemes there are, and no password is repeated',
  async () => {
    for (const url of ['', 'sqlite:', 'sqlite://host/file', 'mysql://user:secret@host/db', 'memory', '/a/path.db']) {
      const opening = openStore(url);
      await expect(opening).rejects.toMatchObject({
        code: 'invalid_input',
        details: { schemes: ['sqlite:', 'memory:', 'postgres:'] },
      });
      await expect(opening).rejects.not.toMatchObject({ message: expect.stringContaining('secret') });
    }
  },
);
