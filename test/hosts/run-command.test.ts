import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect } from 'vitest';
import { sha256Hex } from '../../packages/batonpass/src/core/canonical-json.ts';
import { isPromptShown } from '../../packages/batonpass/src/operations/sessions/find-prompt.ts';
import { verifies } from '../verifies.ts';
import { HookStage } from './hook-stage.ts';

let stage: HookStage;

beforeEach(() => {
  stage = new HookStage(realpathSync(mkdtempSync(join(tmpdir(), 'baton-run-'))));
  stage.commit();
});

afterEach(() => stage.remove());

interface HostStandIn {
  /** Whether it writes a transcript. */
  keeps: boolean;
  exit_code?: number;
  runs_ms?: number;
}

/** A host that takes its prompt from standard input, as `claude -p` does. */
function installHost({ keeps, exit_code = 0, runs_ms = 0 }: HostStandIn): void {
  const folder = join(stage.folder, 'home/.claude/projects', stage.project.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  const row = `{ type: 'user', uuid: 'a', parentUuid: null, sessionId: 's', cwd: process.cwd(), timestamp: new Date().toISOString(), message: { role: 'user', content: 'Go on.\\n' + text } }`;
  const script = `
    const text = require('node:fs').readFileSync(0, 'utf8');
    if (${keeps}) require('node:fs').writeFileSync('${join(folder, 's.jsonl')}', JSON.stringify(${row}) + '\\n');
    console.log('words: ' + process.argv.slice(2).join(' ') + '; told: ' + text.includes('Finish the login form'));
    process.exitCode = ${exit_code};
    setTimeout(() => {}, ${runs_ms});
  `;
  stage.write('host.cjs', script);
  stage.write('bin/claude', `#!/bin/sh\nexec node '${join(stage.folder, 'host.cjs')}' "$@"\n`);
}

const run = (...words: string[]) => stage.baton(['run', '--', ...words]);

verifies(['CLI.run'], 'a run claims, gives the text with the prompt, and acknowledges by the transcript', async () => {
  installHost({ keeps: true, exit_code: 3 });
  const id = await stage.handOver();
  const { stdout, exit_code } = await run('claude', '-p', 'Go on.', '--model', 'x');
  expect([stdout.trim(), exit_code]).toEqual(['words: -p Go on. --model x; told: true', 3]);
  expect((await stage.get(id)).delivery).toMatchObject({ state: 'acknowledged', acknowledged_by: 'claude-code' });
  const empty = await run('claude', '-p', 'Go on.');
  expect([empty.exit_code, empty.stderr.trim()]).toEqual([1, 'Nothing to claim; the host was not started.']);
});

verifies(['CLI.run'], 'the lease is renewed while the host runs, so that no other receiver takes it', async () => {
  installHost({ keeps: true, runs_ms: 3_500 });
  const id = await stage.handOver();
  const running = stage.baton(['run', '--lease', '1s', '--', 'claude', '-p', 'Go on.']);
  await expect.poll(async () => (await stage.get(id)).delivery.state).toBe('claimed');
  await pause(2_000);
  expect((await stage.baton(['claim', '--as', 'other'])).exit_code).toBe(1);
  await running;
  expect((await stage.get(id)).delivery).toMatchObject({ state: 'acknowledged', attempts: 1 });
});

verifies(['CLI.run'], 'what no transcript shows, or no host was started for, is open again', async () => {
  installHost({ keeps: false });
  const id = await stage.handOver();
  expect((await run('claude', '-p', 'Go on.')).exit_code).toBe(0);
  expect((await stage.get(id)).delivery.state).toBe('open');
  rmSync(join(stage.folder, 'bin/claude'));
  const { exit_code, stderr } = await run('claude', '--print');
  expect([exit_code, stderr]).toEqual([9, expect.stringContaining('cannot be started: claude (ENOENT)')]);
  expect((await stage.get(id)).delivery.state).toBe('open');
});

verifies(['CLI.run'], 'a host that would wait for a person, and an unknown one, are refused', async () => {
  const id = await stage.handOver();
  for (const words of [['claude'], ['codex', 'resume'], ['vim', '-p']]) {
    const { exit_code, stderr } = await run(...words);
    expect([exit_code, stderr]).toEqual([2, expect.stringContaining('baton run -- claude -p')]);
  }
  const refused = '"vim" cannot be run: it is no host\'s program. Those that can: claude, codex, gemini, copilot,';
  const { stderr } = await run('/usr/bin/vim');
  expect(stderr.replaceAll('\n  ', ' ')).toContain(`${refused} opencode, cursor-agent.`);
  expect((await stage.get(id)).delivery.state).toBe('open');
});

verifies(
  ['CLI.run'],
  'only a session of the host that was run, since its run, shows that it got the text',
  async () => {
    const since_ms = Date.parse('2026-09-14T08:00:00.000Z');
    const handoff_id = '01J8Z3K4M5N6P7Q8R9S0T1V2W3';
    const block = '<handoff>\nFinish it.\n</handoff>\n';
    const rendered_sha256 = sha256Hex(block);
    const text = `${block}Handoff ${handoff_id}\nRendered: sha256 ${rendered_sha256}\n`;
    const keep = (path: string, rows: readonly object[], at_ms: number) => {
      const file = join(stage.folder, 'home', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      utimesSync(file, at_ms / 1_000, at_ms / 1_000);
    };
    const keepClaude = (timestamp: string | undefined, at_ms: number) => {
      const message = { role: 'user', content: text };
      const row = { type: 'user', uuid: 'a', parentUuid: null, sessionId: 's', cwd: stage.project, timestamp, message };
      keep(`.claude/projects/${stage.project.replace(/[^A-Za-z0-9]/g, '-')}/s.jsonl`, [row], at_ms);
    };
    const now = '2026-09-14T08:00:01.000Z';
    const message = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
    const rollout = [
      { timestamp: now, type: 'session_meta', payload: { id: 'c', cwd: stage.project } },
      { timestamp: now, type: 'response_item', payload: message },
    ];
    const isShown = (host: 'claude-code' | 'codex') =>
      stage.run((baton) => isPromptShown({ host, since_ms, handoff_id, rendered_sha256 }, baton.context));
    expect(await isShown('codex')).toBe(false);
    keep('.codex/sessions/2026/09/14/rollout-c.jsonl', rollout, since_ms + 2_000);
    expect([await isShown('codex'), await isShown('claude-code')]).toEqual([true, false]);
    // A row without a time is as old as its file.
    keepClaude(undefined, since_ms - 1);
    expect(await isShown('claude-code')).toBe(false);
    keepClaude('2026-09-14T07:59:59.000Z', since_ms + 2_000);
    expect(await isShown('claude-code')).toBe(false);
    keepClaude(undefined, since_ms);
    expect(await isShown('claude-code')).toBe(true);
    keepClaude(now, since_ms + 2_000);
    expect(await isShown('claude-code')).toBe(true);
  },
);
