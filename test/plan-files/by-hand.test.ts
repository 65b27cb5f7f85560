import { afterEach, beforeEach, expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { changedLines, openPlanStage, type PlanStage } from './plan-stage.ts';
import { samplePlan } from './sample-plan.ts';

let stage: PlanStage;

beforeEach(async () => {
  stage = await openPlanStage();
  stage.write('plan.md', samplePlan);
});

afterEach(() => stage.close());

const complete = (task_id: string, phase?: string) =>
  stage.run('plan.update-progress', { update: { task_id, status: 'completed', phase } });

const noted = `**Acceptance Criteria**:

Agreed with the team:

- Fast
  - below 10 ms
- Small
> Anna: how small?

| size | limit |
|---|---|
| gzip | 20 kB |

- Safe

**Checklist**:
- [x] Measure
  on two machines
- [ ] Ship

Ask Ben before.`;

verifies(['PLAN.person'], 'lists are edited by difference; what is no entry stays where it is', async () => {
  stage.write('plan.md', samplePlan.replace('**Checklist**:\n- [ ] Check the signature', noted));
  await stage.run('plan.write-plan', {
    plan_content: {
      tasks: [
        { id: 'task-4', acceptance_criteria: ['Fast', 'Tiny', 'Safe'], checklist: ['Measure', 'Review', 'Ship'] },
      ],
    },
  });
  const expected = noted.replace('- Small', '- Tiny').replace('machines\n', 'machines\n- [ ] Review\n');
  expect(stage.read('plan.md')).toContain(expected);
});

verifies(['PLAN.repeat', 'PLAN.rewrite'], 'tasks without an id are found by phase and name', async () => {
  const tasks = [
    { name: 'Create JwtService', phase: 'implement', checklist: ['Add', 'Add tests', 'Log'] },
    { name: 'Document', phase: 'finalize', goal: 'People can read it', checklist: ['Write'] },
  ];
  await stage.run('plan.write-plan', { plan_content: { tasks } });
  const once = stage.read('plan.md');
  await stage.run('plan.write-plan', { plan_content: { tasks } });
  expect(stage.read('plan.md')).toBe(once);
  expect(once.match(/^### Task \d+: (?:Create JwtService|Document)$/gm)).toHaveLength(2);

  const twin = { name: 'Review', phase: 'verify', goal: 'Seen' };
  const given = await stage.refused('plan.write-plan', { plan_content: { tasks: [twin, twin] } });
  expect(given.details.details).toBe('"Review" is given twice');
  stage.write('plan.md', once.replace('Create TokenValidator', 'Create JwtService'));
  const both = await stage.refused('plan.write-plan', { plan_content: { tasks: tasks.slice(0, 1) } });
  expect(both.details.details).toBe(
    'Several tasks are named "Create JwtService": task-3 of phase implement, task-4 of phase implement',
  );
});

verifies(['PLAN.blocked'], 'the outline says blocked where the documents say blocked', async () => {
  const text = samplePlan.replace('| verify    | pending     |', '| verify | blocked by the audit |');
  stage.write('plan.md', text.replace(/(### Task 4[\s\S]*?\n\*\*Phase\*\*: implement\n)/, '$1**Status**: Blocked\n'));
  const { phases } = await stage.run('plan.outline', {});
  const { phases: lines, tasks_current_phase } = await stage.run('plan.read-plan', {});
  expect(phases.map(({ name, status }) => [name, status])).toEqual(lines.map(({ name, status }) => [name, status]));
  expect(phases.find(({ name }) => name === 'verify')?.status).toBe('blocked');
  const tasks = phases
    .flatMap(({ tasks }) => tasks)
    .filter(({ id }) => tasks_current_phase.some((each) => each.id === id));
  expect(tasks.map(({ id, name, status }) => ({ id, name, status }))).toEqual(tasks_current_phase);
  expect(tasks.map(({ status }) => status)).toContain('blocked');
});

verifies(['PLAN.rewrite'], 'an entry can be given with its tick, as a text or apart', async () => {
  const checklist = ['- [x] Add', '[ ] Add tests', { text: 'New', done: true }, { text: 'Open' }];
  await stage.run('plan.write-plan', { plan_content: { tasks: [{ id: 'task-3', checklist }] } });
  expect(stage.read('plan.md')).toContain('**Checklist**:\n- [x] Add\n- [ ] Add tests\n- [x] New\n- [ ] Open\n');
  // Written again without ticks, the list keeps them.
  const texts = ['Add', 'Add tests', 'New', { text: 'Open', done: false }];
  await stage.run('plan.write-plan', { plan_content: { tasks: [{ id: 'task-3', checklist: texts }] } });
  expect(stage.read('plan.md')).toContain('**Checklist**:\n- [x] Add\n- [ ] Add tests\n- [x] New\n- [ ] Open\n');
});

verifies(['PLAN.by-hand'], 'a phase that a person finished is left before a later task is checked', async () => {
  const byHand = samplePlan.replace(/(### Task 3[\s\S]*?)(?=## Phase: verify)/, (text) =>
    text.replaceAll('- [ ]', '- [x]'),
  );
  stage.write('plan.md', byHand);
  expect(await complete('task-5')).toMatchObject({ outcome: 'completed', plan_status: { current_phase: 'finalize' } });
  const { phases } = await stage.run('plan.read-plan', {});
  expect(phases.map(({ status }) => status)).toEqual([
    ...['completed', 'completed', 'completed', 'completed', 'in_progress'],
  ]);
  stage.write('plan.md', byHand);
  const step = { phase_transition: { from_phase: 'verify', to_phase: 'finalize' } };
  const early = await stage.refused('plan.update-progress', step);
  expect(early.details.details).toBe('Phase verify has 0 of 1 tasks completed');
});

verifies(['PLAN.by-hand'], 'a phase without tasks names the remedy', async () => {
  stage.write('plan.md', samplePlan.replace(/### Task 5[\s\S]*?all tests\n/, '').replaceAll('- [ ]', '- [x]'));
  const { alternatives } = await stage.refused('plan.update-progress', {
    update: { task_id: 'task-6', status: 'completed' },
  });
  expect(alternatives).toEqual([
    'Write its tasks with write-plan: plan_content.tasks with the phase verify',
    'Or go on with another phase: write-plan with plan_content.current_phase',
  ]);
});

const boxes = `**Checklist**:
- [ ] Check the signature

**Follow-ups**:
- [ ] ask Ben
- [ ] ask Anna

#### Notes of mine
- [ ] read the RFC

### Research
- [ ] compare libraries`;

verifies(['PLAN.uncounted'], 'boxes that progress does not count are reported, and stay as they are', async () => {
  stage.write('plan.md', samplePlan.replace('**Checklist**:\n- [ ] Check the signature', boxes));
  const { outcome, validation_warnings } = await stage.run('plan.validate-plan', {});
  const place = samplePlan.split('\n').indexOf('- [ ] Check the signature') + 1;
  expect(outcome).toBe('valid');
  expect(validation_warnings.map(({ message }) => message)).toEqual([
    `Line ${place + 3}: 2 open boxes below "Follow-ups" that progress does not count`,
    `Line ${place + 7}: an open box below "Notes of mine" that progress does not count`,
    `Line ${place + 10}: an open box below "Research" that progress does not count`,
  ]);
  await complete('task-3');
  const before = stage.read('plan.md');
  await complete('task-4');
  expect(changedLines(before, stage.read('plan.md')).filter((line) => line.startsWith('-'))).toEqual([
    '- [ ] Check the signature → - [x] Check the signature',
  ]);
});

verifies(
  ['PLAN.blocked'],
  'what a document calls blocked is answered as blocked until somebody continues it',
  async () => {
    stage.write(
      'plan.md',
      samplePlan
        .replace('**Goal**: Tokens are checked', '**Status**: Blocked by the key server\n$&')
        .replace('| verify    | pending     |', '| verify    | blocked     |'),
    );
    const { tasks_current_phase, phases } = await stage.run('plan.read-plan', {});
    expect(tasks_current_phase.map(({ status }) => status)).toEqual(['in_progress', 'blocked']);
    expect(phases.map(({ status }) => status)).toContain('blocked');
    await stage.run('plan.write-plan', { plan_content: { title: 'Tokens' } });
    expect(stage.read('plan.md')).toContain('| verify    | blocked     |');
    await complete('task-4');
    expect(stage.read('plan.md')).toContain('**Status**: completed');
  },
);

verifies(
  ['PF.answer.read-plan', 'PLAN.rewrite'],
  'counts are those of the tasks; a row counts where a phase has none',
  async () => {
    const rows: Record<string, string> = {
      init: '| init | completed | 9 | 9/9 |',
      finalize: '| finalize | pending | 3 | 1/3 |',
    };
    const text = samplePlan
      .replace(/^\| (init|finalize) .*$/gm, (_, name: string) => rows[name] ?? '')
      .replace(/^### Task 6[\s\S]*?(?=^(?:---|##))/m, '');
    stage.write('plan.md', text);
    const { phases } = await stage.run('plan.read-plan', {});
    const counts = (name: string) => phases.find((each) => each.name === name)?.completed;
    expect([counts('init'), counts('finalize')]).toEqual(['1/1', '1/3']);
  },
);
