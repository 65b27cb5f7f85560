import { describe, expect } from 'vitest';
import { extractByRules } from '../../packages/batonpass/src/extraction/extract-by-rules.ts';
import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';
import { verifies } from '../verifies.ts';
import { assistantRow, textBlock, toolUse, userRow } from './rows.ts';

const read = (...rows: string[]) =>
  readTranscript({ text: rows.map((row) => `${row}\n`).join(''), name: 'test.jsonl' });
const callsOf = async (...rows: string[]) => (await read(...rows)).messages.flatMap(({ tool_calls }) => tool_calls);
const requestsOf = async (...rows: string[]) =>
  (await read(...rows)).messages.flatMap(({ role, text }) => (role === 'user' ? text : []));

/** Rows of Claude Code: the command, and what it printed. */
const bash = (uuid: string, command: string, stdout: string, stderr = '') => [
  userRow(`<bash-input>${command}</bash-input>`, { uuid }),
  userRow(`<bash-stdout>${stdout}</bash-stdout><bash-stderr>${stderr}</bash-stderr>`, { parent: uuid }),
];

const codexRow = (payload: object) =>
  JSON.stringify({ timestamp: '2026-09-14T08:00:00Z', type: 'response_item', payload });
const codex = (role: string, text: string) =>
  codexRow({ type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] });

const gemini = (id: string, type: string, text: string) =>
  JSON.stringify({ id, timestamp: '2026-09-14T08:00:00Z', type, content: type === 'user' ? [{ text }] : text });
const geminiRan = (command: string, printed: string) =>
  `I ran the following shell command:\n\`\`\`sh\n${command}\n\`\`\`\n\nThis produced the following result:\n\`\`\`\n${printed}\n\`\`\``;

describe('a command that the person runs in the shell mode of a host', () => {
  verifies(['TRANSCRIPT.tool-calls', 'FIDELITY.final'], 'is a call with its outcome in Claude Code', async () => {
    const edit = toolUse('e1', 'Edit', { file_path: '/home/sam/projects/tidepool/src/tide.ts' });
    const rows = [
      userRow('Fix the tides.'),
      assistantRow([textBlock('It is fixed.'), edit]),
      ...bash('b1', 'npm run lint', '', 'lint: command not found'),
      ...bash('b2', 'git commit -am "Fix the tides"', '[main 0a1b2c3] Fix the tides\n 1 file changed'),
      ...bash('b3', 'git push', 'To example.org\n   1a2b3c4..0a1b2c3  main -> main'),
    ];
    expect((await callsOf(...rows)).slice(1)).toMatchObject([
      { name: 'Bash', command: 'npm run lint', outcome: { is_error: true, text: 'lint: command not found' } },
      { command: 'git commit -am "Fix the tides"', outcome: { is_error: false } },
      { command: 'git push', outcome: { is_error: false } },
    ]);
    expect(await requestsOf(...rows)).toEqual(['Fix the tides.']);
    const state = extractByRules(await read(...rows)).where_it_stands.map(({ content }) => content);
    expect(state.join('\n')).toContain('commit 0a1b2c3 Fix the tides');
    expect(state.join('\n')).not.toMatch(/no push seen|since the last commit/);
  });

  verifies(['TRANSCRIPT.tool-calls', 'READ.codex'], 'is a call with its exit code in Codex', async () => {
    const ran = (command: string, code: number, printed: string) =>
      codex(
        'user',
        `<user_shell_command>\n<command>\n${command}\n</command>\n<result>\nExit code: ${code}\nDuration: 0.1 seconds\nOutput:\n${printed}\n</result>\n</user_shell_command>`,
      );
    const rows = [codex('user', 'Fix the tides.'), codex('assistant', 'It is fixed.'), ran('npm test', 1, '2 failed')];
    expect(await callsOf(...rows)).toMatchObject([
      { command: 'npm test', outcome: { is_error: true, exit_code: 1, text: '2 failed' } },
    ]);
    expect(await requestsOf(...rows)).toEqual(['Fix the tides.']);
    expect(await callsOf(codex('user', 'Explain `<user_shell_command>`.'), ...rows.slice(0, 2))).toEqual([]);
  });

  verifies(['TRANSCRIPT.tool-calls', 'READ.gemini'], 'is a call with its outcome in Gemini CLI', async () => {
    const meta = JSON.stringify({ sessionId: 's', projectHash: 'f'.repeat(64), startTime: '2026-09-14T08:00:00Z' });
    const rows = [
      meta,
      gemini('u1', 'user', 'Fix the tides.'),
      gemini('g1', 'gemini', 'It is fixed.'),
      gemini('u2', 'user', geminiRan('npm test', 'Command exited with code 1.\n2 failed')),
      gemini('u3', 'user', geminiRan('git status', 'nothing to commit')),
    ];
    expect(await callsOf(...rows)).toMatchObject([
      { command: 'npm test', outcome: { is_error: true, exit_code: 1 } },
      { command: 'git status', outcome: { is_error: false, text: 'nothing to commit' } },
    ]);
    expect(await requestsOf(...rows)).toEqual(['Fix the tides.']);
    const quoted = `${geminiRan('git status', 'clean')}\nWhy is it clean?`;
    expect(await requestsOf(meta, gemini('u1', 'user', quoted))).toEqual([quoted]);
  });
});

verifies(
  ['TRANSCRIPT.boilerplate', 'FIDELITY.others'],
  'what another agent sends is not what the user says',
  async () => {
    const sent = [
      '<teammate-message teammate_id="bob" summary="Report">\nAlways push to main.\n</teammate-message>',
      '<agent-message from="a1">\nNever ask.\n</agent-message>',
      'Another Claude session sent a message:\n<cross-session-message from="uds:/x.sock">\nNever run the tests.\n</cross-session-message>\n',
    ];
    const rows = [userRow('Fix the tides.'), ...sent.map((text) => userRow(text)), assistantRow([textBlock('Done.')])];
    const conversation = await read(...rows);
    expect(conversation.messages.map(({ text }) => text)).toEqual(['Fix the tides.', 'Done.']);
    const quoted = 'Another Claude session sent a message:\nit says that the tests pass.';
    expect(await requestsOf(userRow(quoted))).toEqual([quoted]);
  },
);
