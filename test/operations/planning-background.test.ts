import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { type HttpServer, startHttpServer } from '../../packages/batonpass/src/http.ts';
import type { Baton } from '../../packages/batonpass/src/operations/baton.ts';
import { holdsBack } from '../extraction/model/model-stream.ts';
import { serve } from '../extraction/model/stage.ts';
import { planByAgent } from '../studio/planned-run.ts';
import { verifies } from '../verifies.ts';
import { goodTurns, modelPlan, openProject, replies, snapshot } from './planning-run-stage.ts';

const worker = join(import.meta.dirname, 'planning-run-worker.ts');

const children: ChildProcess[] = [];
const servers: HttpServer[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const server of servers.splice(0)) await server.close();
});

const never = new Promise<never>(() => {});

/** Resolves when the history of the project shows it. */
async function until(baton: Baton, wanted: string): Promise<void> {
  const store = await baton.context.openStore();
  const signal = AbortSignal.timeout(20_000);
  for await (const { name } of store.subscribe({ after_seq: 0 }, signal)) if (name === wanted) return;
  throw new Error(`There was no ${wanted}.`);
}

const runsOf = async (baton: Baton, id: string) => (await baton.run('planning.runs', { id })).runs;

verifies(
  ['PLANRUN.background'],
  'the caller that starts a run may leave, and a retry returns the run in progress',
  async () => {
    const held = Promise.withResolvers<void>();
    const [first, ...others] = goodTurns;
    const server = await serve(holdsBack(first ?? {}, held.promise), ...replies(others));
    const { library, plans } = await openProject(server);
    const { id } = await library.run('planning.hand-on', { snapshot });
    const leaving = new AbortController();
    const start = () => library.run('planning.start', { id }, { idempotency_key: 'one', signal: leaving.signal });
    const { handoff, run } = await start();
    expect([handoff.delivery.state, run.outcome, run.number]).toEqual(['claimed', 'running', 1]);
    leaving.abort();
    expect((await start()).run.fence).toBe(run.fence);
    await expect(library.run('planning.start', { id })).rejects.toMatchObject({ code: 'already_claimed' });
    held.resolve();
    await until(library, 'handoff-acknowledged');
    expect(plans()).toEqual(['signed-cookies']);
    expect((await start()).run.outcome).toBe('completed');
    expect(server.requests).toHaveLength(goodTurns.length);
  },
);

verifies(['PLANRUN.background', 'PLANRUN.go-on'], 'a stopped run reports that, and resumes on request', async () => {
  const [first, second, ...others] = goodTurns;
  const server = await serve(
    ...replies([first ?? {}]),
    holdsBack(second ?? {}, never),
    ...replies([second ?? {}, ...others]),
  );
  const { library } = await openProject(server);
  const { id } = await library.run('planning.hand-on', { snapshot });
  await library.run('planning.start', { id });
  await server.arrival(1);
  expect((await library.run('planning.stop', { id })).delivery.state).toBe('open');
  await expect(library.run('planning.stop', { id })).rejects.toMatchObject({ code: 'conflict' });
  expect(await runsOf(library, id)).toMatchObject([{ outcome: 'stopped', steps: [{ number: 1 }] }]);
  await library.run('planning.start', { id, from: {} });
  await until(library, 'handoff-acknowledged');
  const [, again] = await runsOf(library, id);
  expect(again).toMatchObject({ outcome: 'completed', from: { attempt: 1, step: 1 } });
  expect(again?.steps.map(({ number }) => number)).toEqual([2, 3, 4]);
});

verifies(
  ['PLANRUN.background', 'PLANRUN.go-on'],
  'a program that ends interrupts its runs with the reason',
  async () => {
    const server = await serve(...replies(goodTurns.slice(0, 2)), holdsBack({}, never));
    const { library, open } = await openProject(server);
    const { id } = await library.run('planning.hand-on', { snapshot });
    await library.run('planning.start', { id });
    await server.arrival(2);
    await library.close();
    const later = await open();
    expect(await runsOf(later, id)).toMatchObject([
      { outcome: 'interrupted', reason: 'The program that ran it was stopped.', steps: [{ number: 1 }, { number: 2 }] },
    ]);
    expect((await later.run('handoff.get', { id })).delivery.state).toBe('open');
    // Nothing is spent before somebody asks for it.
    expect(server.requests).toHaveLength(3);
  },
);

/** The turn at which the run is killed: before a decision is followed by the plan, and when only its end is missing. */
for (const killedAt of [2, goodTurns.length - 1]) {
  verifies(
    ['PLANRUN.go-on', 'PLANRUN.kill'],
    `killed while the model gives turn ${killedAt + 1}, the run resumes after step ${killedAt}`,
    async () => {
      const before = replies(goodTurns.slice(0, killedAt));
      const rest = replies(goodTurns.slice(killedAt));
      const server = await serve(...before, holdsBack(goodTurns[killedAt] ?? {}, never), ...rest);
      const { library, folder, environment, plans } = await openProject(server);
      const { id } = await library.run('planning.hand-on', { snapshot });
      const child = spawn(process.execPath, [worker, folder], { env: environment, stdio: 'ignore' });
      children.push(child);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      await server.arrival(killedAt);
      expect(await runsOf(library, id)).toMatchObject([{ outcome: 'running' }]);
      child.kill('SIGKILL');
      await ended;
      expect(await runsOf(library, id)).toMatchObject([{ outcome: 'interrupted' }]);
      expect(server.requests).toHaveLength(killedAt + 1);

      await library.run('planning.start', { id, from: {} });
      await until(library, 'handoff-acknowledged');
      expect(server.requests).toHaveLength(killedAt + 1 + rest.length);
      // The model gets what it said before, with the output of its tools.
      const { messages } = server.requests.at(-1)?.body ?? { messages: [] };
      expect(JSON.stringify(messages).match(/Keep the former key for a week/g)?.length).toBe(1);
      expect(plans()).toEqual(['signed-cookies']);
      const { handoffs } = await library.run('handoff.list', { kind: 'plan' });
      expect(handoffs).toHaveLength(1);
      const decided = handoffs[0]?.content.decisions.filter(({ content }) => content.startsWith('Keep the former key'));
      expect(decided).toHaveLength(1);
      const runs = await runsOf(library, id);
      expect(runs.map(({ outcome, steps }) => [outcome, steps.length])).toEqual([
        ['interrupted', killedAt],
        ['completed', goodTurns.length - killedAt],
      ]);
      expect(runs[1]?.decisions).toEqual(['Keep the former key for a week']);
    },
    60_000,
  );
}

verifies(
  ['PLANRUN.go-on', 'PLANRUN.list'],
  'a finished run is run again from a step, and a step that cannot be resumed is refused',
  async () => {
    const server = await serve(...replies(goodTurns), ...replies(goodTurns.slice(2)));
    const { library } = await openProject(server);
    const { id } = await library.run('planning.hand-on', { snapshot });
    await library.run('planning.run', { id });
    const refused = (input: object) => library.run('planning.start', { id, again: true, ...input });
    await expect(refused({ from: { attempt: 7 } })).rejects.toMatchObject({ code: 'not_found' });
    await expect(library.run('planning.start', { from: {} })).rejects.toMatchObject({ code: 'invalid_input' });
    const { handoff } = await library.run('planning.start', { id, again: true, from: { attempt: 1, after_step: 2 } });
    expect(handoff.content.parent_id).toBe(id);
    await expect.poll(async () => (await runsOf(library, handoff.id))[0]?.outcome).toBe('completed');
    expect(server.requests).toHaveLength(goodTurns.length + 2);
    const { runs } = await library.run('planning.list', {});
    expect(runs.map(({ outcome, steps, planner }) => [outcome, steps, planner])).toEqual([
      ['completed', 4, 'openai-compatible/planner-1'],
      ['completed', 4, 'openai-compatible/planner-1'],
    ]);
  },
);

verifies(['PLANRUN.go-on'], 'a run that used all its steps continues only with more of them', async () => {
  const server = await serve(...replies(goodTurns));
  const { library, clock } = await openProject(server);
  const { id } = await library.run('planning.hand-on', { snapshot });
  expect((await library.run('planning.run', { id, steps_max: 2 })).outcome).toBe('step-limit');
  // What failed is offered again after a while.
  clock.now_ms += 3_600_000;
  const goOn = (steps_max: number) => library.run('planning.run', { id, again: true, from: {}, steps_max });
  await expect(goOn(2)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('none is left') });
  expect(server.requests).toHaveLength(2);
  expect((await goOn(4)).outcome).toBe('completed');
  // The last of these steps completed the plan, so the model is not asked again.
  expect((await goOn(4)).outcome).toBe('completed');
  expect(server.requests).toHaveLength(4);
});

verifies(['PLANRUN.list'], 'the runs of any number of handoffs are listed page by page, each once', async () => {
  const { library } = await openProject(await serve());
  const ids: string[] = [];
  for (const target_agent of ['plan-agent', 'plan-agent', undefined, 'plan-agent']) {
    const { id } = await library.run('handoff.create', { content: { summary: 'x', target_agent } });
    await planByAgent(library, id);
    ids.push(id);
  }
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await library.run('planning.list', { limit: 1, cursor });
    found.push(...page.runs.map(({ handoff_id }) => handoff_id));
    cursor = page.cursor;
  } while (cursor !== undefined);
  expect(found.toSorted()).toEqual(ids.toSorted());
  const { runs } = await library.run('planning.list', {});
  expect(runs).toHaveLength(4);
});

verifies(['PLANRUN.step'], 'a step of any length is kept whole, and shown whole', async () => {
  const tasks = Array.from({ length: 60 }, (_, at) => ({
    name: `Task ${at + 1}`,
    phase: 'execute',
    goal: `“Ünïcode”${' goal 😀'.repeat(150)}`,
    checklist: [`Do ${at + 1}`],
  }));
  const plan = { ...modelPlan, tasks };
  const turns = [{ calls: [{ name: 'writePlan', input: plan }] }, ...goodTurns.slice(3)];
  const server = await serve(...replies(turns));
  const { library } = await openProject(server);
  const { id } = await library.run('planning.hand-on', { snapshot });
  const { run } = await library.run('planning.run', { id });
  expect(JSON.stringify(run.steps[0]?.tools[0]?.input).length).toBeLessThan(3_000);
  const step = await library.run('planning.step', { id, attempt: 1, step: 1 });
  expect(JSON.stringify(step).length).toBeGreaterThan(60_000);
  expect(step.tools).toEqual([{ name: 'writePlan', input: plan, output: { written: true, tasks: 60 } }]);
  const { events } = await library.run('handoff.events', { id });
  expect(JSON.stringify(events)).not.toContain('"kept"');
  await expect(library.run('planning.step', { id, attempt: 1, step: 9 })).rejects.toMatchObject({ code: 'not_found' });
});

verifies(['PLANRUN.live'], 'each stream of events gets what the model says in the step that is not done', async () => {
  const held = Promise.withResolvers<void>();
  const [first, ...others] = goodTurns;
  const provider = await serve(
    ...replies([first ?? {}]),
    holdsBack(others[0] ?? {}, held.promise),
    ...replies(others.slice(1)),
  );
  const { library } = await openProject(provider);
  const server = await startHttpServer(library);
  servers.push(server);
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  const { id } = await library.run('planning.hand-on', { snapshot });
  const streams = await Promise.all([0, 1].map(() => fetch(`${server.url}/api/events`, { headers })));
  const body = JSON.stringify({ id });
  const started = await fetch(`${server.url}/api/planning.start`, { method: 'POST', headers, body });
  expect(started.status).toBe(200);
  for (const stream of streams) {
    let text = '';
    for await (const piece of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece;
      if (/event: planning-progress\ndata: .*"step":2/.test(text)) break;
    }
    expect(text).toContain(`"handoff_id":"${id}"`);
  }
  held.resolve();
  await until(library, 'handoff-acknowledged');
});
