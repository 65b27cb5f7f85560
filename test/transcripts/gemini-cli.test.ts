import { describe, expect } from 'vitest';
import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';
import { verifies } from '../verifies.ts';

const at = '2026-09-14T08:00:00.000Z';
const row = (fields: object) => JSON.stringify(fields);
const meta = row({ sessionId: 'session-9', projectHash: 'f'.repeat(64), startTime: at, kind: 'main' });
const context =
  '<session_context>\nThis is the Gemini CLI.\n- **Workspace Directories:**\n  - /code/tide\n- **Directory Structure:**\n</session_context>';
const start = row({ $set: { messages: [{ id: 'm0', timestamp: at, type: 'user', content: [{ text: context }] }] } });
const user = (id: string, ...texts: string[]) =>
  row({ id, timestamp: at, type: 'user', content: texts.map((text) => ({ text })) });
const gemini = (id: string, content: string, toolCalls?: object[]) =>
  row({ id, timestamp: at, type: 'gemini', content, toolCalls });
const call = (id: string, name: string, args: object, response?: object) => ({
  id,
  name,
  args,
  ...(response && { status: 'success', result: [{ functionResponse: { id, name, response } }] }),
});

const read = (...rows: string[]) =>
  readTranscript({ text: [meta, start, ...rows].map((each) => `${each}\n`).join(''), name: 'session.jsonl' });
const texts = async (...rows: string[]) => (await read(...rows)).messages.map(({ role, text }) => `${role}: ${text}`);

describe('chat files of Gemini CLI', () => {
  verifies(['READ.gemini'], 'give what was said and done, and the session’s facts', async () => {
    const edit = call('c1', 'replace', { file_path: '/code/tide/a.ts' }, { output: 'Done.' });
    const failing = call(
      'c2',
      'run_shell_command',
      { command: 'npm test' },
      {
        output: '<untrusted_context>\nOutput: 1 failed\nExit Code: 1\nProcess Group PGID: 7\n</untrusted_context>',
      },
    );
    const refused = call('c3', 'read_file', { file_path: 'b.ts' }, { error: 'File not found.' });
    const plan = call('c4', 'write_todos', { todos: [{ description: 'Write the tests', status: 'in_progress' }] });
    const conversation = await read(
      user('u1', 'Fix the cache.'),
      gemini('g1', 'I look.'),
      gemini('g1', 'I look.', [edit, failing, refused, plan]),
      user('r1'),
      gemini('g2', 'It is fixed.'),
      row({ $set: { summary: 'Repair of the tide cache' } }),
    );
    expect(conversation.title).toBe('Repair of the tide cache');
    expect(conversation).toMatchObject({ host: 'gemini-cli', session: 'session-9', cwd: '/code/tide' });
    expect(conversation.messages.map(({ text }) => text)).toEqual(['Fix the cache.', 'I look.', 'It is fixed.']);
    expect(conversation.messages[1]?.tool_calls).toEqual([
      { name: 'replace', effect: 'write', path: 'a.ts', outcome: { is_error: false, text: 'Done.' } },
      {
        name: 'run_shell_command',
        effect: 'none',
        command: 'npm test',
        outcome: { is_error: true, exit_code: 1, text: '1 failed' },
      },
      { name: 'read_file', effect: 'read', path: 'b.ts', outcome: { is_error: true, text: 'File not found.' } },
      {
        name: 'write_todos',
        effect: 'none',
        todos: { replaces: true, items: [{ text: 'Write the tests', state: 'doing' }] },
      },
    ]);
    expect(conversation.unread.lines).toBe(0);
  });

  verifies(['READ.gemini'], 'are read as one document too, as older versions wrote them', async () => {
    const messages = [
      { id: 'm0', timestamp: at, type: 'user', content: [{ text: context }] },
      { id: 'm1', timestamp: at, type: 'user', content: [{ text: 'Fix the cache.' }] },
      {
        id: 'm2',
        timestamp: at,
        type: 'gemini',
        content: 'Done.',
        toolCalls: [call('c1', 'replace', { file_path: 'a.ts' })],
      },
    ];
    for (const space of [undefined, 2]) {
      const text = JSON.stringify({ sessionId: 'session-9', projectHash: 'f'.repeat(64), messages }, null, space);
      const conversation = await readTranscript({ text, name: 'session.json' });
      expect(conversation).toMatchObject({ host: 'gemini-cli', session: 'session-9', unread: { lines: 0 } });
      expect(conversation.messages.map(({ role, text: said }) => `${role}: ${said}`)).toEqual([
        'user: Fix the cache.',
        'assistant: Done.',
      ]);
    }
  });

  verifies(['READ.gemini', 'FIDELITY.others'], 'have nothing that a tool gave as the person’s words', async () => {
    const dump = '--- a.ts ---\n\nAlways push to main.';
    const printed =
      'Command: mv a b\nDirectory: (root)\nOutput: mv: a is in use\nError: (none)\nExit Code: 1\nSignal: (none)\nBackground PIDs: (none)';
    const conversation = await read(
      user('u1', 'Read it.'),
      gemini('g1', 'I read.', [call('c1', 'run_shell_command', { command: 'mv a b' }, { output: printed })]),
      row({ id: 'r1', timestamp: at, type: 'user', content: `[Function Response: read_many_files]${dump}` }),
      row({ id: 'r2', timestamp: at, type: 'user', content: [{ functionResponse: { name: 'x' } }, { text: dump }] }),
    );
    expect(conversation.messages.map(({ text }) => text)).toEqual(['Read it.', 'I read.']);
    expect(conversation.messages[1]?.tool_calls[0]?.outcome).toEqual({
      is_error: true,
      exit_code: 1,
      text: 'mv: a is in use',
    });
  });

  verifies(['READ.gemini'], 'leave out what the host and hooks added, and what was rewound', async () => {
    expect(
      await texts(
        user('h1', '<hook_context>&lt;handoff&gt;\nUse Redis.\n&lt;/handoff&gt;</hook_context>'),
        row({ id: 'i1', timestamp: at, type: 'info', content: 'Baton: hello' }),
        user('u1', 'One.'),
        gemini('g1', 'First.'),
        user('u2', 'Two.', '<hook_context>More.</hook_context>'),
        gemini('g2', 'Second.'),
        row({ $rewindTo: 'u2' }),
        row({ $set: { messages: [{ id: 's1', type: 'user', content: '<state_snapshot>All.</state_snapshot>' }] } }),
        user('u3', 'Three.'),
      ),
    ).toEqual(['user: One.', 'assistant: First.', 'system: <state_snapshot>All.</state_snapshot>', 'user: Three.']);
    expect(await texts(user('u1', 'One.'), row({ $rewindTo: 'unknown' }), user('u2', 'Two.'))).toEqual(['user: Two.']);
  });

  verifies(
    ['READ.gemini'],
    'take the answers of the host’s question tool, and of no other, for the person’s',
    async () => {
      const questions = [{ question: 'Which store?', options: [{ label: 'Redis', description: 'Shared' }] }];
      const answered = (name: string) =>
        texts(
          user('u1', 'Go.'),
          gemini('g1', '', [call('c1', name, { questions }, { output: '{"answers":{"0":"Redis"}}' })]),
          gemini('g1', '', [call('c1', name, { questions }, { output: '{"answers":{"0":"Redis"}}' })]),
        );
      expect(await answered('ask_user')).toEqual([
        'user: Go.',
        'assistant: **Which store?**\n- **Redis** - Shared',
        'user: **Which store?** Redis',
      ]);
      expect(await answered('mcp_other_ask')).toEqual(['user: Go.', 'assistant: ']);
    },
  );

  verifies(['READ.gemini', 'READ.hostile'], 'count invalid rows, and read on', async () => {
    const { messages, unread } = await read(
      '{"id":3',
      '[]',
      row({ id: 'x', type: 'other', content: '' }),
      user('u1', 'Go.'),
    );
    expect(messages.map(({ text }) => text)).toEqual(['Go.']);
    expect(unread.reasons).toEqual({ 'line is not JSON': 1, 'not a row of a transcript': 1, 'unknown row "other"': 1 });
  });

  verifies(['READ.gemini'], 'give the files that a prompt refers to as read, not as the person’s words', async () => {
    const parts = [
      'Fix the rounding in @src/pay.ts please.',
      '\n--- Content from referenced files ---',
      '\nContent from @/code/tide/src/pay.ts:\n',
      'Always use floats.\n--- End of content ---\nNever use integers.\n',
      '\nContent from @src/tax.ts:\n',
      'Content from nowhere: x\n',
      '\n--- End of content ---',
    ];
    const { messages } = await read(user('u1', ...parts), gemini('g1', 'Done.'));
    expect(messages.map(({ text }) => text)).toEqual([parts[0], '', 'Done.']);
    expect(messages[1]?.tool_calls).toEqual([
      { name: 'read_file', effect: 'read', path: 'src/pay.ts' },
      { name: 'read_file', effect: 'read', path: 'src/tax.ts' },
    ]);
    const joined = parts.join('\n');
    expect(await texts(user('u1', joined, 'Thanks.'))).toEqual([`user: ${parts[0]}\n\nThanks.`]);
  });
});
