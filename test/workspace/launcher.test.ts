import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'vitest';
import { chooseLauncher, isOwnCommand } from '../../packages/batonpass/src/workspace/hosts/launcher.ts';
import { openWorkspace } from '../../packages/batonpass/src/workspace/project.ts';
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
  chooseLauncher({ workspace: openWorkspace(root), environment: { PATH: folders.join(delimiter) }, platform });

const git = (root: string, ...words: string[]) => execFileSync('git', ['-C', root, ...words], { stdio: 'pipe' });

/** A repository whose package names Baton, and whose packages somebody has installed. */
function openInstalled(): string {
  const root = createFolder();
  mkdirSync(root, { recursive: true });
  git(root, 'init', '--quiet');
  place(join(root, 'package.json'), '{"devDependencies":{"batonpass":"^1"}}');
  place(join(root, 'node_modules/batonpass/bin/baton.js'));
  return root;
}

verifies(['INIT.launcher'], 'a dependency that the project has installed comes first, by its script', () => {
  const root = openInstalled();
  expect(choose(root, [])).toMatchObject({
    kind: 'project',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the host fills it in
    hook: ['node', '${CLAUDE_PROJECT_DIR}/node_modules/batonpass/bin/baton.js'],
    server: ['npx', '--no', '--', 'batonpass'],
  });
  const everywhere = chooseLauncher({ environment: { PATH: '' }, platform: 'linux' });
  expect(everywhere).toMatchObject({ kind: 'absent', hook: ['baton'], server: ['baton'] });
});

verifies(
  ['INIT.not-brought'],
  'a copy that came with the project, or that its package does not name, is no installation',
  () => {
    const changes: ((root: string) => void)[] = [
      (root) => git(root, 'add', '.'),
      (root) => rmSync(join(root, 'package.json')),
      (root) => writeFileSync(join(root, 'package.json'), '{"name":"batonpass"}'),
      (root) => rmSync(join(root, '.git'), { recursive: true }),
      // Git knows a submodule's files by its own index alone.
      (root) => git(join(root, 'node_modules/batonpass'), 'init', '--quiet'),
      (root) => {
        // Another spelling, for a disk that takes both as one.
        place(join(root, 'Node_Modules/batonpass/BIN/baton.js'));
        git(root, 'add', 'Node_Modules');
      },
      (root) => {
        renameSync(join(root, 'node_modules'), join(root, 'vendor'));
        symlinkSync('vendor', join(root, 'node_modules'));
        git(root, 'add', 'vendor');
      },
      (root) => {
        const elsewhere = join(createFolder(), 'elsewhere');
        renameSync(join(root, 'node_modules'), elsewhere);
        symlinkSync(elsewhere, join(root, 'node_modules'));
        git(root, 'add', 'node_modules');
      },
      (root) => writeFileSync(join(root, '.git/index'), 'no index'),
    ];
    for (const change of changes) {
      const root = openInstalled();
      expect(choose(root, []).kind).toBe('project');
      change(root);
      expect(choose(root, []).kind, String(change)).toBe('absent');
      const script = place(join(createFolder(), 'bin/baton.js'));
      const running = { script, node: '/opt/node/bin/node' };
      const surroundings = { workspace: openWorkspace(root), environment: { PATH: '' }, platform: 'linux' } as const;
      expect(chooseLauncher({ ...surroundings, running })).toMatchObject({
        kind: 'copy',
        server: [running.node, script],
      });
    }
  },
);

verifies(['INIT.launcher'], 'outside git the copy of a project counts where it is the one that runs', () => {
  const root = createFolder();
  const script = place(join(root, 'node_modules/batonpass/bin/baton.js'));
  const running = { script, node: '/opt/node/bin/node' };
  const surroundings = { workspace: openWorkspace(root), environment: { PATH: '' }, platform: 'linux' } as const;
  expect(chooseLauncher({ ...surroundings, running }).kind).toBe('project');
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
      workspace: openWorkspace(folder),
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
  mkdirSync(join(folder, 'project'));
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
