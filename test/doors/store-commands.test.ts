import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { loadCommands } from '../../packages/batonpass/src/doors/cli/commands.ts';
import { SCHEMA_VERSION } from '../../packages/batonpass/src/stores/sqlite/schema.ts';
import { verifies } from '../verifies.ts';
import { bashCompletion } from './complete.ts';
import { openStage, program, type Stage } from './stage.ts';

const commands = await loadCommands();

const stages: Stage[] = [];

function stage(git = true): Stage {
  const opened = openStage({ git });
  stages.push(opened);
  return opened;
}

afterEach(() => {
  for (const opened of stages.splice(0)) opened.close();
});

const own = commands.filter(({ name }) => name.startsWith('store ')).map(({ name }) => name.slice('store '.length));

const storeOf = ({ folder }: Stage) => join(folder, '.git/baton/baton.db');

/** A store with two handoffs, one of them done. */
async function filled(): Promise<Stage> {
  const opened = stage();
  const {
    handoff: { id },
  } = await opened.json(['create', '--summary', 'Done']);
  await opened.json(['ack', id]);
  await opened.json(['create', '--summary', 'Open']);
  return opened;
}

verifies(
  ['STORECMD.frame'],
  'a group alone shows its commands, and each of them has a help page with examples',
  async () => {
    const { baton } = stage(false);
    const group = await baton(['store']);
    expect(group).toMatchObject({ code: 0, stderr: '' });
    for (const name of own) expect(group.stdout).toContain(`\n  ${name} `);
    expect((await baton(['store', '--help'])).stdout).toBe(group.stdout);
    const all = await baton(['help', 'all']);
    expect(all.stdout).toMatch(/\n {2}store +Maintain the store/);
    for (const name of own) {
      const { stdout, code } = await baton(['store', name, '--help']);
      expect(code).toBe(0);
      expect(stdout).toMatch(new RegExp(`Usage: baton store ${name} [\\s\\S]*--json[\\s\\S]*Examples:\\n {2}baton `));
    }
    const mistyped = await baton(['store', 'bakup']);
    expect(mistyped).toMatchObject({ code: 2, stdout: '' });
    expect(mistyped.stderr).toContain('Did you mean backup?');
  },
);

verifies(['STORECMD.frame'], 'completion offers the commands of the group, and their options', async () => {
  const opened = stage(false);
  const { baton } = opened;
  const complete = await bashCompletion(opened);
  expect(complete('baton', 'sto')).toEqual(['store']);
  expect(complete('baton', 'store', '')).toEqual(own);
  expect(complete('baton', 'store', 'prune', '--o')).toEqual(['--older-than']);
  expect(complete('baton', 'check', '--fo')).toEqual(['']);
  expect(complete('baton', 'store', 'backup', '--fo')).toEqual(['--force']);
  for (const shell of ['zsh', 'fish']) {
    const { stdout } = await baton(['completion', shell]);
    for (const word of ['store', ...own, 'vacuum']) expect(stdout).toContain(word);
  }
});

verifies(
  ['STORECMD.check', 'STORECMD.frame'],
  'check reports the state in words, and ends with 1 where something is wrong',
  async () => {
    const opened = await filled();
    const fine = await opened.baton(['store', 'check']);
    expect(fine.code).toBe(0);
    expect(fine.stdout).toMatch(
      /2 handoffs: 1 open, 1 acknowledged\nOldest open: \w{8}, \d+ s\n✓ Nothing is wrong\.\n$/,
    );
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(storeOf(opened));
    database.exec('DELETE FROM events WHERE seq = 1');
    database.close();
    const wrong = await opened.baton(['store', 'check']);
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toMatch(/✗ \w{26}: its version is 2, its history has 1 line/);
    expect(wrong.stderr).toMatch(
      /2 problems[\s\S]*baton store backup[\s\S]*baton log \w{26}[\s\S]*baton store restore FILE/,
    );
    const asJson = await opened.baton(['store', 'check', '--json']);
    expect(asJson.code).toBe(1);
    expect(JSON.parse(asJson.stdout).findings).toHaveLength(2);
  },
);

verifies(['STORECMD.backup', 'STORECMD.restore'], 'backup and restore name each other, and how to revert', async () => {
  const opened = await filled();
  const { baton, folder, json } = opened;
  const backup = await baton(['store', 'backup']);
  expect(backup.code).toBe(0);
  const [file = ''] = backup.stdout.split('\n');
  expect(file).toMatch(/\.git\/baton\/backups\/baton-\d{8}-\d{6}\.db$/);
  expect(backup.stdout).toMatch(
    /\n2 handoffs, 3 lines of history, \d+ KiB\nchecked against the store: sha256 [0-9a-f]{64}\n/,
  );
  expect(backup.stderr).toContain(`baton store restore ${file}`);
  await json(['create', '--summary', 'Later']);
  const rehearsed = await baton(['store', 'restore', file, '--dry-run']);
  expect(rehearsed.stdout).toMatch(
    /holds 3 handoffs: 2 open, 1 acknowledged\n.* holds 2 handoffs: 1 open, 1 acknowledged\n/,
  );
  const done = await baton(['store', 'restore', file]);
  expect(done).toMatchObject({ code: 0 });
  const undo = done.stderr.match(/Undo it: baton store restore (\S+)/)?.[1] ?? '';
  expect(done.stdout).toContain(undo);
  await baton(['store', 'restore', undo]);
  expect((await json<{ handoffs: unknown[] }>(['list'])).handoffs).toHaveLength(3);
  writeFileSync(join(folder, 'named.db'), 'precious');
  const refused = await baton(['store', 'backup', join(folder, 'named.db')]);
  expect(refused).toMatchObject({ code: 4, stdout: '' });
  expect(refused.stderr).toContain('--force');
  expect(readFileSync(join(folder, 'named.db'), 'utf8')).toBe('precious');
  expect((await baton(['store', 'backup', join(folder, 'named.db'), '--force'])).code).toBe(0);
});

verifies(['STORECMD.restore'], 'on a terminal restore shows what is there and what comes, and asks', async () => {
  const opened = await filled();
  const { folder, environment, json } = opened;
  const { file } = await json<{ id: string; file: string }>(['store', 'backup']);
  await json(['create', '--summary', 'Later']);
  const answer = (text: string) =>
    new Promise<string>((resolve) => {
      const command = `'${process.execPath}' '${program}' store restore '${file}'`;
      const terminal = spawn('script', ['-qec', command, '/dev/null'], { cwd: folder, env: environment });
      let shown = '';
      terminal.stdout.on('data', (chunk) => {
        if (!shown.includes('[y/N]') && `${shown}${chunk}`.includes('[y/N]')) terminal.stdin.write(text);
        shown += chunk;
      });
      terminal.once('close', () => resolve(shown));
    });
  const refused = await answer('n\n');
  expect(refused).toMatch(
    /holds 3 handoffs[\s\S]*holds 2 handoffs[\s\S]*Replace the contents of the store with the backup\? \[y\/N\][\s\S]*Nothing was changed/,
  );
  const count = async () => (await json<{ id: string; handoffs: unknown[] }>(['list'])).handoffs.length;
  expect(await count()).toBe(3);
  await answer('y\n');
  expect(await count()).toBe(2);
});

verifies(
  ['STORECMD.prune', 'STORECMD.copy', 'STORECMD.migrate'],
  'prune, copy and migrate say what they did and what next',
  async () => {
    const { baton, folder } = await filled();
    expect((await baton(['store', 'prune'])).stdout).toMatch(/^Nothing is old enough/);
    const counted = await baton(['store', 'prune', '--older-than', '0s', '--dry-run']);
    expect(counted.stdout).toBe('1 handoff would be archived: 1 acknowledged\n');
    const pruned = await baton(['store', 'prune', '--older-than', '0s', '--vacuum']);
    expect(pruned.stdout).toMatch(/^1 handoff archived: .*baton\.archive\.db\n$/);
    const archive = pruned.stderr.match(/baton list --store (\S+)/)?.[1] ?? '';
    expect((await baton(['list', '--store', archive])).stdout).toContain('Done');
    const to = `sqlite:${join(folder, 'other.db')}`;
    const copied = await baton(['store', 'copy', '--to', to]);
    expect(copied.stdout).toMatch(
      /1 added, 0 updated, 0 unchanged\n✓ Both hold the same 1 handoff: sha256 [0-9a-f]{64}\n$/,
    );
    expect((await baton(['store', 'copy'])).stderr).toMatch(/is missing[\s\S]*--to sqlite:/);
    expect((await baton(['store', 'migrate'])).stdout).toMatch(/is up to date: schema version \d+\.\n$/);
    const wrong = await baton(['store', 'prune', '--state', 'open,dead']);
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toMatch(/not "open"/);
    expect(existsSync(join(folder, '.git/baton/backups'))).toBe(false);
  },
);

verifies(
  ['STORECMD.progress', 'STORECMD.copy'],
  'Ctrl-C ends a copy between two pages, and the same command continues',
  async () => {
    const opened = await filled();
    const { openBaton, completeContent } = await import('../../packages/batonpass/src/index.ts');
    const library = await openBaton({ cwd: opened.folder, environment: opened.environment });
    const { actor, project } = library.context;
    const store = await library.context.openStore();
    for (let batch = 0; batch < 5; batch += 1) {
      const content = completeContent({ summary: `Small ${batch}` }, { source_agent: 'writer' });
      const handoffs = Array.from({ length: 1_000 }, () => ({ ...content, project, state: 'open' as const }));
      await store.create(handoffs, { actor, project, operation: 'handoff.create' });
    }
    await library.close();
    const other = join(opened.folder, 'other.db');
    const child = opened.start(['store', 'copy', '--to', `sqlite:${other}`, '--json']);
    let stdout = '';
    child.stdout?.on('data', (chunk) => {
      stdout += chunk;
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    // The target is there as soon as the copying begins.
    const { watch } = await import('node:fs');
    await new Promise<void>((resolve) => {
      const watcher = watch(opened.folder, (_type, name) => {
        if (!name?.startsWith('other.db')) return;
        watcher.close();
        resolve();
      });
    });
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ complete: false });
    const whole = await opened.json<{ id: string; added: number; unchanged: number }>([
      'store',
      'copy',
      '--to',
      `sqlite:${other}`,
    ]);
    expect(whole.added + whole.unchanged).toBe(5_002);
    expect(whole).toMatchObject({ complete: true, differences: 0 });
  },
);

verifies(['STORECMD.frame'], 'the commands, options and settings that the guide to the store names are there', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/store.md'), 'utf8');
  const named = [...guide.matchAll(/baton store ([a-z]+)([^`\n]*)/g)];
  for (const [line, name = '', words = ''] of named) {
    const command = commands.find((each) => each.name === `store ${name}`);
    const flags = [...(command?.options ?? []).map((option) => option.flags), '--store'].join(' ');
    for (const [flag] of words.matchAll(/--[a-z-]+/g))
      expect([line, flags]).toEqual([line, expect.stringContaining(flag)]);
  }
  expect(new Set(named.map(([, name]) => name))).toEqual(new Set(own));
  expect(guide.match(/^schema \d+/m)?.[0]).toBe(`schema ${SCHEMA_VERSION}`);
});
