import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { openStage, type Stage } from '../doors/stage.ts';
import { verifies } from '../verifies.ts';

const stages: Stage[] = [];

afterEach(() => {
  for (const stage of stages.splice(0)) stage.close();
});

function open(): Stage {
  const stage = openStage({ git: true });
  stages.push(stage);
  return stage;
}

const common = '--status complete --phase 02-auth'.split(' ');

verifies(
  ['FILE.commands', 'FILE.next'],
  'a body from a file or standard input becomes the next version, by flags alone',
  async () => {
    const stage = open();
    writeFileSync(join(stage.folder, 'notes.md'), '# Sessions\r\nNo newline');
    const words = [
      'file',
      'next',
      '--dir',
      'handoffs',
      '--type',
      'findings',
      ...common,
      '--confidence',
      'high',
      '--as',
      'ana',
    ];
    const first = await stage.baton([
      ...words,
      'notes.md',
      '--created',
      '2026-01-24T15:30:00Z',
      '--field',
      'reviewed=no',
    ]);
    const path = join(stage.folder, 'handoffs/findings-001.md');
    expect([first.code, first.stdout, first.stderr]).toEqual([
      0,
      'handoffs/findings-001.md\n',
      expect.stringContaining('baton file read handoffs/findings-001.md'),
    ]);
    expect(readFileSync(path, 'utf8')).toBe(
      "---\ntype: findings\nstatus: complete\ncreated: '2026-01-24T15:30:00Z'\nphase: '02-auth'\nconfidence: high\nreviewed: 'no'\nagent: ana\n---\n# Sessions\r\nNo newline".replace(
        '---\n',
        "---\nversion: '001'\n",
      ),
    );
    const second = await stage.json([...words, '-'], { input: 'from stdin\n' });
    expect(second).toEqual({ path: join(stage.folder, 'handoffs/findings-002.md'), type: 'findings', version: '002' });
    const plan = await stage.json<{ path: string }>(
      [
        'file',
        'next',
        '--dir',
        'handoffs',
        '--type',
        'plan',
        ...common,
        '--task-id',
        '02-01',
        '--task-id',
        '02-02',
        '-',
      ],
      { input: 'x' },
    );
    expect(readFileSync(plan.path, 'utf8')).toContain("task_ids:\n  - '02-01'\n  - '02-02'\n");
    expect(readFileSync(plan.path, 'utf8')).toContain('tasks_created: 2\n');
    const problem = ['--type', 'problem', ...common, '--severity', 'blocker', '--related-task', 'T7', '-'];
    expect(await stage.json(['file', 'next', '--dir', 'handoffs', ...problem], { input: 'x' })).toMatchObject({
      version: '001',
    });
  },
);

verifies(['FILE.commands', 'FILE.revise'], 'a next version continues from a file, and reading shows it', async () => {
  const stage = open();
  mkdirSync(join(stage.folder, 'handoffs'));
  const from = join(stage.folder, 'handoffs/findings-001.md');
  const text =
    '---\nversion: 1\ntype: findings # kind\nstatus: partial\ncreated: 2026-01-24\nphase: 02\nagent: ana\nconfidence: low\n---\n# Body\n';
  writeFileSync(from, text);
  const { path } = await stage.json<{ path: string }>([
    'file',
    'next',
    '--from',
    from,
    '--status',
    'complete',
    '--created',
    '2026-01-25T00:00:00Z',
  ]);
  expect(readFileSync(path, 'utf8')).toBe(
    text
      .replace('version: 1', "version: '002'")
      .replace('partial', 'complete')
      .replace('2026-01-24', "'2026-01-25T00:00:00Z'"),
  );
  const shown = await stage.baton(['file', 'read', path]);
  expect(shown.stdout).toBe(
    'version: 002\ntype: findings\nstatus: complete\ncreated: 2026-01-25T00:00:00Z\nphase: 02\nagent: ana\nconfidence: low\n\n# Body\n',
  );
  const mended = await stage.baton(['file', 'read', from]);
  expect(mended.stderr).toContain('Repaired: version: "1" was read as 001');
  expect(await stage.json(['file', 'read', from])).toMatchObject({
    frontmatter: { version: '001', phase: '02' },
    body: '# Body\n',
    repairs: [expect.any(String)],
  });
});

verifies(['FILE.commands'], 'a version of one’s own is written once; any document can be read', async () => {
  const stage = open();
  const words = [
    'file',
    'write',
    '--file-version',
    '001.1',
    '--type',
    'findings',
    ...common,
    '--confidence',
    'low',
    '-',
  ];
  expect(await stage.json(words, { input: 'x' })).toEqual({
    path: join(stage.folder, 'findings-001.1.md'),
    type: 'findings',
    version: '001.1',
  });
  const again = await stage.baton(words, { input: 'x' });
  expect([again.code, again.stderr]).toEqual([4, expect.stringContaining('Version 001.1 exists already')]);
  const incomplete = await stage.baton(['file', 'next', '--type', 'findings', '-'], { input: 'x' });
  expect([incomplete.code, incomplete.stderr]).toEqual([
    2,
    expect.stringMatching(/status: is missing[\s\S]*phase: is missing[\s\S]*confidence: is missing/),
  ]);
  const bodiless = await stage.baton(['file', 'next', '--type', 'findings']);
  expect([bodiless.code, bodiless.stderr]).toEqual([2, expect.stringContaining('The body of the file is missing.')]);
  const versioned = await stage.baton(['file', 'next', '--from', 'findings-001.1.md', '--field', 'version=9']);
  expect([versioned.code, versioned.stderr]).toEqual([2, expect.stringContaining('given by the folder')]);

  const planner =
    '---\nid: "01-03"\nphase: 01\nplan: 3\nwave: 1\ndepends_on: [01-01]\nmust_haves:\n  truths: [a]\n---\nx';
  writeFileSync(join(stage.folder, 'PLAN.md'), planner);
  expect(await stage.json(['file', 'read', '--any', 'PLAN.md'])).toMatchObject({
    frontmatter: { id: '01-03', phase: '01', plan: 3, wave: 1, depends_on: ['01-01'], must_haves: { truths: ['a'] } },
    body: 'x',
  });
  const refused = await stage.baton(['file', 'read', 'PLAN.md']);
  expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining('The field type is missing')]);
});

verifies(
  ['FILE.check', 'FILE.commands'],
  'check ends with 1 on a finding and names file, line and column; list shows the newest first',
  async () => {
    const stage = open();
    const words = ['file', 'next', '--dir', 'handoffs', '--type', 'findings', ...common, '--confidence', 'low', '-'];
    await stage.json(words, { input: '# One\n' });
    await stage.json(words, { input: '# Two\n' });
    const good = await stage.baton(['file', 'check', 'handoffs']);
    expect([good.code, good.stdout]).toEqual([0, '✓ Nothing is wrong: 2 handoff files in 2 documents.\n']);
    const listed = await stage.baton(['file', 'list', 'handoffs']);
    expect(listed.stdout).toMatch(/^findings 002 .*Two\nfindings 001 .*One\n$/);
    const bad = join(stage.folder, 'handoffs/findings-003.md');
    writeFileSync(bad, '---js\nprocess.exit(0)\n---\n');
    const found = await stage.baton(['file', 'check', 'handoffs/findings-001.md', 'handoffs/findings-003.md']);
    expect([found.code, found.stdout]).toEqual([
      1,
      `handoffs/findings-003.md:1:4: Front matter must be YAML; it is not read: js.\n`,
    ]);
    expect(found.stderr).toContain('1 finding in 2 documents.');
    const none = await stage.baton(['file', 'list', 'nowhere']);
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('There is no handoff file')]);
  },
);

verifies(['FILE.check'], 'as a pre-commit hook, check keeps a broken file out of a commit', async () => {
  const stage = open();
  const hook = join(stage.folder, '.git/hooks/pre-commit');
  mkdirSync(join(stage.folder, '.git/hooks'), { recursive: true });
  const baton = `"${process.execPath}" "${join(import.meta.dirname, '../../packages/batonpass/bin/baton.js')}"`;
  writeFileSync(hook, `#!/bin/sh\nexec ${baton} file check handoffs >&2\n`, { mode: 0o755 });
  mkdirSync(join(stage.folder, 'handoffs'));
  writeFileSync(join(stage.folder, 'handoffs/plan-001.md'), '---\nversion: 001\n');
  stage.git('add', '.');
  expect(() => stage.git('commit', '--quiet', '--message=broken')).toThrowError(/not closed/);
  writeFileSync(
    join(stage.folder, 'handoffs/plan-001.md'),
    '---\nversion: 001\ntype: plan\nstatus: complete\ncreated: 2026-01-24\nphase: a\nagent: b\ntasks_created: 0\ntask_ids: []\n---\n',
  );
  stage.git('add', '.');
  stage.git('commit', '--quiet', '--message=good');
  expect(stage.git('log', '--format=%s', '-1')).toBe('good\n');
});
