import { expect } from 'vitest';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { machineSurroundings } from '../../packages/batonpass/src/extraction/model/machine-surroundings.ts';
import type { OperationContext } from '../../packages/batonpass/src/operations/context.ts';
import { runPlanning } from '../../packages/batonpass/src/operations/planning/run-planning.ts';
import { holdsBack, instructionsOf, says } from '../extraction/model/model-stream.ts';
import { key, serve } from '../extraction/model/stage.ts';
import { createHeldTiming } from '../stores/held-timing.ts';
import { verifies } from '../verifies.ts';
import { goodTurns, modelPlan, openProject, replies, snapshot } from './planning-run-stage.ts';

const completes = { name: 'completePlanning', input: { summary: 'It is planned.' } };
const secret = 'sk-ant-api03-abcdefghijklmnop1234';

verifies(
  ['PLANRUN.skeleton', 'BR.agent.stops'],
  'with the source’s three tools alone a labelled skeleton replaces the plan',
  async () => {
    const decision = { name: 'addDecision', input: { content: 'Keep the former key for a week' } };
    const server = await serve(
      ...replies([{ calls: [{ name: 'getHandoffContext', input: {} }, decision] }, { calls: [completes] }]),
    );
    const { library, plans, plan } = await openProject(server);
    await library.run('planning.hand-on', { snapshot });
    const { outcome, next } = await library.run('planning.run', { plan_name: 'cookies' });
    expect([outcome, plans()]).toEqual(['completed', ['cookies']]);
    expect(plan('cookies')).toContain('This is a skeleton');
    expect(plan('cookies')).toContain('Keep the former key for a week');
    expect(next?.content).toMatchObject({
      source_agent: 'skeleton',
      title: expect.stringMatching(/^Plan skeleton: /),
      summary: expect.stringMatching(
        /without writing a plan.*skeleton made by rules[\s\S]*said of it: It is planned\.$/,
      ),
      payload: { is_skeleton: true },
    });
  },
);

verifies(['PLANRUN.repair'], 'the error of a wrong plan is returned to the model, which corrects it', async () => {
  const wrong = { ...modelPlan, tasks: [{ ...modelPlan.tasks[0], phase: 'nowhere' }] };
  const formless = { title: 'Half of it' };
  const server = await serve(
    ...replies([
      { calls: [{ name: 'writePlan', input: wrong }] },
      { calls: [{ name: 'writePlan', input: formless }] },
      { calls: [{ name: 'writePlan', input: modelPlan }] },
      { calls: [completes] },
    ]),
  );
  const { library, plan } = await openProject(server);
  await library.run('planning.hand-on', { snapshot });
  const { outcome, run } = await library.run('planning.run', {});
  expect(outcome).toBe('completed');
  const answers = run.steps.map(({ tools }) => tools[0]?.output);
  expect(answers[0]).toMatchObject({
    error: expect.stringMatching(/./),
    do: expect.arrayContaining([expect.any(String)]),
  });
  expect(JSON.stringify(answers[0])).toContain('nowhere');
  expect(JSON.stringify(answers[1])).toContain('tasks');
  expect(answers[2]).toEqual({ written: true, tasks: 3 });
  // The model itself got it, not only the history.
  expect(JSON.stringify(server.requests[1]?.body.messages)).toContain('nowhere');
  expect(plan('signed-cookies')).toContain('### Task 3: Check it');
});

verifies(['PLANRUN.chunks'], 'chunks of the answer are reported as they arrive, with the progress', async () => {
  const server = await serve(...replies(goodTurns));
  const { library } = await openProject(server);
  await library.run('planning.hand-on', { snapshot });
  const chunks: { type: string; delta?: string; toolName?: string }[] = [];
  const progress: unknown[] = [];
  await library.run(
    'planning.run',
    {},
    { onChunk: (chunk) => chunks.push(chunk), onProgress: ({ now }) => progress.push(now) },
  );
  expect(JSON.parse(JSON.stringify(chunks))).toEqual(chunks);
  expect(chunks.map(({ type }) => type)).toEqual(
    expect.arrayContaining([
      'start',
      'start-step',
      'text-delta',
      'tool-input-available',
      'tool-output-available',
      'finish',
    ]),
  );
  expect(chunks.map(({ delta }) => delta)).toContain('I look at what was decided.');
  expect(progress).toEqual([
    expect.stringMatching(/^step 1 of 20: getHandoffContext/),
    expect.stringMatching(/^step 2 of 20: addDecision/),
    expect.stringMatching(/^step 3 of 20: writePlan/),
    expect.stringMatching(/^step 4 of 20: completePlanning/),
  ]);
});

verifies(
  ['BR.risk.mutation', 'PLANRUN.prompt'],
  'what changes in the queue while a run goes does not change its context',
  async () => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const server = await serve(holdsBack(goodTurns[0] ?? {}, held), ...replies(goodTurns.slice(1)));
    const { library, open } = await openProject(server);
    const { id } = await library.run('planning.hand-on', { snapshot });
    const running = library.run('planning.run', {});
    await server.arrival(0);
    const other = await open();
    const changed = { ...snapshot, brainstormSummary: 'Everything is otherwise now.' };
    await other.run('planning.hand-on', { snapshot: changed });
    answer();
    const { run, handoff } = await running;
    expect(handoff.id).toBe(id);
    expect(run.steps[0]?.tools[0]?.output).toEqual(snapshot);
    for (const request of server.requests) expect(JSON.stringify(request.body)).not.toContain('otherwise now');
    expect(new Set(server.requests.map(instructionsOf)).size).toBe(1);
  },
);

verifies(
  ['PLANRUN.prompt'],
  'instructions that are not those that were approved are refused, and the handoff is released',
  async () => {
    const server = await serve(...replies(goodTurns));
    const { library } = await openProject(server);
    const store = await library.context.openStore();
    const { project, actor } = library.context;
    const { id } = await library.run('planning.hand-on', { snapshot });
    const { content, content_sha256 } = await library.run('handoff.get', { id });
    const { encodeCanonicalJson } = await import('../../packages/batonpass/src/index.ts');
    const given = {
      content,
      content_sha256,
      content_json: encodeCanonicalJson(content),
      project,
      state: 'draft' as const,
    };
    const approval = { rendered_sha256: '0'.repeat(64), budget: 10_000 };
    const [other] = await store.create([{ ...given, approval }], { actor, project, operation: 'handoff.create' });
    const refused = library.run('planning.run', { id: other?.id ?? '' });
    await expect(refused).rejects.toMatchObject({
      code: 'conflict',
      details: { approved_sha256: '0'.repeat(64) },
    });
    expect((await library.run('handoff.get', { id: other?.id ?? '' })).delivery).toMatchObject({
      state: 'open',
      attempts: 0,
    });
    expect(server.requests).toEqual([]);
  },
);

verifies(['PLANRUN.lease'], 'the lease is renewed at a third of it while the model thinks', async () => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const server = await serve(holdsBack(goodTurns[0] ?? {}, held), ...replies(goodTurns.slice(1)));
  const { library, clock } = await openProject(server);
  const { id } = await library.run('planning.hand-on', { snapshot });
  const timing = createHeldTiming();
  const context: OperationContext = { ...library.context, signal: new AbortController().signal };
  const running = runPlanning({ steps_max: limits.plan_steps_max }, context, { timing, model: machineSurroundings });
  await server.arrival(0);
  const { lease_ms } = library.context.configuration;
  const namesOf = async () => (await library.run('handoff.events', { id })).events.map(({ name }) => name);
  for (let thirds = 1; thirds <= 6; thirds += 1) {
    clock.now_ms += lease_ms / 3;
    timing.move(lease_ms / 3);
    await expect.poll(async () => (await namesOf()).filter((name) => name === 'handoff-renewed').length).toBe(thirds);
  }
  answer();
  expect((await running).outcome).toBe('completed');
  expect(timing.pending).toEqual([]);
});

verifies(
  ['PLANRUN.again', 'PLANRUN.runs'],
  'what was planned is planned again as a new handoff, approved as the first was',
  async () => {
    const server = await serve(...replies([...goodTurns, ...goodTurns]));
    const { library, plans } = await openProject(server);
    const first = await library.run('planning.hand-on', { snapshot });
    await library.run('planning.run', {});
    await expect(library.run('planning.run', { id: first.id })).rejects.toMatchObject({
      code: 'conflict',
      alternatives: expect.arrayContaining([expect.stringContaining('--again')]),
    });
    const { outcome, handoff, run } = await library.run('planning.run', { id: first.id, again: true });
    expect(outcome).toBe('completed');
    expect(handoff.content).toEqual({ ...first.content, parent_id: first.id });
    expect(handoff.delivery.approval?.rendered_sha256).toBe(first.delivery.approval?.rendered_sha256);
    expect(run.instructions_sha256).toBe(first.delivery.approval?.rendered_sha256);
    expect(plans()).toHaveLength(2);
  },
);

verifies(['PLANRUN.again'], 'an approval of other bytes is not carried: somebody reviews the draft first', async () => {
  const server = await serve(...replies(goodTurns));
  const { library } = await openProject(server);
  const { id } = await library.run('handoff.create', {
    content: { summary: 'Move it', target_agent: 'plan-agent' },
    draft: true,
  });
  const store = await library.context.openStore();
  const { actor, project } = library.context;
  const { content_sha256 } = await library.run('handoff.get', { id });
  const approve = { type: 'approve' as const, content_sha256, rendered_sha256: 'f'.repeat(64), budget: 10_000 };
  await store.transition(id, approve, { actor, project, operation: 'handoff.approve' });
  const { handoff } = await library.run('handoff.claim', { id }, { actor: { name: 'plan-agent', type: 'agent' } });
  await library.run('handoff.acknowledge', { id, token: handoff?.delivery.lease?.token ?? '' });
  const refused = await library.run('planning.run', { id, again: true }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'conflict', details: { parent_id: id, approved_sha256: 'f'.repeat(64) } });
  // Asked twice, there is one draft; approved, it is what is planned.
  await expect(library.run('planning.run', { id, again: true })).rejects.toEqual(refused);
  const { handoffs } = await library.run('handoff.list', { state: ['draft'] });
  expect(handoffs.map(({ content }) => content.parent_id)).toEqual([id]);
  expect(server.requests).toEqual([]);
  const [draft] = handoffs;
  await library.run('handoff.approve', { id: draft?.id ?? '', content_sha256: draft?.content_sha256 ?? '' });
  expect((await library.run('planning.run', { id, again: true })).handoff.id).toBe(draft?.id);
});

verifies(['PLANRUN.choice'], 'without an id the oldest open one for the planning agent is planned', async () => {
  const server = await serve(...replies(goodTurns));
  const { library } = await openProject(server);
  await library.run('handoff.create', { content: { summary: 'For anybody' } });
  const { id } = await library.run('planning.hand-on', { snapshot, title: 'First' });
  await library.run('planning.hand-on', { snapshot, title: 'Second' });
  expect((await library.run('planning.run', {})).handoff.id).toBe(id);
});

verifies(
  ['PLANRUN.choice'],
  'where none is for the planning agent, what is open is named; by its id any can be planned',
  async () => {
    const server = await serve(...replies(goodTurns));
    const { library } = await openProject(server);
    const { id } = await library.run('handoff.create', {
      content: { title: 'Login', summary: 'Finish the login form' },
    });
    await expect(library.run('planning.run', {})).rejects.toMatchObject({
      code: 'not_found',
      details: { open: [id] },
      alternatives: expect.arrayContaining([expect.stringContaining(`${id} Login`)]),
    });
    expect((await library.run('planning.run', { id })).outcome).toBe('completed');
  },
);

verifies(
  ['PLANRUN.no-model'],
  'without a model nothing is claimed, and the command that needs none is named',
  async () => {
    const server = await serve(...replies(goodTurns));
    const { library } = await openProject(server);
    const { id } = await library.run('planning.hand-on', { snapshot });
    const { environment, configuration } = library.context;
    const advice = {
      code: 'unavailable',
      alternatives: expect.arrayContaining([expect.stringContaining('baton plan draft')]),
    };
    delete environment.TEST_API_KEY;
    await expect(library.run('planning.run', {})).rejects.toMatchObject({
      ...advice,
      message: expect.stringContaining('A model is to plan'),
    });
    Object.assign(configuration, { model: { timeout_ms: 1, total_timeout_ms: 1 } });
    await expect(library.run('planning.run', {})).rejects.toMatchObject({
      ...advice,
      message: 'No model is configured to plan.',
    });
    expect((await library.run('planning.runs', { id })).runs).toEqual([]);
  },
);

verifies(
  ['PLANRUN.hostile', 'PLANRUN.steps'],
  'what a model gives is bounded and masked before it is kept',
  async () => {
    const long = 'x'.repeat(200_000);
    const many = Array.from({ length: 30 }, () => ({ name: 'getHandoffContext', input: {} }));
    const plan = {
      ...modelPlan,
      tasks: [...modelPlan.tasks, { name: 'Secret', phase: 'execute', goal: `Use ${secret}` }],
    };
    const server = await serve(
      ...replies([
        { text: `${secret} ${long}\u001b]0;title\u0007`, calls: many },
        {
          calls: [
            { name: 'addDecision', input: { content: `The key is ${secret}` } },
            { name: 'addDecision', input: { content: long } },
          ],
        },
        { calls: [{ name: 'noSuchTool', input: { secret } }] },
        { calls: [{ name: 'writePlan', input: plan }] },
        { calls: [completes] },
      ]),
    );
    const { library, plan: read } = await openProject(server);
    const { id } = await library.run('planning.hand-on', { snapshot });
    const { outcome, run, next } = await library.run('planning.run', {});
    expect(outcome).toBe('completed');
    const { events } = await library.run('handoff.events', { id });
    for (const event of events) expect(JSON.stringify(event).length).toBeLessThan(100_000);
    expect(JSON.stringify([events, run, next]) + read('signed-cookies')).not.toContain(secret);
    expect(run.steps[0]).toMatchObject({ tools_left_out: 20 });
    expect(run.steps[0]?.tools).toHaveLength(10);
    expect(run.decisions).toEqual(['The key is [masked:anthropic-key]']);
    expect(JSON.stringify(events)).not.toContain(key);
  },
);

verifies(['PLANRUN.hostile'], 'a decision that was added twice is kept once', async () => {
  const decision = { name: 'addDecision', input: { content: 'Keep it' } };
  const server = await serve(says({ calls: [decision, decision, completes] }));
  const { library } = await openProject(server);
  await library.run('planning.hand-on', { snapshot });
  expect((await library.run('planning.run', {})).run.decisions).toEqual(['Keep it']);
});
