import { expect } from 'vitest';
import { startHttpServer } from '../../packages/batonpass/src/http.ts';
import type { Baton } from '../../packages/batonpass/src/operations/baton.ts';
import { connectTo } from '../doors/mcp-client.ts';
import { says } from '../extraction/model/model-stream.ts';
import { serve } from '../extraction/model/stage.ts';
import { verifies } from '../verifies.ts';
import { goodTurns, modelPlan, openProject, replies, snapshot } from './planning-run-stage.ts';

const codex = { name: 'codex', type: 'agent' } as const;

/** A handoff that an agent of its own holds. */
async function claim(library: Baton): Promise<{ id: string; token: string }> {
  const { id } = await library.run('handoff.create', {
    content: {
      summary: snapshot.brainstormSummary,
      decisions: [...snapshot.decisions],
      files: [...snapshot.filesReferenced],
      risks: [...snapshot.risks],
    },
  });
  const { handoff } = await library.run('handoff.claim', { id }, { actor: codex });
  return { id, token: handoff?.delivery.lease?.token ?? '' };
}

verifies(
  ['PLANRUN.by-agent', 'PLANRUN.runs'],
  'an agent that holds a handoff plans it with the operations',
  async () => {
    const { library, plans, plan } = await openProject(await serve(says({})));
    const held = await claim(library);
    expect(await library.run('planning.context', held)).toEqual(snapshot);
    expect(await library.run('planning.add-decision', { ...held, content: 'Keep the former key' })).toEqual({
      added: true,
    });
    expect(await library.run('planning.context', held)).toEqual(snapshot);
    const given = { ...held, summary: 'Three tasks.', plan_content: modelPlan };
    const { complete, summary, next, handoff } = await library.run('planning.complete', given, { actor: codex });
    expect([complete, summary, handoff.delivery.state]).toEqual([true, 'Three tasks.', 'acknowledged']);
    expect(plans()).toEqual(['signed-cookies']);
    expect(plan('signed-cookies')).toContain('Planned by codex');
    expect(next.content.decisions.map(({ content }) => content)).toContain('Keep the former key');
    const { runs } = await library.run('planning.runs', { id: held.id });
    expect(runs).toMatchObject([
      { by: 'codex', planner: 'codex', outcome: 'completed', decisions: ['Keep the former key'], steps: [] },
    ]);
  },
);

verifies(
  ['PLANRUN.by-agent', 'PLANRUN.key'],
  'an agent that did not get the answer completes again with its key',
  async () => {
    const { library, plans } = await openProject(await serve(says({})));
    const held = await claim(library);
    const given = { ...held, summary: 'Three tasks.', plan_content: modelPlan };
    const once = { actor: codex, idempotency_key: 'complete-1' };
    const first = await library.run('planning.complete', given, once);
    expect(await library.run('planning.complete', given, once)).toEqual(first);
    expect(plans()).toHaveLength(1);
    const other = library.run('planning.complete', { ...given, summary: 'Two.' }, once);
    await expect(other).rejects.toMatchObject({ code: 'conflict' });
    await expect(library.run('planning.complete', given, { actor: codex })).rejects.toMatchObject({
      code: 'lease_lost',
    });
  },
);

verifies(['PLANRUN.by-agent'], 'a caller that does not hold it reads, adds and completes nothing', async () => {
  const { library, plans } = await openProject(await serve(says({})));
  const { id, token } = await claim(library);
  const wrong = { id, token: '0'.repeat(48) };
  const lost = { code: 'lease_lost' };
  const before = await library.run('handoff.get', { id });
  await expect(library.run('planning.context', wrong)).rejects.toMatchObject(lost);
  await expect(library.run('planning.add-decision', { ...wrong, content: 'x' })).rejects.toMatchObject(lost);
  await expect(library.run('planning.complete', { ...wrong, summary: 'x' })).rejects.toMatchObject(lost);
  expect(await library.run('handoff.get', { id })).toEqual(before);
  expect(plans()).toEqual([]);
  // Reading is no change either.
  await library.run('planning.context', { id, token });
  expect(await library.run('handoff.get', { id })).toEqual(before);
});

verifies(['PLANRUN.by-agent'], 'decisions of an attempt that lapsed are not handed on by the next', async () => {
  const { library, clock } = await openProject(await serve(says({})));
  const first = await claim(library);
  await library.run('planning.add-decision', { ...first, content: 'Of the first' });
  clock.now_ms += 3_600_000;
  const { handoff } = await library.run('handoff.claim', { id: first.id }, { actor: codex });
  const second = { id: first.id, token: handoff?.delivery.lease?.token ?? '' };
  await library.run('planning.add-decision', { ...second, content: 'Of the second' });
  const { next } = await library.run('planning.complete', { ...second, summary: 'Done.' });
  expect(next.content.decisions.map(({ content }) => content)).toEqual([
    ...snapshot.decisions.map(({ content }) => content),
    'Of the second',
  ]);
});

verifies(['PLANRUN.by-agent'], 'an agent plans through MCP, and sees there how runs went', async () => {
  const { library, plans } = await openProject(await serve(says({})));
  const { ask, close } = await connectTo(library);
  try {
    const { id } = await library.run('handoff.create', { content: { summary: 'Finish the login form' } });
    const { handoff } = await ask<{ handoff: { token: string } }>('handoff_claim', { id });
    const held = { id, token: handoff.token };
    const context = await ask('handoff_read', { action: 'context', ...held });
    expect(context).toMatchObject({ decisions: [], brainstormSummary: 'Finish the login form' });
    await ask('handoff_update', { action: 'add-decision', ...held, content: 'Keep sessions' });
    const done = { action: 'complete', ...held, summary: 'Three tasks.', plan_content: modelPlan };
    expect(await ask('handoff_update', done)).toMatchObject({ complete: true, next: { kind: 'plan' } });
    expect(plans()).toEqual(['signed-cookies']);
    const { runs } = await ask<{ runs: unknown[] }>('handoff_read', { action: 'runs', id });
    expect(runs).toMatchObject([{ outcome: 'completed', decisions: ['Keep sessions'] }]);
  } finally {
    await close();
  }
});

verifies(['PLANRUN.whole', 'PLANRUN.runs'], 'a run can be started over HTTP, and read there later', async () => {
  const { library } = await openProject(await serve(...replies(goodTurns)));
  const { id } = await library.run('planning.hand-on', { snapshot });
  const server = await startHttpServer(library);
  const ask = async (name: string, input: object) => {
    const answer = await fetch(`${server.url}/api/${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  try {
    const { status, body } = await ask('planning.run', {});
    expect([status, body.outcome]).toEqual([200, 'completed']);
    expect((await ask('planning.runs', { id })).body.runs).toEqual([body.run]);
    expect(await ask('planning.run', { steps_max: 0 })).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
  } finally {
    await server.close();
  }
});
