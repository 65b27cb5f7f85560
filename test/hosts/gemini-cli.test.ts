import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { Handoff } from '../../packages/batonpass/src/index.ts';
import { runAsHost } from '../../packages/batonpass/src/workspace/hosts/host-command.ts';
import { verifies } from '../verifies.ts';
import { HookStage } from './hook-stage.ts';

let stage: HookStage;

beforeEach(() => {
  stage = new HookStage(realpathSync(mkdtempSync(join(tmpdir(), 'baton-gemini-'))));
  mkdirSync(join(stage.project, '.gemini'));
  stage.commit();
});

afterEach(() => stage.remove());

const settingsPath = () => join(stage.project, '.gemini/settings.json');
const readSettings = () => readFileSync(settingsPath(), 'utf8');
const init = (input: object = {}) => stage.run((baton) => baton.run('project.init', input));

const mine = '{\n  // mine\n  "ui": { "theme": "Dark" }\n}\n';

verifies(
  ['INIT.shared-file'],
  'hooks and the server of Gemini CLI go into its one file, and out of it again',
  async () => {
    writeFileSync(settingsPath(), mine);
    const { files } = await init();
    expect(files.map(({ path }) => path.slice(stage.project.length + 1))).toEqual([
      '.mcp.json',
      '.claude/settings.json',
      '.gemini/settings.json',
      'CLAUDE.md',
      'GEMINI.md',
      'AGENTS.md',
    ]);
    expect(readSettings()).toMatch(/^\{\n {2}\/\/ mine\n/);
    expect(JSON.parse(readSettings().replace('// mine', ''))).toMatchObject({
      mcpServers: { baton: { command: 'baton', args: ['mcp'] } },
      hooks: {
        BeforeAgent: [
          {
            hooks: [
              {
                name: 'baton',
                type: 'command',
                command: 'baton hook BeforeAgent --host gemini-cli || exit 0',
                timeout: 10_000,
              },
            ],
          },
        ],
        PreCompress: [{ matcher: 'manual' }],
      },
    });
    expect((await init()).files.every(({ action }) => action === 'none')).toBe(true);
    await init({ undo: true });
    expect(readSettings()).toBe(mine);
  },
);

verifies(
  ['INIT.shared-file'],
  'of a shared file one part is undone, and the other stays until it is undone too',
  async () => {
    writeFileSync(settingsPath(), mine);
    await init();
    await init({ undo: true, only: ['hooks'] });
    expect(readSettings()).not.toContain('hook');
    expect(readSettings()).toContain('mcpServers');
    await init({ undo: true, only: ['mcp'] });
    expect(readSettings()).toBe(mine);
  },
);

const A = '2fd4989f-bab1-43ec-a2c7-7ec5a9a93102';
const B = '79ed128a-9547-46ca-a6eb-1ac6c89a8ba7';

const pathOf = (session: string) => join(stage.folder, `home/chat-${session.slice(0, 8)}.jsonl`);
const append = (session: string, ...rows: object[]) =>
  appendFileSync(pathOf(session), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));

/** A chat file as Gemini CLI 0.61 writes it, as far as it is read. */
function writeChat(session: string): void {
  const at = '2026-11-23T20:03:09.952Z';
  append(
    session,
    { sessionId: session, projectHash: '0'.repeat(64), startTime: at, kind: 'main' },
    {
      id: `${session} 1`,
      timestamp: at,
      type: 'user',
      content: [{ text: 'Use Postgres for the jobs, not Redis & co: we already run it.' }],
    },
    { id: `${session} 2`, timestamp: at, type: 'gemini', content: 'The jobs are in Postgres now: a &lt; b.' },
  );
}

/** What the host records of a hook's text: it makes entities of tags, and of nothing else. */
const recorded = (text: string) =>
  `<hook_context>${text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</hook_context>`;
const said = (id: string, ...texts: string[]) => ({
  id,
  timestamp: '2026-11-23T20:04:00.000Z',
  type: 'user',
  content: texts.map((text) => ({ text })),
  ...(texts.length > 1 && { displayContent: [{ text: texts[0] }] }),
});

/** Runs what is registered for an event, as the host does, and gives the text for the model. */
async function hook(event: string, session: string, fields: object = {}): Promise<string> {
  const { hooks } = JSON.parse(readSettings());
  const payload = {
    session_id: session,
    transcript_path: pathOf(session),
    cwd: stage.project,
    hook_event_name: event,
    ...fields,
  };
  const start = {
    cwd: stage.project,
    environment: stage.environment,
    timeout_ms: 20_000,
    signal: AbortSignal.timeout(30_000),
  };
  const end = await runAsHost({ line: hooks[event][0].hooks[0].command }, JSON.stringify(payload), start);
  expect([end.exit_code, end.stderr]).toEqual([0, '']);
  return end.stdout === '' ? '' : (JSON.parse(end.stdout).hookSpecificOutput?.additionalContext ?? '');
}

const handoffs = () => stage.run(async (baton) => (await baton.run('handoff.list', {})).handoffs as Handoff[]);

async function save(session: string, event = 'SessionEnd', fields: object = { reason: 'exit' }): Promise<void> {
  await hook(event, session, fields);
  const folder = join(stage.project, '.git/baton/sessions');
  await expect.poll(() => readdirSync(folder).filter((name) => /\.(?:job|work|lock)\.json$/.test(name))).toEqual([]);
}

verifies(['PROOF.gemini', 'HOOK.save'], 'a session of Gemini CLI hands over to the next, provably', async () => {
  await init();
  writeChat(A);
  await hook('BeforeAgent', A, { prompt: 'Use Postgres.' });
  await save(A);
  const text = await hook('BeforeAgent', B, { prompt: 'Look.' });
  const [saved] = await handoffs();
  expect(saved?.content.origin).toMatchObject({ host: 'gemini-cli', session: A });
  expect(text).toContain(saved?.id);
  // What a file or the person shows within a prompt is no proof.
  append(B, said('1', 'Look at @note.', recorded(text), 'Yes.'), { ...said('2', recorded(text)), type: 'info' });
  const { displayContent: _shown, ...typed } = said('3', 'Look.', recorded(text));
  append(B, typed);
  expect((await handoffs())[0]?.delivery.state).toBe('claimed');
  append(B, said('4', 'Look.', recorded(text)));
  expect((await handoffs())[0]?.delivery).toMatchObject({ state: 'acknowledged', injected: { session: B } });
});

verifies(
  ['HOOK.turn', 'PROOF.gemini'],
  'after /clear the next prompt is given the results of the cleared session',
  async () => {
    await init();
    writeChat(A);
    await hook('BeforeAgent', A, { prompt: 'Use Postgres.' });
    await save(A, 'SessionEnd', { reason: 'clear' });
    const text = await hook('BeforeAgent', B, { prompt: 'Go on.' });
    append(B, said('1', 'Go on.', recorded(text)));
    expect((await handoffs())[0]?.delivery).toMatchObject({ state: 'acknowledged', injected: { session: B } });
    expect(await hook('BeforeAgent', B, { prompt: 'And more.' })).toBe('');
  },
);

verifies(['HOOK.deferred', 'HOOK.compact'], 'after /compress the next prompt gets the session’s own save', async () => {
  await init();
  writeChat(A);
  await hook('BeforeAgent', A, { prompt: 'Use Postgres.' });
  await save(A, 'PreCompress', { trigger: 'manual' });
  const text = await hook('BeforeAgent', A, { prompt: 'Go on.' });
  append(A, said('9', 'Go on.', recorded(text)));
  expect((await handoffs())[0]?.delivery).toMatchObject({ state: 'acknowledged', injected: { session: A } });
});

verifies(
  ['HOOK.harmless'],
  'where the command is gone, a hook of Gemini CLI still ends well: it would block each prompt',
  async () => {
    await init();
    rmSync(join(stage.folder, 'bin/baton'));
    const { hooks } = JSON.parse(readSettings());
    const start = {
      cwd: stage.project,
      environment: stage.environment,
      timeout_ms: 20_000,
      signal: AbortSignal.timeout(30_000),
    };
    const end = await runAsHost({ line: hooks.BeforeAgent[0].hooks[0].command }, '{}', start);
    expect([end.exit_code, end.stdout]).toEqual([0, '']);
  },
);
