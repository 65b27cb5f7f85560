import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';
import { loadCommands } from '../../packages/batonpass/src/doors/cli/commands.ts';
import { openBaton } from '../../packages/batonpass/src/index.ts';
import { findPrograms } from '../../packages/batonpass/src/workspace/hosts/find-program.ts';
import { afterEachTest } from '../after-each-test.ts';
import { verifies } from '../verifies.ts';
import { bashCompletion } from './complete.ts';
import { openStage, type Stage } from './stage.ts';

const closing: (() => void)[] = [];
afterEachTest(() => {
  for (const close of closing.splice(0).reverse()) close();
});

function stage(): Stage {
  const opened = openStage({ git: true });
  closing.push(opened.close);
  return opened;
}

verifies(['FIRST.words'], 'what is missing or wrong is named with command, argument and option', async () => {
  const { baton } = stage();
  const complaints: [string[], string, string][] = [
    [['show'], 'show needs <id>: the handoff, or the last characters of its id.', 'baton show --help'],
    [['show', 'X'], 'show cannot take this: <id>: give at least the last 4 characters of the id.', 'baton show --help'],
    [['create', '--summary', ''], 'create cannot take this: --summary: must not be empty.', 'baton create --help'],
    [['export', 'XXXX', '--form', 'xml'], 'export cannot take this: --form: Invalid option', 'baton export --help'],
    [['export', 'XXXX', '--to', ''], 'export cannot take this: --to: must not be empty.', 'baton export --help'],
    [['list', '--limit'], 'The option --limit needs a value.', 'baton list --help'],
    [['list', 'more'], "Too many arguments for 'list'.", 'baton list --help'],
    [['store', 'bakup'], "Unknown command 'bakup'.", 'baton store --help'],
    [['file', 'store', 'lst'], "Unknown command 'lst'.", 'baton file store --help'],
    [['completion'], 'completion needs <shell>.', 'baton help all'],
  ];
  for (const [words, what, how] of complaints) {
    const { code, stdout, stderr } = await baton(words);
    expect([words, code, stdout]).toEqual([words, 2, '']);
    expect(stderr).toContain(`baton: ${what}`);
    expect(stderr).toContain(how);
    expect(stderr).not.toMatch(/handoff\.\w+ is not valid|expected string/);
  }
  const { stderr } = await baton(['show', 'X', '--json']);
  expect(JSON.parse(stderr)).toMatchObject({
    error: { code: 'invalid_input', details: { issues: [{ field: 'id' }] }, alternatives: [expect.any(String)] },
  });
});

verifies(['FIRST.meant'], 'install, undo, version and -v lead to what does it here, and nothing happens', async () => {
  const { baton, folder } = stage();
  const tried = {
    install: 'baton init',
    undo: 'baton init --undo',
    version: 'baton --version',
    '-v': 'baton --version',
  };
  for (const [word, meant] of Object.entries(tried)) {
    const { code, stderr } = await baton([word]);
    expect([word, code]).toEqual([word, 2]);
    expect(stderr).toContain(meant);
    expect(stderr).not.toContain('Did you mean');
  }
  expect((await baton(['constructor'])).stderr).toContain("Unknown command 'constructor'.");
  expect((await baton(['doctor', '--json', '--cwd', folder])).stdout).toContain('not-registered');
});

verifies(['FIRST.reference'], 'the beginning of the id that was shown is answered with where it is named', async () => {
  const { baton, json } = stage();
  const {
    handoff: { id },
  } = await json(['create', '--summary', 'Login half done']);
  const { code, stderr } = await baton(['show', id.slice(-8, -3)]);
  expect(code).toBe(3);
  expect(stderr).toContain('A partial id is its last characters.');
  expect((await baton(['show', id.slice(-5)])).code).toBe(0);
});

verifies(['FIRST.store'], 'a store that is only looked into is not made, and one that is written into is', async () => {
  const { baton, folder } = stage();
  const file = join(folder, 'mistyped.db');
  const named = ['--store', `sqlite:${file}`];
  for (const words of [['status'], ['list'], ['show', 'ABCDEFGH'], ['log']]) {
    const { code, stdout, stderr } = await baton([...words, ...named]);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain(`There is no store at ${file}.`);
    expect(existsSync(file)).toBe(false);
  }
  expect((await baton(['create', '--summary', 'Login half done', ...named])).code).toBe(0);
  expect((await baton(['list', ...named])).stdout).toContain('Login half done');
  expect((await baton(['list'])).stdout).not.toContain('Login half done');
});

verifies(
  ['FIRST.completion'],
  'completion offers the options of the studio, and of a command by its short name',
  async () => {
    const opened = stage();
    const { baton } = opened;
    const complete = await bashCompletion(opened);
    expect(complete('baton', 'studio', '--po')).toEqual(['--port']);
    expect(complete('baton', 'ls', '--st')).toEqual(['--state', '--store']);
    expect(complete('baton', 'completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
    for (const shell of ['zsh', 'fish'])
      expect((await baton(['completion', shell])).stdout).toContain('Review a draft');
  },
);

verifies(['FIRST.other-hosts'], 'init prints what Codex and Cursor need', async () => {
  const { baton } = stage();
  const { stderr } = await baton(['init', '--yes']);
  const told = stderr.replaceAll('\n  ', ' ');
  expect(told).toMatch(/With Codex: \S.* init --host codex/);
  expect(told).toMatch(/With Cursor: \S.* init --host cursor/);
  expect((await baton(['init', '--undo'])).stderr).not.toContain('codex mcp add');
});

verifies(['FIRST.path'], 'a program after a folder that cannot be read is found', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'baton-path-')));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  // A link to itself cannot be read by any user, with any rights of the test.
  symlinkSync('loop', join(folder, 'loop'));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/git'), '#!/bin/sh\n');
  chmodSync(join(folder, 'bin/git'), 0o755);
  const PATH = [join(folder, 'loop'), join(folder, 'bin')].join(delimiter);
  expect(findPrograms('git', folder, { PATH })).toEqual([join(folder, 'bin/git')]);
});

verifies(['FIRST.narrow'], 'a status of forty columns keeps within them and breaks no command', async () => {
  const { folder, environment } = stage();
  const baton = await openBaton({ cwd: folder, environment, store: 'memory:' });
  const [status] = await loadCommands(['status']);
  const show = async (width: number) => {
    const view = { width, now_ms: Date.now(), style: (_: unknown, text: string) => text, options: {} };
    return status?.present(await baton.run('handoff.status', {}), view).split('\n') ?? [];
  };
  const nothing = await show(40);
  await baton.run('handoff.create', { content: { summary: 'Login half done' }, draft: true });
  const lines = [...nothing, ...(await show(40))];
  await baton.close();
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
  expect(lines).toContain('  baton create --summary "…"');
  expect(lines).toContain('    write one yourself');
});
