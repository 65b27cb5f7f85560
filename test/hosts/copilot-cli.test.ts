import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { Handoff } from '../../packages/batonpass/src/index.ts';
import { runAsHost } from '../../packages/batonpass/src/workspace/hosts/host-command.ts';
import { verifies } from '../verifies.ts';
import { HookStage } from './hook-stage.ts';

let stage: HookStage;

beforeEach(() => {
  stage = new HookStage(realpathSync(mkdtempSync(join(tmpdir(), 'baton-copilot-'))));
  stage.commit();
});

afterEach(() => stage.remove());

const A = 'b5b85d9f-2958-4161-96eb-04f4e8695b66';
const B = '992418c5-1276-4a04-84f3-231b99f29278';

const pathOf = (session: string) => join(stage.folder, 'home/.copilot/session-state', session, 'events.jsonl');
const append = (session: string, ...rows: [type: string, data: object][]) => {
  mkdirSync(dirname(pathOf(session)), { recursive: true });
  const lines = rows.map(([type, data]) => ({
    type,
    data,
    id: type,
    timestamp: new Date().toISOString(),
    parentId: null,
  }));
  appendFileSync(pathOf(session), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
};

/** Runs a hook as Copilot CLI does, which names the transcript to few hooks. */
async function hook(session: string, event: string, { host = ' --host copilot-cli', mark = true, payload = {} } = {}) {
  const told = { session_id: session, cwd: stage.project, hook_event_name: event, ...payload };
  const environment = { ...stage.environment, ...(mark && { COPILOT_PROJECT_DIR: stage.project }) };
  const start = { cwd: stage.project, environment, timeout_ms: 30_000, signal: AbortSignal.timeout(40_000) };
  const end = await runAsHost({ line: `baton hook ${event}${host}` }, JSON.stringify(told), start);
  expect([end.exit_code, end.stderr]).toEqual([0, '']);
  return end.stdout === '' ? undefined : (JSON.parse(end.stdout) as { additionalContext?: string });
}

const handoffs = () => stage.run(async (baton) => (await baton.run('handoff.list', {})).handoffs as Handoff[]);
const create = () =>
  stage.run((baton) => baton.run('handoff.create', { content: { summary: 'Finish the login form' } }));

async function waitForSaves(): Promise<void> {
  const folder = join(stage.project, '.git/baton/sessions');
  await expect.poll(() => readdirSync(folder).filter((name) => /\.(?:job|work|lock)\.json$/.test(name))).toEqual([]);
}

verifies(
  ['HOOK.turn', 'PROOF.copilot'],
  'the first prompt starts a session, and is the proof; later ones start nothing',
  async () => {
    await create();
    append(A, ['session.start', { sessionId: A, context: { cwd: stage.project } }]);
    const { additionalContext: text = '' } = (await hook(A, 'UserPromptSubmit')) ?? {};
    expect(text).toContain('Finish the login form');
    await create();
    expect(await hook(A, 'UserPromptSubmit')).toBeUndefined();
    const transformedContent = `Now.\n\nGo on.\n\n<system_reminder>\n${text.trimEnd()}\n</system_reminder>`;
    append(A, ['user.message', { content: 'Go on.', transformedContent }]);
    const states = (await handoffs()).map(({ delivery }) => [delivery.state, delivery.injected?.session]);
    expect(states).toEqual([
      ['open', undefined],
      ['acknowledged', A],
    ]);
  },
);

verifies(
  ['HOOK.turn', 'HOOK.compact'],
  'a session that was compacted gets its own save back with its next prompt',
  async () => {
    await hook(A, 'UserPromptSubmit');
    append(
      A,
      ['session.start', { sessionId: A, context: { cwd: stage.project } }],
      ['user.message', { content: 'Which store? Use Redis, not Postgres.' }],
      ['assistant.message', { content: 'I will use Redis for the counters instead of Postgres.', toolRequests: [] }],
    );
    await hook(A, 'PreCompact', { payload: { trigger: 'manual', transcript_path: pathOf(A) } });
    await waitForSaves();
    const { additionalContext } = (await hook(A, 'UserPromptSubmit')) ?? {};
    expect(additionalContext).toContain('Redis');
    expect(await hook(A, 'UserPromptSubmit')).toBeUndefined();
    await hook(A, 'SessionEnd', { payload: { reason: 'user_exit' } });
    await waitForSaves();
    expect((await hook(B, 'UserPromptSubmit'))?.additionalContext).toContain('Redis');
  },
);

verifies(['HOOK.other-host'], 'a hook does nothing where another host runs it', async () => {
  await create();
  expect(await hook(A, 'SessionStart', { host: '' })).toBeUndefined();
  expect(await hook(A, 'UserPromptSubmit', { mark: false })).toBeUndefined();
  const log = readFileSync(join(stage.project, '.git/baton/hooks.jsonl'), 'utf8').trimEnd().split('\n');
  expect(log.map((line) => JSON.parse(line).outcome)).toEqual(Array(2).fill('Another host runs this hook.'));
  expect((await handoffs())[0]?.delivery.state).toBe('open');
});
