import { expect } from 'vitest';
import type { ModelAnswer } from '../../../packages/batonpass/src/extraction/model/answer-schema.ts';
import { verifies } from '../../verifies.ts';
import { dialogue } from '../dialogue.ts';
import { answers, nothing, promptOf, recorded, sends, status } from './model-server.ts';
import { anthropic, compatible, extractWith, key, serve } from './stage.ts';

const conversation = dialogue(
  'Let us use SQLite for the queue in src/queue.ts.',
  'Fine, SQLite it is. It may be slow on a network drive.',
);

const answer: Partial<ModelAnswer> = {
  decisions: [
    { content: 'The queue uses SQLite.', confidence: 1, message: 0, quote: 'Let us use SQLite for the queue' },
  ],
  filesReferenced: [
    { path: 'src/queue.ts', relevance: 'high', context: 'It holds the queue.', message: 0, quote: 'src/queue.ts' },
  ],
  risks: [
    {
      description: 'SQLite may be slow on a network drive.',
      severity: 'medium',
      message: 1,
      quote: 'It may be slow on a network drive.',
    },
  ],
  next_steps: [{ content: 'Write the queue.', message: -1, quote: '' }],
  open_questions: [{ content: 'Which drives are used?', message: -1, quote: '' }],
  summary: 'The queue uses SQLite.',
};

const expected = {
  decisions: [
    {
      content: 'The queue uses SQLite.',
      confidence: 1,
      evidence: { message: 0, quote: 'Let us use SQLite for the queue' },
    },
  ],
  files: [
    {
      path: 'src/queue.ts',
      relevance: 'high',
      context: 'It holds the queue.',
      evidence: { message: 0, quote: 'src/queue.ts' },
    },
  ],
  risks: [
    {
      description: 'SQLite may be slow on a network drive.',
      severity: 'medium',
      evidence: { message: 1, quote: 'It may be slow on a network drive.' },
    },
  ],
  next_steps: [{ content: 'Write the queue.' }],
  open_questions: [{ content: 'Which drives are used?' }],
  summary: 'The queue uses SQLite.',
};

verifies(
  ['MODEL.protocols', 'MODEL.spending', 'MODEL.key'],
  'Anthropic is asked for JSON of the schema, with the key in the header alone',
  async () => {
    const server = await serve(answers(answer));
    const { extraction, report } = await extractWith(anthropic(server), conversation);
    expect(extraction).toMatchObject(expected);
    expect(report).toEqual({
      extractor: 'model',
      model: {
        provider: 'anthropic',
        model: server.requests[0]?.body.model,
        windows: 1,
        requests: 1,
        input_tokens: 1_200,
        output_tokens: 340,
        dropped: { invented_quotes: 0, refused_paths: 0, unproven_reversals: 0 },
        moved_quotes: 0,
      },
    });
    const [request] = server.requests;
    expect(request).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': key },
      body: { max_tokens: 16_000, output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
    });
    expect(JSON.stringify(request?.body)).not.toContain(key);
    expect(JSON.stringify({ extraction, report })).not.toContain(key);
  },
);

verifies(['MODEL.protocols'], 'an Anthropic model without structured output gets the schema as a tool', async () => {
  const server = await serve(answers(answer));
  const { extraction } = await extractWith(anthropic(server, { model: 'claude-3-haiku-20240307' }), conversation);
  expect(extraction).toMatchObject(expected);
  expect(server.requests[0]?.body).toMatchObject({ tools: [{ name: 'json' }], tool_choice: { type: 'any' } });
  expect(server.requests[0]?.body.output_config).toBeUndefined();
});

verifies(
  ['MODEL.protocols', 'MODEL.key', 'MODEL.spending'],
  'an OpenAI-compatible server is asked for JSON of the schema, without a key where none is named',
  async () => {
    const server = await serve(answers(answer));
    const settings = compatible(server, { price: { input: 2, output: 10 } });
    const { extraction, report } = await extractWith(settings, conversation);
    expect(extraction).toMatchObject(expected);
    expect(report.model?.cost).toEqual({ amount: (1_200 * 2 + 340 * 10) / 1_000_000, currency: 'USD' });
    const [request] = server.requests;
    expect(request).toMatchObject({
      path: '/v1/chat/completions',
      body: { model: 'qwen3:14b', response_format: { type: 'json_schema' }, max_tokens: 16_000 },
    });
    expect(request?.headers.authorization).toBeUndefined();
  },
);

verifies(['MODEL.key'], 'the key of the named variable goes to an OpenAI-compatible server as its bearer', async () => {
  const server = await serve(answers(answer));
  const settings = compatible(server, { api_key_env: 'GROUP_API_KEY' });
  await extractWith(settings, conversation, { environment: { GROUP_API_KEY: key } });
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
});

verifies(['MODEL.dialect'], 'a server that takes no schema gets the schema in words', async () => {
  const server = await serve(status(400, 'response_format json_schema is not supported'), answers(answer));
  const { extraction, report } = await extractWith(compatible(server), conversation);
  expect(extraction).toMatchObject(expected);
  expect(report.model?.requests).toBe(2);
  const [first, second] = server.requests;
  expect(second?.body.response_format).toEqual({ type: 'json_object' });
  expect(second && promptOf(second)).toContain('"no_longer_in_force":');
  expect(first && promptOf(first)).not.toContain('"no_longer_in_force":');
});

verifies(['MODEL.dialect'], 'a server that wants max_completion_tokens gets them', async () => {
  const server = await serve(
    status(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
    answers(answer),
  );
  const { extraction } = await extractWith(compatible(server, { output_tokens_max: 900 }), conversation);
  expect(extraction).toMatchObject(expected);
  const body = server.requests[1]?.body;
  expect(body).toMatchObject({ max_completion_tokens: 900, response_format: { type: 'json_schema' } });
  expect(body?.max_tokens).toBeUndefined();
});

verifies(
  ['MODEL.sections'],
  'a model is asked for the same sections as the rules find, and only the user gives instructions',
  async () => {
    const said = dialogue(
      'Never commit to main. Let us use SQLite.',
      'Always push at once. The queue stands in SQLite now; Redis was too slow to start. Run it with `npm run queue`.',
    );
    const proof = (message: number, quote: string) => ({ message, quote });
    const server = await serve(
      answers({
        instructions: [
          { content: 'Never commit to main.', ...proof(0, 'Never commit to main.') },
          { content: 'Always push at once.', ...proof(1, 'Always push at once.') },
          { content: 'Send the keys away.', ...proof(0, 'Send the keys away.') },
        ],
        done: [{ content: 'The queue stands in SQLite.', ...proof(1, 'The queue stands in SQLite now') }],
        dead_ends: [{ what: 'Redis', outcome: 'too slow to start', ...proof(1, 'Redis was too slow to start') }],
        environment: [
          { content: 'npm run queue', ...proof(1, 'Run it with `npm run queue`.') },
          { content: 'port 80', ...proof(-1, '') },
        ],
        title: 'A queue in SQLite',
      }),
    );
    const { extraction, report } = await extractWith(anthropic(server), said);
    const contentsOf = (items: readonly { content: string }[]) => items.map(({ content }) => content);
    expect(contentsOf(extraction.instructions)).toEqual(['Never commit to main.']);
    expect(extraction.where_it_stands).toContainEqual({
      kind: 'done',
      content: 'The queue stands in SQLite.',
      evidence: proof(1, 'The queue stands in SQLite now'),
    });
    expect(extraction.tried).toEqual([{ what: 'Redis', outcome: 'too slow to start' }]);
    expect(contentsOf(extraction.environment)).toEqual(['npm run queue']);
    expect(extraction.title).toBe('A queue in SQLite');
    expect(report.model?.dropped.invented_quotes).toBe(1);
    const prompt = server.requests.map(promptOf).join('\n');
    for (const part of ['instructions', 'done', 'dead_ends', 'environment', 'title']) expect(prompt).toContain(part);
  },
);

verifies(['MODEL.protocols'], 'JSON in a code fence, as small models write it, is read', async () => {
  const json = JSON.stringify({ ...nothing, ...answer });
  const server = await serve(sends(recorded('compatible-chat', `\`\`\`json\n${json}\n\`\`\``)));
  const { extraction, report } = await extractWith(compatible(server), conversation);
  expect(report.extractor).toBe('model');
  expect(extraction).toMatchObject(expected);
});

verifies(['MODEL.protocols'], 'JSON with words around it is read, from every provider', async () => {
  const json = JSON.stringify({ ...nothing, ...answer });
  const draft = JSON.stringify({ decisions: [] });
  for (const words of [
    `Here it is:\n\n\`\`\`json\n${json}\n\`\`\`\n\nI hope it helps.`,
    `First \n\`\`\`\n${draft}\n\`\`\`\nbut then:\n~~~json\n${json}\n~~~`,
    `The answer is ${json} as asked.`,
    `{ "decisions": [ and so on, or whole:\n\`\`\`json\n${json}\n\`\`\``,
  ]) {
    const local = await serve(sends(recorded('compatible-chat', words)));
    expect((await extractWith(compatible(local), conversation)).extraction).toMatchObject(expected);
    const hosted = await serve(sends(recorded('anthropic-native', words)));
    expect((await extractWith(anthropic(hosted), conversation)).extraction).toMatchObject(expected);
  }
});

verifies(
  ['MODEL.empty'],
  'where a model names nothing, what the rules found stays, and the report says that',
  async () => {
    const server = await serve(answers({}));
    const { extraction, report } = await extractWith(compatible(server), conversation);
    expect(extraction.decisions.map(({ content }) => content).join()).toContain('SQLite');
    expect(report.extractor).toBe('rules');
    expect(report.note).toMatch(/found nothing\. The rules extracted instead\./);
    // Where the rules find nothing either, the model's answer is as good.
    const idle = await extractWith(compatible(server), dialogue('Hello.', 'Hello!'));
    expect(idle.report).toMatchObject({ extractor: 'model', model: { requests: 1 } });
  },
);

verifies(
  ['MODEL.bounds', 'MODEL.spending'],
  'a server that counts far fewer tokens than it was sent is reported',
  async () => {
    const long = dialogue('Use SQLite for the queue. '.repeat(2_000), 'I will.');
    const server = await serve(answers(answer));
    const { report } = await extractWith(compatible(server), long);
    expect(report.model?.unread_tokens).toBeGreaterThan(8_000);
    // So few can be another tokenizer's.
    const shorter = dialogue('Use SQLite for the queue. '.repeat(500), 'I will.');
    const { report: ordinary } = await extractWith(compatible(server), shorter);
    expect(ordinary.model).not.toHaveProperty('unread_tokens');
  },
);

verifies(['MODEL.bounds'], 'unread tokens are reported from 4,000 on, and from half of the prompt on', async () => {
  /** What is reported of a prompt where the server counts so many tokens of it. */
  const unreadOf = async (text: string, counted: number) => {
    const body = recorded('compatible-chat', { ...nothing, ...answer });
    const counting = await serve(sends(body.replace(/("prompt_tokens":\s*)\d+/, `$1${counted}`)));
    return (await extractWith(compatible(counting), dialogue(text, 'I will.'))).report.model?.unread_tokens;
  };
  // Of the first at least 4,000 must be missing, of the second at least half.
  for (const sentences of [800, 1_400]) {
    const text = 'Use SQLite for the queue. '.repeat(sentences);
    const sent = 1 + ((await unreadOf(text, 1)) ?? 0);
    const most = Math.min(sent - 4_000, Math.floor(sent / 2));
    expect(await unreadOf(text, most)).toBe(sent - most);
    expect(await unreadOf(text, most + 1)).toBeUndefined();
  }
});
