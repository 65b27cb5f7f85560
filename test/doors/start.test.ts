import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { afterEachTest } from '../after-each-test.ts';
import { verifies } from '../verifies.ts';
import { openStage, program, type Stage } from './stage.ts';

/** Runs the command from its sources, and gives the modules that it loaded. */
function modulesOf({ folder, environment }: Stage, ...words: string[]): string[] {
  const { stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'loaded-modules.ts'), ...words], {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
  });
  return JSON.parse(stderr.slice(stderr.indexOf('["')));
}

/** The modules of Node that the built command loaded. */
function builtinsOf({ folder, environment }: Stage, ...words: string[]): string[] {
  const tell =
    "process.on('exit', () => require('node:fs').writeSync(2, JSON.stringify(process.moduleLoadList.map(String))))";
  const probe = `data:text/javascript,import { createRequire } from 'node:module'; const require = createRequire('/'); ${tell}`;
  const { stderr } = spawnSync(process.execPath, ['--import', probe, program, ...words], {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
  });
  return (JSON.parse(stderr.slice(stderr.indexOf('["'))) as string[]).map((line) => line.replace(/^NativeModule /, ''));
}

/** The files of the built command that a start loaded, its own alone, and their bytes. */
function filesOf({ folder, environment }: Stage, ...words: string[]): { count: number; bytes: number } {
  const probe = join(folder, 'loaded-files.cjs');
  const script = `
    const { _cache } = require('node:module');
    process.on('exit', () => {
      const files = Object.keys(_cache).filter((path) => path.includes('/dist/cli/'));
      const bytes = files.reduce((sum, path) => sum + require('node:fs').statSync(path).size, 0);
      require('node:fs').writeSync(2, '#' + JSON.stringify({ count: files.length, bytes }));
    });`;
  writeFileSync(probe, script);
  const { stderr } = spawnSync(process.execPath, ['--require', probe, program, ...words], {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
  });
  return JSON.parse(stderr.slice(stderr.indexOf('#{') + 1));
}

const stages: Stage[] = [];
afterEachTest(() => {
  for (const stage of stages.splice(0)) stage.close();
});

function stage(): Stage {
  const opened = openStage({ git: true });
  stages.push(opened);
  // The first handoff makes the store; what that takes is not what a reader takes.
  execFileSync(process.execPath, [program, 'create', '--summary', 'Login half done'], {
    cwd: opened.folder,
    env: opened.environment,
    stdio: 'ignore',
  });
  return opened;
}

/** What the command line is made of, before any command: it is part of each start. */
const grammar = [
  'commander',
  ...'commands duration exit-codes groups help-layout local-commands main program write'
    .split(' ')
    .map((name) => `doors/cli/${name}.ts`),
  'version.ts',
];

/** What a command adds to it; rooms below the operations are their own matter. */
const frame = [
  ...'command plain-checks run-command'.split(' ').map((name) => `doors/cli/${name}.ts`),
  ...'command-words handoff-line plural view'.split(' ').map((name) => `doors/cli/present/${name}.ts`),
  ...'acted-by-person answer-once baton catalogue client context ignored-settings output-schemas'
    .split(' ')
    .map((name) => `operations/${name}.ts`),
  ...'store-file store-opener'.split(' ').map((name) => `operations/store/${name}.ts`),
  'operations/planning/background-runs.ts',
  ...'settle-injections unless-taken'.split(' ').map((name) => `operations/sessions/${name}.ts`),
  ...'brought brought-variables configuration configured-model git identity place project project-identity remote repository-settings trust'
    .split(' ')
    .map((name) => `workspace/${name}.ts`),
  ...'@noble/hashes canonicalize fast-string-truncated-width fast-string-width fast-wrap-ansi ulid zod'.split(' '),
];

/** Without Node's own, and without the rooms that an operation depends on. */
const outside = (modules: readonly string[]) =>
  modules.filter((name) => !/^(node:|core\/|disk\/|stores\/)/.test(name)).toSorted();

verifies(['START.version'], 'the version is printed by the grammar alone', () => {
  const modules = modulesOf(stage(), '--version');
  expect(outside(modules)).toEqual(grammar.toSorted());
  expect(modules.filter((name) => name.startsWith('stores/'))).toEqual([]);
  const core = modules.filter((name) => name.startsWith('core/') && !name.startsWith('core/host-rows/'));
  expect(core.toSorted()).toEqual(['core/duration.ts', 'core/errors.ts', 'core/hosts.ts', 'core/limits.ts']);
});

verifies(['START.one'], 'a list and a status load themselves and their operation', () => {
  const opened = stage();
  const list = modulesOf(opened, 'list');
  expect(outside(list)).toEqual(
    [
      ...grammar,
      ...frame,
      'doors/cli/commands/list.ts',
      'operations/handoff-reads.ts',
      'operations/resolve-handoff.ts',
    ].toSorted(),
  );
  const status = modulesOf(opened, 'status');
  expect(outside(status)).toEqual(
    [
      ...grammar,
      ...frame,
      'doors/cli/commands/status.ts',
      'operations/handoff-in-short.ts',
      'operations/handoff-status.ts',
      ...'find-resumable host-sessions-of list-live-handoffs'
        .split(' ')
        .map((name) => `operations/sessions/${name}.ts`),
      'workspace/hosts/folder-reading.ts',
      'workspace/hosts/host-sessions.ts',
    ].toSorted(),
  );
  for (const modules of [list, status]) expect(modules.filter((name) => name.includes('postgres'))).toEqual([]);
});

verifies(['START.builtin'], 'no start loads what starts programs, and the version no database', () => {
  const opened = stage();
  const version = builtinsOf(opened, '--version');
  for (const name of ['child_process', 'crypto', 'sqlite', 'internal/fs/promises'])
    expect([name, version.includes(name)]).toEqual([name, false]);
  for (const word of ['list', 'status']) {
    // What they read is hashed, so that a damaged handoff is shown as one.
    expect([word, builtinsOf(opened, word).includes('child_process')]).toEqual([word, false]);
  }
});

verifies(
  ['START.files'],
  'a claim loads at most 60 files of the built command, a list fewer, the version three',
  () => {
    const opened = stage();
    const [version, list, claim] = ['--version', 'list', 'claim'].map((word) => filesOf(opened, word));
    expect(version).toMatchObject({ count: 3 });
    expect(list?.count).toBeLessThanOrEqual(45);
    expect(claim?.count).toBeLessThanOrEqual(60);
    expect(list?.bytes).toBeLessThan(600_000);
    expect(claim?.bytes).toBeLessThan(720_000);
  },
);
