import { afterEach, beforeEach, expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { openPlanStage, type PlanStage } from './plan-stage.ts';
import { samplePlan } from './sample-plan.ts';

let stage: PlanStage;

beforeEach(async () => {
  stage = await openPlanStage();
});

afterEach(() => stage.close());

const content = {
  title: 'Token login',
  summary: 'The login is half done.',
  decisions: ['Use JWT', 'Keep the cookie'],
  files: [
    { path: 'src/login.ts', context: 'the form' },
    { path: 'src/login.ts', context: 'again' },
  ],
  risks: ['Clock skew'],
  next_steps: ['Write the service', 'Test it'],
  open_questions: ['Which key?'],
  references: [
    { type: 'issue', identifier: '#7', title: 'Login', url: 'https://example.com/7' },
    { type: 'adr', identifier: 'ADR-015', title: 'Tokens', path: 'doc/adr-015.md' },
    { type: 'rfc', identifier: 'RFC 7519', url: 'https://example.com/rfc7519' },
  ],
  origin: { branch: 'feature/login' },
};

const plan_directory = '.claude/plans/login/';
const make = (from_handoff: string, collision?: 'use-existing') =>
  stage.baton.run('plan.create-directory', { task_name: 'login', from_handoff, collision });

verifies(['PLAN.from-handoff'], 'a claimed handoff becomes plan, configuration and references', async () => {
  const { id } = await stage.baton.run('handoff.create', { content });
  await expect(make(id)).rejects.toMatchObject({ code: 'conflict' });
  await expect(make('ZZZZZZZZ')).rejects.toMatchObject({ code: 'not_found' });
  await expect(stage.baton.run('plan.read-plan', { plan_directory })).rejects.toMatchObject({ code: 'file_not_found' });
  await stage.baton.run('handoff.claim', {});

  expect(await make(id)).toEqual({ outcome: 'created', artifacts: { plan_directory } });
  const plan = await stage.baton.run('plan.read-plan', { plan_directory });
  expect(plan.phases.map(({ name, tasks }) => `${name} ${tasks}`)).toEqual(['init 1', 'execute 2', 'finalize 2']);
  const { configuration } = await stage.baton.run('plan.read-config', { plan_directory });
  expect(configuration).toMatchObject({
    plan_type: 'simple',
    branch: 'feature/login',
    finalizing: 'pr-workflow',
    issue: '[#7 - Login](https://example.com/7)',
  });
  const { references } = await stage.baton.run('plan.get-references', { plan_directory });
  expect(references).toMatchObject({
    issue: { url: 'https://example.com/7', title: 'Login' },
    adrs: ['ADR-015'],
    implementation_files: ['src/login.ts'],
    external_docs: ['RFC 7519'],
  });
  const document = stage.read('../login/references.md');
  for (const line of [
    '`src/login.ts` (the form)',
    '[ADR-015: Tokens](doc/adr-015.md)',
    '[RFC 7519](https://example.com/rfc7519)',
  ])
    expect(document).toContain(`- ${line}\n`);
  expect(await stage.baton.run('plan.validate-plan', { plan_directory })).toMatchObject({ outcome: 'valid' });
  // What is there already is asked about, and not written over.
  expect((await make(id)).options).toHaveLength(3);
  expect(await make(id, 'use-existing')).toMatchObject({ outcome: 'resumed' });
});

verifies(['PLAN.from-handoff'], 'a folder that a crash left without its plan is completed', async () => {
  const { id } = await stage.baton.run('handoff.create', { content: { summary: 'Go on.' } });
  await stage.baton.run('handoff.claim', {});
  await stage.baton.run('plan.create-directory', { task_name: 'login' });
  expect((await make(id, 'use-existing')).outcome).toBe('resumed');
  const plan = await stage.baton.run('plan.read-plan', { plan_directory });
  expect(plan.plan_status.current_task).toBe('task-1');
});

verifies(['PLAN.to-handoff'], 'a phase that is completed opens one handoff with its results', async () => {
  stage.write('plan.md', samplePlan);
  const complete = (task_id: string, files_created?: string[]) =>
    stage.run('plan.update-progress', { update: { task_id, status: 'completed' }, files_created, open_handoff: true });
  expect((await complete('task-3', ['src/jwt.ts'])).artifacts).toBeUndefined();
  const { artifacts } = await complete('task-4');
  const handoff = await stage.baton.run('handoff.get', { id: artifacts?.handoff ?? '' });
  expect(handoff.delivery.state).toBe('open');
  expect(handoff.content).toMatchObject({
    kind: 'result',
    title: 'JWT Authentication: phase implement completed',
    task_id: 'jwt-auth',
    phase: 'implement',
    results: [
      { description: 'Create JwtService', status: 'completed' },
      { description: 'Create TokenValidator', status: 'completed' },
    ],
    next_steps: ['Test'],
    files: [{ path: 'src/jwt.ts' }],
  });
  // The same request again opens no second one.
  expect((await complete('task-4')).artifacts).toEqual(artifacts);
  const { handoffs } = await stage.baton.run('handoff.list', {});
  expect(handoffs).toHaveLength(1);
  const { artifacts: next } = await complete('task-5');
  expect(next?.handoff).not.toBe(artifacts?.handoff);
});
