import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openBaton } from '../../packages/batonpass/src/index.ts';
import { afterEachTest } from '../after-each-test.ts';
import { openStage } from '../doors/stage.ts';
import { verifies } from '../verifies.ts';

const stages: { close: () => void }[] = [];
afterEachTest(() => {
  for (const stage of stages.splice(0)) stage.close();
});

const row = (session: string, text: string) =>
  `${JSON.stringify({ type: 'user', uuid: 'a', parentUuid: null, sessionId: session, cwd: '/elsewhere', timestamp: '2026-01-01T00:00:00Z', message: { role: 'user', content: text } })}\n`;

const rollout = `${[
  { type: 'session_meta', payload: { id: 'codex-1', cwd: '/elsewhere' } },
  {
    type: 'response_item',
    payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Use Postgres, not Redis.' }] },
  },
]
  .map((each) => JSON.stringify({ timestamp: '2026-01-02T00:00:00Z', ...each }))
  .join('\n')}\n`;

interface Commit {
  branch: string;
  author: string;
  at: number;
  files: Record<string, string>;
}

/** A repository with these commits, and nothing of them in a work tree. */
async function openRepository(commits: readonly Commit[]) {
  const stage = openStage({ git: true });
  stages.push(stage);
  const { folder, environment } = stage;
  const lines = commits.flatMap(({ branch, author, at, files }) => [
    `commit refs/${branch}\ncommitter ${author} <a@example.com> ${at} +0000\ndata 0\n`,
    ...Object.entries(files).map(
      ([path, text]) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
    ),
  ]);
  execFileSync('git', ['fast-import', '--quiet'], { cwd: folder, input: lines.join('') });
  return openBaton({ cwd: folder, environment });
}

const branch = 'heads/entire/checkpoints/v1';

verifies(
  ['READ.repository'],
  'sessions on the Entire CLI’s branch are listed with author, date and request',
  async () => {
    const baton = await openRepository([
      {
        branch,
        author: 'Ada',
        at: 1_767_225_600,
        files: { '0f/aaaaaaaaaa/0/full.jsonl': row('one', 'Fix the login.') },
      },
      {
        branch,
        author: 'Grace',
        at: 1_767_312_000,
        files: {
          '0f/aaaaaaaaaa/metadata.json': '{}',
          '10/bbbbbbbbbb/0/full.jsonl': row('one', 'Fix the login.') + row('one', 'And the logout.'),
          '10/bbbbbbbbbb/1/full.jsonl': rollout,
        },
      },
    ]);
    const { sessions } = await baton.run('conversation.list', { repository: true });
    expect(
      sessions.map(({ path, host, session, author, modified_at, title }) => [
        path,
        host,
        session,
        author,
        modified_at,
        title,
      ]),
    ).toEqual([
      [
        'entire/checkpoints/v1:10/bbbbbbbbbb/0/full.jsonl',
        'claude-code',
        'one',
        'Grace',
        '2026-01-02T00:00:00.000Z',
        'Fix the login.',
      ],
      [
        'entire/checkpoints/v1:10/bbbbbbbbbb/1/full.jsonl',
        'codex',
        'codex-1',
        'Grace',
        '2026-01-02T00:00:00.000Z',
        'Use Postgres, not Redis.',
      ],
    ]);
    for (const name of [sessions[1]?.path, 'codex-1']) {
      const { messages } = await baton.run('conversation.read', { repository: name });
      expect(messages.map(({ text }) => text)).toEqual(['Use Postgres, not Redis.']);
    }
    const { form, handoff } = await baton.run('handoff.import', { repository: 'codex-1' });
    expect([form, handoff.content.origin]).toMatchObject(['conversation', { host: 'codex', session: 'codex-1' }]);
    const both = baton.run('handoff.import', { repository: 'codex-1', last: true });
    await expect(both).rejects.toMatchObject({ code: 'invalid_input' });
    for (const name of ['HEAD:secret', '--help', 'entire/checkpoints/v1:0f/../x']) {
      await expect(baton.run('conversation.read', { repository: name })).rejects.toMatchObject({
        code: 'file_not_found',
      });
    }
  },
);

verifies(
  ['READ.repository'],
  'a branch that was only fetched counts, and a repository that keeps none is empty',
  async () => {
    const fetched = await openRepository([
      {
        branch: 'remotes/origin/entire/checkpoints/v1',
        author: 'Ada',
        at: 1_767_225_600,
        files: { '0f/aaaaaaaaaa/0/full.jsonl': row('one', 'Hello.') },
      },
    ]);
    expect((await fetched.run('conversation.list', { repository: true })).sessions).toMatchObject([
      { path: 'origin/entire/checkpoints/v1:0f/aaaaaaaaaa/0/full.jsonl', author: 'Ada' },
    ]);
    const empty = await openRepository([]);
    expect((await empty.run('conversation.list', { repository: true })).sessions).toEqual([]);
  },
);

verifies(
  ['READ.repository'],
  'SpecStory’s history is read from the commit that is checked out, also where no file of it is there',
  async () => {
    const stage = openStage({ git: true });
    stages.push(stage);
    const { folder, environment, git } = stage;
    const history = join(folder, '.specstory/history');
    mkdirSync(history, { recursive: true });
    const name = '2026-01-03_10-00-00Z-fix-the-login.md';
    const said = '<!-- Generated by SpecStory -->\n\n_**User**_\n\nFix the login.\n\n---\n\n_**Assistant**_\n\nDone.\n';
    writeFileSync(join(history, name), said);
    writeFileSync(join(history, 'notes.txt'), 'no session');
    git('add', '.');
    git('commit', '--quiet', '--message=Keep the session', '--author=Ada <ada@example.com>');
    rmSync(join(folder, '.specstory'), { recursive: true });
    const baton = await openBaton({ cwd: folder, environment });
    const { sessions } = await baton.run('conversation.list', { repository: true });
    expect(sessions).toMatchObject([
      { path: `HEAD:.specstory/history/${name}`, host: 'specstory', author: 'Ada', title: 'Fix the login.' },
    ]);
    const { messages } = await baton.run('conversation.read', { repository: sessions[0]?.path });
    expect(messages.map(({ text }) => text)).toEqual(['Fix the login.', 'Done.']);
    await baton.close();
  },
);
