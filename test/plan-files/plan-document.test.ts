import { afterEach, beforeEach, expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { changedLines, openPlanStage, type PlanStage } from './plan-stage.ts';
import { samplePlan } from './sample-plan.ts';

let stage: PlanStage;

beforeEach(async () => {
  stage = await openPlanStage();
});

afterEach(() => stage.close());

const tasks = [
  { name: 'Set up', phase: 'init', goal: 'It stands', acceptance_criteria: ['It runs'], checklist: ['One', 'Two'] },
  { name: 'Do it', phase: 'execute', goal: 'It works', checklist: ['Three'] },
];

const content = { title: 'JWT', phases: ['init', 'execute', 'finalize'], tasks };

verifies(
  ['PF.operation.write-plan', 'PF.answer.write-plan', 'PF.plan.form', 'PF.plan.numbering'],
  'a new plan has the form of the source',
  async () => {
    expect(await stage.run('plan.write-plan', { plan_content: content })).toEqual({
      outcome: 'created',
      artifacts: { plan_file: '.claude/plans/jwt-auth/plan.md' },
    });
    const text = stage.read('plan.md');
    expect(text.split('\n').filter((line) => line !== '')).toEqual([
      '# JWT',
      '**Configuration**: See [config.md](./config.md)',
      '**References**: See [references.md](./references.md)',
      '**Current Phase**: init',
      '**Current Task**: task-1',
      '---',
      '## Phase Progress',
      '| Phase | Status | Tasks | Completed |',
      '|-------|--------|-------|-----------|',
      '| init | in_progress | 1 | 0/1 |',
      '| execute | pending | 1 | 0/1 |',
      '| finalize | pending | 0 | 0/0 |',
      '---',
      '## Phase: init (in_progress)',
      '### Task 1: Set up',
      '**Phase**: init',
      '**Goal**: It stands',
      '**Acceptance Criteria**:',
      '- It runs',
      '**Checklist**:',
      '- [ ] One',
      '- [ ] Two',
      '---',
      '## Phase: execute (pending)',
      '### Task 2: Do it',
      '**Phase**: execute',
      '**Goal**: It works',
      '**Checklist**:',
      '- [ ] Three',
      '---',
      '## Phase: finalize (pending)',
      '---',
      '## Completion Criteria',
      '- Every task of every phase is completed.',
    ]);
    expect(await stage.run('plan.validate-plan', {})).toMatchObject({ outcome: 'valid', validation_warnings: [] });
    await stage.run('plan.write-plan', { plan_content: content });
    expect(stage.read('plan.md')).toBe(text);
  },
);

verifies(
  ['PF.operation.read-plan', 'PF.answer.read-plan', 'PF.plan.form'],
  'read-plan answers status, phases and the current tasks, under both forms of the title',
  async () => {
    const expected = {
      plan_status: { current_phase: 'implement', current_task: 'task-3', overall_status: 'in_progress' },
      phases: [
        { name: 'init', status: 'completed', tasks: 1, completed: '1/1' },
        { name: 'refine', status: 'completed', tasks: 1, completed: '1/1' },
        { name: 'implement', status: 'in_progress', tasks: 2, completed: '0/2' },
        { name: 'verify', status: 'pending', tasks: 1, completed: '0/1' },
        { name: 'finalize', status: 'pending', tasks: 1, completed: '0/1' },
      ],
      tasks_current_phase: [
        { id: 'task-3', name: 'Create JwtService', status: 'in_progress' },
        { id: 'task-4', name: 'Create TokenValidator', status: 'pending' },
      ],
    };
    const forms = [
      samplePlan,
      samplePlan.replace('# JWT', '# Task Plan: JWT'),
      samplePlan.replaceAll('\n', '\r\n'),
      `\uFEFF${samplePlan}`,
      samplePlan.replace('task-3', '`task-3`').replaceAll('**Phase**:', '**Phase:**'),
      samplePlan.replace(/^\*\*Phase\*\*: .*\n/gm, ''),
      samplePlan.replace(/^## Phase: (\w+) .*$/gm, '## Phase: $1'),
      samplePlan.replace('| in_progress |', '| In Progress |'),
    ];
    for (const text of forms) {
      stage.write('plan.md', text);
      expect(await stage.run('plan.read-plan', {})).toEqual(expected);
    }
  },
);

verifies(
  ['PF.operation.read-plan'],
  'the phases are those of the first sound table below its heading, else of the first sound one anywhere',
  async () => {
    const table = (name: string, status = 'pending') => `| Phase | Status |\n|---|---|\n| ${name} | ${status} |\n`;
    const unruled = '| Phase | Status |\n| unruled | pending |\n';
    const costs = '| Phase | Days |\n|---|---|\n| costs | 3 |\n';
    const heading = '## Phase Progress\n\n';
    const cases: [string, string][] = [
      [`${table('before')}\n${heading}${table('own')}\n${table('after')}`, 'own'],
      [`${heading}${costs}\n${table('own')}`, 'own'],
      [`${heading}${unruled}\n## Notes\n\n${table('elsewhere')}`, 'unruled'],
      [`${costs}\n${table('elsewhere')}\n${table('after')}`, 'elsewhere'],
      [`${heading}None yet.\n\n## Notes\n\n${table('elsewhere')}`, 'elsewhere'],
    ];
    const namesOf = async () => (await stage.run('plan.read-plan', {})).phases.map(({ name }) => name).join();
    for (const [tables, expected] of cases) {
      stage.write('plan.md', `# JWT\n\n**Current Phase**: ${expected}\n\n${tables}`);
      if (expected !== 'unruled') expect(await namesOf(), tables).toBe(expected);
      else
        expect(JSON.stringify((await stage.refused('plan.read-plan', {})).details)).toContain(
          'lacks the row of dashes',
        );
    }
  },
);

verifies(
  ['PF.answer.read-plan'],
  'a plan is completed where table and tasks both are, and pending where neither is begun',
  async () => {
    const planOf = (rows: readonly string[], ...boxes: string[]) => {
      const table = rows.map((status, place) => `| p${place} | ${status} |\n`).join('');
      const made = boxes.map((box, place) => `## Phase: p${place}\n\n### Task ${place}: Do\n\n- [${box}] It\n`);
      const head = '# JWT\n\n**Current Phase**: p0\n\n## Phase Progress\n\n| Phase | Status |\n|---|---|\n';
      return `${head}${table}\n${made.join('\n')}`;
    };
    const cases: [string, string][] = [
      [planOf(['completed', 'completed'], 'x', 'x'), 'completed'],
      [planOf(['completed', 'completed'], 'x', ' '), 'in_progress'],
      [planOf(['completed', 'completed'], 'x'), 'completed'],
      [planOf(['completed', 'pending'], 'x', 'x'), 'in_progress'],
      [planOf(['completed', 'pending'], 'x'), 'in_progress'],
      [planOf(['pending', 'pending'], ' ', ' '), 'pending'],
      [planOf(['pending', 'pending'], ' ', 'x'), 'in_progress'],
      [planOf(['in_progress', 'pending'], ' ', ' '), 'in_progress'],
    ];
    for (const [text, expected] of cases) {
      stage.write('plan.md', text);
      const { plan_status } = await stage.run('plan.read-plan', {});
      expect(plan_status.overall_status, text).toBe(expected);
    }
  },
);

verifies(
  ['PF.plan.phase-sets'],
  'the phases of the type are taken where none are named, others are accepted',
  async () => {
    const sets = {
      implementation: ['init', 'refine', 'implement', 'verify', 'finalize'],
      simple: ['init', 'execute', 'finalize'],
      'plugin-development': ['init', 'refine', 'execute', 'finalize'],
    } as const;
    const title = { title: 'T' };
    const unnamed = await stage.refused('plan.write-plan', { plan_content: title });
    expect([unnamed.code, unnamed.details.details]).toEqual(['validation_failed', 'A new plan has no phases']);
    for (const [index, [plan_type, names]] of Object.entries(sets).entries()) {
      const { artifacts } = await stage.baton.run('plan.create-directory', { task_name: `plan-${index}` });
      const { plan_directory } = artifacts;
      const configuration = { plan_type: plan_type as keyof typeof sets, branch: 'feature/x' };
      await stage.run('plan.write-config', { plan_directory, configuration });
      await stage.run('plan.write-plan', { plan_directory, plan_content: title });
      const { phases } = await stage.run('plan.read-plan', { plan_directory });
      expect(phases.map(({ name }) => name)).toEqual(names);
    }
    await stage.run('plan.write-plan', { plan_content: { title: 'T', phases: ['think (hard)', 'do | it'] } });
    const { phases, plan_status } = await stage.run('plan.read-plan', {});
    expect(phases.map(({ name }) => name)).toEqual(['think (hard)', 'do | it']);
    expect(plan_status).toMatchObject({ current_phase: 'think (hard)', current_task: 'none' });
  },
);

verifies(
  ['PLAN.rewrite', 'PF.held.unknown-sections'],
  'writing again changes what is named and keeps the rest',
  async () => {
    stage.write('plan.md', samplePlan);
    await stage.run('plan.update-progress', {
      update: { task_id: 'task-3', status: 'completed', checklist_items: [1] },
    });
    const before = stage.read('plan.md');
    await stage.run('plan.write-plan', {
      plan_content: {
        title: 'Tokens',
        tasks: [
          { id: 'task-3', goal: 'Better', checklist: ['Add', 'Add tests', 'Parse a, b (c) and \\d', 'New'] },
          { id: 'task-4', name: 'Validate', acceptance_criteria: ['Fast'] },
        ],
      },
    });
    const lines = before.split('\n');
    expect(stage.read('plan.md').split('\n')).toEqual(
      lines.flatMap((line) => {
        if (line === '# JWT Authentication') return ['# Tokens'];
        if (line === '**Goal**: Tokens can be made') return ['**Goal**: Better'];
        if (line.includes('Print [x]')) return ['- [ ] New'];
        if (line === '### Task 4: Create TokenValidator') return ['### Task 4: Validate'];
        if (line === '**Goal**: Tokens are checked') return [line, '', '**Acceptance Criteria**:', '- Fast'];
        return [line];
      }),
    );
    expect(before).toContain('- [x] Add tests');
  },
);

verifies(['PLAN.rewrite', 'PF.plan.sequential'], 'phases and tasks are added where they belong', async () => {
  stage.write('plan.md', samplePlan);
  await stage.run('plan.write-plan', {
    plan_content: {
      phases: ['init', 'refine', 'implement', 'review', 'verify', 'finalize'],
      tasks: [
        { name: 'Look', phase: 'review', goal: 'Seen', checklist: ['Look'] },
        { name: 'More', phase: 'implement', goal: 'Done', checklist: ['x'] },
      ],
    },
  });
  const { phases, tasks_current_phase } = await stage.run('plan.read-plan', {});
  expect(phases.map(({ name, completed }) => `${name} ${completed}`)).toEqual([
    'init 1/1',
    'refine 1/1',
    'implement 0/3',
    'review 0/1',
    'verify 0/1',
    'finalize 0/1',
  ]);
  expect(tasks_current_phase.map(({ id }) => id)).toEqual(['task-3', 'task-4', 'task-8']);
  const text = stage.read('plan.md');
  expect(text.indexOf('### Task 8')).toBeLessThan(text.indexOf('## Phase: review (pending)'));
  expect(text.indexOf('### Task 7')).toBeLessThan(text.indexOf('## Phase: verify (pending)'));
  // All that was there is there, in its order.
  let at = 0;
  for (const line of samplePlan.split('\n').filter((each) => !/^\| implement/.test(each))) {
    at = text.indexOf(line, at);
    expect(at, line).toBeGreaterThanOrEqual(0);
  }
});

verifies(['PF.plan.sequential', 'PF.operation.write-plan'], 'a plan that contradicts itself is refused', async () => {
  stage.write('plan.md', samplePlan);
  const before = stage.snapshot();
  for (const [plan_content, code, details] of [
    [
      { current_phase: 'verify' },
      'phase_transition_violation',
      'Phase implement comes before verify and is not completed',
    ],
    [
      { tasks: [{ name: 'x', phase: 'init', goal: 'y', checklist: ['z'] }] },
      'phase_transition_violation',
      'Phase init comes before implement and is not completed',
    ],
    [{ current_phase: 'nowhere' }, 'validation_failed', 'Phase nowhere is not in the plan'],
    [{ current_task: 'task-5' }, 'validation_failed', 'task-5 is no task of phase implement'],
    [{ status: 'completed' as const }, 'validation_failed', 'The plan is not completed'],
    [{ phases: ['refine', 'init'] }, 'validation_failed', 'Phases cannot change their order'],
    [{ phases: ['init', 'Init'] }, 'validation_failed', 'Phase Init is named twice'],
    [{ tasks: [{ name: 'x', phase: 'nowhere', goal: 'y' }] }, 'validation_failed', 'Phase nowhere is not in the plan'],
    [{ tasks: [{ name: 'x', phase: 'verify' }] }, 'validation_failed', 'task-7 is new and lacks goal'],
    [{ tasks: [{ id: 'task-9' }] }, 'validation_failed', 'task-9 is new and names no phase'],
    [{ tasks: [{ id: 'nine' }] }, 'validation_failed', 'nine is no id of a task'],
    [{ tasks: [{ id: 'task-3', phase: 'verify' }] }, 'validation_failed', 'task-3 belongs to phase implement'],
    [{ tasks: [{ id: 'task-3' }, { id: 'task-3' }] }, 'validation_failed', 'task-3 is given twice'],
  ] as const) {
    const error = await stage.refused('plan.write-plan', { plan_content: structuredClone(plan_content) as never });
    expect([error.code, error.details.details]).toEqual([code, details]);
    expect(stage.snapshot()).toEqual(before);
  }
  // Back to an earlier phase, with something to do there, is allowed.
  const back = {
    current_phase: 'refine',
    tasks: [{ name: 'Ask again', phase: 'refine', goal: 'Clear', checklist: ['a'] }],
  };
  await stage.run('plan.write-plan', { plan_content: back });
  const { plan_status, phases } = await stage.run('plan.read-plan', {});
  expect(plan_status).toMatchObject({ current_phase: 'refine', current_task: 'task-7' });
  expect(phases.map(({ status }) => status)).toEqual(['completed', 'in_progress', 'pending', 'pending', 'pending']);
});

verifies(
  ['PF.error.invalid-structure', 'PLAN.mend'],
  'a plan without its table is refused in exactly the words of the source',
  async () => {
    const broken = samplePlan.replace(/## Phase Progress[\s\S]*?---\n\n/, '');
    stage.write('plan.md', broken);
    const asked = [
      stage.refused('plan.read-plan', {}),
      stage.refused('plan.update-progress', { update: { task_id: 'task-3', status: 'completed' } }),
      stage.refused('plan.write-plan', { plan_content: { title: 'x' } }),
    ];
    for (const { code, message, details, alternatives } of await Promise.all(asked)) {
      expect({ code, message, details, alternatives }).toEqual({
        code: 'invalid_structure',
        message: 'Plan file has invalid structure',
        details: {
          details: 'Missing Phase Progress Table in plan.md',
          validation_errors: ['Phase Progress Table not found'],
        },
        alternatives: ['Refine plan to fix structure', 'Recreate plan from scratch'],
      });
    }
    expect(stage.read('plan.md')).toBe(broken);
    const phases = ['init', 'refine', 'implement', 'verify', 'finalize'];
    await stage.run('plan.write-plan', { plan_content: { phases } });
    const mended = await stage.run('plan.read-plan', {});
    expect(mended.phases.map(({ completed }) => completed)).toEqual(['1/1', '1/1', '0/2', '0/1', '0/1']);
    expect(mended.plan_status).toMatchObject({ current_phase: 'implement', current_task: 'task-3' });
  },
);

verifies(['PF.validate.codes'], 'validate-plan reports every documented code', async () => {
  const codes = async (text: string) => {
    stage.write('plan.md', text);
    const { outcome, validation_errors, validation_warnings } = await stage.run('plan.validate-plan', {});
    return [
      outcome,
      ...validation_errors.map(({ code }) => code),
      ...validation_warnings.map(({ code }) => `${code} (w)`),
    ];
  };
  expect((await stage.run('plan.validate-plan', {})).validation_errors).toMatchObject([{ code: 'PLAN_NOT_FOUND' }]);
  expect(await codes(samplePlan)).toEqual(['valid']);
  expect(await codes('')).toEqual([
    'invalid',
    'MISSING_TITLE',
    'MISSING_CURRENT_PHASE',
    'MISSING_PHASE_TABLE',
    'MISSING_CURRENT_TASK (w)',
    'NO_TASKS (w)',
  ]);
  for (const [from, to, expected] of [
    ['# JWT Authentication', '', ['invalid', 'MISSING_TITLE']],
    ['**Current Phase**: implement', '', ['invalid', 'MISSING_CURRENT_PHASE']],
    ['**Current Phase**: implement', '**Current Phase**: other', ['invalid', 'MISSING_CURRENT_PHASE']],
    ['**Current Task**: task-3', '', ['valid', 'MISSING_CURRENT_TASK (w)']],
    ['| Phase     | Status', '| Phase     | State', ['invalid', 'MISSING_CURRENT_PHASE', 'INVALID_PHASE_TABLE']],
    ['| verify    | pending     |', '| verify    | soon        |', ['valid', 'INVALID_STATUS (w)']],
    ['### Task 5', '### Task 7', ['valid', 'TASK_ORDER (w)']],
    ['**Phase**: verify', '', ['invalid', 'TASK_MISSING_PHASE']],
    ['**Goal**: It works', '', ['invalid', 'TASK_MISSING_GOAL']],
    ['- [ ] Run all tests', '', ['valid', 'TASK_MISSING_CHECKLIST (w)']],
  ] as const) {
    expect(samplePlan).toContain(from);
    expect(await codes(samplePlan.replace(from, to))).toEqual(expected);
  }
});

verifies(
  ['PLAN.hostile'],
  'values that look like structure break none, and are named again as they were given',
  async () => {
    const hostile = [
      'a\n## Phase: evil (completed)',
      'a\r\n### Task 1: evil',
      '| a | b |',
      '```',
      '<!-- hidden',
      '**Phase**: evil',
      '# x',
      '---',
      '\u2028## Phase: evil\u2029',
      'bidi \u202E and zero\u200Bwidth and \u001B[31m',
      '\\',
      '__proto__',
      '=SUM(A1)',
      'Ω💾'.repeat(50),
      '1. first',
      '(completed)',
    ];
    const name = (text: string) => text;
    const plan_content = {
      title: hostile[0],
      phases: ['init', 'execute'],
      tasks: hostile.map((text) => ({
        name: name(text),
        phase: 'init',
        goal: text,
        acceptance_criteria: [text],
        checklist: [text, 'last'],
      })),
    };
    await stage.run('plan.write-plan', {
      plan_content: {
        ...plan_content,
        tasks: [...plan_content.tasks, { name: 'e', phase: 'execute', goal: 'g', checklist: ['y'] }],
      },
    });
    const read = await stage.run('plan.read-plan', {});
    expect(read.phases.map(({ name: phase, tasks: count }) => `${phase} ${count}`)).toEqual([
      `init ${hostile.length}`,
      'execute 1',
    ]);
    for (const [index, text] of hostile.entries()) {
      const before = stage.read('plan.md');
      const update = { task_id: `task-${index + 1}`, status: 'completed' as const, checklist_items: [text] };
      await stage.run('plan.update-progress', { update });
      const changed = changedLines(before, stage.read('plan.md'));
      expect(changed).toHaveLength(1);
      expect(changed[0]).toMatch(/^- \[ \] .* → - \[x\] /);
      const rest = { task_id: `task-${index + 1}`, status: 'completed' as const };
      await stage.run('plan.update-progress', { update: rest });
    }
    expect((await stage.run('plan.read-plan', {})).plan_status.current_phase).toBe('execute');
    expect(await stage.run('plan.validate-plan', {})).toMatchObject({ outcome: 'valid' });
  },
);

verifies(['PLAN.encoding'], 'what is not UTF-8, or too large, is refused and stays', async () => {
  const latin = Buffer.concat([Buffer.from(samplePlan), Buffer.from([0xe4, 0x0a])]);
  stage.write('plan.md', latin);
  const before = stage.snapshot();
  for (const error of [
    await stage.refused('plan.read-plan', {}),
    await stage.refused('plan.update-progress', { update: { task_id: 'task-3', status: 'completed' } }),
    await stage.refused('plan.write-plan', { plan_content: { title: 'x' } }),
  ]) {
    expect([error.code, error.details.details]).toEqual([
      'invalid_format',
      '.claude/plans/jwt-auth/plan.md holds bytes that are not UTF-8',
    ]);
  }
  expect(stage.snapshot()).toEqual(before);
  stage.write('plan.md', samplePlan + 'x'.repeat(4 * 1024 * 1024));
  expect((await stage.refused('plan.read-plan', {})).code).toBe('too_large');
});

verifies(
  ['PLAN.line-ends', 'PF.held.unknown-sections'],
  'CRLF, a byte order mark and a missing last line end stay',
  async () => {
    for (const [text, end] of [
      [`\uFEFF${samplePlan.trimEnd().replaceAll('\n', '\r\n')}`, '\r\n'],
      [samplePlan.trimEnd(), '\n'],
    ] as const) {
      stage.write('plan.md', text);
      await stage.run('plan.update-progress', { update: { task_id: 'task-3', status: 'completed' } });
      await stage.run('plan.update-progress', { update: { task_id: 'task-4', status: 'completed' } });
      await stage.run('plan.write-plan', { plan_content: { tasks: [{ name: 'x', phase: 'finalize', goal: 'y' }] } });
      const now = stage.read('plan.md');
      expect(now.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'));
      expect(now.split(end).length).toBe(text.split(end).length + 5);
      expect(now.replaceAll(end, '')).not.toMatch(/[\r\n]/);
      expect(now.endsWith('- All tests pass')).toBe(true);
    }
  },
);
