import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { installPacked, linkDependencies } from './packed-package.ts';
import { createFolders } from './stores/folders.ts';
import { root } from './tidy/source-files.ts';
import { verifies } from './verifies.ts';

const createFolder = createFolders();
const document = readFileSync(join(root, 'docs/library.md'), 'utf8');

verifies(
  ['CLI.client'],
  'the program of docs/library.md runs with the packed package',
  () => {
    const [, program = ''] = /^```js\n([\s\S]*?)^```$/m.exec(document) ?? [];
    const folder = createFolder();
    installPacked(folder);
    linkDependencies(folder);
    const words = ['--preserve-symlinks', '--input-type=module', '--eval', program];
    const env = { ...process.env, HOME: folder, BATON_STORE: 'memory:' };
    expect(execFileSync(process.execPath, words, { cwd: folder, encoding: 'utf8', env })).toContain('- Use SQLite');
  },
  60_000,
);

verifies(['CLI.entries'], 'docs/library.md lists exactly the entries of the package', () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'packages/batonpass/package.json'), 'utf8'));
  const entries = Object.keys(exports).filter((name) => !/\.\w+$/.test(name));
  const rows = document.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`batonpass([^`]*)`/g)].map(([, rest]) => `.${rest}`),
  );
  expect(named.sort()).toEqual(entries.sort());
});
