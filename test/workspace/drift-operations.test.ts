import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { type Baton, openBaton } from '../../packages/batonpass/src/index.ts';
import { openStage, type Stage } from '../doors/stage.ts';
import { verifies } from '../verifies.ts';
import { lines } from './drift-stage.ts';

const stages: Stage[] = [];
const batons: Baton[] = [];

afterEach(async () => {
  for (const baton of batons.splice(0)) await baton.close();
  for (const stage of stages.splice(0)) stage.close();
});

async function open(git = true): Promise<{ stage: Stage; baton: Baton; write: (path: string, text: string) => void }> {
  const stage = openStage({ git });
  stages.push(stage);
  const baton = await openBaton({ cwd: stage.folder, environment: stage.environment, review: 'never' });
  batons.push(baton);
  return { stage, baton, write: (path, text) => writeFileSync(join(stage.folder, path), text) };
}

function commit({ git }: Stage): string {
  git('add', '--all');
  git('commit', '--quiet', '--message=step');
  return git('rev-parse', 'HEAD').trim();
}

const forged = { commit: 'f'.repeat(40), blob: 'e'.repeat(40), dirty: false, mode: '120000', lines: '3-4' } as const;

verifies(
  ['DRIFT.facts', 'DRIFT.facts-own'],
  'a handoff keeps what was measured of its files, and the lines given',
  async () => {
    const { stage, baton, write } = await open();
    write('a.ts', 'a\n');
    const head = commit(stage);
    write('b.ts', 'b\n');
    const blob = (path: string) => stage.git('hash-object', path).trim();
    const files = [{ path: 'a.ts', git: forged }, 'b.ts', { path: 'gone.ts', git: forged }, 'never.ts'];
    const { id, content } = await baton.run('handoff.create', { content: { summary: 'x', files } });
    expect(content.files.map(({ git }) => git)).toEqual([
      { commit: head, blob: blob('a.ts'), dirty: false, mode: '100644', lines: '3-4' },
      { commit: head, blob: blob('b.ts'), dirty: true, mode: '100644' },
      { lines: '3-4' },
      undefined,
    ]);
    const { stdout } = await stage.baton(['show', id]);
    for (const words of ['a.ts (medium, lines 3-4)', 'b.ts (medium, not committed then)'])
      expect(stdout).toContain(words);
  },
);

verifies(
  ['DRIFT.facts', 'DRIFT.no-git'],
  'outside of git nothing is claimed, and the files are not mentioned',
  async () => {
    const { baton, write } = await open(false);
    write('a.ts', 'a\n');
    const { id, content } = await baton.run('handoff.create', {
      content: { summary: 'x', files: ['a.ts', { path: 'b.ts', git: { blob: 'e'.repeat(40) } }] },
    });
    expect(content.files.map(({ git }) => git)).toEqual([undefined, undefined]);
    expect((await baton.run('handoff.check', { id })).handoffs[0]?.files.map(({ verdict }) => verdict)).toEqual([
      'no-git',
      'no-git',
    ]);
    expect((await baton.run('handoff.render', { id })).situation).not.toContain('Files since then');
  },
);

verifies(
  ['DRIFT.facts-own'],
  'an edit measures the files that it adds, and leaves those of then as they were',
  async () => {
    const { stage, baton, write } = await open();
    write('a.ts', 'a\n');
    write('b.ts', 'b\n');
    const head = commit(stage);
    const draft = await baton.run('handoff.create', { content: { summary: 'x', files: ['a.ts'] }, draft: true });
    const before = draft.content.files[0];
    write('a.ts', 'changed\n');
    const added = await baton.run('handoff.edit', { id: draft.id, changes: { add: { files: ['b.ts'] } } });
    expect(added.content.files[0]).toEqual(before);
    expect(added.content.files[1]?.git).toMatchObject({ commit: head, dirty: false });
    const { content } = await baton.run('handoff.edit', {
      id: draft.id,
      content: {
        summary: 'y',
        files: [
          { path: 'a.ts', git: before?.git },
          { path: 'b.ts', git: forged },
        ],
      },
    });
    expect(content.files[0]?.git).toEqual(before?.git);
    expect(content.files[1]?.git).toEqual({ ...added.content.files[1]?.git, lines: '3-4' });
  },
);

verifies(['DRIFT.retry'], 'a retry and a second import are known again although the files changed', async () => {
  const { stage, baton, write } = await open();
  write('a.ts', 'a\n');
  commit(stage);
  const create = () =>
    baton.run('handoff.create', { content: { summary: 'x', files: ['a.ts'] } }, { idempotency_key: 'k' });
  const text = JSON.stringify([
    { role: 'user', content: 'Use sessions for the login. Please change `a.ts`.' },
    { role: 'assistant', content: 'I will edit `a.ts` so that the login uses sessions.' },
  ]);
  const imported = await baton.run('handoff.import', { text });
  expect(imported.handoff.content.files[0]).toMatchObject({ path: 'a.ts', git: { dirty: false } });
  const created = await create();
  write('a.ts', 'changed\n');
  expect(await create()).toEqual(created);
  expect(await baton.run('handoff.import', { text })).toMatchObject({
    existing: true,
    handoff: { id: imported.handoff.id },
  });
});

verifies(['DRIFT.situation'], 'a receiver sees what changed, and the approved bytes stay the same', async () => {
  const { stage, baton, write } = await open();
  for (const name of ['a.ts', 'b.ts', 'c.ts', 'd.ts']) write(name, lines(20, name));
  commit(stage);
  const files = ['a.ts', 'b.ts', 'c.ts', { path: 'd.ts', git: { lines: '2-3' } }];
  const { id } = await baton.run('handoff.create', { content: { summary: 'x', files }, draft: true });
  await baton.run('handoff.approve', { id });
  const before = await baton.run('handoff.render', { id });
  expect(before.situation).toContain('\nFiles since then: 4 unchanged.\n');
  write('a.ts', `${lines(20, 'a.ts')}one more\n`);
  renameSync(join(stage.folder, 'b.ts'), join(stage.folder, 'b 2.ts'));
  write('d.ts', lines(20, 'd.ts').replace('d.ts 3', 'third'));
  const { context } = await baton.run('handoff.claim', { id });
  expect(context).toMatchObject({ text: before.text, sha256: before.sha256, is_as_approved: true });
  expect(context?.situation.split('\n').at(-3)).toBe(
    'Files since then: 1 unchanged; a.ts edited (1 line: +1 -0); b.ts renamed to "b 2.ts"; d.ts edited (2 lines: +1 -1, lines 2-3 touched).',
  );
  expect(context?.drift).toMatchObject([
    { id: 'f1', verdict: 'edited', lines_added: 1, lines_removed: 0 },
    { id: 'f2', verdict: 'renamed', renamed_to: 'b 2.ts', is_edited: false },
    { id: 'f3', verdict: 'unchanged' },
    { id: 'f4', verdict: 'edited', lines: '2-3', touches_lines: true },
  ]);
});

verifies(['DRIFT.check'], 'check answers for one handoff or all open ones, and "no" where a file changed', async () => {
  const { stage, write } = await open();
  expect(await stage.baton(['check'])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('Nothing is'),
  });
  write('a.ts', 'a\n');
  write('b.ts', 'b\n');
  commit(stage);
  const { handoff: one } = await stage.json([
    'create',
    '--summary',
    'First',
    '--file',
    'a.ts',
    '--file',
    'b.ts',
    '--file',
    '../x.ts',
  ]);
  const { handoff: two } = await stage.json(['create', '--summary', 'Second', '--file', 'b.ts']);
  const fresh = await stage.baton(['check']);
  expect(fresh).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('0 of 4 files changed.\n1 file could not be compared.'),
  });
  write('a.ts', 'changed\n');
  expect(await stage.baton(['check', two.id])).toMatchObject({ code: 0 });
  const changed = await stage.baton(['check', one.id]);
  expect(changed.code).toBe(1);
  expect(changed.stdout.split('\n')).toEqual([
    `${one.id.slice(-8)}  First`,
    '  a.ts edited (2 lines: +1 -1)',
    '  b.ts unchanged',
    '  ../x.ts has nothing to compare with',
    '',
  ]);
  const { code, stdout } = await stage.baton(['check', '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    drifted: 1,
    is_partial: false,
    handoffs: [
      { id: two.id, title: 'Second', drifted: 0 },
      { id: one.id, drifted: 1 },
    ],
  });
  await stage.json(['withdraw', one.id]);
  expect((await stage.baton(['check'])).code).toBe(0);
  expect((await stage.baton(['check', one.id])).code).toBe(1);
});
