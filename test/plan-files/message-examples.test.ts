import { expect } from 'vitest';
import { nearNames } from '../../packages/batonpass/src/core/near-names.ts';
import { exampleOf } from '../../packages/batonpass/src/plan-files/envelope/message-examples.ts';
import { isWriting, messageOperations } from '../../packages/batonpass/src/plan-files/envelope/message-operations.ts';
import { verifies } from '../verifies.ts';
import { openMessageStage } from './message-stage.ts';
import { samplePlan } from './sample-plan.ts';

verifies(
  ['PLAN.example'],
  'the example of each operation is carried out, and shown where a request is wrong',
  async () => {
    const stage = await openMessageStage();
    try {
      // What is read has to be there.
      const inOrder = messageOperations.toSorted((one, other) => Number(isWriting(other)) - Number(isWriting(one)));
      for (const operation of inOrder) {
        const { repairs, message } = await stage.baton.run('plan.answer', { message: exampleOf(operation) });
        expect({ operation, repairs, status: message.status }).toEqual({ operation, repairs: [], status: 'success' });
      }
      const wrong = exampleOf('write-plan').replace('  title:', '  headline: x\n  title:');
      const { error, alternatives } = (await stage.send(wrong)) as {
        error: { details: string };
        alternatives: string[];
      };
      expect(error.details).toContain('headline');
      expect(alternatives.at(-1)).toContain(exampleOf('write-plan'));
      expect(alternatives.at(-2)).toMatch(
        /^Keys of write-plan .*tasks\[\] \{id, name, phase, goal, .*new task needs name/,
      );
    } finally {
      await stage.close();
    }
  },
);

verifies(['PLAN.near'], 'what is not there is answered with what it was most likely meant for', async () => {
  const stage = await openMessageStage();
  try {
    stage.write('.claude/plans/jwt-auth/plan.md', samplePlan);
    const ask = async (request: string) => (await stage.send(request)).alternatives;
    const update = (facts: string, plan = 'jwt-auth') =>
      `operation: update-progress\nplan_directory: ${plan}\nupdate:\n  status: completed\n  ${facts}\n`;
    expect(await ask(update('task_id: task-3\n  checklist_items[1]: add tets'))).toEqual([
      'Did you mean 0: Add or 1: Add tests?',
      'Name an item by its place, 0 to 3, or by its whole text',
      'Its items: 0: Add; 1: Add tests; 2: Parse a, b (c) and \\d; 3: Print [x] or [ ] as it is',
    ]);
    expect(await ask(update('task_id: Create JwtServise'))).toContain('Did you mean task-3 (Create JwtService)?');
    expect(await ask(update('task_id: task-90'))).toEqual([
      expect.stringMatching(/^Name a task of the current phase implement: task-3 \(Create JwtService\), task-4/),
    ]);
    expect(await ask(update('task_id: task-3\n  phase: implemnet'))).toContain('Did you mean implement?');
    const missing = ['Create new plan with plan-init skill', 'Check directory path and try again'];
    expect(await ask(update('task_id: task-3', 'jwt-aut'))).toEqual([...missing, 'Did you mean jwt-auth?']);
    expect(await ask(update('task_id: task-3', 'something-else'))).toEqual(missing);
    expect(await ask('operation: updateprogress\nplan_directory: jwt-auth\n')).toContain(
      'Did you mean update-progress?',
    );
    expect(nearNames('impl', ['implement', 'impi', 'imp', 'plan'])).toEqual(['implement', 'impi', 'imp']);
    expect(nearNames('abcdef', ['xabcdf', 'zyxwvu', 'bcdef', 'abxyef', 'abxxyf'])).toEqual([
      'bcdef',
      'xabcdf',
      'abxyef',
    ]);
    expect(nearNames('Read_Plan ', ['reading', 'read plan', 'xead-qlxn', 'xexd-qlxn'])).toEqual([
      'read plan',
      'xead-qlxn',
    ]);
  } finally {
    await stage.close();
  }
});

verifies(
  ['PLAN.near', 'PF.held.checklist-characters'],
  'a task is named by its number too, and commas split no text',
  async () => {
    const stage = await openMessageStage();
    try {
      stage.write('.claude/plans/jwt-auth/plan.md', samplePlan);
      const update = (facts: string) =>
        stage.send(`operation: update-progress\nplan_directory: jwt-auth\nupdate:\n  status: completed\n  ${facts}\n`);
      const before = stage.snapshot();
      for (const list of ['checklist_items: Add, Add tests', 'checklist_items[1]: Parse a, b (c) and \\d']) {
        expect(await update(`task_id: 3\n  ${list}`)).toMatchObject({ status: 'failed' });
      }
      expect(stage.snapshot()).toEqual(before);
      expect(await update('task_id: 3')).toMatchObject({ phase_status: { tasks_completed: 1 } });
    } finally {
      await stage.close();
    }
  },
);
