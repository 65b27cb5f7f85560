import { describe, expect } from 'vitest';
import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';
import { verifies } from '../verifies.ts';

const read = (value: unknown, space?: number) =>
  readTranscript({ text: JSON.stringify(value, null, space), name: 'chat.json' });

describe('messages as JSON', () => {
  verifies(
    ['TRANSCRIPT.detect', 'TRANSCRIPT.messages'],
    'are read as an object or a bare list, on one line or on many',
    async () => {
      const messages = [
        { role: 'user', content: 'Where do we start?' },
        { role: 'assistant', content: [{ type: 'text', text: 'With the map.' }] },
      ];
      for (const value of [{ messages }, messages]) {
        for (const space of [undefined, 2]) {
          const conversation = await read(value, space);
          expect(conversation.host).toBe('messages');
          expect(conversation.messages.map(({ role, text }) => `${role}: ${text}`)).toEqual([
            'user: Where do we start?',
            'assistant: With the map.',
          ]);
        }
      }
    },
  );

  verifies(['TRANSCRIPT.messages'], 'of AI SDK interfaces give texts and tool calls from their parts', async () => {
    const { messages } = await read({
      messages: [
        { id: '1', role: 'user', parts: [{ type: 'text', text: 'Read it.' }] },
        {
          id: '2',
          role: 'assistant',
          parts: [
            { type: 'step-start' },
            {
              type: 'tool-Read',
              toolCallId: 'c1',
              state: 'output-available',
              input: { file_path: 'src/a.ts' },
              output: 'text',
            },
            {
              type: 'tool-run',
              toolCallId: 'c2',
              state: 'output-error',
              input: { command: 'make' },
              errorText: 'Exit code 2',
            },
            { type: 'text', text: 'Done.' },
          ],
        },
      ],
    });
    expect(messages[1]).toMatchObject({
      text: 'Done.',
      tool_calls: [
        { name: 'Read', effect: 'read', path: 'src/a.ts', outcome: { is_error: false, text: 'text' } },
        { name: 'run', command: 'make', outcome: { is_error: true, exit_code: 2 } },
      ],
    });
  });

  verifies(
    ['TRANSCRIPT.messages', 'TRANSCRIPT.detect'],
    'within rows of their own give texts, calls and results',
    async () => {
      const rows = [
        { type: 'session', version: 3, id: 'pi-session', cwd: '/code/tide' },
        { type: 'model_change', modelId: 'a-model' },
        { type: 'message', timestamp: '2026-04-22T00:56:33Z', message: { role: 'user', content: 'Run the tests.' } },
        {
          type: 'message',
          message: {
            role: 'assistant',
            content: [
              { type: 'text', text: 'I run them.' },
              { type: 'toolCall', id: 't1', name: 'bash', arguments: { command: 'npm test' } },
            ],
          },
        },
        {
          type: 'message',
          message: {
            role: 'toolResult',
            toolCallId: 't1',
            content: [{ type: 'text', text: '2 failed' }],
            isError: true,
          },
        },
      ];
      const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
      const { host, session, messages, unread } = await readTranscript({ text, name: 'session.jsonl' });
      expect([host, session, unread.lines]).toEqual(['messages', 'pi-session', 1]);
      expect(messages.map(({ role, text: said }) => `${role}: ${said}`)).toEqual([
        'user: Run the tests.',
        'assistant: I run them.',
      ]);
      expect(messages[0]?.at).toBe('2026-04-22T00:56:33.000Z');
      expect(messages[1]?.tool_calls).toMatchObject([
        { command: 'npm test', outcome: { is_error: true, text: '2 failed' } },
      ]);
    },
  );

  verifies(
    ['TRANSCRIPT.messages'],
    'of Cline and Roo Code give what the person typed, not what the host wrote',
    async () => {
      const surroundings = '<environment_details>\n# Files\nREADME.md\n</environment_details>';
      const { messages } = await read([
        { role: 'user', content: [{ type: 'text', text: `<task>\nUse SQLite.\n</task>\n${surroundings}` }] },
        { role: 'assistant', content: 'I do.' },
        { role: 'user', content: `[write_to_file for 'a.ts'] Result:\nThe content was saved.\n${surroundings}` },
        { role: 'assistant', content: 'Go on?' },
        {
          role: 'user',
          content: `[ask_followup_question] Result:\n<answer>\nNo, keep it simple.\n</answer>\n${surroundings}`,
        },
        { role: 'user', content: `Is it ready?\n${surroundings}` },
        { role: 'user', content: '<task>Write it.</task> Never touch main.' },
      ]);
      expect(messages.filter(({ role }) => role === 'user').map(({ text }) => text)).toEqual([
        'Use SQLite.',
        'No, keep it simple.',
        'Is it ready?',
        '<task>Write it.</task> Never touch main.',
      ]);
    },
  );

  verifies(['TRANSCRIPT.messages'], 'have the name that a document gives them, in each form', async () => {
    const content = { content_type: 'text', parts: ['Where do we start?'] };
    const node = { id: 'n1', message: { author: { role: 'user' }, content } };
    const documents = [
      (title: string) => ({ title, messages: [{ role: 'user', content: 'Where do we start?' }] }),
      (title: string) => [{ title, conversation_id: 'c1', current_node: 'n1', mapping: { n1: node } }],
      (name: string) => ({ composerId: 'c1', name, conversation: [{ type: 1, text: 'Where do we start?' }] }),
    ];
    for (const document of documents) {
      expect((await read(document('Move the queue'))).title).toBe('Move the queue');
      expect((await read(document('New chat'))).title).toBeUndefined();
    }
  });

  verifies(['TRANSCRIPT.messages', 'TRANSCRIPT.lenient'], 'count what is no message', async () => {
    const { messages, unread } = await read([
      { role: 'user', content: 'Hello.' },
      7,
      { role: 'narrator', content: 'x' },
    ]);
    expect(messages).toHaveLength(1);
    expect(unread).toEqual({ lines: 2, reasons: { 'not a message': 1, 'unknown role "narrator"': 1 } });
  });

  verifies(['TRANSCRIPT.lenient'], 'count by thirty reasons at the most, and all others together', async () => {
    const strange = Array.from({ length: 32 }, (_, index) => ({ role: `role ${index}`, content: 'x' }));
    const { unread } = await read([{ role: 'user', content: 'Hello.' }, ...strange, strange[0]]);
    expect([unread.lines, Object.keys(unread.reasons).length]).toEqual([33, 31]);
    expect(unread.reasons).toMatchObject({ 'unknown role "role 0"': 2, 'unknown role "role 29"': 1, other: 2 });
  });
});
