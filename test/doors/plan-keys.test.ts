import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode } from '@toon-format/toon';
import { afterEach, expect } from 'vitest';
import { openBaton } from '../../packages/batonpass/src/operations/baton.ts';
import { verifies } from '../verifies.ts';
import { openHttp } from './http/http-stage.ts';
import { connectTo } from './mcp-client.ts';
import { openStage, program, type Stage } from './stage.ts';

const stages: Stage[] = [];

afterEach(() => {
  for (const stage of stages.splice(0)) stage.close();
});

async function open(): Promise<Stage & { plan: () => string; path: string }> {
  const stage = openStage({ git: true });
  stages.push(stage);
  await stage.baton(['plan', 'create-directory', 'login']);
  const path = join(stage.folder, '.claude/plans/login/plan.md');
  return { ...stage, path, plan: () => readFileSync(path, 'utf8') };
}

const writing = (title: string) => `operation: write-plan
plan_directory: login
plan_content:
  title: ${title}
  phases[2]: init, execute
  tasks[2]{name,phase,goal}:
    Agree on the form,init,Everybody knows it
    Build it,execute,It runs
`;

const created = { status: 'success', outcome: 'created' };
const usedUp = (operation: string) => ({
  status: 'failed',
  error: {
    code: 'conflict',
    details: `The idempotency key "k-1" was already used for another input of ${operation}.`,
  },
});

verifies(
  ['PF.answer.repeat', 'LIFE.idempotency'],
  'a message with the key of an earlier one gets its answer and writes nothing; another request is refused',
  async () => {
    const { baton, plan, path } = await open();
    const say = async (key: string, input: string) =>
      decode((await baton(['plan', '--key', key], { input })).stdout) as object;
    expect(await say('k-1', writing('Login'))).toMatchObject(created);
    writeFileSync(path, plan().replace('# Login', '# Sign in'));
    expect(await say('k-1', writing('Login'))).toMatchObject(created);
    expect(plan()).toContain('# Sign in');
    const before = plan();
    expect(await say('k-1', writing('Logout'))).toMatchObject(usedUp('plan.write-plan'));
    expect(plan()).toBe(before);
    expect(await say('k-2', writing('Login'))).toMatchObject({ outcome: 'updated' });
    expect(plan()).toContain('# Login');
    // What failed, and what only asks, is not kept.
    const unknown = 'operation: update-progress\nplan_directory: login\ntask_id: task-9\nstatus: completed\n';
    expect(await say('k-3', unknown)).toMatchObject({ status: 'failed' });
    expect(await say('k-3', unknown.replace('task-9', 'task-1'))).toMatchObject({ status: 'success' });
    expect(await say('k-4', 'operation: read-plan\nplan_directory: login\n')).toMatchObject({ status: 'success' });
    expect(await say('k-4', 'operation: read-config\nplan_directory: login\n')).toMatchObject({
      error: { type: 'file_not_found' },
    });
  },
);

verifies(
  ['PF.answer.repeat', 'LIFE.idempotency'],
  'every command that writes a plan takes a key, and a question about a directory is asked again',
  async () => {
    const { baton, json, plan } = await open();
    await baton(['plan'], { input: writing('Login') });
    const done = ['plan', 'done', 'login', 'task-1', '--key', 'k-1'];
    const first = await json(done);
    expect(first).toMatchObject({ outcome: 'completed' });
    await baton(['plan', 'update-progress', 'login', 'task-1', '--status', 'pending']);
    const before = plan();
    expect(await json(done)).toEqual(first);
    expect(plan()).toBe(before);
    const other = await baton([
      'plan',
      'update-progress',
      'login',
      'task-1',
      '--status',
      'in_progress',
      '--key',
      'k-1',
    ]);
    expect({ code: other.code, stderr: other.stderr }).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('The idempotency key "k-1" was already used for another input'),
    });
    const again = ['plan', 'create-directory', 'login', '--key', 'k-1'];
    expect((await baton(again)).code).toBe(1);
    expect(await json([...again, '--collision', 'create-new'])).toMatchObject({ name_modified: true });
    expect(await json([...again, '--collision', 'create-new'])).toMatchObject({
      artifacts: { plan_directory: '.claude/plans/login-2/' },
    });
  },
);

verifies(['MCP.idempotency', 'PF.answer.repeat'], 'plan_write takes a key as every other tool', async () => {
  const { folder, environment, plan } = await open();
  const baton = await openBaton({ cwd: folder, environment, program });
  const { call, close } = await connectTo(baton);
  try {
    const write = async (message: string) =>
      (await call('plan_write', { message, idempotency_key: 'k-1' })).structuredContent;
    expect(await write(writing('Login'))).toMatchObject(created);
    expect(await write(writing('Login'))).toMatchObject(created);
    expect(await write(writing('Logout'))).toMatchObject(usedUp('plan.write-plan'));
    expect(plan()).toContain('# Login');
  } finally {
    await close();
    await baton.close();
  }
});

verifies(
  ['PF.answer.repeat', 'LIFE.idempotency'],
  'of processes that use one key at once the first writes, and the others get its answer or its conflict',
  async () => {
    const { baton, folder, json } = await open();
    const make = ['plan', 'create-directory', 'login', '--collision', 'create-new', '--key', 'k-1'];
    const answers = await Promise.all(Array.from({ length: 6 }, () => json(make)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(readdirSync(join(folder, '.claude/plans')).sort()).toEqual(['login', 'login-2']);
    const titles = ['One', 'Two', 'Three', 'Four'];
    const ask = (title: string) => baton(['plan', '--key', 'k-2'], { input: writing(title) });
    const results = await Promise.all(titles.map(ask));
    const won = titles.filter((_, index) => results[index]?.code === 0);
    expect(won).toHaveLength(1);
    expect(readFileSync(join(folder, '.claude/plans/login/plan.md'), 'utf8')).toContain(`# ${won[0]}\n`);
  },
);

verifies(['HTTP.idempotency', 'PF.answer.repeat'], 'the key of a request over HTTP counts for plans too', async () => {
  const { call } = await openHttp();
  const headers = { 'idempotency-key': 'k-1' };
  await call('plan.create-directory', { task_name: 'login' });
  const write = (title: string) =>
    call('plan.write-plan', { plan_directory: 'login', plan_content: { title, phases: ['init'] } }, { headers });
  const [one, other] = await Promise.all([write('Login'), write('Login')]);
  expect(one.body).toMatchObject({ outcome: 'created' });
  expect(other.body).toEqual(one.body);
  expect((await write('Login')).body).toEqual(one.body);
  expect((await write('Logout')).status).toBe(409);
});
