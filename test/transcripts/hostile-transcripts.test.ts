import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { isHandoffError } from '../../packages/batonpass/src/core/errors.ts';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';
import { verifies } from '../verifies.ts';
import { assistantRow, textBlock, userRow } from './rows.ts';

/** One row or line of each format, by which it is detected. */
const openings: Record<string, string> = {
  'claude-code': '{"type":"user","sessionId":"s","message":{"role":"user","content":"Hello."}}',
  codex:
    '{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Hello."}]}}',
  'cursor-rows': '{"role":"user","message":{"content":[{"type":"text","text":"Hello."}]}}',
  'message-rows': '{"role":"user","content":"Hello."}',
  specstory: '_**User**_\n\nHello.\n',
  markdown: '## User\n\nHello.\n',
  aider: '# aider chat started at 2026-09-14 08:00:00\n\n#### Hello.  \n',
};

const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

const hostileRows = [
  '{"__proto__":{"polluted":true},"type":"user","sessionId":"s"}',
  '{"type":"__proto__","payload":{"type":"constructor"}}',
  '{"type":"response_item","payload":{"type":"function_call","call_id":"__proto__","name":"toString","arguments":"{\\"__proto__\\":1}"}}',
  '{"type":"response_item","payload":{"type":"function_call_output","call_id":"constructor","output":{"content":7}}}',
  '{"role":"constructor","content":"x"}',
  '{"role":"user","content":{"__proto__":[]}}',
  '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"__proto__","content":[[[]]]}]}}',
  '{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":1e9}}',
  '{"type":"event_msg","payload":{"type":"exec_command_end","exit_code":"7"}}',
  `{"type":"user","message":${deep('[', ']', 50_000)}}`,
  `{"role":"user","content":${deep('{"a":', '', 2_000)}1${'}'.repeat(2_000)}}`,
  'text \u0000 with NUL \u2028 and \uFEFF marks',
  '_**User (sidechain)**_',
  '<tool-use data-tool-type="__proto__">',
  '```',
  '#### ',
  '> ',
  '7',
  'null',
  '"text"',
  '[]',
  '{}',
];

const outcome = (text: string) =>
  readTranscript({ text, name: 'hostile' }).catch((error: unknown) => {
    if (isHandoffError(error)) return error;
    throw error;
  });

const documents: unknown[] = [
  { mapping: { a: 7, b: null, c: { parent: 'c', children: 'x', message: { content: { parts: [7, {}, []] } } } } },
  { mapping: JSON.parse('{"__proto__":{"id":"x","message":{"author":{"role":"user"},"content":{"parts":["Hi."]}}}}') },
  [{ mapping: [] }, { mapping: {} }, { mapping: 7 }],
  { conversation: [{ type: 3 }, 7, { type: 1, text: 7 }] },
  { conversationMap: { toString: 7 }, fullConversationHeadersOnly: [{ bubbleId: 'toString' }, { bubbleId: 7 }] },
  { messages: [[[]], { role: {} }, { role: 'user', parts: 'x' }, { role: 'tool', content: 7 }] },
  { tabs: { bubbles: 1 } },
];

describe('hostile transcripts', () => {
  verifies(['READ.hostile'], 'of any mixture of rows give a conversation or a typed error', async () => {
    const lines = fc.array(fc.oneof(fc.constantFrom(...hostileRows), fc.string(), fc.json()), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(openings)), lines, async (format, rows) => {
        const conversation = await outcome([openings[format], ...rows].join('\n'));
        if (conversation instanceof Error) return;
        for (const [index, message] of conversation.messages.entries()) expect(message.index).toBe(index);
        const { lines: unread, reasons } = conversation.unread;
        expect(Object.values(reasons).reduce((sum, count) => sum + count, 0)).toBe(unread);
      }),
      { numRuns: 300 },
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  verifies(['READ.hostile'], 'as documents of wrong types give a typed error or what is left', async () => {
    for (const document of documents) {
      for (const space of [undefined, 2]) await outcome(JSON.stringify(document, null, space));
    }
    expect(await outcome(JSON.stringify(documents[1]))).toMatchObject({ messages: [{ text: 'Hi.' }] });
    for (const text of [deep('[', ']', 100_000), `{"messages":${deep('[', '', 100_000)}`, '[1,', '{"mapping":{']) {
      expect(await outcome(text)).toBeInstanceOf(Error);
    }
  });

  verifies(['READ.hostile'], 'with a giant line are read around it, in every format', async () => {
    const giant = 'x'.repeat(limits.transcript_line_bytes_max + 1);
    for (const [format, opening] of Object.entries(openings)) {
      const conversation = await outcome(`${opening}\n${giant}\n`);
      expect(conversation, format).toMatchObject({
        messages: [{ role: 'user', text: 'Hello.' }],
        unread: { lines: 1, reasons: { 'line too long': 1 } },
      });
    }
    const [opening = ''] = Object.values(openings);
    expect(await outcome(`${giant}\n${opening}\n`)).toMatchObject({ messages: [{ text: 'Hello.' }] });
  });

  verifies(
    ['READ.hostile', 'READ.bounded'],
    'take no more than linear time on marks that open and never close',
    async () => {
      // Quadratic code needs minutes for these; the test's own time limit ends it.
      const marks = [
        '<system-reminder>',
        '<rules>',
        '_**',
        '**',
        '```',
        '<tool-use ',
        '<think>',
        '*** Begin Patch',
        '(',
        '`a',
      ];
      for (const opening of Object.values(openings)) {
        for (const mark of marks) {
          await outcome(`${opening}\n${mark.repeat(20_000)}`);
          await outcome(`${opening}\n${`${mark}\n`.repeat(20_000)}`);
        }
      }
      for (const mark of marks) {
        const content = mark.repeat(50_000);
        await outcome(JSON.stringify({ role: 'user', message: { content } }));
        await outcome(JSON.stringify({ type: 'user', message: { content } }));
      }
    },
  );

  verifies(
    ['READ.hostile', 'READ.bounded'],
    'of one side alone, of one answer in many rows, or of turns that are undone take linear time',
    async () => {
      // What looks back over the rows at each row needs minutes for these; the test's own time limit ends it.
      const many = (write: (uuid: string) => string) =>
        Array.from({ length: 60_000 }, (_, index) => write(`row-${index}`)).join('\n');
      const codex = (type: string, payload: object) => JSON.stringify({ type, payload });
      const says = (role: string) =>
        codex('response_item', { type: 'message', role, content: [{ type: 'input_text', text: 'a' }] });
      const undone = codex('event_msg', { type: 'thread_rolled_back', num_turns: 1 });
      const asked = assistantRow([textBlock(`${'word '.repeat(200_000)} What is next?`)]);
      const transcripts = [
        many((uuid) => userRow('a', { uuid })),
        `${asked}\n${many((uuid) => userRow('a', { uuid }))}`,
        many((uuid) => assistantRow([textBlock('a'.repeat(100))], { uuid, id: 'one' })),
        many(() => says('user')),
        `${many(() => says('assistant'))}\n${many(() => undone)}`,
        many(() => JSON.stringify({ role: 'user', content: 'a' })),
      ];
      for (const transcript of transcripts) expect(await outcome(transcript)).not.toBeInstanceOf(Error);
    },
  );
});
