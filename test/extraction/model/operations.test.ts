import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect } from 'vitest';
import { type Baton, openBaton } from '../../../packages/batonpass/src/operations/baton.ts';
import { openStage, type Stage } from '../../doors/stage.ts';
import { writeTrusted } from '../../trust/trusted-settings.ts';
import { verifies } from '../../verifies.ts';
import { answers, keepsSilent, type ModelServer, status } from './model-server.ts';
import { key, serve } from './stage.ts';

const stages: Stage[] = [];
const batons: Baton[] = [];

afterEach(async () => {
  for (const baton of batons.splice(0)) await baton.close();
  for (const stage of stages.splice(0)) stage.close();
});

const messages = [
  { role: 'user', content: 'Use SQLite for the queue in src/queue.ts.' },
  { role: 'assistant', content: 'I will.' },
];
const transcript = JSON.stringify({ messages });

const good = answers({
  decisions: [
    { content: 'The queue uses SQLite.', confidence: 1, message: 0, quote: 'Use SQLite for the queue' },
    { content: 'All is deleted.', confidence: 1, message: 0, quote: 'Delete all of it.' },
  ],
  summary: 'The queue uses SQLite.',
});

/** A project whose environment names this server. */
function openProject(server: ModelServer, more: NodeJS.ProcessEnv = {}): Stage {
  const stage = openStage({ git: true });
  stages.push(stage);
  Object.assign(stage.environment, {
    BATON_MODEL_BASE_URL: server.url,
    BATON_MODEL: 'qwen3:14b',
    BATON_MODEL_API_KEY_ENV: 'TEST_API_KEY',
    TEST_API_KEY: key,
    ...more,
  });
  return stage;
}

async function openIn({ folder: cwd, environment }: Stage): Promise<Baton> {
  const baton = await openBaton({ cwd, environment });
  batons.push(baton);
  return baton;
}

verifies(
  ['MODEL.recorded', 'MODEL.spending', 'MODEL.key'],
  'a conversation is imported by a model, and the record and the answer name the model',
  async () => {
    const stage = openProject(await serve(good));
    const baton = await openIn(stage);
    const { handoff, extraction } = await baton.run('handoff.import', { text: transcript, extractor: 'model' });
    const kept = await baton.run('handoff.get', { id: handoff.id });
    expect(kept.content).toMatchObject({
      summary: 'The queue uses SQLite.',
      decisions: [{ content: 'The queue uses SQLite.', evidence: { message: 0, quote: 'Use SQLite for the queue' } }],
      origin: { extractor: 'openai-compatible/qwen3:14b' },
    });
    expect(extraction).toMatchObject({ extractor: 'model', model: { requests: 1, dropped: { invented_quotes: 1 } } });
    expect(JSON.stringify([kept, extraction])).not.toContain(key);
  },
);

verifies(['MODEL.recorded', 'MODEL.choice'], 'rules extract by default, and nothing is sent', async () => {
  const server = await serve(good);
  const baton = await openIn(openProject(server));
  const { content, extraction } = await baton.run('conversation.extract', { text: transcript });
  expect(content.origin?.extractor).toBe('rules');
  expect(extraction).toEqual({ extractor: 'rules' });
  expect(server.requests).toEqual([]);
});

verifies(['MODEL.choice'], 'the extractor is configured by file or environment, and the input wins', async () => {
  const server = await serve(good);
  const stage = openProject(server);
  await writeTrusted(stage, { extractor: 'model' });
  const byFile = await openIn(stage);
  expect((await byFile.run('conversation.extract', { text: transcript })).extraction.extractor).toBe('model');
  const byInput = await byFile.run('conversation.extract', { text: transcript, extractor: 'rules' });
  expect(byInput.extraction.extractor).toBe('rules');
  stage.environment.BATON_EXTRACTOR = 'rules';
  const byEnvironment = await openIn(stage);
  expect((await byEnvironment.run('conversation.extract', { text: transcript })).extraction.extractor).toBe('rules');
  // A caller that names a model wants it asked.
  await byEnvironment.run('conversation.extract', { text: transcript, model: 'other' });
  expect(server.requests.map(({ body }) => body.model)).toEqual(['qwen3:14b', 'other']);
});

verifies(['MODEL.progress'], 'a caller gets each part that was read, and what was found by then', async () => {
  const stage = openProject(await serve(good));
  const baton = await openIn(stage);
  const long = JSON.stringify({ messages: Array.from({ length: 60 }, (_, place) => ({ ...messages[place % 2] })) });
  const told: unknown[] = [];
  await baton.run(
    'conversation.extract',
    { text: long, extractor: 'model' },
    { onProgress: (progress) => told.push(progress) },
  );
  const told60 = { what: 'messages read', total: 60 };
  expect(told).toEqual([
    { ...told60, done: 0, now: '0 of 60 messages read', found: { decisions: 0, files: 0, risks: 0 } },
    { ...told60, done: 50, now: '50 of 60 messages read, 1 item found', found: { decisions: 1, files: 0, risks: 0 } },
    { ...told60, done: 60, now: '60 of 60 messages read, 1 item found', found: { decisions: 1, files: 0, risks: 0 } },
  ]);
});

verifies(
  ['MODEL.fallback', 'MODEL.recorded'],
  'where the model fails, answer and record say that the rules extracted',
  async () => {
    const stage = openProject(await serve(status(403, `no such key: ${key}`)));
    const baton = await openIn(stage);
    const { handoff, extraction } = await baton.run('handoff.import', { text: transcript, extractor: 'model' });
    expect(handoff.content.origin?.extractor).toBe('rules');
    expect(extraction).toMatchObject({
      extractor: 'rules',
      note: expect.stringMatching(/status 403.*\[key\].*rules extracted/),
    });
    expect(JSON.stringify([handoff, extraction])).not.toContain(key);
  },
);

verifies(
  ['MODEL.fallback', 'MODEL.key'],
  'the command reports on standard error what a model did, and why it did not',
  async () => {
    const read = openProject(await serve(good));
    const well = await read.baton(['extract', '-', '--extractor', 'model'], { input: transcript });
    expect(well).toMatchObject({ code: 0 });
    expect(well.stdout).toContain('The queue uses SQLite.');
    expect(well.stderr).toContain('Extracted by qwen3:14b: 1 request, 1,200 tokens in, 340 out.');
    expect(well.stderr).toContain('1 item with an invented quote');

    const failing = openProject(await serve(status(403, `no such key: ${key}`)));
    const badly = await failing.baton(['import', '-', '--extractor', 'model'], { input: transcript });
    expect(badly).toMatchObject({ code: 0 });
    expect(badly.stderr).toMatch(/status 403.*\[key\].*The rules extracted instead\./);
    expect(badly.stdout + badly.stderr).not.toContain(key);
  },
);

verifies(['MODEL.fallback'], 'what the AI SDK has to say to programmers stays out of standard error', async () => {
  // Its cap on an answer is lower than ours, of which the library warns.
  const small = { BATON_MODEL_PROVIDER: 'anthropic', BATON_MODEL: 'claude-3-haiku-20240307' };
  const stage = openProject(await serve(good), small);
  const { code, stderr } = await stage.baton(['extract', '-', '--extractor', 'model'], { input: transcript });
  expect(code).toBe(0);
  expect(stderr.split('\n').filter((line) => line !== '')).toHaveLength(3);
});

verifies(['MODEL.choice'], 'a command that asks for a model without a key says what to set', async () => {
  const stage = openProject(await serve(good), { TEST_API_KEY: '' });
  const { code, stderr } = await stage.baton(['extract', '-', '--extractor', 'model'], { input: transcript });
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/TEST_API_KEY.*is not set/);
  expect(stderr).toContain('--extractor rules');
});

verifies(
  ['MODEL.abort'],
  'Ctrl-C closes the connection and ends the command without a report of a defect',
  async () => {
    const server = await serve(keepsSilent);
    const stage = openProject(server);
    writeFileSync(join(stage.folder, 'session.json'), transcript);
    const child = stage.start(['extract', 'session.json', '--extractor', 'model']);
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const words = text(child.stderr ?? process.stdin);
    const request = await server.arrival(0);
    child.kill('SIGINT');
    await request.closed;
    expect(await ended).toBe(130);
    expect(await words).toBe('');
  },
);
