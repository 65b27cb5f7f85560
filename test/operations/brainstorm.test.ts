import { expect } from 'vitest';
import { openHttp } from '../doors/http/http-stage.ts';
import { answers } from '../extraction/model/model-server.ts';
import { key, serve } from '../extraction/model/stage.ts';
import { verifies } from '../verifies.ts';

const secret = 'ghp_012345678901234567890123456789abcdEF';

const messages = [
  { role: 'user', content: 'We need a queue. One file, no server.' },
  { role: 'assistant', content: 'Then take **SQLite**.\n\n- Leases expire after 30 s.\n- Readers poll.' },
  { role: 'user', content: 'Yes, use SQLite for the queue. Write to src/queue.ts.' },
];
const text = JSON.stringify({ session: 'one', messages });

verifies(
  ['STORM.read'],
  'the messages of a transcript are read with their tools, and their secrets are masked',
  async () => {
    const { baton } = await openHttp();
    const tool = { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: 'src/queue.ts' } };
    const run = { type: 'tool_use', id: 't2', name: 'Bash', input: { command: 'npm test' } };
    const said = [
      { role: 'user', content: `The token is ${secret}.` },
      { role: 'user', content: '' },
      { role: 'assistant', timestamp: '2026-01-02T03:04:05Z', content: [{ type: 'text', text: 'I look.' }, tool, run] },
    ];
    const read = await baton.run('conversation.read', { text: JSON.stringify({ session: 'one', messages: said }) });
    expect(read.reading).toMatchObject({ host: 'messages', session: 'one', messages: 2 });
    expect(read.messages).toEqual([
      { role: 'user', text: expect.stringContaining('[masked:'), tools: [] },
      {
        role: 'assistant',
        at: '2026-01-02T03:04:05.000Z',
        text: 'I look.',
        tools: [
          { name: 'Read', path: 'src/queue.ts' },
          { name: 'Bash', command: 'npm test' },
        ],
      },
    ]);
    expect(JSON.stringify(read)).not.toContain(secret);
    expect((await baton.run('handoff.list', {})).handoffs).toEqual([]);
  },
);

verifies(['STORM.pins'], 'pins come first, with their positions, and equal statements are not repeated', async () => {
  const { baton } = await openHttp();
  const alone = await baton.run('conversation.extract', { text });
  expect(alone.content.decisions.map(({ content }) => content)).toContain('Use SQLite for the queue.');
  const pins = ['Leases expire after 30 s.', 'use SQLite for the queue', 'Leases expire after 30 s.', 'Said nowhere'];
  const { handoff } = await baton.run('handoff.import', { text, pins });
  const { decisions } = handoff.content;
  expect(decisions.slice(0, 3)).toMatchObject([
    { content: pins[0], source: 'user-pinned', evidence: { message: 1, quote: pins[0] } },
    { content: pins[1], source: 'user-pinned', evidence: { message: 2, quote: pins[1] } },
    { content: pins[3], source: 'user-pinned' },
  ]);
  expect(decisions[2]).not.toHaveProperty('evidence');
  expect(decisions.filter(({ content }) => /sqlite for the queue/i.test(content))).toHaveLength(1);
});

verifies(['STORM.pins'], 'a pin is found where its Markdown is, and its secrets are masked', async () => {
  const { baton } = await openHttp();
  const { handoff } = await baton.run('handoff.import', { text, pins: ['Then take SQLite.', `Key ${secret}`] });
  const [first, second] = handoff.content.decisions;
  expect(first?.evidence).toEqual({ message: 1, quote: 'Then take **SQLite**.' });
  expect(second?.content).toMatch(/^Key \[masked:/);
});

verifies(['STORM.unpinned'], 'pins that were removed disappear, and what the review added stays', async () => {
  const { baton } = await openHttp();
  const first = await baton.run('handoff.import', { text, pins: ['Readers poll.', 'One file, no server.'] });
  const { id } = first.handoff;
  const add = { decisions: [{ content: 'Photos come later', source: 'user-pinned' as const }] };
  await baton.run('handoff.edit', { id, changes: { add } });
  const again = await baton.run('handoff.import', { text, pins: ['One file, no server.'] });
  expect(again.handoff.id).toBe(id);
  const pinned = again.handoff.content.decisions.filter(({ source }) => source === 'user-pinned');
  expect(pinned.map(({ content }) => content)).toEqual(['One file, no server.', 'Photos come later']);
  // A call without pins changes none.
  const untold = await baton.run('handoff.import', { text });
  expect(untold.handoff.content.decisions.filter(({ source }) => source === 'user-pinned')).toHaveLength(2);
});

verifies(['STORM.progress'], 'an import is reported part by part, and its draft comes last', async () => {
  const model = await serve(answers({ summary: 'Nothing was decided.' }));
  const stage = await openHttp({}, { environment: toEnvironment(model.url) });
  const long = JSON.stringify({ messages: Array.from({ length: 60 }, (_, place) => ({ ...messages[place % 2] })) });
  const body = JSON.stringify({ text: long, extractor: 'model' });
  const answer = await stage.ask('/api/handoff.import', {
    method: 'POST',
    body,
    headers: { accept: 'text/event-stream' },
  });
  const told = (await answer.text())
    .split('\n\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as { type: string; data: { now?: string } });
  expect(told.map(({ type, data }) => [type, data.now])).toEqual([
    ['data-progress', '0 of 60 messages read'],
    ['data-progress', '50 of 60 messages read'],
    ['data-progress', '60 of 60 messages read'],
    ['data-result', undefined],
  ]);
});

verifies(
  ['STORM.facts'],
  'whether a model answers is reported to every caller that may chat, with what to do',
  async () => {
    const without = await openHttp();
    const facts = await (await without.ask('/api/chat')).json();
    expect(facts).toMatchObject({ can_answer: false, reason: 'No model is configured to answer.' });
    expect((facts as { alternatives: string[] }).alternatives[0]).toContain('ANTHROPIC_API_KEY');
    const agent = await without.token('codex', { role: 'agent' });
    const refused = await without.ask('/api/chat', { headers: { authorization: `Bearer ${agent}` } });
    expect(refused.status).toBe(403);
    const model = await serve(answers({}));
    const withModel = await openHttp({}, { environment: toEnvironment(model.url) });
    expect(await (await withModel.ask('/api/chat')).json()).toEqual({ can_answer: true, model: 'planner-1' });
    expect(model.requests).toEqual([]);
  },
);

function toEnvironment(url: string): Record<string, string> {
  return {
    BATON_MODEL_BASE_URL: url,
    BATON_MODEL: 'planner-1',
    BATON_MODEL_API_KEY_ENV: 'TEST_API_KEY',
    TEST_API_KEY: key,
  };
}
