import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { hasToolCall, isStepCount, ToolLoopAgent } from 'ai';
import { beforeEach, expect, expectTypeOf } from 'vitest';
import {
  addDecision,
  buildPlanAgentSystemPrompt,
  completePlanning,
  createHandoffTools,
  createPlanAgent,
  getHandoffContext,
} from '../../packages/batonpass/src/ai.ts';
import { createDraftStore, draftStore, type HandoffSnapshot } from '../../packages/batonpass/src/draft.ts';
import { instructionsOf, says, toolsOf } from '../extraction/model/model-stream.ts';
import { key, serve } from '../extraction/model/stage.ts';
import { verifies } from '../verifies.ts';

beforeEach(() => {
  draftStore.getState().reset();
});

/** A draft of one decision and one file, frozen. */
function freeze(store = draftStore): void {
  const { mergeExtraction, freezeForPlanning } = store.getState();
  mergeExtraction({
    decisions: [{ content: 'Use SQLite for the queue', confidence: 1 }],
    filesReferenced: [{ path: 'src/queue.ts', relevance: 'high', context: 'It becomes the queue.' }],
    risks: [{ description: 'The disk is slow', severity: 'low' }],
    summary: 'The queue moves to SQLite.',
  });
  freezeForPlanning();
}

const contents = (store = draftStore) => store.getState().decisions.map(({ content }) => content);

verifies(
  ['BR.tool.context', 'BR.held.tool-constants'],
  'without a frozen draft the context is the source’s error',
  async () => {
    draftStore.getState().addDecision('Never frozen');
    expect(await getHandoffContext.execute({})).toEqual({ error: 'No handoff context available' });
  },
);

verifies(
  ['BR.tool.context', 'BR.held.tool-constants', 'BR.risk.mutation'],
  'getHandoffContext gives the frozen snapshot itself, after any change of the live draft',
  async () => {
    freeze();
    const { frozenPayload, addDecision: add, setSummary, removeFileRef, filesReferenced } = draftStore.getState();
    add('Later');
    setSummary('Otherwise');
    removeFileRef(filesReferenced[0]?.id ?? '');
    expect(await getHandoffContext.execute({})).toBe(frozenPayload);
    expect(frozenPayload).toMatchObject({
      decisions: [{ content: 'Use SQLite for the queue' }],
      filesReferenced: [{ path: 'src/queue.ts' }],
      brainstormSummary: 'The queue moves to SQLite.',
    });
    expect(Object.isFrozen(frozenPayload?.decisions[0])).toBe(true);
  },
);

verifies(
  ['BR.tool.add-decision', 'BR.held.new-from-planning', 'BR.held.tool-constants'],
  'addDecision adds to the live draft, as new from planning, and never to the snapshot',
  async () => {
    freeze();
    expect(await addDecision.execute({ content: 'Keep a backup' })).toEqual({ added: true });
    const added = draftStore.getState().decisions.find(({ content }) => content === 'Keep a backup');
    expect(added).toMatchObject({
      source: 'ai-extracted',
      fromPlanning: true,
    });
    expect(draftStore.getState().frozenPayload?.decisions.map(({ content }) => content)).toEqual([
      'Use SQLite for the queue',
    ]);
  },
);

verifies(['BR.tool.complete', 'BR.held.tool-constants'], 'completePlanning gives its summary back', async () => {
  expect(await completePlanning.execute({ summary: 'Two tasks.' })).toEqual({ complete: true, summary: 'Two tasks.' });
});

verifies(
  ['BR.tool.explicit-types'],
  'each tool has a result of its own type, and its description is the source’s',
  () => {
    type Result<T extends { execute: (...given: never[]) => unknown }> = Awaited<ReturnType<T['execute']>>;
    expectTypeOf<Result<typeof getHandoffContext>>().toEqualTypeOf<
      HandoffSnapshot | { readonly error: 'No handoff context available' }
    >();
    expectTypeOf<Result<typeof addDecision>>().toEqualTypeOf<{ added: true }>();
    expectTypeOf<Result<typeof completePlanning>>().toEqualTypeOf<{ complete: true; summary: string }>();
    expect([getHandoffContext, addDecision, completePlanning].map(({ description }) => description)).toEqual([
      'Get the full handoff context: decisions, files, risks, and summary',
      'Add a new decision discovered during planning',
      'Signal that planning is complete',
    ]);
  },
);

verifies(['BR.held.tool-constants'], 'tools over several stores do not meet', async () => {
  const stores = [createDraftStore({ project: 'a' }), createDraftStore({ project: 'b' })] as const;
  freeze(stores[0]);
  const [left, right] = stores.map((store) => createHandoffTools(store));
  await right?.addDecision.execute({ content: 'Only here' });
  expect(contents(stores[0])).toEqual(['Use SQLite for the queue']);
  expect(contents(stores[1])).toEqual(['Only here']);
  expect(await left?.getHandoffContext.execute({})).toMatchObject({ brainstormSummary: 'The queue moves to SQLite.' });
  expect(await right?.getHandoffContext.execute({})).toEqual({ error: 'No handoff context available' });
});

verifies(
  ['BR.held.tool-constants', 'BR.tool.context', 'BR.agent.stops'],
  'the constants work in an agent of one’s own, as the source wires it',
  async () => {
    freeze();
    const server = await serve(
      says({ calls: [{ name: 'getHandoffContext', input: {} }] }),
      says({
        calls: [
          { name: 'addDecision', input: { content: 'Keep a backup' } },
          { name: 'completePlanning', input: { summary: 'Two tasks.' } },
        ],
      }),
    );
    const agent = new ToolLoopAgent({
      model: createAnthropic({ apiKey: key, baseURL: server.url })('claude-test'),
      instructions: buildPlanAgentSystemPrompt(),
      tools: { getHandoffContext, addDecision, completePlanning },
      stopWhen: [isStepCount(20), hasToolCall('completePlanning')],
      maxOutputTokens: 1_000,
    });
    const { steps } = await await agent.stream({ prompt: 'Plan it.' });
    const results = (await steps).flatMap(({ toolResults }) => toolResults.map(({ output }) => output));
    expect(results).toEqual([
      draftStore.getState().frozenPayload,
      { added: true },
      { complete: true, summary: 'Two tasks.' },
    ]);
    expect(server.requests).toHaveLength(2);
    expect(contents()).toContain('Keep a backup');
  },
);

verifies(
  ['BR.agent.prompt', 'BR.agent.stops'],
  'a planning agent gets what is frozen, and ends after its steps',
  async () => {
    freeze();
    const server = await serve(says({ calls: [{ name: 'getHandoffContext', input: {} }] }));
    const provider = createOpenAICompatible({ name: 'test', apiKey: key, baseURL: server.url });
    const agent = createPlanAgent({ model: provider('planner-1') });
    draftStore.getState().setSummary('Changed after the agent was made');
    await (await agent.stream({ prompt: 'Plan it.' })).consumeStream();
    expect(server.requests).toHaveLength(20);
    const [first] = server.requests;
    expect(first && toolsOf(first)).toEqual(['addDecision', 'completePlanning', 'getHandoffContext']);
    expect(first && instructionsOf(first)).toBe(buildPlanAgentSystemPrompt());
    expect(first && instructionsOf(first)).toContain('The queue moves to SQLite.');
  },
);
