import { afterAll, beforeAll, expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { openPlanStage, type PlanStage } from './plan-stage.ts';
import { samplePlan } from './sample-plan.ts';

let stage: PlanStage;

beforeAll(async () => {
  stage = await openPlanStage();
});
afterAll(() => stage.close());

/** A document with both sides of a line, as git leaves them. */
const conflicted = (text: string, line: string) =>
  text.replace(line, `<<<<<<< HEAD\n${line}\n=======\n${line}\n>>>>>>> feature`);

verifies(['PF.validate.conflict'], 'a merge conflict is a finding with its line, in each document', async () => {
  const config = '# Configuration\n\n**Plan Type**: simple\n**Branch**: main\n**Technology**: none\n';
  const cases = [
    ['plan', conflicted(samplePlan, '- [ ] Add tests'), '<<<<<<< HEAD'],
    ['plan', samplePlan.replace('\n### Task 3', '\n>>>>>>> feature\n### Task 3'), '>>>>>>> feature'],
    ['config', conflicted(config, '**Branch**: main'), '<<<<<<< HEAD'],
    ['references', '# References\n<<<<<<< HEAD\n=======\n>>>>>>> b\n', '<<<<<<< HEAD'],
  ] as const;
  for (const [name, text, marker] of cases) {
    stage.write(`${name}.md`, text);
    const { outcome, validation_errors } = await stage.run(`plan.validate-${name}`, {});
    const line = text.split('\n').indexOf(marker) + 1;
    expect(line).toBeGreaterThan(0);
    expect([name, outcome]).toEqual([name, 'invalid']);
    expect(validation_errors).toContainEqual({
      code: 'MERGE_CONFLICT',
      message: `Line ${line}: merge conflict "${marker}"`,
    });
  }
});

verifies(['PF.validate.conflict'], 'a document with a merge conflict is not changed', async () => {
  const isRefused = { code: 'invalid_structure', details: { line: 2, details: expect.stringContaining('md:2: <<<') } };
  const head = '# Title\n<<<<<<< HEAD\n=======\n>>>>>>> b\n';
  const reference = { action: 'add', reference_type: 'adr', reference_data: { identifier: 'ADR-1' } } as const;
  for (const name of ['plan.md', 'config.md', 'references.md']) {
    stage.write(name, head);
  }
  const before = stage.snapshot();
  const update = { task_id: 'task-1', status: 'completed' } as const;
  expect(await stage.refused('plan.update-progress', { update })).toMatchObject(isRefused);
  expect(await stage.refused('plan.write-plan', { plan_content: { title: 'New' } })).toMatchObject(isRefused);
  expect(await stage.refused('plan.write-config', { configuration: { branch: 'b' } })).toMatchObject(isRefused);
  expect(await stage.refused('plan.write-references', reference)).toMatchObject(isRefused);
  stage.write('plan.md', samplePlan);
  const files = { update: { ...update, task_id: 'task-3' }, files_created: ['src/a.ts'] };
  expect(await stage.refused('plan.update-progress', files)).toMatchObject(isRefused);
  expect(stage.snapshot()).toEqual({ ...before, 'plan.md': samplePlan });
});

verifies(['PF.validate.conflict'], 'an underlined title and an example in a fence are no merge conflict', async () => {
  const fenced = '\n```\n<<<<<<< HEAD\n=======\n>>>>>>> b\n```\n\nNotes\n=======\n';
  stage.write('plan.md', `${samplePlan}${fenced}`);
  expect((await stage.run('plan.validate-plan', {})).validation_errors).toEqual([]);
});
