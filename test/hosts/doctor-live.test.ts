import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { openBaton } from '../../packages/batonpass/src/operations/baton.ts';
import { diagnosisBounds } from '../../packages/batonpass/src/operations/doctor/diagnose-bounds.ts';
import { diagnoseLive } from '../../packages/batonpass/src/operations/doctor/diagnose-live.ts';
import { verifies } from '../verifies.ts';
import { type Diagnosis, HookStage, program } from './hook-stage.ts';
import { until } from './real/until.ts';

/** One turn of each installed host, with a program that behaves as Claude Code does; the real ones are played by `npm run hosts`. */

let stage: HookStage;

beforeEach(() => {
  stage = new HookStage(realpathSync(mkdtempSync(join(tmpdir(), 'baton-live-'))));
  // The library makes its folders where this process has its temporary files.
  vi.stubEnv('TMPDIR', stage.environment.TMPDIR);
  stage.commit();
});

afterEach(() => {
  vi.unstubAllEnvs();
  expect(stage.listLeft()).toEqual([]);
  stage.remove();
});

const noted = () => join(stage.folder, 'noted.json');
const script = join(import.meta.dirname, 'claude-code-turn.ts');

function install(manner: 'works' | 'deaf' | 'forgetful' | 'hangs'): void {
  stage.write('bin/claude', `#!/bin/sh\nexec '${process.execPath}' '${script}' ${manner} '${noted()}' "$@"\n`);
}

async function tryHosts(): Promise<Diagnosis & { stderr: string }> {
  const { stdout, stderr, exit_code } = await stage.baton(['doctor', '--live', '--json']);
  return { ...(JSON.parse(stdout) as Diagnosis), exit_code, stderr };
}

verifies(
  ['DOCTOR.live', 'DOCTOR.live-apart'],
  'a host that works gives its model the handoff and proves it, and nothing of the person’s takes part',
  async () => {
    install('works');
    const persons = { ANTHROPIC_API_KEY: 'sk-the-persons-own', HTTPS_PROXY: 'http://127.0.0.1:9', BATON_AGENT: 'sam' };
    stage.environment = { ...stage.environment, ...persons };
    const id = await stage.handOver();
    const files = () => [stage.project, join(stage.folder, 'home'), join(stage.folder, 'state')].map(listFiles);
    const before = files();
    const { findings, turns, exit_code, stderr } = await tryHosts();
    expect(findings).toMatchObject([{ id: 'turn-works', level: 'ok', about: 'claude-code' }]);
    expect(turns).toEqual([
      {
        host: 'claude-code',
        program: join(stage.folder, 'bin/claude'),
        version: '2.1.197',
        delivered: true,
        proven: true,
        hooks: ['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd'],
        took_ms: expect.any(Number),
      },
    ]);
    expect(exit_code).toBe(0);
    expect(stderr).toContain('Claude Code: one turn');
    expect(files()).toEqual(before);
    expect((await stage.get(id)).delivery.state).toBe('open');
    const { environment } = JSON.parse(readFileSync(noted(), 'utf8')) as { environment: Record<string, string> };
    expect(Object.values(environment).filter((value) => Object.values(persons).includes(value))).toEqual([]);
    expect(environment.HOME).not.toBe(stage.environment.HOME);
  },
);

verifies(['DOCTOR.live'], 'a host whose model does not get a hook’s output is named', async () => {
  install('deaf');
  const { findings, turns, exit_code } = await tryHosts();
  expect(turns).toMatchObject([{ delivered: false }]);
  expect(findings).toMatchObject([{ id: 'turn-fails', level: 'problem' }]);
  expect(findings[0]?.what).toMatch(/its hook gave the handoff, and its model was not given it/);
  expect(exit_code).toBe(1);
});

verifies(['DOCTOR.live'], 'a host whose own record does not show the handoff is named', async () => {
  install('forgetful');
  const { findings, turns } = await tryHosts();
  expect(turns).toMatchObject([{ delivered: true, proven: false }]);
  expect(findings[0]?.what).toMatch(/its own record does not show it/);
});

verifies(['DOCTOR.live'], 'where no host is installed, that is the answer', async () => {
  const { findings, exit_code } = await tryHosts();
  expect(findings).toMatchObject([{ id: 'no-host-found', level: 'problem' }]);
  expect(findings[0]?.what).toContain('claude, codex, gemini, copilot, opencode');
  expect(exit_code).toBe(1);
});

verifies(
  ['DOCTOR.bounded', 'DOCTOR.live'],
  'a host that hangs is ended after its time, with what it has started',
  async () => {
    install('hangs');
    const baton = await openBaton({ cwd: stage.project, environment: stage.environment });
    const context = { ...baton.context, signal: new AbortController().signal };
    const { findings } = await diagnoseLive(context, { ...diagnosisBounds, turn_ms: 1_500 });
    await baton.close();
    expect(findings[0]?.what).toMatch(/did not end within 1\.\d s/);
    await expectEnded();
  },
);

verifies(['DOCTOR.live-apart'], 'an interrupted trial leaves nothing behind, file or process', async () => {
  install('hangs');
  const words = [program, 'doctor', '--live'];
  const child = spawn(process.execPath, words, { cwd: stage.project, env: stage.environment, stdio: 'ignore' });
  await until(
    () => existsSync(noted()),
    () => 'the host to be started',
  );
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([130, null]);
  expect(stage.listLeft()).toEqual([]);
  await expectEnded();
});

async function expectEnded(): Promise<void> {
  const { pid } = JSON.parse(readFileSync(noted(), 'utf8')) as { pid: number };
  await until(
    () => !existsSync(`/proc/${pid}`),
    () => `process ${pid} to end`,
  );
}

function listFiles(folder: string): string[] {
  return (readdirSync(folder, { recursive: true }) as string[]).sort();
}
