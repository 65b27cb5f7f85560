import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { keepsSilent, status } from '../extraction/model/model-server.ts';
import { diesAfterHalf, holdsBack, says } from '../extraction/model/model-stream.ts';
import { key, serve } from '../extraction/model/stage.ts';
import { verifies } from '../verifies.ts';
import { goodTurns, modelPlan, openProject, type PlanningStage, replies, snapshot } from './planning-run-stage.ts';

const looksAgain = says({ calls: [{ name: 'getHandoffContext', input: {} }] });
const atOnce = { 'retry-after-ms': '1' };

/** After a run without a plan: nothing on the disk, nothing handed on, and the handoff is offered again later. */
async function expectNothingMade({ library, plans }: PlanningStage, id: string, reason: RegExp): Promise<void> {
  expect(plans()).toEqual([]);
  const { handoffs } = await library.run('handoff.list', { kind: 'plan' });
  expect(handoffs).toEqual([]);
  const { delivery } = await library.run('handoff.get', { id });
  expect(delivery).toMatchObject({ state: 'open', attempts: 1, failure: { reason: expect.stringMatching(reason) } });
}

verifies(['PLANRUN.failure', 'BR.agent.stops'], 'a model that never ends is stopped after twenty steps', async () => {
  const server = await serve(looksAgain);
  const stage = await openProject(server);
  const { id } = await stage.library.run('planning.hand-on', { snapshot });
  const { outcome, reason, run, next } = await stage.library.run('planning.run', {});
  expect([outcome, reason, next]).toEqual([
    'step-limit',
    'The model planner-1 (openai-compatible) did not complete the plan within 20 steps.',
    undefined,
  ]);
  expect(server.requests).toHaveLength(20);
  expect(run.steps).toHaveLength(20);
  expect(run).toMatchObject({ outcome: 'step-limit', reason });
  await expectNothingMade(stage, id, /within 20 steps/);
});

verifies(['PLANRUN.failure'], 'fewer steps can be asked for', async () => {
  const server = await serve(looksAgain);
  const { library } = await openProject(server);
  await library.run('planning.hand-on', { snapshot });
  expect((await library.run('planning.run', { steps_max: 2 })).outcome).toBe('step-limit');
  expect(server.requests).toHaveLength(2);
});

const endings = [
  [
    'a provider that dies in the middle of its answer',
    diesAfterHalf(goodTurns[1] ?? {}),
    /broke off in the middle of its answer/,
  ],
  ['a model that refuses', says({ text: 'No.', stop: 'refusal' }), /refused to answer/],
  ['a model whose answer is cut off', says({ text: 'I', stop: 'max_tokens' }), /did not get to the end/],
  ['a model that says nothing', says({}), /said nothing/],
  [
    'a model that only talks',
    says({ text: 'It is planned.\n# Really' }),
    /without completing the plan: It is planned\. ⏎ \\# Really$/,
  ],
  ['a key that is not accepted', status(401, `no such key: ${key}`), /status 401, its key is not accepted: .*\[key\]/],
] as const;

for (const [name, ending, reason] of endings) {
  for (const protocol of ['anthropic', 'openai-compatible'] as const) {
    verifies(['PLANRUN.failure'], `${name} is reported in words, and nothing is written (${protocol})`, async () => {
      const [first] = replies(goodTurns);
      const server = await serve(first ?? ending, ending);
      const stage = await openProject(server, { protocol });
      const { id } = await stage.library.run('planning.hand-on', { snapshot });
      const answer = await stage.library.run('planning.run', {});
      expect(answer).toMatchObject({
        outcome: 'error',
        reason: expect.stringMatching(reason),
        run: { outcome: 'error' },
      });
      expect(answer.reason).not.toContain(key);
      expect(answer.run.steps[0]?.tools[0]?.name).toBe('getHandoffContext');
      await expectNothingMade(stage, id, reason);
    });
  }
}

verifies(['PLANRUN.failure'], 'a model that does not answer in its time is reported as such', async () => {
  const stage = await openProject(await serve(keepsSilent));
  const { id } = await stage.library.run('planning.hand-on', { snapshot });
  const { configuration } = stage.library.context;
  configuration.model.timeout_ms = 50;
  const answer = await stage.library.run('planning.run', {});
  expect(answer).toMatchObject({ outcome: 'error', reason: expect.stringMatching(/did not answer within 0.05 s/) });
  await expectNothingMade(stage, id, /within 0.05 s/);
});

verifies(['PLANRUN.failure'], 'a run that takes too long as a whole is reported as such', async () => {
  const stage = await openProject(await serve(keepsSilent));
  const { id } = await stage.library.run('planning.hand-on', { snapshot });
  stage.library.context.configuration.model.total_timeout_ms = 50;
  expect((await stage.library.run('planning.run', {})).reason).toMatch(/was not done within 0.05 s/);
  await expectNothingMade(stage, id, /not done within/);
});

for (const protocol of ['anthropic', 'openai-compatible'] as const) {
  verifies(
    ['PLANRUN.retry'],
    `a provider that is busy is asked again, and the run continues (${protocol})`,
    async () => {
      const [first, ...others] = replies(goodTurns);
      if (first === undefined) throw new Error('no turns');
      const server = await serve(first, status(429, 'slow down', atOnce), status(529, 'overloaded', atOnce), ...others);
      const { library } = await openProject(server, { protocol });
      await library.run('planning.hand-on', { snapshot });
      expect((await library.run('planning.run', {})).outcome).toBe('completed');
      expect(server.requests).toHaveLength(goodTurns.length + 2);
    },
  );
}

verifies(
  ['PLANRUN.retry', 'PLANRUN.failure'],
  'a provider that always fails is asked a bounded number of times',
  async () => {
    const server = await serve(status(500, 'broken', atOnce));
    const stage = await openProject(server);
    const { id } = await stage.library.run('planning.hand-on', { snapshot });
    const { outcome, reason } = await stage.library.run('planning.run', {});
    expect([outcome, reason]).toEqual(['error', expect.stringMatching(/answered with status 500: broken/)]);
    expect(server.requests).toHaveLength(4);
    await expectNothingMade(stage, id, /status 500/);
  },
);

verifies(
  ['PLANRUN.stop'],
  'a caller that stops closes the connection, releases the handoff and gets an AbortError',
  async () => {
    const never = new Promise<never>(() => {});
    const [first] = replies(goodTurns);
    const server = await serve(first ?? keepsSilent, holdsBack(goodTurns[1] ?? {}, never));
    const { library, plans } = await openProject(server);
    const { id } = await library.run('planning.hand-on', { snapshot });
    const controller = new AbortController();
    const running = library.run('planning.run', {}, { signal: controller.signal });
    const request = await server.arrival(1);
    controller.abort(130);
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    await request.closed;
    const { delivery } = await library.run('handoff.get', { id });
    expect(delivery).toMatchObject({ state: 'open', attempts: 0 });
    const { runs } = await library.run('planning.runs', { id });
    expect(runs).toMatchObject([{ outcome: 'stopped', reason: 'stopped', steps: [{ number: 1 }] }]);
    expect(plans()).toEqual([]);
    // It is offered at once.
    expect(
      (await library.run('handoff.claim', { id }, { actor: { name: 'plan-agent', type: 'agent' } })).handoff?.id,
    ).toBe(id);
  },
);

verifies(['PLANRUN.stop'], 'what is stopped before it begins claims nothing', async () => {
  const server = await serve(keepsSilent);
  const { library } = await openProject(server);
  const { id } = await library.run('planning.hand-on', { snapshot });
  const signal = AbortSignal.abort();
  await expect(library.run('planning.run', {}, { signal })).rejects.toMatchObject({ name: 'AbortError' });
  expect((await library.run('planning.runs', { id })).runs).toEqual([]);
});

verifies(
  ['PLANRUN.lease'],
  'a run that lost its lease stops, and writes nothing though its model had completed',
  async () => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const all = { calls: goodTurns.flatMap(({ calls = [] }) => calls) };
    const server = await serve(holdsBack(all, held));
    const { library, clock, open, plans } = await openProject(server);
    const { id } = await library.run('planning.hand-on', { snapshot });
    const running = library.run('planning.run', {});
    const refused = expect(running).rejects.toMatchObject({ code: 'lease_lost' });
    await server.arrival(0);
    clock.now_ms += 3_600_000;
    const other = await open();
    const actor = { name: 'plan-agent', type: 'agent' } as const;
    const { handoff } = await other.run('handoff.claim', { id }, { actor });
    expect(handoff?.delivery.lease?.fence).toBe(2);
    answer();
    await refused;
    expect(plans()).toEqual([]);
    const { runs } = await library.run('planning.runs', { id });
    expect(runs.map(({ outcome, decisions }) => [outcome, decisions])).toEqual([
      ['lapsed', []],
      ['running', []],
    ]);
    // The winner continues undisturbed.
    const token = handoff?.delivery.lease?.token ?? '';
    const completed = await other.run('planning.complete', { id, token, summary: 'Done.', plan_content: modelPlan });
    expect(plans()).toEqual(['signed-cookies']);
    expect(completed.next.content.source_agent).toBe('plan-agent');
  },
);

verifies(['PLANRUN.failure'], 'an answer that is too long for any model is reported as such', async () => {
  const stage = await openProject(await serve(says({ text: 'x'.repeat(limits.model_answer_bytes_max) })));
  await stage.library.run('planning.hand-on', { snapshot });
  expect((await stage.library.run('planning.run', {})).reason).toMatch(/more than 4194304 bytes\.$/);
});

verifies(['PLANRUN.failure'], 'a name that no plan can have is refused before a model is asked', async () => {
  const server = await serve(...replies(goodTurns));
  const { library } = await openProject(server);
  const { id } = await library.run('planning.hand-on', { snapshot });
  await expect(library.run('planning.run', { plan_name: '../x' })).rejects.toMatchObject({ code: 'validation_failed' });
  expect(server.requests).toEqual([]);
  expect((await library.run('handoff.get', { id })).delivery.state).toBe('open');
});

verifies(
  ['PLANRUN.failure'],
  'a plan that cannot be put on the disk fails the run, and stays in the history',
  async () => {
    const { library, folder } = await openProject(await serve(...replies(goodTurns)));
    const { id } = await library.run('planning.hand-on', { snapshot });
    writeFileSync(join(folder, '.claude'), 'no folder');
    await expect(library.run('planning.run', {})).rejects.toMatchObject({
      alternatives: expect.arrayContaining([expect.stringContaining(`baton plan runs ${id} --json`)]),
    });
    const { runs } = await library.run('planning.runs', { id });
    expect(runs).toMatchObject([{ outcome: 'error', plan_content: modelPlan }]);
    expect((await library.run('handoff.get', { id })).delivery).toMatchObject({ state: 'open', attempts: 1 });
  },
);
