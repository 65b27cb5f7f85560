import { expect } from 'vitest';
import { sha256Hex } from '../../packages/batonpass/src/core/canonical-json.ts';
import { instructionsOf, toolsOf, turnTokens } from '../extraction/model/model-stream.ts';
import { key, serve } from '../extraction/model/stage.ts';
import { verifies } from '../verifies.ts';
import { goodTurns, openProject, replies, snapshot } from './planning-run-stage.ts';

for (const protocol of ['anthropic', 'openai-compatible'] as const) {
  verifies(
    ['PLANRUN.whole', 'PLANRUN.steps', 'PLANRUN.prompt', 'BR.success.references', 'BR.agent.prompt'],
    `a model plans a handoff as a whole (${protocol})`,
    async () => {
      const server = await serve(...replies(goodTurns));
      const { library, plans, plan } = await openProject(server, { protocol, price: { input: 3, output: 15 } });
      const source = await library.run('planning.hand-on', { snapshot });
      const { outcome, plan_directory, handoff, next, run } = await library.run('planning.run', {});

      expect({ outcome, reason: undefined }).toEqual({ outcome: 'completed' });
      expect(handoff).toMatchObject({
        id: source.id,
        delivery: { state: 'acknowledged', acknowledged_by: 'plan-agent' },
      });
      expect(plans()).toEqual(['signed-cookies']);
      expect(plan_directory).toBe('.claude/plans/signed-cookies/');
      expect(plan('signed-cookies')).toContain('### Task 2: Rotate the key');
      expect(next).toMatchObject({
        content: {
          kind: 'plan',
          parent_id: source.id,
          source_agent: `${protocol}/planner-1`,
          summary: 'Three tasks: read, rotate, check.',
        },
        delivery: { state: 'open' },
      });
      expect(next?.content.decisions.map(({ content }) => content)).toEqual([
        ...snapshot.decisions.map(({ content }) => content),
        'Keep the former key for a week',
      ]);

      const [first, second] = server.requests;
      const instructions = first === undefined ? '' : instructionsOf(first);
      for (const { content } of snapshot.decisions) expect(instructions).toContain(`- ${content}`);
      expect(sha256Hex(instructions)).toBe(source.delivery.approval?.rendered_sha256);
      expect(run.instructions_sha256).toBe(source.delivery.approval?.rendered_sha256);
      expect(first && toolsOf(first)).toEqual(['addDecision', 'completePlanning', 'getHandoffContext', 'writePlan']);
      expect(JSON.stringify(second?.body.messages)).toContain('brainstormSummary');

      const steps = goodTurns.length;
      expect(run).toMatchObject({
        number: 1,
        by: 'plan-agent',
        planner: `${protocol}/planner-1`,
        outcome: 'completed',
        decisions: ['Keep the former key for a week'],
        plan_content: { title: 'Signed cookies' },
        tokens: { input: steps * turnTokens.input, output: steps * turnTokens.output },
        cost: { amount: expect.closeTo((steps * (1_200 * 3 + 340 * 15)) / 1_000_000), currency: 'USD' },
      });
      expect(run.steps.map(({ number, tools, text }) => [number, tools.map(({ name }) => name), text])).toEqual([
        [1, ['getHandoffContext'], 'I look at what was decided.'],
        [2, ['addDecision'], 'Signed cookies it is; the key is rotated first.'],
        [3, ['writePlan'], ''],
        [4, ['completePlanning'], ''],
      ]);
      expect(run.steps[1]?.tools).toEqual([
        { name: 'addDecision', input: { content: 'Keep the former key for a week' }, output: { added: true } },
      ]);
      expect(run.steps[3]?.tools[0]?.output).toEqual({ complete: true, summary: 'Three tasks: read, rotate, check.' });
      expect((await library.run('planning.runs', { id: source.id })).runs).toEqual([run]);
      expect(JSON.stringify(await library.run('handoff.events', { id: source.id }))).not.toContain(key);
    },
  );
}
