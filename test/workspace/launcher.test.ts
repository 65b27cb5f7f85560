import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'vitest';
import { chooseLauncher, isOwnCommand } from '../../packages/batonpass/src/workspace/hosts/launcher.ts';
import { createFolders } from '../stores/folders.ts';
import { verifies } from '../verifies.ts';

const createFolder = createFolders();

function place(path: string, text = ''): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

const choose = (root: string, folders: readonly string[], platform: NodeJS.Platform = 'linux') =>
  chooseLauncher({ root, environment: { PATH: folders.join(delimiter) }, platform });

verifies(['INIT.launcher'], 'a dependency that the project has installed comes first, by its script', () => {
  const root = createFolder();
  place(join(root, 'node_modules/batonpass/bin/baton.js'));
  expect(choose(root, [])).toMatchObject({
    kind: 'project',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the host fills it in
    hook: ['node', '${CLAUDE_PROJECT_DIR}/node_modules/batonpass/bin/baton.js'],
    server: ['npx', '--no', '--', 'batonpass'],
  });
  const everywhere = chooseLauncher({ environment: { PATH: '' }, platform: 'linux' });
  expect(everywhere).toMatchObject({ kind: 'absent', hook: ['baton'], server: ['baton'] });
});

verifies(['INIT.launcher'], 'a global command counts if it is ours and permanent', () => {
  const folder = createFolder();
  const script = place(join(folder, 'lib/node_modules/batonpass/bin/baton.js'));
  const [npm, pnpm, other] = ['npm', 'pnpm', 'other'].map((name) => join(folder, name));
  if (npm === undefined || pnpm === undefined || other === undefined) throw new Error('A folder is missing.');
  mkdirSync(npm);
  symlinkSync(script, join(npm, 'baton'));
  place(join(pnpm, 'baton'), '#!/bin/sh\nexec node "$basedir/global/5/node_modules/batonpass/bin/baton.js" "$@"\n');
  place(join(other, 'baton'), '#!/bin/sh\necho music\n');
  const passing = [join(folder, '_npx/abc/node_modules/.bin'), join(folder, 'x/node_modules/.bin')];
  for (const each of passing) {
    mkdirSync(each, { recursive: true });
    symlinkSync(script, join(each, 'baton'));
  }
  expect(choose(folder, [npm])).toMatchObject({ kind: 'global', hook: ['baton'], server: ['baton'] });
  expect(choose(folder, ['/nowhere/at/all', other, pnpm])).toMatchObject({ kind: 'global', hook: ['baton'] });
  expect(choose(folder, [...passing, other, '', '.', 'npm'])).toMatchObject({
    kind: 'absent',
    hook: ['baton'],
  });
});

verifies(['INIT.launcher'], 'a copy at a permanent path starts itself, by the same Node that runs it', () => {
  const folder = createFolder();
  const chooseRunning = (script: string) =>
    chooseLauncher({
      root: folder,
      environment: { PATH: '' },
      platform: 'linux',
      running: { script, node: '/opt/node/bin/node' },
    });
  const clone = place(join(folder, 'clone/packages/batonpass/bin/baton.js'));
  const words = ['/opt/node/bin/node', clone];
  expect(chooseRunning(clone)).toMatchObject({ kind: 'copy', hook: words, server: words });
  expect(isOwnCommand([...words, 'hook', 'Stop'], [/^hook$/, /^[A-Za-z]+$/])).toBe(true);
  // What npx links to in a clone is the clone; what it fetched is gone when it has run.
  const link = join(folder, 'clone/node_modules/.bin/baton');
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(clone, link);
  expect(chooseRunning(link).hook).toEqual(words);
  const installed = place(join(folder, 'lib/node_modules/batonpass/bin/baton.js'));
  expect(chooseRunning(installed)).toMatchObject({ kind: 'copy', server: ['/opt/node/bin/node', installed] });
  expect(chooseRunning(place(join(folder, '_npx/1/node_modules/batonpass/bin/baton.js'))).kind).toBe('absent');
});

verifies(['INIT.launcher'], 'on Windows a global command is started by its script, as hosts start no shims', () => {
  const folder = createFolder();
  const script = place(join(folder, 'node_modules/batonpass/bin/baton.js'));
  expect(choose(join(folder, 'project'), [folder], 'win32')).toMatchObject({ kind: 'global', hook: ['node', script] });
});

verifies(['INIT.older'], 'commands of every launcher are known as ours, and others are not', () => {
  const own = [
    'baton mcp',
    '/usr/local/bin/baton mcp',
    'npx -y batonpass mcp',
    'npx --no -- batonpass mcp',
    'npx batonpass@0.1 mcp',
    'C:\\npm\\baton.cmd mcp',
    'node /x/batonpass/bin/baton.js mcp',
    'pnpm dlx batonpass mcp',
    'A=1 baton mcp',
  ];
  const others = [
    'mcp',
    'orchestra mcp',
    'echo baton mcp',
    'baton mcp --x',
    'npx -y batonpass-plus mcp',
    'npx mybaton mcp',
    'node /x/bin/baton.js mcp',
  ];
  const isOwn = (text: string) => isOwnCommand(text.split(' '), [/^mcp$/]);
  expect(own.filter((text) => !isOwn(text))).toEqual([]);
  expect(others.filter(isOwn)).toEqual([]);
});
