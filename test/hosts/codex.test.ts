import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
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

beforeEach(async () => {
  stage = new HookStage(realpathSync(mkdtempSync(join(tmpdir(), 'baton-codex-'))));
  mkdirSync(join(stage.folder, 'home/.codex'));
  await stage.register();
});

afterEach(() => stage.remove());

const A = '01a20a01-578f-75c1-ac0d-7e369f056931';
const B = '01a20a01-8da7-72e3-804c-90b71cd8dfc0';

/** A rollout as Codex 0.169 writes it, as far as it is read. */
function writeRollout(session: string, { originator = 'codex-tui', source = 'vscode' } = {}): string {
  const path = join(stage.folder, `home/.codex/rollout-${session}.jsonl`);
  const said = (role: string, text: string) => ({
    type: 'response_item',
    payload: { type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] },
  });
  const call = { call_id: 'call_1', name: 'exec_command', arguments: '{"cmd":"npm test"}' };
  const rows = [
    { type: 'session_meta', payload: { id: session, cwd: stage.project, originator, cli_version: '0.169.0', source } },
    said('user', '<environment_context>\n  <cwd>/x</cwd>\n</environment_context>'),
    said('user', 'Use Postgres for the jobs, not Redis: we already run it.'),
    { type: 'response_item', payload: { type: 'function_call', ...call } },
    { type: 'token_usage_record', payload: { session_id: session } },
    {
      type: 'response_item',
      payload: {
        type: 'function_call_output',
        call_id: 'call_1',
        output: 'Process exited with code 1\nOutput:\n1 failed',
      },
    },
    said('assistant', 'The jobs are in Postgres now.'),
  ];
  const lines = rows.map((row, ordinal) => JSON.stringify({ timestamp: '2026-11-23T20:03:09.952Z', ordinal, ...row }));
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

/** What Codex records of a hook's text. */
function proofRow(text: string, kinds = ['hooks.additional_context']): string {
  const content = [{ type: 'input_text', text }];
  const passthrough = { internal_chat_message_metadata_passthrough: { content_item_kinds: kinds } };
  const payload = { type: 'message', role: 'developer', content, ...passthrough };
  return `${JSON.stringify({ timestamp: '2026-11-23T20:04:00.000Z', type: 'response_item', payload })}\n`;
}

interface Answer {
  systemMessage?: string;
  hookSpecificOutput?: { hookEventName: string; additionalContext: string };
}

/** Runs what is registered for an event, as the host does: a line for the shell. */
async function hook(event: string, session: string, transcript_path: string, fields = {}): Promise<Answer> {
  const settings = JSON.parse(readFileSync(join(stage.project, '.codex/hooks.json'), 'utf8'));
  const [{ hooks }] = settings.hooks[event];
  const payload = { session_id: session, transcript_path, cwd: stage.project, hook_event_name: event, ...fields };
  const start = {
    cwd: stage.project,
    environment: stage.environment,
    timeout_ms: 20_000,
    signal: AbortSignal.timeout(30_000),
  };
  const end = await runAsHost({ line: hooks[0].command }, JSON.stringify(payload), start);
  expect([end.exit_code, end.stderr]).toEqual([0, '']);
  return end.stdout === '' ? {} : (JSON.parse(end.stdout) as Answer);
}

const handoffs = () => stage.run(async (baton) => (await baton.run('handoff.list', {})).handoffs as Handoff[]);

/** Waits until the workers in the background have saved what hooks noted. */
async function saved(): Promise<void> {
  const sessions = join(stage.project, '.git/baton/sessions');
  await expect.poll(() => readdirSync(sessions).filter((name) => /\.(?:job|work|lock)\.json$/.test(name))).toEqual([]);
}

async function save(session: string, transcript: string): Promise<void> {
  await hook('Stop', session, transcript, {
    stop_hook_active: false,
    last_assistant_message: 'The jobs are in Postgres now.',
  });
  await hook('SessionEnd', session, transcript, { reason: 'other' });
  await saved();
}

verifies(
  ['HOOK.codex', 'PROOF.codex', 'HOOK.notice'],
  'a session of Codex hands over to the next, provably',
  async () => {
    await save(A, writeRollout(A));
    const [saved] = await handoffs();
    expect(saved?.content).toMatchObject({
      source_agent: 'codex',
      kind: 'context',
      origin: { host: 'codex', session: A },
    });
    expect(JSON.stringify(saved?.content)).not.toContain('environment_context');

    const transcript = writeRollout(B);
    const { hookSpecificOutput, systemMessage } = await hook('SessionStart', B, transcript, { source: 'startup' });
    const text = hookSpecificOutput?.additionalContext ?? '';
    expect(text).toContain(saved?.id);
    expect(systemMessage).toMatch(
      /^Baton: this session continues from \w{8} \(codex, just now\).*Look: baton show \w{8}$/,
    );
    appendFileSync(transcript, proofRow(text, ['skills']));
    expect((await handoffs())[0]?.delivery.state).toBe('claimed');
    appendFileSync(transcript, proofRow(text));
    expect((await handoffs())[0]?.delivery).toMatchObject({
      state: 'acknowledged',
      injected: { session: B },
    });
  },
);

verifies(
  ['HOOK.codex', 'HOOK.interactive'],
  'a run of codex exec saves a result at most, and takes nothing',
  async () => {
    await stage.run((baton) =>
      baton.run('handoff.create', { content: { summary: 'Waits.', decisions: ['Use SQLite'] } }),
    );
    const transcript = writeRollout(A, { originator: 'codex_exec', source: 'exec' });
    expect(await hook('SessionStart', A, transcript, { source: 'startup' })).toEqual({});
    await save(A, transcript);
    expect((await handoffs()).filter(({ content }) => content.kind !== 'result')).toHaveLength(1);
  },
);

/** A person's Codex in the project, as the system shows it: a process of that name. */
function startProgram(): ChildProcess {
  const path = join(stage.folder, 'codex');
  if (!existsSync(path))
    copyFileSync(execFileSync('/bin/sh', ['-c', 'command -v sleep'], { encoding: 'utf8' }).trim(), path);
  return spawn(path, ['60'], { cwd: stage.project, stdio: 'ignore' });
}

async function quit(program: ChildProcess): Promise<void> {
  const ended = once(program, 'exit');
  program.kill();
  await ended;
}

/** Runs a hook as the server does in which the sessions of all persons' programs are. */
function hookOfServer(event: string, session: string, transcript_path: string): string {
  const settings = JSON.parse(readFileSync(join(stage.project, '.codex/hooks.json'), 'utf8'));
  const payload = JSON.stringify({ session_id: session, transcript_path, cwd: stage.project, source: 'startup' });
  const run = `const { spawnSync } = require('node:child_process');
    const stdio = ['inherit', 'inherit', 'inherit'];
    spawnSync('/bin/sh', ['-c', process.argv[1]], { stdio });`;
  const words = ['-e', run, settings.hooks[event][0].hooks[0].command, 'app-server'];
  const { environment: env, project: cwd } = stage;
  return spawnSync(process.execPath, words, { cwd, env, input: payload, encoding: 'utf8' }).stdout;
}

verifies(
  ['HOOK.codex', 'HOOK.release'],
  'what a session of Codex did not show is offered again once the person has quit, though its server runs on',
  async () => {
    // Only Linux says which processes are in a folder.
    if (process.platform !== 'linux') return;
    const id = await stage.handOver();
    const first = startProgram();
    const transcript = writeRollout(A);
    expect(hookOfServer('SessionStart', A, transcript)).toContain(id);
    await quit(first);
    hookOfServer('Stop', A, transcript);
    await saved();
    const second = startProgram();
    expect(hookOfServer('SessionStart', B, writeRollout(B))).toContain(id);
    await quit(second);
  },
);

verifies(['HOOK.notice'], 'the person is notified of the first save, and of a failure, once each', async () => {
  const transcript = writeRollout(A);
  const stop = () => hook('Stop', A, transcript, { stop_hook_active: false });
  expect(await stop()).toEqual({});
  await saved();
  expect((await stop()).systemMessage).toMatch(/^Baton: this session is saved as \w{8}/);
  await saved();
  expect(await stop()).toEqual({});
});

verifies(
  ['INIT.codex', 'INIT.undo'],
  'where Codex is, init registers its hooks and server, and undoes both',
  async () => {
    expect(existsSync(join(stage.project, '.codex/hooks.json'))).toBe(true);
    expect(readFileSync(join(stage.project, '.codex/config.toml'), 'utf8')).toBe(
      '[mcp_servers.baton]\ncommand = "baton"\nargs = ["mcp"]\n',
    );
    const { next } = await stage.run((baton) => baton.run('project.init', { dry_run: true }));
    expect(next.join('\n')).toMatch(/In Codex: .*Trust all and continue/);
    await stage.run((baton) => baton.run('project.init', { undo: true }));
    expect(existsSync(join(stage.project, '.codex'))).toBe(false);
    const { files } = await stage.run((baton) => baton.run('project.init', { hosts: ['claude-code'], dry_run: true }));
    expect(files.some(({ path }) => path.includes('.codex'))).toBe(false);
  },
);

verifies(['DOCTOR.host'], 'doctor names a host that is too old, and untrusted hooks', async () => {
  stage.write('bin/codex', '#!/bin/sh\necho codex-cli 0.98.0\n');
  const found = async () => (await stage.diagnose()).findings.filter(({ id }) => /^host|untrusted/.test(id));
  expect((await found()).map(({ id, level }) => [id, level])).toEqual([
    ['host-too-old', 'warning'],
    ['hooks-untrusted', 'warning'],
  ]);
  stage.write('bin/codex', '#!/bin/sh\necho codex-cli 0.169.1\n');
  const file = join(stage.project, '.codex/hooks.json');
  const trusted = ['session_start', 'user_prompt_submit', 'pre_compact', 'stop', 'subagent_stop', 'session_end'].map(
    (event) => `[hooks.state."${file}:${event}:0:0"]\ntrusted_hash = "sha256:00"\n`,
  );
  writeFileSync(join(stage.folder, 'home/.codex/config.toml'), trusted.join('\n'));
  expect((await found()).map(({ id }) => id)).toEqual(['host-found']);
});
