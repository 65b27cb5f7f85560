import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, expect } from 'vitest';
import { openBaton } from '../../packages/batonpass/src/index.ts';
import { verifies } from '../verifies.ts';
import { openHttp } from './http/http-stage.ts';
import { openStage, program, type Stage } from './stage.ts';

const stages: Stage[] = [];

afterEach(() => {
  for (const stage of stages.splice(0)) stage.close();
});

const quoted = (word: string) => `'${word}'`;

/** Runs `baton` at its own terminal, where a person types. */
async function atTerminal({ folder, environment }: Stage, words: readonly string[], typed: string) {
  const command = [process.execPath, program, ...words].map(quoted).join(' ');
  const running = promisify(execFile)('script', ['-qec', command, '/dev/null'], { cwd: folder, env: environment });
  running.child.stdin?.end(typed);
  return running.then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  );
}

async function openHeld() {
  const stage = openStage({ git: true });
  stages.push(stage);
  const baton = await openBaton({ cwd: stage.folder, environment: stage.environment, agent: 'codex' });
  const { id } = await baton.run('handoff.create', { content: { title: 'Stuck' } });
  const { handoff } = await baton.run('handoff.claim', {});
  const token = handoff?.delivery.lease?.token ?? '';
  const stateOf = async () => (await baton.run('handoff.get', { id })).delivery.state;
  return { stage, baton, id, token, stateOf };
}

verifies(
  ['LIFE.break', 'CLI.catalogue'],
  'a lease is broken at a terminal by yes alone, also where the folder names an agent',
  async () => {
    const { stage, baton, id, token, stateOf } = await openHeld();
    const asAgent = { ...stage, environment: { ...stage.environment, BATON_AGENT: 'codex' } };
    const refused = await atTerminal(asAgent, ['release', id, '--force'], 'n\n');
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('held by codex');
    expect(await stateOf()).toBe('claimed');
    const released = await atTerminal(asAgent, ['release', id, '--force', '--reason', 'host died'], 'y\n');
    expect([released.code, await stateOf()]).toEqual([0, 'open']);
    const { events } = await baton.run('handoff.events', { id });
    expect(events.at(-1)).toMatchObject({
      name: 'handoff-broken',
      reason: 'host died',
      actor: { type: 'person' },
      details: { holder: 'codex', fence: 2 },
    });
    const late = await baton.run('handoff.acknowledge', { id, token }).catch((error: unknown) => error);
    expect(late).toMatchObject({ code: 'lease_lost' });
    await baton.run('handoff.claim', {});
    expect((await atTerminal(stage, ['withdraw', id, '--force'], 'y\n')).code).toBe(0);
    expect(await stateOf()).toBe('withdrawn');
    await baton.close();
  },
);

verifies(['LIFE.break', 'CLI.catalogue'], 'without a terminal no lease is broken, for any piped input', async () => {
  const { stage, baton, id, stateOf } = await openHeld();
  for (const command of ['release', 'withdraw']) {
    for (const input of ['y\n', 'yes\n', '']) {
      const { code, stderr } = await stage.baton([command, id, '--force', '--json'], { input });
      expect(code).not.toBe(0);
      expect(JSON.parse(stderr).error.code).toBe('conflict');
    }
  }
  const byProgram = await baton.run('handoff.break', { id }).catch((error: unknown) => error);
  expect(byProgram).toMatchObject({ code: 'conflict' });
  expect(await stateOf()).toBe('claimed');
  await baton.close();
});

verifies(
  ['LIFE.break', 'HTTP.tokens'],
  'over HTTP a browser of a person breaks a lease, and no bearer token does',
  async () => {
    const { baton, call, token, ask } = await openHttp();
    const { id } = await baton.run('handoff.create', { content: { title: 'Stuck' } });
    await baton.run('handoff.claim', { id }, { actor: { name: 'codex', type: 'agent' } });
    const reviewer = await token('maria', { role: 'reviewer' });
    for (const bearer of [undefined, reviewer, await token('ada', { role: 'admin' })]) {
      const answer = await call('handoff.break', { id }, bearer === undefined ? {} : { token: bearer });
      expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
    }
    const enter = async (secret: string) => {
      const session = await ask('/api/session', { method: 'POST', body: JSON.stringify({ secret }) });
      return session.headers.get('set-cookie')?.split(';')[0] ?? '';
    };
    const press = async (cookie: string, input: object) => {
      const headers = { authorization: '', cookie, 'content-type': 'application/json' };
      const answer = await fetch(`${stageUrl}/api/handoff.break`, {
        method: 'POST',
        headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')),
        body: JSON.stringify(input),
      });
      return answer.status;
    };
    const stageUrl = new URL((await ask('/health')).url).origin;
    expect(await press(await enter(await token('eve', { role: 'agent' })), { id })).toBe(403);
    const cookie = await enter(reviewer);
    expect(await press(cookie, { id, if_fence: 7 })).toBe(409);
    expect(await press(cookie, { id, if_fence: 1 })).toBe(200);
    expect((await baton.run('handoff.get', { id })).delivery).toMatchObject({ state: 'open', fence: 2 });
    const { events } = await baton.run('handoff.events', { id });
    expect(events.at(-1)).toMatchObject({ name: 'handoff-broken', actor: { name: 'maria', type: 'person' } });
  },
);
