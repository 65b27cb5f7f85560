import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DefaultChatTransport,
  parseJsonEventStream,
  readUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
} from 'ai';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Content } from '../../packages/batonpass/src/browser.ts';
import {
  buildPlanAgentSystemPrompt,
  contentToSnapshot,
  createDraftStore,
  type HandoffDraftStore,
} from '../../packages/batonpass/src/draft.ts';
import { extractHandoff } from '../../packages/batonpass/src/index.ts';
import { type HttpStage, openHttp } from '../doors/http/http-stage.ts';
import { answers, type ModelServer } from '../extraction/model/model-server.ts';
import { holdsBack, instructionsOf, says } from '../extraction/model/model-stream.ts';
import { key, serve } from '../extraction/model/stage.ts';
import { goodTurns } from '../operations/planning-run-stage.ts';
import { verifies } from '../verifies.ts';

const question = 'Where do sessions live? I want the database out of every request. It is src/session.ts today.';
const advice = 'Keep sessions in signed cookies, and rotate the key.';
/** What the person accepts without objection, in the person's words. */
const reviewed = [advice, 'Take the database out of every request', 'Rotate the signing key once a month'];
/** What the agent decides beyond it. */
const added = 'Keep the former key for a week';
const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

/** What the model finds in the two messages: one decision of each is an assistant's, one the review takes out. */
const found = answers({
  decisions: [
    { content: 'Take the database out of every request', confidence: 1, message: 0, quote: 'database out of every' },
    { content: 'Rotate the key now and then', confidence: 0.9, message: 1, quote: 'rotate the key' },
    { content: 'Drop the old table at once', confidence: 0.9, message: 1, quote: 'Keep sessions' },
  ],
  filesReferenced: [
    { path: 'src/session.ts', relevance: 'high', context: 'Reads the cookie.', message: 0, quote: 'src/session.ts' },
  ],
  risks: [{ description: 'Old cookies are refused', severity: 'medium', message: -1, quote: '' }],
  summary: 'Sessions move into signed cookies.',
});

/** Baton's server over a project folder, whose models are all on the provider's. */
async function openProject(provider: ModelServer) {
  const environment = {
    BATON_MODEL_BASE_URL: provider.url,
    BATON_MODEL: 'planner-1',
    BATON_MODEL_API_KEY_ENV: 'TEST_API_KEY',
    TEST_API_KEY: key,
  };
  const stage = await openHttp({}, { environment });
  const cwd = stage.baton.context.workspace.root;
  mkdirSync(join(cwd, 'src'));
  writeFileSync(join(cwd, 'src/session.ts'), 'export const readSession = () => undefined;\n');
  return { ...stage, cwd, environment };
}

/** Asks as `useChat` does, and gives both messages as it keeps them. */
async function chat({ server }: HttpStage, text: string): Promise<UIMessage[]> {
  const asked: UIMessage = { id: 'u1', role: 'user', parts: [{ type: 'text', text }] };
  const headers = { authorization: `Bearer ${server.token}` };
  const transport = new DefaultChatTransport<UIMessage>({ api: `${server.url}/api/chat`, headers });
  const trigger = 'submit-message' as const;
  const request = { chatId: 'one', messageId: undefined, trigger, messages: [asked], abortSignal: undefined };
  let answer: UIMessage | undefined;
  for await (const state of readUIMessageStream({ stream: await transport.sendMessages(request) })) answer = state;
  if (answer === undefined) throw new Error('The chat was not answered.');
  return [asked, answer];
}

const textOf = ({ parts }: UIMessage) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

/** A person goes through what was extracted: words one decision otherwise, and takes one out. */
function review(draft: HandoffDraftStore): void {
  const { decisions, updateDecision, removeDecision } = draft.getState();
  const idOf = (part: string) => decisions.find(({ content }) => content.includes(part))?.id ?? '';
  updateDecision(idOf('Rotate'), 'Rotate the signing key once a month');
  removeDecision(idOf('Drop the old table'));
}

/** A run as a page follows it: each part as it comes; what the agent decides goes to the live draft. */
async function follow(answer: Response, draft: HandoffDraftStore) {
  if (answer.body === null) throw new Error('The run was not told of.');
  let last: UIMessageChunk | undefined;
  const schema = z.looseObject({ type: z.string() });
  for await (const part of parseJsonEventStream({ stream: answer.body, schema })) {
    if (!part.success) throw part.error;
    last = part.value as unknown as UIMessageChunk;
    if (last.type !== 'tool-input-available' || last.toolName !== 'addDecision') continue;
    draft.getState().addDecision((last.input as { content: string }).content, 'ai-extracted');
  }
  return last;
}

/** From the first question to the open handoff: what was shown at the approval, and the result. */
async function handOn(stage: Awaited<ReturnType<typeof openProject>>, draft: HandoffDraftStore) {
  const messages = await chat(stage, question);
  expect(messages.map(textOf)).toEqual([question, advice]);
  draft.getState().addDecision(advice, 'user-pinned');
  const { cwd, environment } = stage;
  const extracted = await extractHandoff(messages, new AbortController().signal, { cwd, environment });
  expect(extracted.report.extractor).toBe('model');
  draft.getState().mergeExtraction(extracted);
  review(draft);

  draft.getState().freezeForPlanning();
  const { frozenPayload: snapshot, frozenHash: snapshot_sha256 } = draft.getState();
  const shown = buildPlanAgentSystemPrompt(snapshot);
  const input = { snapshot, snapshot_sha256, rendered_sha256: sha256(shown) };
  const { status, body } = await stage.call('planning.hand-on', input);
  expect([status, body.delivery?.state]).toEqual([200, 'open']);
  const id = String(body.id);
  draft.getState().markHandedOn(id);
  return { id, snapshot, shown };
}

/** Has it planned over HTTP, while the person changes the live draft behind the freeze. */
async function plan(stage: HttpStage, id: string, { draft, provider, goOn }: Planning) {
  const body = JSON.stringify({ id });
  const asked = stage.ask('/api/planning.run', { method: 'POST', body, headers: { accept: 'text/event-stream' } });
  await provider.arrival(2);
  draft.getState().addDecision('Only thought of after the freeze');
  draft.getState().removeDecision(draft.getState().decisions[0]?.id ?? '');
  goOn();
  return follow(await asked, draft);
}

interface Planning {
  draft: HandoffDraftStore;
  provider: ModelServer;
  /** Lets the model answer. */
  goOn: () => void;
}

verifies(
  [
    'BR.success.context',
    'BR.success.edits-reflected',
    'BR.success.references',
    'BR.agent.prompt',
    'BR.agent.stops',
    'BR.risk.pins',
    'BR.risk.mutation',
    'BR.held.frozen',
    'BR.held.new-from-planning',
    'BR.held.forward-only',
    'PLANNING.same-bytes',
    'PLANRUN.whole',
  ],
  'a brainstorm becomes a plan: chat, pin, extract, edit, freeze, plan, and the next handoff is open',
  async () => {
    const { promise: changed, resolve: goOn } = Promise.withResolvers<void>();
    const [look = {}, ...others] = goodTurns;
    const provider = await serve(says({ text: advice }), found, holdsBack(look, changed), ...others.map(says));
    const stage = await openProject(provider);
    const draft = createDraftStore({ project: 'alpha' });
    const { id, snapshot, shown } = await handOn(stage, draft);
    const last = await plan(stage, id, { draft, provider, goOn });
    expect(last).toMatchObject({ type: 'data-result', data: { outcome: 'completed' } });

    // What was shown is what the approval is bound to, and what the model got in each step, byte for byte.
    const planned = (await stage.call('handoff.get', { id })).body;
    expect(planned.delivery).toMatchObject({ state: 'acknowledged', approval: { rendered_sha256: sha256(shown) } });
    const asked = provider.requests.slice(2);
    expect(asked.map(instructionsOf)).toEqual(goodTurns.map(() => shown));
    for (const content of reviewed) expect(shown).toContain(`- ${content}\n`);
    expect(JSON.stringify(asked.map(({ body }) => body))).not.toMatch(
      /Drop the old table|Only thought of|now and then/,
    );

    // What the agent decided is new in the live draft; what is frozen holds after a reload too.
    expect(draft.getState().decisions.at(-1)).toMatchObject({ content: added, fromPlanning: true });
    expect(draft.getState().frozenPayload).toBe(snapshot);
    draft.getState().restoreFrozen(contentToSnapshot(planned.content as unknown as Content));
    expect(draft.getState().frozenPayload).toEqual(snapshot);

    // The plan is on the disk, the next handoff open with all that was decided, and the run can be read later.
    const read = await stage.baton.run('plan.read-plan', { plan_directory: '.claude/plans/signed-cookies/' });
    expect(read.phases.map(({ tasks }) => tasks)).toEqual([1, 1, 1]);
    expect(read.tasks_current_phase).toMatchObject([{ name: 'Read the session code' }]);
    const { handoffs: next } = (await stage.call('handoff.list', { kind: 'plan' })).body;
    const decisions = [...reviewed, added].map((content) => ({ content }));
    expect(next).toMatchObject([{ content: { parent_id: id, decisions }, delivery: { state: 'open' } }]);
    const { runs } = (await stage.call('planning.runs', { id })).body;
    const steps = goodTurns.map(({ calls = [] }) => ({ tools: calls.map(({ name }) => ({ name })) }));
    const run = { outcome: 'completed', instructions_sha256: sha256(shown), decisions: [added], steps };
    expect(runs).toMatchObject([run]);
    expect(runs?.[0]?.steps?.[0]?.tools?.[0]?.output).toEqual(snapshot);
  },
);
