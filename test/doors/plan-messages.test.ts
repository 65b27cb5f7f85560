import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode } from '@toon-format/toon';
import { afterEach, expect } from 'vitest';
import { presentPlan } from '../../packages/batonpass/src/doors/cli/present/plan.ts';
import type { View } from '../../packages/batonpass/src/doors/cli/present/view.ts';
import { openBaton } from '../../packages/batonpass/src/operations/baton.ts';
import { failures, successes } from '../plan-files/message-cases.ts';
import { samplePlan } from '../plan-files/sample-plan.ts';
import { verifies } from '../verifies.ts';
import { connectTo } from './mcp-client.ts';
import { openStage, program, type Stage } from './stage.ts';

const stages: Stage[] = [];

afterEach(() => {
  for (const stage of stages.splice(0)) stage.close();
});

const place = '.claude/plans/jwt-auth/';

/** A project with the sample plan. */
async function open(): Promise<Stage> {
  const stage = openStage({ git: true });
  stages.push(stage);
  await stage.baton(['plan', 'create-directory', 'jwt-auth']);
  writeFileSync(join(stage.folder, place, 'plan.md'), samplePlan);
  return stage;
}

const { request, answer } = successes['read-plan'] as (typeof successes)[string];
const refused = failures.find(({ name }) => name.startsWith('read-config without')) as (typeof failures)[number];

verifies(['PF.envelope.stdin', 'PLAN.exit'], 'the message names the operation on standard input', async () => {
  const { baton } = await open();
  const read = await baton(['plan'], { input: request });
  expect({ code: read.code, answer: decode(read.stdout), stderr: read.stderr }).toEqual({
    code: 0,
    answer,
    stderr: '',
  });
  const failed = await baton(['plan'], { input: refused.request });
  expect({ code: failed.code, answer: decode(failed.stdout) }).toEqual({ code: 1, answer: refused.answer });
  const unread = await baton(['plan'], { input: 'from: a\nx[2]: 1\n- y' });
  expect(unread.code).toBe(1);
  expect(decode(unread.stdout)).toMatchObject({ to: 'a', error: { type: 'parse_error' } });
});

verifies(
  ['PLAN.command', 'PLAN.json'],
  'the operation can be on the command line, and messages are JSON too',
  async () => {
    const { baton } = await open();
    const bare = await baton(['plan', 'read-plan'], { input: `from: plan-refine-skill\nplan_directory: ${place}` });
    expect(decode(bare.stdout)).toEqual(answer);
    const asJson = await baton(['plan', '--json'], { input: JSON.stringify(decode(request)) });
    expect({ code: asJson.code, answer: JSON.parse(asJson.stdout) }).toEqual({ code: 0, answer });
    const other = await baton(['plan', 'read-config'], { input: request });
    expect(decode(other.stdout)).toMatchObject({ status: 'failed', error: { type: 'invalid_format' } });
  },
);

verifies(['PLAN.command', 'PF.toon.lenient-reading'], 'what was repaired is reported on standard error', async () => {
  const { baton } = await open();
  const { code, stderr } = await baton(['plan'], {
    input: `operation: update-progress\nplan_directory: jwt-auth\nupdate:\n  task_id: task-3\n  status: completed\nfiles_created[1]:\n- src/a.ts\n`,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '! line 6: the entries are at the indent of their header\n' });
});

verifies(['PLAN.command', 'PLAN.list', 'PLAN.show'], 'people name a plan and a task', async () => {
  const { baton, json } = await open();
  const done = await baton(['plan', 'done', 'jwt-auth', 'task-3', '--item', '0', '--item', 'Add tests']);
  expect({ code: done.code, first: done.stdout.split('\n')[0] }).toEqual({
    code: 0,
    first: 'implement: 0 of 2 tasks (0%)',
  });
  expect(await json(['plan', 'done', 'jwt-auth', 'task-3'])).toMatchObject({ phase_status: { tasks_completed: 1 } });
  const shown = await baton(['plan', 'show', 'jwt-auth']);
  expect(shown.stdout).toContain('✓ task-3  Create JwtService');
  expect(shown.stdout).not.toContain('\u001b');
  expect((await baton(['plan', 'list'])).stdout).toBe('● jwt-auth  JWT Authentication  3/6  implement · task-4\n');
  const missing = await baton(['plan', 'show', 'none']);
  expect(missing.code).toBe(3);
  expect(missing.stderr).toContain('Plan directory not found: .claude/plans/none/ does not exist');
  const asked = await baton(['plan', 'create-directory', 'jwt-auth']);
  expect({ code: asked.code, stderr: asked.stderr }).toEqual({
    code: 1,
    stderr: '→ Choose with --collision: use-existing, create-new, replace\n',
  });
});

function view(width: number): View {
  return { width, now_ms: 0, style: (format, text) => `<${String(format)}>${text}</>`, options: {} };
}

verifies(['PLAN.show'], 'bars fit the terminal, and are full only where all is done', () => {
  const plan = {
    plan_status: { current_phase: 'implement', current_task: 'task-900', overall_status: 'in_progress' as const },
    phases: [
      { name: 'init', status: 'completed' as const, tasks: 0, completed: '0/0' },
      { name: 'implement', status: 'in_progress' as const, tasks: 1_000, completed: '999/1000' },
      { name: 'a-phase-with-a-name-as-long-as-this', status: 'pending' as const, tasks: 1_000, completed: '1/1000' },
    ],
    tasks_current_phase: [{ id: 'task-900', name: 'x\u001b[2J\nand more '.repeat(20), status: 'in_progress' as const }],
  };
  for (const width of [40, 80, 120]) {
    const lines = presentPlan(plan, view(width))
      .replace(/<[a-z,]+>|<\/>/g, '')
      .split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    expect(lines[2]).toMatch(/^✓ init .*█ .*0\/0 +100%$/);
    expect(lines[3]).toMatch(/█░ +999\/1000 +99%$/);
    expect(lines[4]).toMatch(/ █░.* 1\/1000 +0%$/);
    expect(lines.join('')).not.toContain('\u001b');
  }
});

verifies(
  ['PLAN.watch'],
  'a watched plan is shown again when it changes, until the command is stopped',
  async () => {
    const stage = await open();
    const child = stage.start(['plan', 'watch', 'jwt-auth']);
    const ended = once(child, 'exit');
    let seen = '';
    let look = () => {};
    // Listened to all the time: what is printed while no call waits for it is not lost.
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        seen += chunk.toString();
        look();
      });
    }
    const until = (wanted: string) =>
      new Promise<void>((resolve) => {
        look = () => {
          if (seen.includes(wanted)) resolve();
        };
        look();
      });
    await until('● task-3');
    // A plan that is away for a while is reported, and watched on.
    const plan = join(stage.folder, '.claude/plans/jwt-auth/plan.md');
    renameSync(plan, `${plan}.away`);
    await until('not found');
    renameSync(`${plan}.away`, plan);
    await stage.baton(['plan', 'done', 'jwt-auth', 'task-3']);
    await until('✓ task-3');
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
  },
  60_000,
);

verifies(
  ['MCP.catalogue', 'PF.response.pattern'],
  'hosts read and update by messages, and reading writes nothing',
  async () => {
    const { folder, environment } = await open();
    const baton = await openBaton({ cwd: folder, environment, program });
    const { call, close } = await connectTo(baton);
    try {
      expect((await call('plan_read', { message: request })).structuredContent).toEqual(answer);
      const writing = (successes['update-progress'] as (typeof successes)[string]).request;
      expect((await call('plan_read', { message: writing })).structuredContent).toMatchObject({
        status: 'failed',
        error: { code: 'invalid_input' },
      });
      expect((await call('plan_write', { message: writing })).structuredContent).toEqual(
        successes['update-progress']?.answer,
      );
      expect((await call('plan_write', { message: refused.request })).structuredContent).toEqual(refused.answer);
      expect(await call('plan_write', { message: 5 })).toMatchObject({ isError: true });
      // Advice names calls, not commands: an agent behind MCP has no shell.
      const { handoff } = (await call('handoff_create', { content: { summary: 'Not taken' } })).structuredContent as {
        handoff: { id: string };
      };
      const untaken = `operation: create-directory\ntask_name: untaken\nfrom_handoff: ${handoff.id}\n`;
      expect((await call('plan_write', { message: untaken })).structuredContent).toMatchObject({
        alternatives: [`Claim it first: handoff_claim {"id":"${handoff.id}"}`],
      });
      const changing = { message: 'operation: create-directory\ntask_name: other\n' };
      expect((await call('plan_read', changing)).structuredContent).toMatchObject({
        alternatives: ['Send it as a change: plan_write'],
      });
    } finally {
      await close();
      await baton.close();
    }
  },
);

verifies(['PLAN.command', 'PLAN.example'], 'the help of an operation shows the keys of its message', async () => {
  const { baton } = await open();
  const help = (await baton(['plan', '--help', 'write-plan'])).stdout;
  expect(help).toContain('plan_content* {title, status: pending|in_progress|completed,');
  expect(help).toContain('A new plan needs title');
  expect(help).toContain('    - id: task-1\n');
  expect((await baton(['plan', 'write-plan', '--help'])).stdout).toBe(help);
  // Keys are wrapped at the width; the example is copied as it is.
  const keys = help.slice(help.indexOf('Keys of its message'), help.indexOf('An example'));
  expect(Math.max(...keys.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100);
  expect((await baton(['plan', '--help', 'done'])).stdout).not.toContain('Keys of its message');
});

verifies(['PLAN.command'], 'completion knows the commands of plans', async () => {
  const { baton } = await open();
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout } = await baton(['completion', shell]);
    for (const word of ['create-directory', 'update-progress', 'watch', 'collision']) expect(stdout).toContain(word);
  }
  const help = await baton(['plan', '--help']);
  expect(help.stdout).toContain('Tick a task off');
  expect((await baton(['plan', 'done', '--help'])).stdout).toContain('baton plan done my-feature task-3 --item 2');
});
