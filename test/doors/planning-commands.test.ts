import { once } from 'node:events';
import { expect } from 'vitest';
import { keepsSilent } from '../extraction/model/model-server.ts';
import { says } from '../extraction/model/model-stream.ts';
import { serve } from '../extraction/model/stage.ts';
import { goodTurns, openProject, replies, snapshot } from '../operations/planning-run-stage.ts';
import { verifies } from '../verifies.ts';

verifies(
  ['PLANCMD.progress', 'PLANCMD.runs'],
  'a planning reports each step while it runs and again later, and prints the plan and the next handoff',
  async () => {
    const stage = await openProject(await serve(...replies(goodTurns)), { price: { input: 3, output: 15 } });
    const { id } = await stage.library.run('planning.hand-on', { snapshot });
    const { code, stdout, stderr } = await stage.baton(['plan', 'run']);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^plan \.claude\/plans\/signed-cookies\/\n\w{8} {2}open {2}Plan: Signed cookies\n$/);
    expect(stderr.split('\n').slice(0, 4)).toEqual([
      'step 1 of 20: getHandoffContext · 1,540 tokens',
      'step 2 of 20: addDecision · 1,540 tokens',
      'step 3 of 20: writePlan · 1,540 tokens',
      'step 4 of 20: completePlanning · 1,540 tokens',
    ]);
    const runs = await stage.baton(['plan', 'runs', id]);
    expect(runs.stdout).toMatch(/^Attempt 1 {2}completed\n {2}openai-compatible\/planner-1 · as plan-agent · /);
    expect(runs.stdout).toMatch(/4 steps · 6,160 tokens(?: ·|\n ) 0\.0348 USD/);
    expect(runs.stdout).toMatch(/^ {3}3 .* 1,540 tokens {2}writePlan$/m);
    expect(runs.stdout).toContain('  decided  Keep the former key for a week');
    expect(await stage.baton(['plan', 'run', id])).toMatchObject({ code: 4 });
    const step = await stage.baton(['plan', 'step', id, '1', '3']);
    expect([step.code, JSON.parse(step.stdout).tools[0].name]).toEqual([0, 'writePlan']);
    const absent = await stage.baton(['plan', 'step', id, '1', '5']);
    expect([absent.code, absent.stderr]).toEqual([3, expect.stringContaining('Attempt 1 at handoff')]);
    const wrong = await stage.baton(['plan', 'step', id, 'one', '5']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('"one" is not a whole number.')]);
  },
);

verifies(['PLANCMD.end'], 'a planning without a plan ends with 1, its steps and the reason', async () => {
  const stage = await openProject(await serve(says({ calls: [{ name: 'getHandoffContext', input: {} }] })));
  const { id } = await stage.library.run('planning.hand-on', { snapshot });
  const { code, stdout, stderr } = await stage.baton(['plan', 'run', id, '--steps', '1']);
  expect([code, stdout.split(' · ')[0]]).toEqual([1, 'Attempt 1  step-limit\n  openai-compatible/planner-1']);
  expect(stderr).toMatch(/No plan was made: .* within 1 steps?\./);
  expect(stderr).toContain(`What it did: baton plan runs ${id.slice(-8)}`);
  expect(await stage.baton(['plan', 'run', id, '--steps', '21'])).toMatchObject({ code: 2 });
});

verifies(['PLANCMD.end'], 'an interrupt stops a planning, which gives its handoff back uncounted', async () => {
  const server = await serve(...replies(goodTurns.slice(0, 1)), keepsSilent);
  const stage = await openProject(server);
  const { id } = await stage.library.run('planning.hand-on', { snapshot });
  const child = stage.start(['plan', 'run']);
  let told = '';
  child.stderr?.on('data', (part) => {
    told += part;
  });
  while (!told.includes('step 1 of 20')) await once(child.stderr ?? child, 'data');
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([130, null]);
  const { delivery } = await stage.library.run('handoff.get', { id });
  expect(delivery).toMatchObject({ state: 'open', attempts: 0 });
  expect(stage.plans()).toEqual([]);
  expect((await stage.baton(['plan', 'runs', id])).stdout).toMatch(/^Attempt 1 {2}stopped/);
});

verifies(
  ['PLANCMD.draft', 'DRAFT.labelled'],
  'a skeleton needs no model, and is labelled as one everywhere it is shown',
  async () => {
    const stage = await openProject(await serve());
    expect((await stage.baton(['plan', 'draft'])).code).toBe(3);
    const { id } = await stage.library.run('planning.hand-on', { snapshot, title: 'Signed cookies' });
    const dry = await stage.baton(['plan', 'draft', '--dry-run']);
    expect(dry.stdout).toMatch(
      /^\.claude\/plans\/signed-cookies\/plan\.md\n\n# Signed cookies\n\n> This is a skeleton/,
    );
    expect(dry.stdout).toContain('.claude/plans/signed-cookies/references.md');
    expect(dry.stderr).toBe('Nothing was changed.\n');
    expect(stage.plans()).toEqual([]);
    const made = await stage.baton(['plan', 'draft', id, '--name', 'cookies']);
    expect(made.stdout).toMatch(/^plan \.claude\/plans\/cookies\/\n\w{8} {2}open {2}Plan skeleton: Signed cookies\n$/);
    expect(made.stderr).toContain('A skeleton, made by rules: refine the tasks before you work from them.');
    const again = await stage.baton(['plan', 'draft', id]);
    expect(again.stdout).toBe(made.stdout);
    expect(again.stderr).toContain('It was planned already; nothing was changed.');
  },
);
