import { expect } from 'vitest';
import type { Conversation, Message, ToolCall } from '../../../packages/batonpass/src/core/conversation.ts';
import { limits } from '../../../packages/batonpass/src/core/limits.ts';
import { describeExtraction } from '../../../packages/batonpass/src/extraction/extraction-progress.ts';
import { formatMessage } from '../../../packages/batonpass/src/extraction/model/format-message.ts';
import { splitIntoWindows } from '../../../packages/batonpass/src/extraction/model/windows.ts';
import { verifies } from '../../verifies.ts';
import { dialogue } from '../dialogue.ts';
import { answers, promptOf } from './model-server.ts';
import { anthropic, extractWith, serve } from './stage.ts';

/** So many messages, of which each says its number. */
const numbered = (count: number, texts: Record<number, string> = {}): Conversation =>
  dialogue(...Array.from({ length: count }, (_, place) => texts[place] ?? `This is message ${place} of them.`));

const indexes = (conversation: Conversation, charactersMax = 100_000) =>
  splitIntoWindows(conversation, charactersMax).windows.map((window) => window.map(({ index }) => index));

const upTo = (from: number, end: number) => Array.from({ length: end - from }, (_, place) => from + place);

verifies(['MODEL.windows'], 'fifty messages are one window, one more is a second that begins a little before', () => {
  expect(indexes(numbered(50))).toEqual([upTo(0, 50)]);
  expect(indexes(numbered(51))).toEqual([upTo(0, 50), upTo(45, 51)]);
  expect(indexes(numbered(120))).toEqual([upTo(0, 50), upTo(45, 95), upTo(90, 120)]);
  expect(indexes(numbered(0))).toEqual([]);
});

verifies(['MODEL.windows'], 'messages without words take no space', () => {
  const texts = Object.fromEntries(upTo(0, 60).map((place) => [place, place % 2 === 0 ? 'word' : ' ']));
  expect(indexes(numbered(60, texts))).toEqual([upTo(0, 30).map((place) => place * 2)]);
});

verifies(['MODEL.windows'], 'a window holds no more characters than it may, and one message at least', () => {
  const long = numbered(6, { 2: 'x'.repeat(5_000), 3: 'y'.repeat(900) });
  const windows = indexes(long, 2_000);
  expect(new Set(windows.flat())).toEqual(new Set(upTo(0, 6)));
  const { windows: messages } = splitIntoWindows(numbered(200, { 7: 'z'.repeat(1_900) }), 2_000);
  for (const window of messages.filter(({ length }) => length > 1)) {
    expect(window.reduce((sum, { text }) => sum + Math.min(text.length, 1_000), 0)).toBeLessThanOrEqual(2_000);
  }
  const full = Object.fromEntries([1_000, 600, 400, 1_000].map((length, place) => [place, 'x'.repeat(length)]));
  expect(indexes(numbered(4, full), 2_000)).toEqual([upTo(0, 3), upTo(2, 4)]);
});

verifies(['MODEL.windows'], 'long messages are not read twice', () => {
  const texts = Object.fromEntries(upTo(0, 6).map((place) => [place, 'x'.repeat(900)]));
  expect(indexes(numbered(6, texts), 2_000)).toEqual([upTo(0, 2), upTo(2, 4), upTo(4, 6)]);
});

verifies(['MODEL.windows'], 'of too many windows the newest are read, and what is left out is reported', async () => {
  const whole = numbered(45 * (limits.model_windows_max + 3));
  const { windows, left_out } = splitIntoWindows(whole, 100_000);
  expect(windows).toHaveLength(limits.model_windows_max);
  expect(windows.at(-1)?.at(-1)?.index).toBe(whole.messages.length - 1);
  expect(left_out).toBe(windows[0]?.[0]?.index);
  expect(left_out).toBeGreaterThan(0);
});

/** What is reported of three windows: messages that two of them share count once, a reversed decision does not count. */
const toldOfThree = [
  '0 of 120 messages read',
  '50 of 120 messages read, 2 items found',
  '95 of 120 messages read, 2 items found',
  '120 of 120 messages read, 2 items found',
];

verifies(
  ['MODEL.windows', 'MODEL.merged', 'MODEL.progress', 'BR.held.more-than-fifty'],
  'an early decision of a long conversation is kept, a reversed one dropped, and each window gets the decisions so far',
  async () => {
    const whole = numbered(120, {
      2: 'Use Postgres for the queue.',
      4: 'Name the command baton.',
      100: 'No, take SQLite for the queue instead.',
    });
    const server = await serve(
      answers({
        decisions: [
          { content: 'The queue uses Postgres.', confidence: 1, message: 2, quote: 'Use Postgres for the queue.' },
          { content: 'The command is named baton.', confidence: 1, message: 4, quote: 'Name the command baton.' },
        ],
        next_steps: [{ content: 'Install Postgres.', message: -1, quote: '' }],
        summary: 'Postgres was chosen.',
      }),
      answers({
        decisions: [
          { content: 'The command is named baton', confidence: 1, message: 46, quote: 'This is message 46 of them.' },
        ],
        no_longer_in_force: [
          { decision: 1, message: -1, quote: '' },
          { decision: 0, message: 60, quote: 'Nobody said this.' },
          { decision: 9, message: 60, quote: 'This is message 60 of them.' },
        ],
      }),
      answers({
        decisions: [{ content: 'The queue uses SQLite.', confidence: 1, message: 100, quote: 'take SQLite' }],
        no_longer_in_force: [{ decision: 0, message: 100, quote: 'No, take SQLite for the queue instead.' }],
        next_steps: [{ content: 'Write the queue.', message: -1, quote: '' }],
        summary: 'SQLite was chosen, and the command is named baton.',
      }),
    );
    const told: string[] = [];
    const { extraction, report } = await extractWith(anthropic(server), whole, {
      onRead: (progress) => told.push(describeExtraction(progress)),
    });
    expect(extraction.decisions).toEqual([
      {
        content: 'The command is named baton.',
        confidence: 1,
        evidence: { message: 4, quote: 'Name the command baton.' },
      },
      {
        content: 'The queue uses SQLite.',
        confidence: 1,
        evidence: { message: 100, quote: 'take SQLite' },
        supersedes: ['The queue uses Postgres.'],
      },
    ]);
    expect(extraction.next_steps).toEqual([{ content: 'Write the queue.' }]);
    expect(extraction.summary).toBe('SQLite was chosen, and the command is named baton.');
    expect(report.model).toMatchObject({
      windows: 3,
      requests: 3,
      input_tokens: 3_600,
      dropped: { unproven_reversals: 3 },
    });
    expect(told).toEqual(toldOfThree);

    const [first, second, third] = server.requests.map(promptOf);
    expect(first).not.toContain('0. The queue uses Postgres.');
    expect(second).toContain('0. The queue uses Postgres.\n1. The command is named baton.');
    expect(second).toContain('Postgres was chosen.');
    expect(third).toContain('0. The queue uses Postgres.');
    for (const prompt of [first, second, third]) {
      expect(prompt?.match(/message \d+ \((?:user|assistant)\)\n/g)?.length).toBeLessThanOrEqual(
        limits.model_messages_max,
      );
    }
  },
);

verifies(['MODEL.merged'], 'what two windows say of the same words in other words is one', async () => {
  const whole = numbered(60, { 47: 'Use SQLite for the queue, not Postgres.' });
  const say = (content: string, quote: string, confidence: number) =>
    answers({ decisions: [{ content, confidence, message: 47, quote }] });
  const server = await serve(
    say('The queue is kept in SQLite.', 'Use SQLite for the queue', 1),
    say('SQLite keeps the queue rather than Postgres.', 'Use SQLite for the queue, not Postgres.', 0.9),
  );
  const { extraction } = await extractWith(anthropic(server), whole);
  expect(extraction.decisions.map(({ content }) => content)).toEqual(['The queue is kept in SQLite.']);
});

verifies(['MODEL.windows'], 'a message is whole up to half a window, with 40 tools, each of 200 characters', () => {
  const [message] = dialogue('').messages as [Message];
  const shown = (text: string, tool_calls: ToolCall[] = []) => formatMessage({ ...message, text, tool_calls }, 20);
  expect(shown('0123456789')).toBe('0123456789');
  expect(shown('0123456789a')).toBe('01234\n[1 characters left out]\n6789a');
  const reads = (count: number, path = 'a') =>
    Array.from({ length: count }, (): ToolCall => ({ name: 'Read', path, effect: 'read' }));
  const whole = (calls: ToolCall[]) => formatMessage({ ...message, text: 'x', tool_calls: calls }, 10_000).split('\n');
  expect(whole(reads(40))).toEqual(['x', ...Array(40).fill('[tool: Read a]')]);
  expect(whole(reads(41))).toEqual(['x', ...Array(40).fill('[tool: Read a]'), '[1 more tool calls]']);
  expect(whole(reads(1, 'b'.repeat(300)))).toEqual(['x', `[tool: Read ${'b'.repeat(195)}]`]);
});

verifies(['MODEL.windows'], 'what tools did is shown in a line each, and a long message loses its middle', async () => {
  const whole = dialogue('Go on.', `${'a'.repeat(1_500)}MIDDLE${'b'.repeat(1_500)}`);
  const [, answer] = whole.messages;
  answer?.tool_calls.push(
    { name: 'Edit', path: 'src/a.ts', effect: 'write' },
    { name: 'Bash', command: 'npm test', effect: 'none', outcome: { is_error: true, text: 'secret output' } },
  );
  const server = await serve(answers({}));
  const { extraction } = await extractWith(anthropic(server, { window_characters: 2_000 }), whole);
  const [prompt] = server.requests.map(promptOf);
  expect(prompt).toContain('[tool: Edit src/a.ts]\n[tool: Bash npm test, failed]');
  expect(prompt).toContain(`${'a'.repeat(500)}\n[2058 characters left out]\n${'b'.repeat(448)}\n[tool: `);
  expect(prompt).not.toContain('MIDDLE');
  expect(prompt).not.toContain('secret output');
  // What only a tool call names is known without a model.
  expect(extraction.files).toMatchObject([{ path: 'src/a.ts', relevance: 'high' }]);
  expect(extraction.results.map(({ status }) => status)).toContain('failed');
});
