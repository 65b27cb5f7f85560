import { describe, expect } from 'vitest';
import type { ToolCall } from '../../packages/batonpass/src/core/conversation.ts';
import { ClaudeCodeReader } from '../../packages/batonpass/src/transcripts/claude-code.ts';
import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';
import { verifies } from '../verifies.ts';
import { assistantRow, toolResult, toolUse, userRow } from './rows.ts';

const commandsIn = async (name: string, rows: readonly string[]): Promise<ToolCall[]> => {
  const { messages } = await readTranscript({ text: rows.map((each) => `${each}\n`).join(''), name });
  return messages.flatMap(({ tool_calls }) => tool_calls).filter(({ command }) => command !== undefined);
};
const outcomeIn = async (name: string, rows: readonly string[]) => (await commandsIn(name, rows)).at(-1)?.outcome;

/** A Claude Code session in which tests run in the background, and then these rows. */
const inClaudeCode = (said: string, ...rows: string[]) => [
  userRow('Make the tests pass.', { uuid: 'u1' }),
  assistantRow([toolUse('t1', 'Bash', { command: 'npm test', run_in_background: true })], { uuid: 'a1', parent: 'u1' }),
  userRow(toolResult('t1', said), { uuid: 'u2', parent: 'a1' }),
  ...rows,
];
const asked = (tool: string, input: Record<string, unknown>, said: string) => [
  assistantRow([toolUse('t2', tool, input)], { uuid: 'a2', parent: 'u2' }),
  userRow(toolResult('t2', said), { uuid: 'u3', parent: 'a2' }),
];
const started = 'Command running in background with ID: b7. Output is being written to: /tmp/b7.output';

describe('commands that run in the background', () => {
  verifies(['READ.background'], 'of Claude Code have no known end before a result gives one', async () => {
    for (const said of [
      started,
      'Command was manually backgrounded by user with ID: b7. Output is being written to: /tmp/b7.output',
      'Command did not complete within its 120s timeout and was moved to the background (ID: b7).',
    ])
      expect(await outcomeIn('a.jsonl', inClaudeCode(said))).toMatchObject({ is_error: false, background: 'b7' });
    const polled = asked('TaskOutput', { task_id: 'b7' }, '<task_id>b7</task_id>\n<status>running</status>');
    expect(await outcomeIn('a.jsonl', inClaudeCode(started, ...polled))).toHaveProperty('background', 'b7');
    const printed = `It says: ${started}`;
    expect(await outcomeIn('a.jsonl', inClaudeCode(printed))).toEqual({ is_error: false, text: printed });
  });

  verifies(['READ.background'], 'of Claude Code end as the tool that asks about them reports', async () => {
    const failed = '<status>failed</status>\n<exit_code>1</exit_code>\n<output>\n7 failed\n</output>';
    const older = '<status>completed</status>\n<exit_code>1</exit_code>\n<stdout>\n7 failed\n</stdout>';
    for (const rows of [
      asked('TaskOutput', { task_id: 'b7', block: true }, failed),
      asked('BashOutput', { bash_id: 'b7' }, older),
    ])
      expect(await outcomeIn('a.jsonl', inClaudeCode(started, ...rows))).toEqual({
        is_error: true,
        exit_code: 1,
        text: '7 failed',
      });
    const other = asked('TaskOutput', { task_id: 'b8' }, failed);
    expect(await outcomeIn('a.jsonl', inClaudeCode(started, ...other))).toHaveProperty('background', 'b7');
    const killed = asked('TaskOutput', { task_id: 'b7' }, '<status>killed</status>');
    expect(await outcomeIn('a.jsonl', inClaudeCode(started, ...killed))).toMatchObject({ is_error: true });
  });

  verifies(['READ.background'], 'of Claude Code end as the host notifies, in a message or in its queue', async () => {
    const notice =
      '<task-notification>\n<task-id>b7</task-id>\n<tool-use-id>t1</tool-use-id>\n<status>completed</status>\n<summary>Background command "npm test" completed (exit code 0)</summary>\n</task-notification>';
    const queued = JSON.stringify({ type: 'queue-operation', operation: 'enqueue', sessionId: 's', content: notice });
    for (const row of [userRow(notice, { uuid: 'u3', parent: 'u2' }), queued])
      expect(await outcomeIn('a.jsonl', inClaudeCode(started, row))).toMatchObject({ is_error: false, exit_code: 0 });
  });

  verifies(['READ.background'], 'of Claude Code end in a part of the file that is read later', async () => {
    const take = (reader: ClaudeCodeReader, rows: readonly string[]) => {
      for (const text of rows) reader.addLine({ text, ended: true });
    };
    const [poll = '', result = ''] = asked(
      'TaskOutput',
      { task_id: 'b7' },
      '<status>failed</status><exit_code>2</exit_code>',
    );
    const first = new ClaudeCodeReader();
    take(first, [...inClaudeCode(started), poll]);
    const later = new ClaudeCodeReader({ earlier: JSON.parse(JSON.stringify(await first.reading())) });
    take(later, [result]);
    const { messages } = await later.finish();
    expect(messages.flatMap(({ tool_calls }) => tool_calls)[0]?.outcome).toMatchObject({ exit_code: 2 });
  });

  verifies(['READ.background'], 'of Codex end with the call that reads their session', async () => {
    const item = (payload: object) => JSON.stringify({ type: 'response_item', payload });
    const call = (call_id: string, name: string, given: object) =>
      item({ type: 'function_call', name, call_id, arguments: JSON.stringify(given) });
    const output = (call_id: string, text: string) => item({ type: 'function_call_output', call_id, output: text });
    const rows = [
      JSON.stringify({ type: 'session_meta', payload: { id: 's', cwd: '/code' } }),
      call('c1', 'exec_command', { cmd: 'npm test' }),
      output('c1', 'Chunk ID: a\nWall time: 10.0 seconds\nProcess running with session ID 5\nOutput:\n'),
    ];
    expect(await outcomeIn('a.jsonl', rows)).toHaveProperty('background', '5');
    rows.push(call('c2', 'write_stdin', { session_id: 5, chars: '' }));
    expect(
      await outcomeIn('a.jsonl', [...rows, output('c2', 'Process running with session ID 5\nOutput:\n…')]),
    ).toHaveProperty('background', '5');
    const ended = output('c2', 'Chunk ID: b\nProcess exited with code 1\nOutput:\n3 failed');
    expect(await outcomeIn('a.jsonl', [...rows, ended])).toEqual({ is_error: true, exit_code: 1, text: '3 failed' });
    const twice = [
      ...rows,
      output('c2', 'Process running with session ID 5\nOutput:\n…'),
      call('c3', 'write_stdin', { session_id: 5, chars: '' }),
      output('c3', 'Process exited with code 0\nOutput:\nall passed'),
    ];
    expect(await outcomeIn('a.jsonl', twice)).toEqual({ is_error: false, exit_code: 0, text: 'all passed' });
  });

  verifies(['READ.background'], 'of Copilot CLI end with the call that reads their shell', async () => {
    const row = (type: string, data: object) => JSON.stringify({ type, data, id: `${type}1`, parentId: null });
    const use = (toolCallId: string, name: string, given: object) =>
      row('assistant.message', { content: '', toolRequests: [{ toolCallId, name, arguments: given }] });
    const done = (toolCallId: string, content: string) =>
      row('tool.execution_complete', { toolCallId, success: true, result: { content } });
    const rows = [
      row('session.start', { sessionId: 's', context: { cwd: '/code' } }),
      use('c1', 'bash', { command: 'npm test', mode: 'async' }),
      done('c1', 'running\n<command with shellId: 3 is still running after 30 seconds.>'),
    ];
    expect(await outcomeIn('events.jsonl', rows)).toHaveProperty('background', '3');
    rows.push(
      use('c2', 'read_bash', { shellId: '3' }),
      done('c2', '1 failed\n<shellId: 3 completed with exit code 1>'),
    );
    expect(await outcomeIn('events.jsonl', rows)).toMatchObject({ is_error: true, exit_code: 1 });
  });
});
