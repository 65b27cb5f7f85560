import { expect } from 'vitest';
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
    } finally {
      await stage.close();
    }
  },
);

verifies(['PLAN.near'], 'an item that is not there is answered with those that are', async () => {
  const stage = await openMessageStage();
  try {
    stage.write('.claude/plans/jwt-auth/plan.md', samplePlan);
    const update = 'update:\n  task_id: task-3\n  status: completed\n  checklist_items[1]: Add test\n';
    const answer = await stage.send(`operation: update-progress\nplan_directory: jwt-auth\n${update}`);
    expect(answer.alternatives).toContain(
      'Its items: 0: Add; 1: Add tests; 2: Parse a, b (c) and \\d; 3: Print [x] or [ ] as it is',
    );
  } finally {
    await stage.close();
  }
});
