import { expect } from 'vitest';
import { HandoffError } from '../../packages/batonpass/src/core/errors.ts';
import { createWritePlanTool, type NewPlan } from '../../packages/batonpass/src/operations/planning/write-plan-tool.ts';
import { says } from '../extraction/model/model-stream.ts';
import { serve } from '../extraction/model/stage.ts';
import { verifies } from '../verifies.ts';
import { goodTurns, modelPlan, openProject, replies, snapshot } from './planning-run-stage.ts';

const writes = { name: 'writePlan', input: modelPlan };
const completes = { name: 'completePlanning', input: { summary: 'It is planned.' } };
const protocols = ['anthropic', 'openai-compatible'] as const;

for (const protocol of protocols) {
  verifies(
    ['PLANRUN.ends', 'BR.agent.stops'],
    `a written plan is kept although its model stops without reporting completion (${protocol})`,
    async () => {
      const server = await serve(...replies([...goodTurns.slice(0, 3), { text: 'That is the plan.' }]));
      const { library, plans } = await openProject(server, { protocol });
      const { id } = await library.run('planning.hand-on', { snapshot });
      const { outcome, reason, next, handoff, run } = await library.run('planning.run', {});
      const said = 'ended without calling completePlanning. The plan that it wrote last is kept.';
      expect([outcome, plans(), handoff.delivery.state]).toEqual(['completed', ['signed-cookies'], 'acknowledged']);
      expect(reason).toContain(said);
      expect(next?.content.title).toBe('Plan: Signed cookies');
      expect(next?.content.summary).toMatch(/^That is the plan\.\n\nThe model planner-1 .*The plan that it wrote last/);
      expect(run).toMatchObject({ outcome: 'completed', reason });
      expect((await library.run('planning.runs', { id })).runs).toEqual([run]);
    },
  );

  verifies(
    ['PLANRUN.ends', 'PLANRUN.repair', 'BR.agent.stops'],
    `a call that is refused does not end the run: the model hears of it, and completes (${protocol})`,
    async () => {
      const formless = { name: 'writePlan', input: { title: 'Half of it' } };
      const wrong = {
        name: 'writePlan',
        input: { ...modelPlan, tasks: [{ ...modelPlan.tasks[0], phase: 'nowhere' }] },
      };
      const server = await serve(
        ...replies([
          { calls: [writes, { name: 'completePlanning', input: {} }] },
          { calls: [formless, completes] },
          { calls: [wrong, completes] },
          { calls: [writes, completes] },
        ]),
      );
      const { library, plans } = await openProject(server, { protocol });
      await library.run('planning.hand-on', { snapshot });
      const { outcome, reason, next, run } = await library.run('planning.run', {});
      expect([outcome, reason, plans()]).toEqual(['completed', undefined, ['signed-cookies']]);
      expect(next?.content.payload).toMatchObject({ is_skeleton: false });
      expect(run.steps).toHaveLength(4);
      expect(JSON.stringify(run.steps[2]?.tools[1]?.output)).toContain('put it right with writePlan first');
    },
  );
}

verifies(
  ['PLANRUN.ends', 'BR.agent.stops'],
  'after twenty steps the written plan is kept, and is reported as its last',
  async () => {
    const server = await serve(says({ calls: [writes] }));
    const { library, plans } = await openProject(server);
    await library.run('planning.hand-on', { snapshot });
    const { outcome, reason, run } = await library.run('planning.run', {});
    expect([outcome, plans(), run.steps.length]).toEqual(['completed', ['signed-cookies'], 20]);
    expect(reason).toMatch(/had its 20 steps without calling completePlanning/);
  },
);

verifies(
  ['PLANRUN.ends', 'PLANRUN.failure'],
  'a model that is cut off after its plan has not ended: the run fails',
  async () => {
    const server = await serve(says({ calls: [writes] }), says({ text: 'I', stop: 'max_tokens' }));
    const { library, plans } = await openProject(server);
    await library.run('planning.hand-on', { snapshot });
    const { outcome, handoff } = await library.run('planning.run', {});
    expect([outcome, plans(), handoff.delivery.state]).toEqual(['error', [], 'open']);
  },
);

verifies(['PLANRUN.repair'], 'a tool answers what is wrong with a plan, and throws what is a defect', async () => {
  const kept: NewPlan[] = [];
  const write = async (error?: Error) => {
    const check = () => {
      if (error !== undefined) throw error;
    };
    const tool = createWritePlanTool(check, (plan) => kept.push(plan));
    return await tool.execute?.(modelPlan, { toolCallId: 'one', messages: [], context: {} });
  };
  const wrong = new HandoffError('invalid_input', 'No such phase.', {
    details: { phase: 7 },
    alternatives: ['Use 1.'],
  });
  expect(await write(wrong)).toEqual({ error: 'No such phase.', details: { phase: 7 }, do: ['Use 1.'] });
  await expect(write(new TypeError('a defect'))).rejects.toThrow(TypeError);
  expect(kept).toEqual([]);
  expect(await write()).toEqual({ written: true, tasks: modelPlan.tasks.length });
  expect(kept).toEqual([modelPlan]);
});
