import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { HandoffError, openBaton } from '../../packages/batonpass/src/index.ts';
import { writeTrusted } from '../trust/trusted-settings.ts';
import { verifies } from '../verifies.ts';
import { openPlanStage, type PlanStage, plan_directory } from './plan-stage.ts';
import { samplePlan } from './sample-plan.ts';

let stage: PlanStage;

beforeEach(async () => {
  stage = await openPlanStage();
});

afterEach(() => stage.close());

const create = (task_name: string, collision?: 'use-existing' | 'create-new' | 'replace') =>
  stage.baton.run('plan.create-directory', { task_name, collision });

const plans = () => readdirSync(join(stage.folder, '.claude/plans')).sort();

verifies(
  ['PF.operation.create-directory', 'PF.answer.create-directory', 'PF.directory.place'],
  'a plan gets its folder below the folder of plans',
  async () => {
    expect(await create('fix-login')).toEqual({
      outcome: 'created',
      artifacts: { plan_directory: '.claude/plans/fix-login/' },
    });
    expect(existsSync(join(stage.folder, '.claude/plans/fix-login'))).toBe(true);
  },
);

verifies(['PF.directory.place'], 'neither a file nor a hidden folder among the plans is a plan', async () => {
  await create('fix-login');
  mkdirSync(join(stage.folder, '.claude/plans/.replaced'));
  writeFileSync(join(stage.folder, '.claude/plans/notes'), 'No plan.');
  const { plans } = await stage.baton.run('plan.list', {});
  expect(JSON.stringify(plans)).toContain('fix-login');
  expect(JSON.stringify(plans)).not.toMatch(/replaced|notes/);
});

verifies(['PF.directory.task-name'], 'a name that is no kebab-case of at most 50 characters is refused', async () => {
  const long = 'a'.repeat(50);
  expect((await create(long)).outcome).toBe('created');
  const before = plans();
  const wrong = ['JWT Auth', 'add_user_permissions', 'refactor/auth/service', `${long}a`, '../x', '-a', 'a-', 'a--b'];
  for (const name of [...wrong, '.', 'ä', 'a\nb', 'a\0b', 'con', 'nul']) {
    const error = await create(name).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HandoffError);
    expect((error as HandoffError).code).toBe('validation_failed');
    expect((error as HandoffError).alternatives.length).toBeGreaterThan(0);
  }
  const proposed = await create('JWT Auth').catch((error: HandoffError) => error.alternatives?.[0]);
  expect(proposed).toBe('Use jwt-auth');
  expect(plans()).toEqual(before);
});

verifies(['PF.directory.collision-asked'], 'an existing folder is asked about, nothing changed', async () => {
  stage.write('plan.md', samplePlan);
  const before = stage.snapshot();
  expect(await create('jwt-auth')).toEqual({
    artifacts: { plan_directory },
    existing_plan: true,
    plan_status: { current_phase: 'implement', current_task: 'task-3' },
    question: `Plan directory ${plan_directory} exists already. What shall be done?`,
    options: ['use-existing', 'create-new', 'replace'],
  });
  expect(stage.snapshot()).toEqual(before);
  expect(plans()).toEqual(['jwt-auth']);
});

verifies(['PF.directory.use-existing', 'PF.answer.create-directory'], 'use-existing resumes', async () => {
  expect(await create('jwt-auth', 'use-existing')).toEqual({
    outcome: 'resumed',
    artifacts: { plan_directory },
    existing_plan: true,
  });
  stage.write('plan.md', samplePlan);
  expect((await create('jwt-auth', 'use-existing')).plan_status?.current_task).toBe('task-3');
  stage.write('plan.md', '# Broken\n');
  expect(await create('jwt-auth', 'use-existing')).toMatchObject({ outcome: 'resumed', existing_plan: true });
});

verifies(['PF.directory.create-new', 'PF.answer.create-directory'], 'create-new takes the next free name', async () => {
  expect(await create('jwt-auth', 'create-new')).toEqual({
    outcome: 'created',
    artifacts: { plan_directory: '.claude/plans/jwt-auth-2/', original_name: 'jwt-auth' },
    name_modified: true,
  });
  const [third, fourth] = await Promise.all([create('jwt-auth', 'create-new'), create('jwt-auth', 'create-new')]);
  expect([third, fourth].map(({ artifacts }) => artifacts.plan_directory).sort()).toEqual([
    '.claude/plans/jwt-auth-3/',
    '.claude/plans/jwt-auth-4/',
  ]);
  const long = `${'a'.repeat(47)}-bc`;
  await create(long);
  expect((await create(long, 'create-new')).artifacts.plan_directory).toBe(`.claude/plans/${'a'.repeat(47)}-2/`);
  expect(await create('fresh', 'create-new')).toMatchObject({ outcome: 'created' });
});

verifies(['PF.directory.replace', 'PLAN.replace'], 'replace starts again and keeps the former aside', async () => {
  stage.write('plan.md', samplePlan);
  stage.write('notes.txt', 'mine');
  expect(await create('jwt-auth', 'replace')).toEqual({
    outcome: 'created',
    artifacts: { plan_directory, former_directory: '.claude/plans/.replaced/jwt-auth-1/' },
  });
  expect(readdirSync(join(stage.folder, plan_directory)).filter((name) => name !== '.lock')).toEqual([]);
  const former = join(stage.folder, '.claude/plans/.replaced/jwt-auth-1');
  expect(readFileSync(join(former, 'plan.md'), 'utf8')).toBe(samplePlan);
  expect(readFileSync(join(former, 'notes.txt'), 'utf8')).toBe('mine');
  stage.write('plan.md', 'x');
  expect((await create('jwt-auth', 'replace')).artifacts.former_directory).toBe('.claude/plans/.replaced/jwt-auth-2/');
});

verifies(
  ['PF.error.file-not-found'],
  'a plan that is not there is refused in exactly the words of the source',
  async () => {
    renameSync(join(stage.folder, plan_directory), join(stage.folder, '.claude/plans/other'));
    for (const name of ['plan.read-plan', 'plan.read-config', 'plan.get-references', 'plan.validate-plan'] as const) {
      const { code, message, details, alternatives } = await stage.refused(name, {});
      expect({ code, message, details, alternatives }).toEqual({
        code: 'file_not_found',
        message: 'Plan directory not found',
        details: { details: '.claude/plans/jwt-auth/ does not exist' },
        alternatives: ['Create new plan with plan-init skill', 'Check directory path and try again'],
      });
    }
  },
);

verifies(
  ['PF.held.outside-root'],
  'a directory outside of the folder of plans is refused, through links too',
  async () => {
    const outside = join(stage.folder, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'plan.md'), samplePlan);
    symlinkSync(outside, join(stage.folder, '.claude/plans/link'));
    stage.write('plan.md', samplePlan);
    const places = [
      '../outside',
      'outside/',
      outside,
      '.claude/plans/',
      '.claude/plans/../../outside',
      '..',
      '/',
      'link',
    ];
    for (const place of [...places, '.claude/plans/link/', '.claude/plans/jwt-auth/../../../outside']) {
      const error = await stage.refused('plan.update-progress', {
        plan_directory: place,
        update: { task_id: 'task-3', status: 'completed' },
      });
      expect([place, error.code]).toEqual([place, 'path_outside_root']);
    }
    for (const place of ['.claude/plans/.hidden', 'a\0b', '.claude/plans/con/']) {
      expect((await stage.refused('plan.read-plan', { plan_directory: place })).code).toMatch(/^invalid_input$/);
    }
    for (const same of [
      '.claude/plans/jwt-auth',
      './.claude/plans/jwt-auth//',
      'jwt-auth',
      join(stage.folder, plan_directory),
    ]) {
      const read = await stage.run('plan.read-plan', { plan_directory: same });
      expect(read.plan_status.current_phase).toBe('implement');
    }
    expect(readFileSync(join(outside, 'plan.md'), 'utf8')).toBe(samplePlan);
  },
);

verifies(
  ['PF.held.outside-root'],
  'a document that is a link out of the plan is neither read nor replaced',
  async () => {
    const secret = join(stage.folder, 'secret.md');
    writeFileSync(secret, samplePlan);
    for (const name of ['plan.md', 'config.md', 'references.md'])
      symlinkSync(secret, join(stage.folder, plan_directory, name));
    const asked = [
      stage.refused('plan.read-plan', {}),
      stage.refused('plan.read-config', {}),
      stage.refused('plan.get-references', {}),
      stage.refused('plan.validate-plan', {}),
      stage.refused('plan.write-config', { configuration: { plan_type: 'simple', branch: 'f' } }),
      stage.refused('plan.write-plan', { plan_content: { title: 'x' } }),
      stage.refused('plan.update-progress', { update: { task_id: 'task-3', status: 'completed' } }),
    ];
    for (const { code } of await Promise.all(asked)) expect(code).toBe('path_outside_root');
    expect(readFileSync(secret, 'utf8')).toBe(samplePlan);
  },
);

verifies(['PLAN.root', 'PF.directory.place'], 'the folder of plans is the project’s or the user’s to set', async () => {
  const environment = { HOME: stage.folder, XDG_STATE_HOME: stage.folder };
  const open = (given: NodeJS.ProcessEnv = {}) =>
    openBaton({ cwd: stage.folder, environment: { ...environment, ...given } });
  await writeTrusted({ folder: stage.folder, environment }, { plans: 'docs/plans' });
  const byFile = await open();
  const made = await byFile.run('plan.create-directory', { task_name: 'a' });
  expect(made.artifacts.plan_directory).toBe('docs/plans/a/');
  expect(existsSync(join(stage.folder, 'docs/plans/a'))).toBe(true);

  const elsewhere = join(stage.folder, 'elsewhere');
  const byUser = await open({ BATON_PLANS: elsewhere });
  expect((await byUser.run('plan.create-directory', { task_name: 'a' })).artifacts.plan_directory).toBe(
    `${elsewhere}/a/`,
  );

  for (const plans of ['/etc/plans', '../plans', 'a/../../b']) {
    const trusting = writeTrusted({ folder: stage.folder, environment }, { plans });
    await expect(trusting).rejects.toMatchObject({ code: 'path_outside_root' });
  }
  await writeTrusted({ folder: stage.folder, environment }, { plans: 'linked/plans' });
  symlinkSync('/tmp', join(stage.folder, 'linked'));
  const linked = await open();
  await expect(linked.run('plan.create-directory', { task_name: 'a' })).rejects.toMatchObject({
    code: 'path_outside_root',
  });
});
