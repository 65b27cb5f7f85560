import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect } from 'vitest';
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
  expect((await stage.get(id)).delivery.state).toBe('open');
});
