import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { findSessions } from '../../packages/batonpass/src/transcripts/find-sessions.ts';
import { sessionFolders } from '../../packages/batonpass/src/workspace/hosts/init-targets.ts';
import { verifies } from '../verifies.ts';
import { userRow } from './rows.ts';

let home = '';

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'baton-home-'));
});

afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

async function keep(name: string, cwd: string, said: string | readonly string[], day: number): Promise<void> {
  const folder = join(home, '.claude', 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-').slice(0, 200));
  await mkdir(folder, { recursive: true });
  const rows = [
    JSON.stringify({ type: 'file-history-snapshot', messageId: 'x' }),
    userRow('<command-name>/clear</command-name>', { cwd, sessionId: name }),
    ...[said].flat().map((text) => userRow(text, { cwd, sessionId: name })),
  ];
  const path = join(folder, `${name}.jsonl`);
  await writeFile(path, `${rows.join('\n')}\n`);
  const at = new Date(Date.UTC(2026, 8, day));
  await utimes(path, at, at);
}

const find = async (project: string, worktrees?: string[]) =>
  (
    await findSessions({
      project,
      folders: sessionFolders({ HOME: home }),
      ...(worktrees === undefined ? {} : { worktrees }),
    })
  ).map(({ session, title }) => `${session}: ${title}`);

describe('sessions of a project', () => {
  verifies(
    ['TRANSCRIPT.sessions'],
    'are those whose rows name the project or a folder below it, newest first',
    async () => {
      await keep('old', '/code/tide-pool', 'Start.', 1);
      await keep('below', '/code/tide-pool/packages/map', 'Draw\nthe map.', 3);
      await keep('new', '/code/tide-pool', 'Go on.', 2);
      await keep('other', '/code/tide/pool', 'Not this one.', 4);
      await keep('longer', '/code/tide-pool-docs', 'Nor this one.', 5);
      expect(await find('/code/tide-pool')).toEqual(['below: Draw the map.', 'new: Go on.', 'old: Start.']);
    },
  );

  verifies(['TRANSCRIPT.sessions'], 'are found in worktrees elsewhere and under names that the host cut', async () => {
    const long = `/code/${'deep/'.repeat(60)}tide`;
    await keep('deep', long, 'Down here.', 1);
    await keep('tree', '/trees/limit', 'In a worktree.', 2);
    expect(await find(long)).toEqual(['deep: Down here.']);
    expect(await find('/code/tide', ['/trees/limit/'])).toEqual(['tree: In a worktree.']);
  });

  verifies(
    ['TRANSCRIPT.sessions', 'TRANSCRIPT.masked'],
    'have a title of one line without secrets, and their facts',
    async () => {
      await keep('one', '/code/tide', `Use ${`gh${'p_'}`}${'a1B2c3D4e5'.repeat(4)} ${'and go on '.repeat(30)}`, 1);
      const [session] = await findSessions({ project: '/code/tide', folders: sessionFolders({ HOME: home }) });
      expect(session).toMatchObject({
        host: 'claude-code',
        cwd: '/code/tide',
        started_at: '2026-09-14T08:00:00.000Z',
        modified_at: '2026-09-01T00:00:00.000Z',
      });
      expect(session?.title).toMatch(/^Use \[masked:github-token\] and go on .*…$/);
      expect(session?.title.length).toBeLessThanOrEqual(100);
    },
  );

  verifies(['TRANSCRIPT.sessions'], 'have a title of a hundred characters at most, cut at a word', async () => {
    const cases: [string, string][] = [
      ['a'.repeat(100), 'a'.repeat(100)],
      ['a'.repeat(101), `${'a'.repeat(99)}…`],
      [`${'a'.repeat(51)} ${'b'.repeat(60)}`, `${'a'.repeat(51)}…`],
      // A cut this early would lose more than half.
      [`${'a'.repeat(50)} ${'b'.repeat(60)}`, `${'a'.repeat(50)} ${'b'.repeat(48)}…`],
      [`${'a'.repeat(98)}🌊🌊`, `${'a'.repeat(98)}\uFFFD…`],
    ];
    for (const [said, title] of cases) {
      await keep('one', '/code/tide', said, 1);
      expect(await find('/code/tide')).toEqual([`one: ${title}`]);
    }
  });

  verifies(['TRANSCRIPT.sessions'], 'have the first request that names the work as their title', async () => {
    const cases: [string[], string][] = [
      [['continue', 'go on!', 'Draw the map.', 'Fix it now.'], 'Draw the map.'],
      [['', 'continue'], 'continue'],
      [['## User Input\n\n```text\nDraw the map.\n```\n'], 'Draw the map.'],
    ];
    for (const [said, title] of cases) {
      await keep('one', '/code/tide', said, 1);
      expect(await find('/code/tide')).toEqual([`one: ${title}`]);
    }
  });

  verifies(['TRANSCRIPT.sessions'], 'are none where the host never ran, and broken files are skipped', async () => {
    expect(await find('/code/tide')).toEqual([]);
    await keep('one', '/code/tide', 'Hello.', 1);
    await writeFile(join(home, '.claude', 'projects', '-code-tide', 'torn.jsonl'), '{"type":"us');
    await mkdir(join(home, '.claude', 'projects', '-code-tide', 'folder.jsonl'));
    expect(await find('/code/tide')).toEqual(['one: Hello.']);
  });
});
