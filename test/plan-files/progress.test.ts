import { afterEach, beforeEach, expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { changedLines, openPlanStage, type PlanStage } from './plan-stage.ts';
import { restartingPlan, samplePlan } from './sample-plan.ts';

let stage: PlanStage;

beforeEach(async () => {
  stage = await openPlanStage();
  stage.write('plan.md', samplePlan);
});

afterEach(() => stage.close());

const complete = (task_id: string, checklist_items?: (number | string)[]) =>
  stage.run('plan.update-progress', { update: { task_id, status: 'completed', checklist_items } });

verifies(
  ['PF.operation.update-progress', 'PF.answer.update-progress', 'PF.held.unknown-sections'],
  'an update ticks its items, answers the state of phase and plan, and changes no other line',
  async () => {
    expect(await complete('task-3', [0, 1, 2, 3])).toEqual({
      outcome: 'updated',
      plan_status: { current_phase: 'implement', current_task: 'task-4', phase_complete: false },
      phase_status: { phase: 'implement', tasks_total: 2, tasks_completed: 1, completion_percentage: 50 },
    });
    expect(changedLines(samplePlan, stage.read('plan.md'))).toEqual([
      '**Current Task**: task-3 → **Current Task**: task-4',
      '| implement | in_progress | 2     | 0/2       | → | implement | in_progress | 2     | 1/2       |',
      '- [ ] Add → - [x] Add',
      '- [ ] Add tests → - [x] Add tests',
      '- [ ] Parse a, b (c) and \\d → - [x] Parse a, b (c) and \\d',
      '- [ ] Print [x] or [ ] as it is → - [x] Print [x] or [ ] as it is',
    ]);
  },
);

verifies(
  ['PF.plan.moves-on', 'PF.plan.phase-completes', 'PF.answer.last-task'],
  'the last task of a phase moves table, headings, phase and task on',
  async () => {
    await complete('task-3');
    const before = stage.read('plan.md');
    expect(await complete('task-4')).toEqual({
      outcome: 'completed',
      plan_status: { current_phase: 'verify', current_task: 'task-5', phase_complete: true },
      phase_status: { phase: 'implement', tasks_total: 2, tasks_completed: 2, completion_percentage: 100 },
      phase_ready_for_transition: true,
      next_phase: 'verify',
      next_action: 'Phase implement completed',
      next_focus: 'Transition to verify phase',
    });
    expect(changedLines(before, stage.read('plan.md'))).toEqual([
      '**Current Phase**: implement → **Current Phase**: verify',
      '**Current Task**: task-4 → **Current Task**: task-5',
      '| implement | in_progress | 2     | 1/2       | → | implement | completed | 2     | 2/2       |',
      '| verify    | pending     | 1     | 0/1       | → | verify    | in_progress | 1     | 0/1       |',
      '## Phase: implement (in_progress) → ## Phase: implement (completed)',
      '- [ ] Check the signature → - [x] Check the signature',
      '## Phase: verify (pending) → ## Phase: verify (in_progress)',
    ]);
  },
);

verifies(['PF.plan.moves-on', 'PF.answer.last-task'], 'the last task of all ends the plan', async () => {
  for (const task of ['task-3', 'task-4', 'task-5']) await complete(task);
  const answer = await complete('task-6');
  expect(answer).toMatchObject({
    outcome: 'completed',
    plan_status: { current_phase: 'finalize', current_task: 'phase-complete', phase_complete: true },
    phase_ready_for_transition: false,
    next_phase: 'none',
    next_focus: 'Plan completed',
  });
  expect(stage.read('plan.md')).toContain('**Current Task**: phase-complete');
  const read = await stage.run('plan.read-plan', {});
  expect(read.plan_status).toEqual({
    current_phase: 'finalize',
    current_task: 'phase-complete',
    overall_status: 'completed',
  });
  expect(read.phases.map(({ status, completed }) => `${status} ${completed}`)).toEqual([
    'completed 1/1',
    'completed 1/1',
    'completed 2/2',
    'completed 1/1',
    'completed 1/1',
  ]);
});

verifies(['PF.answer.repeat'], 'an update that took effect is answered alike and writes nothing', async () => {
  for (const [task, items] of [
    ['task-3', [0]],
    ['task-3', undefined],
    ['task-4', undefined],
  ] as const) {
    const first = await complete(task, items?.slice());
    const text = stage.read('plan.md');
    expect(await complete(task, items?.slice())).toEqual(first);
    expect(stage.read('plan.md')).toBe(text);
  }
  // Long after its phase ended, a late repetition is still no error.
  await complete('task-5');
  const text = stage.read('plan.md');
  expect(await complete('task-3', ['Add'])).toMatchObject({ outcome: 'completed', next_phase: 'verify' });
  expect(stage.read('plan.md')).toBe(text);
});

verifies(['PF.held.checklist-exact'], 'an item is ticked by its whole text, never by its beginning', async () => {
  const answer = await complete('task-3', ['Add']);
  expect(changedLines(samplePlan, stage.read('plan.md'))).toEqual(['- [ ] Add → - [x] Add']);
  expect(answer).toMatchObject({ outcome: 'updated', next_action: 'Complete 3 more checklist items of task-3' });
  for (const text of ['Add test', 'add tests', 'Add tests and more', '']) {
    expect((await stage.refused('plan.update-progress', update('task-3', [text]))).code).toMatch(
      text === '' ? 'invalid_input' : 'validation_failed',
    );
  }
});

verifies(['PF.held.checklist-characters'], 'items may hold commas, brackets, backslashes and boxes', async () => {
  await complete('task-3', ['Parse a, b (c) and \\d', 'Print [x] or [ ] as it is']);
  expect(changedLines(samplePlan, stage.read('plan.md'))).toEqual([
    '- [ ] Parse a, b (c) and \\d → - [x] Parse a, b (c) and \\d',
    '- [ ] Print [x] or [ ] as it is → - [x] Print [x] or [ ] as it is',
  ]);
});

const update = (task_id: string, checklist_items?: (number | string)[], phase?: string) => ({
  update: { task_id, status: 'completed' as const, checklist_items, phase },
});

verifies(['PF.held.unknown-nothing-written'], 'what the plan does not have is refused, nothing written', async () => {
  const before = stage.snapshot();
  for (const [input, details] of [
    [update('task-99'), 'task-99 is not in the plan'],
    [update('nonsense'), 'nonsense is not in the plan'],
    [update('task-3', [4]), 'task-3 has no checklist item 4'],
    [update('task-3', [0, 'Nothing']), 'task-3 has no checklist item "Nothing"'],
    [update('task-3', undefined, 'nowhere'), 'Phase nowhere is not in the plan'],
    [{ phase_transition: { from_phase: 'implement', to_phase: 'nowhere' } }, 'Phase nowhere is not in the plan'],
    [{}, 'Neither update nor phase_transition is given'],
  ] as const) {
    const { code, details: told, alternatives } = await stage.refused('plan.update-progress', input);
    expect([code, told.details]).toEqual(['validation_failed', details]);
    expect(alternatives.length).toBeGreaterThan(0);
    expect(stage.snapshot()).toEqual(before);
  }
});

verifies(
  ['PF.held.unknown-nothing-written', 'PF.answer.other-phase', 'PF.plan.sequential'],
  'a task of another phase is refused with what remains in the current one, nothing written',
  async () => {
    const before = stage.snapshot();
    for (const task of ['task-5', 'verify-task-5', 'task-6']) {
      const error = await stage.refused('plan.update-progress', update(task));
      expect(error.code).toBe('phase_transition_violation');
      expect(error.details).toMatchObject({
        phase_status: { phase: 'implement', tasks_total: 2, tasks_completed: 0, completion_percentage: 0 },
        remaining_tasks: [
          { id: 'task-3', name: 'Create JwtService', status: 'pending' },
          { id: 'task-4', name: 'Create TokenValidator', status: 'pending' },
        ],
      });
    }
    expect(stage.snapshot()).toEqual(before);
  },
);

verifies(['PF.held.unknown-nothing-written'], 'a phase without tasks is neither worked on nor entered', async () => {
  const emptied = samplePlan.replace(/### Task 5[\s\S]*?all tests\n/, '');
  stage.write('plan.md', emptied);
  await complete('task-3');
  const before = stage.snapshot();
  for (const input of [update('task-4'), update('verify-task-1'), update('task-4', undefined, 'verify')]) {
    const error = await stage.refused('plan.update-progress', input);
    expect([error.code, error.details.details]).toEqual(['invalid_structure', 'Phase verify has no tasks in plan.md']);
  }
  expect(stage.snapshot()).toEqual(before);

  stage.write('plan.md', emptied.replace('**Current Phase**: implement', '**Current Phase**: verify'));
  const inside = await stage.refused('plan.update-progress', update('task-4'));
  expect(inside.details.details).toBe('Phase verify has no tasks in plan.md');
});

verifies(
  ['PF.held.counts-tasks', 'PF.answer.read-plan'],
  'counts are of tasks, not of the table’s numbers',
  async () => {
    stage.write('plan.md', samplePlan.replace('| 2     | 0/2       |', '| 5     | 4/5       |'));
    await complete('task-3', [0, 1]);
    const { phases, tasks_current_phase } = await stage.run('plan.read-plan', {});
    expect(phases[2]).toEqual({ name: 'implement', status: 'in_progress', tasks: 2, completed: '0/2' });
    expect(tasks_current_phase).toEqual([
      { id: 'task-3', name: 'Create JwtService', status: 'in_progress' },
      { id: 'task-4', name: 'Create TokenValidator', status: 'pending' },
    ]);
    expect(stage.read('plan.md')).toContain('| implement | in_progress | 2     | 0/2       |');
  },
);

verifies(
  ['PF.plan.numbering', 'PF.plan.form'],
  'where each phase numbers its own, the current one is meant',
  async () => {
    stage.write('plan.md', restartingPlan);
    await complete('task-1');
    await complete('implement-task-2');
    const { plan_status } = await stage.run('plan.read-plan', {});
    expect(plan_status).toMatchObject({ current_phase: 'verify', current_task: 'task-1' });
    // Without its phase a repetition would mean another task; with it, it is none.
    const text = stage.read('plan.md');
    expect(await stage.run('plan.update-progress', update('task-1', undefined, 'implement'))).toMatchObject({
      outcome: 'completed',
      plan_status: { current_phase: 'verify' },
    });
    expect(stage.read('plan.md')).toBe(text);
    expect(text).toContain('# Task Plan: JWT Authentication');
  },
);

verifies(['PLAN.transition'], 'a step that a message asks for is taken once the phase is complete', async () => {
  const step = { phase_transition: { from_phase: 'implement', to_phase: 'verify', status: 'completed' as const } };
  const early = await stage.refused('plan.update-progress', step);
  expect([early.code, early.details.details]).toEqual([
    'phase_transition_violation',
    'Phase implement has 0 of 2 tasks completed',
  ]);
  expect(early.details.remaining_tasks).toHaveLength(2);
  const leap = await stage.refused('plan.update-progress', {
    phase_transition: { from_phase: 'implement', to_phase: 'finalize' },
  });
  expect(leap.details.details).toBe('Phases are sequential: finalize does not follow implement');
  expect(stage.read('plan.md')).toBe(samplePlan);

  await complete('task-3');
  const both = await stage.run('plan.update-progress', { ...update('task-4'), ...step });
  expect(both).toMatchObject({ outcome: 'completed', next_phase: 'verify' });
  const text = stage.read('plan.md');
  await stage.run('plan.update-progress', step);
  expect(stage.read('plan.md')).toBe(text);

  // A person ticked all boxes by hand; the message then moves the phase.
  stage.write('plan.md', samplePlan.replaceAll('- [ ] ', '- [x] ').replace('- [x] Open', '- [ ] Open'));
  const moved = await stage.run('plan.update-progress', step);
  expect(moved.plan_status).toMatchObject({ current_phase: 'finalize', current_task: 'task-6' });
});

verifies(['PLAN.reopen'], 'a task of the current phase is reopened, one before it is not', async () => {
  await complete('task-3');
  const reopened = await stage.run('plan.update-progress', {
    update: { task_id: 'task-3', status: 'pending', checklist_items: [1] },
  });
  expect(reopened.phase_status.tasks_completed).toBe(0);
  expect(stage.read('plan.md')).toContain('- [x] Add\n- [ ] Add tests\n');
  await stage.run('plan.update-progress', { update: { task_id: 'task-3', status: 'in_progress' } });
  expect(stage.read('plan.md')).toContain('**Current Task**: task-3');
  const past = await stage.refused('plan.update-progress', { update: { task_id: 'task-1', status: 'pending' } });
  expect(past.code).toBe('phase_transition_violation');

  for (const task of ['task-3', 'task-4', 'task-5', 'task-6']) await complete(task);
  await stage.run('plan.update-progress', { update: { task_id: 'task-6', status: 'pending' } });
  const { plan_status, phases } = await stage.run('plan.read-plan', {});
  expect(plan_status).toEqual({ current_phase: 'finalize', current_task: 'task-6', overall_status: 'in_progress' });
  expect(phases.at(-1)).toMatchObject({ status: 'in_progress', completed: '0/1' });
});

verifies(['PF.plan.phase-completes'], 'a task without a checklist is done by its own line', async () => {
  stage.write('plan.md', samplePlan.replace('**Checklist**:\n- [ ] Check the signature\n', ''));
  await complete('task-3');
  expect((await stage.run('plan.read-plan', {})).plan_status.current_phase).toBe('implement');
  expect(await complete('task-4')).toMatchObject({ outcome: 'completed', next_phase: 'verify' });
  expect(stage.read('plan.md')).toContain('**Phase**: implement\n**Status**: completed\n**Goal**: Tokens are checked');
  const text = stage.read('plan.md');
  await complete('task-4');
  expect(stage.read('plan.md')).toBe(text);
});

verifies(['PLAN.files-created'], 'files that an update names become references, each once', async () => {
  const files_created = ['src/main/JwtService.java', 'src/test/JwtServiceTest.java'];
  for (const items of [[0], [0], [1]]) {
    await stage.run('plan.update-progress', { ...update('task-3', items), files_created });
  }
  expect(stage.read('references.md').match(/JwtService\.java/g)).toHaveLength(1);
  const { references } = await stage.run('plan.get-references', {});
  expect(references.implementation_files).toEqual(['src/main/JwtService.java']);
  expect(references.test_files).toEqual(['src/test/JwtServiceTest.java']);
  const before = stage.snapshot();
  await stage.refused('plan.update-progress', { ...update('task-99'), files_created: ['src/other.ts'] });
  expect(stage.snapshot()).toEqual(before);
});

verifies(['PF.held.checklist-exact'], 'an item whose text occurs twice is named by its index', async () => {
  stage.write('plan.md', samplePlan.replace('- [ ] Add tests', '- [ ] Add'));
  const error = await stage.refused('plan.update-progress', update('task-3', ['Add']));
  expect(error.alternatives).toEqual(['Name it by its place: 0, 1']);
  await complete('task-3', [1]);
  expect(stage.read('plan.md')).toContain('- [ ] Add\n- [x] Add\n');
});
