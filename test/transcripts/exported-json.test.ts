import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { isHandoffError } from '../../packages/batonpass/src/core/errors.ts';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { splitJson } from '../../packages/batonpass/src/transcripts/json-elements.ts';
import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';
import { verifies } from '../verifies.ts';

const read = (value: unknown, conversation?: string) =>
  readTranscript({ text: JSON.stringify(value), name: 'export.json' }, conversation ? { conversation } : {});
const said = async (value: unknown, conversation?: string) =>
  (await read(value, conversation)).messages.map(({ role, text }) => `${role}: ${text}`);

const node = (id: string, parent: string | null, message: unknown, children: string[] = []) => ({
  id,
  parent,
  children,
  message,
});
const spoken = (role: string, text: string, more: object = {}) => ({
  author: { role },
  create_time: 1_789_372_800,
  content: { content_type: 'text', parts: [text] },
  ...more,
});

/** A conversation whose second prompt was edited once. */
const tides = {
  conversation_id: 'c-tides',
  title: 'Tides',
  update_time: 1_789_372_900,
  current_node: 'a2',
  mapping: {
    root: node('root', null, null, ['s']),
    s: node('s', 'root', spoken('system', ''), ['u1']),
    u1: node('u1', 's', spoken('user', 'Plan the tide tables.'), ['a1']),
    a1: node('a1', 'u1', spoken('assistant', 'With which store?'), ['old', 'u2']),
    old: node('old', 'a1', spoken('user', 'Mongo.'), []),
    u2: node('u2', 'a1', spoken('user', 'SQLite.'), ['t']),
    t: node('t', 'u2', spoken('assistant', 'print(1)', { recipient: 'python' }), ['r']),
    r: node('r', 't', spoken('tool', '1'), ['h']),
    h: node('h', 'r', spoken('assistant', 'hm', { content: { content_type: 'thoughts' } }), ['a2']),
    a2: node('a2', 'h', spoken('assistant', 'SQLite it is.'), []),
  },
};
const branch = [
  'user: Plan the tide tables.',
  'assistant: With which store?',
  'user: SQLite.',
  'assistant: ',
  'assistant: SQLite it is.',
];
const other = (id: string, update_time: number) => ({
  id,
  title: `About ${id}`,
  update_time,
  current_node: 'x',
  mapping: { x: node('x', null, spoken('user', `Words of ${id}.`)) },
});

describe("ChatGPT's export", () => {
  verifies(['READ.chatgpt'], 'gives the branch that ends in the current node, with times and tools', async () => {
    const { messages, ...about } = await read([tides]);
    expect(about).toMatchObject({ host: 'chatgpt', session: 'c-tides', started_at: '2026-09-14T08:00:00.000Z' });
    expect(messages.map(({ role, text }) => `${role}: ${text}`)).toEqual(branch);
    expect(messages[3]?.tool_calls).toEqual([
      { name: 'python', effect: 'none', outcome: { is_error: false, text: '1' } },
    ]);
    expect(await said(tides)).toEqual(branch);
  });

  verifies(['READ.chatgpt'], 'is repaired where links are lost, and ends where they form a circle', async () => {
    const { mapping } = tides;
    const torn = { ...tides, mapping: { ...mapping, u2: { ...mapping.u2, parent: 'gone' } } };
    expect(await said([torn])).toEqual(branch);
    expect(await said([{ ...tides, current_node: 'gone' }])).toContain('assistant: SQLite it is.');
    const circle = { ...tides, mapping: { ...mapping, u1: { ...mapping.u1, parent: 'a2' } } };
    expect(await said([circle])).toEqual(branch);
  });

  verifies(
    ['READ.chatgpt', 'READ.choice'],
    'of many conversations gives the newest, or the one with an id or title',
    async () => {
      const file = [other('one', 5), other('two', 9), other('three', 7), 7];
      expect(await said(file)).toEqual(['user: Words of two.']);
      expect(await said(file, 'three')).toEqual(['user: Words of three.']);
      expect(await said(file, 'About one')).toEqual(['user: Words of one.']);
      expect((await read(file)).unread.reasons).toEqual({ 'not a message': 1 });
      const error = await read(file, 'four').catch((cause: unknown) => cause);
      expect(isHandoffError(error) && error.alternatives[0]).toBe('There is: About two');
    },
  );
});

describe('a file of many conversations', () => {
  verifies(['READ.choice'], 'gives the newest that has a prompt, and says of how many', async () => {
    const opened = { ...other('opened', 9), mapping: { root: { id: 'root', parent: null, message: null } } };
    const conversation = await read([other('one', 5), opened, other('three', 7)]);
    expect(conversation.among).toBe(3);
    expect(conversation.messages.map(({ text }) => text)).toEqual(['Words of three.']);
    expect(await read([other('one', 5)])).not.toHaveProperty('among');
    const greeted = [{ type: 2, text: 'How can I help?' }];
    const composer = (composerId: string, lastUpdatedAt: number, conversation_: unknown) => ({
      composerId,
      lastUpdatedAt,
      conversation: conversation_,
    });
    const cursor = await read([composer('c1', 5, [{ type: 1, text: 'Use SQLite.' }]), composer('c2', 9, greeted)]);
    expect(cursor).toMatchObject({ session: 'c1', among: 2 });
  });
});

describe('exports and transcripts of Cursor', () => {
  const talk = ['user: Use SQLite.', 'assistant: Then SQLite it is.'];

  verifies(['READ.cursor'], 'as rows give what the user typed, and the tools', async () => {
    const rows = [
      {
        role: 'user',
        message: {
          content: [
            {
              type: 'text',
              text: '<attached_files>\nx\n</attached_files>\n<user_query>\nUse SQLite.\n</user_query>',
            },
          ],
        },
      },
      { role: 'assistant', message: { content: [{ type: 'text', text: 'Then SQLite it is.' }] } },
      {
        role: 'assistant',
        message: { content: [{ type: 'tool_use', name: 'StrReplace', input: { path: 'src/reader.ts' } }] },
      },
      { type: 'turn_ended', status: 'success' },
      { status: 'success' },
      { role: 'system', message: { content: [{ type: 'text', text: 'Be brief.' }] } },
    ];
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    const { host, messages, unread } = await readTranscript({ text, name: 'agent.jsonl' });
    expect(unread).toEqual({ lines: 2, reasons: { 'not a row of a transcript': 2 } });
    expect(host).toBe('cursor');
    expect(messages.map(({ role, text: words }) => `${role}: ${words}`)).toEqual(talk);
    expect(messages[1]?.tool_calls).toEqual([{ name: 'StrReplace', effect: 'write', path: 'src/reader.ts' }]);
  });

  verifies(['READ.cursor', 'READ.choice'], 'as composers and tabs give their bubbles in order', async () => {
    const tool = {
      name: 'run_terminal_cmd',
      rawArgs: '{"command":"npm test"}',
      result: '{"output":"1 failed","exitCode":1}',
    };
    const bubbles = [
      { type: 1, bubbleId: 'b1', text: 'Use SQLite.', createdAt: 1_789_372_800_000 },
      { type: 2, bubbleId: 'b2', text: 'Then SQLite it is.', toolFormerData: tool },
    ];
    const composer = { composerId: 'c1', name: 'Tides', lastUpdatedAt: 5, conversation: bubbles };
    const conversation = await read(composer);
    expect(conversation).toMatchObject({ host: 'cursor', session: 'c1', started_at: '2026-09-14T08:00:00.000Z' });
    expect(conversation.messages.map(({ role, text }) => `${role}: ${text}`)).toEqual(talk);
    expect(conversation.messages[1]?.tool_calls[0]).toMatchObject({
      command: 'npm test',
      outcome: { exit_code: 1, text: '1 failed' },
    });
    const mapped = {
      composerId: 'c2',
      conversationMap: { b2: bubbles[1], b1: bubbles[0] },
      fullConversationHeadersOnly: [{ bubbleId: 'b1' }, { bubbleId: 'gone' }, { bubbleId: 'b2' }],
    };
    expect(await said(mapped)).toEqual(talk);
    const tabs = [
      {
        tabId: 't1',
        chatTitle: 'Old',
        bubbles: [
          { type: 'user', text: 'Hi.' },
          { type: 'ai', rawText: 'Ho.' },
        ],
      },
    ];
    expect(await said({ tabs })).toEqual(['user: Hi.', 'assistant: Ho.']);
    expect(
      await said([composer, { ...composer, composerId: 'c9', conversation: [{ type: 1, text: 'Old.' }] }], 'c9'),
    ).toEqual(['user: Old.']);
  });
});

describe('messages one on a line, and documents above the limit of a line', () => {
  verifies(['READ.rows'], 'are read as messages', async () => {
    const text = '{"role":"user","content":"Use SQLite."}\n{"role":"assistant","content":"Yes."}\n{"role":"ass';
    const { host, messages, unread } = await readTranscript({ text, name: 'rows.jsonl' });
    expect(host).toBe('messages');
    expect(messages.map(({ text: words }) => words)).toEqual(['Use SQLite.', 'Yes.']);
    expect(unread.reasons).toEqual({ 'last line is torn': 1 });
  });

  verifies(['READ.bounded'], 'are split into the same entries for any cut of the bytes', async () => {
    const document = {
      before: [1, { messages: ['no'] }],
      messages: [{ a: 'x, ] } \\" {' }, ['[', 2], 'plain \\ "text"', null, { b: { c: [] } }],
      after: { d: 'é🌊' },
    };
    const bytes = new TextEncoder().encode(JSON.stringify(document, null, 1));
    for (const size of [1, 2, 3, 7, 64, bytes.length]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      const entries: unknown[] = [];
      let around: unknown;
      for await (const part of splitJson(chunks, new Set(['messages']))) {
        if (part.kind === 'entry') entries.push(JSON.parse(part.text ?? ''));
        else around = JSON.parse(part.text);
      }
      expect(entries, `pieces of ${size}`).toEqual(document.messages);
      expect(around).toEqual({ ...document, messages: [] });
    }
  });

  verifies(['READ.bounded', 'READ.chatgpt'], 'are read entry by entry, with the same conversation', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'baton-large-'));
    try {
      const path = join(folder, 'conversations.json');
      const filler = { ...other('filler', 1), padding: 'x'.repeat(1024 * 1024) };
      const entries = Array.from({ length: limits.transcript_line_bytes_max / (1024 * 1024) + 1 }, () => filler);
      await writeFile(path, JSON.stringify([...entries, tides]));
      const { messages } = await readTranscript({ path });
      expect(messages.map(({ role, text }) => `${role}: ${text}`)).toEqual(branch);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
