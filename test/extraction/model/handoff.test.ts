import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { extractionResultSchema } from '../../../packages/batonpass/src/extraction/extraction-result.ts';
import { extractHandoff } from '../../../packages/batonpass/src/operations/extract-handoff.ts';
import { writeTrusted } from '../../trust/trusted-settings.ts';
import { verifies } from '../../verifies.ts';
import { answers, promptOf, status } from './model-server.ts';
import { anthropic, compatible, key, serve } from './stage.ts';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The folder of a separate project. */
function project(): string {
  const folder = mkdtempSync(join(tmpdir(), 'baton-model-'));
  folders.push(folder);
  return folder;
}

const signal = new AbortController().signal;
const secret = `ghp_${'a1B2'.repeat(9)}`;

const messages = [
  { role: 'user', content: 'Use SQLite for the queue in src/queue.ts.' },
  { role: 'tool', content: 'This is no message of a person.' },
  {
    role: 'assistant',
    parts: [{ type: 'step-start' }, { type: 'text', text: 'I will.' }, { type: 'text', text: 'It may be slow.' }],
  },
  { role: 'user', content: '' },
  { role: 'user', content: [{ type: 'text', text: `Name it baton. My key is ${secret}, keep it.` }] },
];

const answer = answers({
  decisions: [
    { content: 'The queue uses SQLite.', confidence: 1, message: 0, quote: 'Use SQLite for the queue' },
    { content: 'It is named baton.', confidence: 1, message: 4, quote: 'Name it baton.' },
  ],
  filesReferenced: [
    { path: 'src/queue.ts', relevance: 'high', context: 'The queue.', message: -1, quote: '' },
    { path: '/etc/passwd', relevance: 'high', context: 'It leads out.', message: -1, quote: '' },
  ],
  risks: [{ description: 'It may be slow.', severity: 'low', message: 2, quote: 'It may be slow.' }],
  summary: 'SQLite and baton.',
});

verifies(
  ['MODEL.handoff', 'BR.extract.rejects-absolute'],
  'extractHandoff gives the result of source 5, whose evidence counts the messages that were given',
  async () => {
    const server = await serve(answer);
    const result = await extractHandoff(messages, signal, {
      model: anthropic(server),
      environment: { ANTHROPIC_API_KEY: key },
      cwd: project(),
    });
    expect(extractionResultSchema.parse(result)).toEqual({
      decisions: [
        { content: 'The queue uses SQLite.', confidence: 1 },
        { content: 'It is named baton.', confidence: 1 },
      ],
      filesReferenced: [{ path: 'src/queue.ts', relevance: 'high', context: 'The queue.' }],
      risks: [{ description: 'It may be slow.', severity: 'low' }],
      summary: 'SQLite and baton.',
    });
    expect(result.decisions.map(({ evidence }) => evidence?.message)).toEqual([0, 4]);
    expect(result.report).toMatchObject({ extractor: 'model', model: { dropped: { refused_paths: 1 } } });
  },
);

verifies(['MODEL.key', 'MODEL.handoff'], 'secrets of a conversation are masked before it is sent', async () => {
  const server = await serve(answer);
  await extractHandoff(messages, signal, { model: compatible(server), environment: {}, cwd: project() });
  const [prompt] = server.requests.map(promptOf);
  expect(prompt).toContain('Name it baton. My key is ');
  expect(prompt).not.toContain(secret);
  expect(prompt).not.toContain('This is no message of a person.');
});

verifies(
  ['MODEL.choice', 'MODEL.handoff'],
  'the model comes from file and environment, and the environment wins',
  async () => {
    const server = await serve(answer);
    const cwd = project();
    const own = { HOME: cwd };
    const model = { base_url: server.url, model: 'of-the-file', output_tokens_max: 500 };
    await writeTrusted({ folder: cwd, environment: own }, { model });
    await extractHandoff(messages, signal, { environment: own, cwd });
    await extractHandoff(messages, signal, { environment: { ...own, BATON_MODEL: 'of-the-environment' }, cwd });
    await extractHandoff(messages, signal, {
      environment: {
        ...own,
        BATON_MODEL: 'of-the-environment',
        BATON_MODEL_PROVIDER: 'anthropic',
        ANTHROPIC_API_KEY: key,
      },
      model: { model: 'of-the-call' },
      cwd,
    });
    expect(server.requests.map(({ path, body }) => [path, body.model])).toEqual([
      ['/v1/chat/completions', 'of-the-file'],
      ['/v1/chat/completions', 'of-the-environment'],
      ['/v1/messages', 'of-the-call'],
    ]);
    expect(server.requests[0]?.body.max_tokens).toBe(500);
  },
);

verifies(['MODEL.handoff', 'MODEL.fallback'], 'without any model the rules answer and say what to set', async () => {
  const result = await extractHandoff(messages, signal, { environment: {}, cwd: project() });
  expect(result.report).toEqual({ extractor: 'rules', note: expect.stringMatching(/Set ANTHROPIC_API_KEY/) });
  expect(result.filesReferenced.map(({ path }) => path)).toContain('src/queue.ts');
  const empty = await extractHandoff([], signal, { environment: {}, cwd: project() });
  expect(empty).toMatchObject({ decisions: [], filesReferenced: [], risks: [] });
});

verifies(['MODEL.handoff', 'MODEL.fallback'], 'where the model fails the rules answer and say why', async () => {
  const server = await serve(status(403, 'no'));
  const result = await extractHandoff(messages, signal, { model: compatible(server), environment: {}, cwd: project() });
  expect(result.report).toMatchObject({ extractor: 'rules', note: expect.stringMatching(/status 403/) });
  expect(result.filesReferenced.map(({ path }) => path)).toContain('src/queue.ts');
});

verifies(['MODEL.choice'], 'a missing model setting is reported with what to set', async () => {
  const asking = (environment: NodeJS.ProcessEnv, model = {}) =>
    extractHandoff(messages, signal, { extractor: 'model', environment, model, cwd: project() });
  await expect(asking({})).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/ANTHROPIC_API_KEY.*is not set/),
  });
  await expect(asking({ BATON_MODEL_API_KEY_ENV: 'MINE', MINE: ' ' })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/MINE/),
  });
  await expect(asking({ BATON_MODEL_BASE_URL: 'http://localhost:1/v1' })).rejects.toMatchObject({
    code: 'unavailable',
    alternatives: expect.arrayContaining([expect.stringMatching(/BATON_MODEL=/)]),
  });
  await expect(asking({ BATON_MODEL_PROVIDER: 'openai-compatible', BATON_MODEL: 'x' })).rejects.toMatchObject({
    code: 'unavailable',
    alternatives: expect.arrayContaining([expect.stringMatching(/BATON_MODEL_BASE_URL=/)]),
  });
});

verifies(['MODEL.foreign-file'], 'a file may name a server of this machine alone, and only a model’s key', async () => {
  const asking = async (model: object, environment: NodeJS.ProcessEnv = {}) => {
    const cwd = project();
    const own = { HOME: cwd, ...environment };
    await writeTrusted({ folder: cwd, environment: own }, { model });
    return extractHandoff(messages, signal, { environment: own, cwd });
  };
  for (const base_url of [
    'https://evil.example/v1',
    'http://127.0.0.1.evil.example/v1',
    'http://localhost@evil.example/',
  ]) {
    await expect(asking({ base_url, model: 'x' })).rejects.toMatchObject({ code: 'invalid_input' });
  }
  await expect(asking({ api_key_env: 'AWS_SECRET_ACCESS_KEY' })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringMatching(/no model's key: AWS_SECRET_ACCESS_KEY/),
  });
  await expect(asking({ base_url: 'http://user:word@localhost/v1' })).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(asking({ base_url: 'file:///x' })).rejects.toMatchObject({ code: 'invalid_input' });

  const server = await serve(answer);
  // Not on this machine, judging by the address.
  const elsewhere = server.url.replace('127.0.0.1', '0.0.0.0');
  const own = { BATON_MODEL_BASE_URL: elsewhere, BATON_MODEL_API_KEY_ENV: 'MINE', MINE: key };
  await asking({ model: 'x' }, own);
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
});
