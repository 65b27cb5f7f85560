import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect } from 'vitest';
import { writeTrusted } from '../trust/trusted-settings.ts';
import { verifies } from '../verifies.ts';
import { openStage, type Stage } from './stage.ts';

const stages: Stage[] = [];

function stage(): Stage {
  const opened = openStage({ git: true });
  stages.push(opened);
  return opened;
}

afterEach(() => {
  for (const opened of stages.splice(0)) opened.close();
});

const looking = [
  ['status'],
  ['list'],
  ['count'],
  ['claim'],
  ['claim', '--as', 'codex'],
  ['resume'],
  ['log'],
  ['review'],
  ['render', 'ABCDEFGH'],
  ['release', 'ABCDEFGH', '--token', 'x'],
  ['store', 'check'],
  ['store', 'backup'],
  ['store', 'prune'],
];

verifies(
  ['FIRST.store'],
  'a command that has nothing to store creates no store at a mistyped path, in any spelling',
  async () => {
    const opened = stage();
    const { baton, folder } = opened;
    const file = join(folder, 'mistyped.db');
    const environment = { BATON_STORE: `sqlite:${file}` };
    for (const words of looking) {
      const { code, stderr } = await baton(words, { environment });
      expect({ words, code, stderr }).toEqual({
        words,
        code: 3,
        stderr: expect.stringContaining(`no store at ${file}`),
      });
    }
    for (const words of [['claim'], ['release', 'ABCDEFGH', '--token', 'x']])
      expect((await baton([...words, '--store', `sqlite:${file}`])).code).toBe(3);
    await writeTrusted(opened, { store: 'sqlite:mistyped.db' });
    expect((await baton(['claim'])).code).toBe(3);
    expect(existsSync(file)).toBe(false);
    // What needs no store works meanwhile.
    expect((await baton(['plan', 'list'], { environment })).code).toBe(0);
    expect((await baton(['create', '--summary', 'Kept.'], { environment })).code).toBe(0);
    expect((await baton(['claim'])).stdout).toContain('Kept.');
  },
);

verifies(['FIRST.store'], 'a session that starts creates no store, and no user is disturbed', async () => {
  const { baton, folder } = stage();
  const file = join(folder, 'named.db');
  const input = JSON.stringify({ session_id: 'aaaaaaaa-0000-4000-8000-000000000001', cwd: folder, source: 'startup' });
  const environment = { BATON_STORE: `sqlite:${file}` };
  const answer = await baton(['hook', 'SessionStart'], { input, environment });
  expect(answer).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(existsSync(file)).toBe(false);
});

verifies(['FIRST.store'], 'an empty file never becomes a store', async () => {
  const { baton, folder } = stage();
  mkdirSync(join(folder, '.git/baton'), { recursive: true });
  for (const file of [join(folder, '.git/baton/baton.db'), join(folder, 'empty.db')]) {
    writeFileSync(file, '');
    const environment = file.endsWith('empty.db') ? { BATON_STORE: `sqlite:${file}` } : {};
    const commands = [['list'], ['claim'], ['create', '--summary', 'x']];
    for (const { code, stderr } of await Promise.all(commands.map((words) => baton(words, { environment })))) {
      expect({ code, stderr }).toEqual({
        code: 9,
        stderr: expect.stringMatching(/is an empty file[\s\S]*store restore/),
      });
    }
    expect(statSync(file).size).toBe(0);
    rmSync(file);
    expect((await baton(['create', '--summary', 'x'], { environment })).code).toBe(0);
  }
});

verifies(['STORECMD.check'], 'of a damaged file the check advises a copy that can be made', async () => {
  const { baton, folder } = stage();
  for (let count = 0; count < 3; count += 1) await baton(['create', '--summary', 'x'.repeat(9_000)]);
  const file = join(folder, '.git/baton/baton.db');
  const database = new DatabaseSync(file);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  const bytes = readFileSync(file);
  bytes.fill(0x5a, bytes.length - 9_000);
  writeFileSync(file, bytes);
  const { code, stderr } = await baton(['store', 'check']);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/Make a copy first: copy\s+\S+baton\.db, and\s+\S+baton\.db-wal/),
  });
  expect(stderr).not.toContain('baton store backup');
  expect((await baton(['store', 'backup'])).code).toBe(9);
});

verifies(['FAULT.damaged-row'], 'a damaged handoff stops no other, and is set aside by its id', async () => {
  const { baton, json, folder } = stage();
  const summaries = ['Unreadable', 'Changed', 'Sound'];
  const ids: string[] = [];
  for (const summary of summaries) ids.push((await json(['create', '--summary', summary])).handoff.id);
  const database = new DatabaseSync(join(folder, '.git/baton/baton.db'));
  const triggers = database.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER "${name}"`);
  database.prepare("UPDATE handoffs SET content = 'X' || substr(content, 2) WHERE id = ?").run(ids[0] ?? '');
  database.prepare("UPDATE handoffs SET content_sha256 = 'x' WHERE id = ?").run(ids[1] ?? '');
  database.close();
  for (const words of [['status'], ['list']]) {
    const { code, stdout, stderr } = await baton(words);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/Damaged[\s\S]*Sound|Sound[\s\S]*Damaged/),
    });
    for (const id of ids.slice(0, 2))
      expect(stderr).toContain(`Handoff ${id} is damaged. Set it aside: baton withdraw`);
  }
  expect((await json(['claim', '--as', 'codex'])).handoff.id).toBe(ids[2]);
  for (const id of [ids[0] ?? '', (ids[1] ?? '').slice(-8)]) {
    expect((await baton(['show', id])).stderr).toContain('is damaged in the store');
    expect((await baton(['withdraw', id])).code).toBe(0);
  }
  const { stdout, stderr } = await baton(['list', '--state', 'open']);
  expect(`${stdout}${stderr}`).not.toContain('amaged');
});
