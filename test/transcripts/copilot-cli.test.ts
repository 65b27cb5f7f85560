import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { renderContent } from '../../packages/batonpass/src/formats/prompt.ts';
import { findInjectionProof } from '../../packages/batonpass/src/transcripts/injection-proof.ts';
import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';
import { sampleContent } from '../formats/sample-content.ts';
import { verifies } from '../verifies.ts';

let count = 0;
const row = (type: string, data: object, more: object = {}) => {
  count += 1;
  return JSON.stringify({
    type,
    data,
    id: `row-${count}`,
    timestamp: '2026-11-25T08:00:00.000Z',
    parentId: null,
    ...more,
  });
};
const start = row('session.start', { sessionId: 'session-1', context: { cwd: '/code/tide', branch: 'tables' } });
const user = (content: string, more: object = {}) =>
  row('user.message', { content, transformedContent: content, ...more });
const assistant = (content: string, ...toolRequests: object[]) => row('assistant.message', { content, toolRequests });
const call = (toolCallId: string, name: string, input: unknown) => ({ toolCallId, name, arguments: input });
const done = (toolCallId: string, data: object) =>
  row('tool.execution_complete', { toolCallId, success: true, ...data });

const read = (...rows: string[]) =>
  readTranscript({ text: [start, ...rows].map((each) => `${each}\n`).join(''), name: 'events.jsonl' });
const texts = async (...rows: string[]) => (await read(...rows)).messages.map(({ role, text }) => `${role}: ${text}`);
const callsIn = async (...rows: string[]) =>
  (await read(user('Go.'), ...rows)).messages.flatMap((each) => each.tool_calls);

describe('sessions of Copilot CLI', () => {
  verifies(['READ.copilot'], 'give what was said, without what the host said in the person’s name', async () => {
    const rows = [
      user('Go.'),
      user('Continue.', { isAutopilotContinuation: true }),
      user('x', { source: 'skill-pdf' }),
    ];
    expect(await texts(...rows, assistant('Done.'), row('system.message', { content: 'You are' }))).toEqual([
      'user: Go.',
      'assistant: Done.',
    ]);
    const attached = '<attachments>\n<attachment id="a.ts">\nAlways use floats.\n</attachment>\n</attachments>';
    const reminder = '<system_reminder>\nNever guess.\n</system_reminder>';
    for (const wrapped of [
      `${attached}\nFix it.`,
      `Fix it.\n${reminder}`,
      `${attached}\n${reminder}\n<userRequest>\nFix it.\n</userRequest>`,
    ])
      expect(await texts(user(wrapped))).toEqual(['user: Fix it.']);
    expect(await read(user('Go.'))).toMatchObject({ session: 'session-1', branch: 'tables', cwd: '/code/tide' });
  });

  verifies(['READ.copilot'], 'give files and commands, which fail by their exit code', async () => {
    const calls = await callsIn(
      assistant(
        '',
        call('a', 'create', { path: '/code/tide/a.ts', file_text: '' }),
        call('b', 'view', { path: 'b.ts' }),
      ),
      assistant('', call('c', 'bash', { command: 'npm test' }), call('d', 'apply_patch', '*** Delete File: d.ts\n')),
      done('a', { result: { content: 'Created' } }),
      done('c', { result: { content: '1 failed' }, shellExecution: { exitCode: 1 } }),
      done('d', { success: false, error: { message: 'No such file' } }),
    );
    expect(calls).toMatchObject([
      { name: 'create', effect: 'write', path: 'a.ts', outcome: { is_error: false } },
      { name: 'view', effect: 'read', path: 'b.ts' },
      { name: 'bash', command: 'npm test', outcome: { is_error: true, exit_code: 1, text: '1 failed' } },
      { effect: 'delete', path: 'd.ts', outcome: { is_error: true, text: 'No such file' } },
    ]);
  });

  verifies(['READ.copilot'], 'give the tasks that the agent keeps by SQL, and run nothing of it', async () => {
    const sql = (query: string) => assistant('', call('q', 'sql', { query, description: 'Tasks' }));
    const calls = await callsIn(
      sql(
        "INSERT INTO todos (id, title, status) VALUES ('one', 'Read Sam''s (new) tables', 'in_progress'), ('two', 'Cache; them', 'pending');",
      ),
      sql("UPDATE todos SET status = 'done' WHERE id = 'one'; DELETE FROM todos WHERE id IN ('two')"),
      sql("SELECT * FROM todos WHERE status = 'done'; ATTACH DATABASE '/tmp/x' AS y"),
    );
    expect(calls.map(({ todos }) => todos?.items)).toEqual([
      [
        { id: 'one', text: "Read Sam's (new) tables", state: 'doing' },
        { id: 'two', text: 'Cache; them', state: 'open' },
      ],
      [
        { id: 'one', state: 'done' },
        { id: 'two', state: 'dropped' },
      ],
      undefined,
    ]);
  });

  verifies(['READ.copilot'], 'give of a helper agent what it did and nothing that it said', async () => {
    const helper = { agentId: 'agent-7' };
    const rows = [
      row('user.message', { content: 'Look around.' }, helper),
      row('assistant.message', { content: 'I see.', toolRequests: [call('h', 'view', { path: 'c.ts' })] }, helper),
    ];
    expect(await texts(user('Go.'), assistant('Wait.'), ...rows)).toEqual(['user: Go.', 'assistant: Wait.']);
    expect(await callsIn(assistant('Wait.'), ...rows)).toMatchObject([{ path: 'c.ts', agent: 'agent-7' }]);
  });

  verifies(['READ.copilot'], 'leave out what the person rewound', async () => {
    const second = user('No, so.');
    const rewind = row('session.snapshot_rewind', { upToEventId: JSON.parse(second).id, eventsRemoved: 2 });
    expect(await texts(user('Go.'), assistant('Yes.'), second, assistant('So.'), rewind, user('Stop.'))).toEqual([
      'user: Go.',
      'assistant: Yes.',
      'user: Stop.',
    ]);
  });
});

const handoff_id = '01J8Z3K4M5N6P7Q8R9S0T1V2W3';
const rendered = renderContent(sampleContent(), 2_000);
const given = `${rendered.text}<handoff-situation>\nHandoff ${handoff_id}, rendered ${rendered.sha256}.\n</handoff-situation>`;

describe('a handoff in a prompt of Copilot CLI', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'baton-copilot-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const isProven = async (...rows: string[]) => {
    const path = join(folder, 'events.jsonl');
    writeFileSync(path, [start, ...rows].map((each) => `${each}\n`).join(''));
    const expected = { handoff_id, rendered_sha256: rendered.sha256 };
    return (await findInjectionProof({ path, from_byte: 0 }, expected))?.row_kind;
  };
  const asked = (transformedContent: string, more: object = {}) =>
    row('user.message', { content: 'Go on.', transformedContent }, more);
  const reminder = (text: string) => `<system_reminder>\n${text}\n</system_reminder>`;

  verifies(['PROOF.copilot'], 'is proved by the prompt as the model got it', async () => {
    expect(await isProven(asked(`Now.\n\nGo on.\n\n${reminder(given)}`))).toBe('system_reminder');
    expect(await isProven(asked(`Go on.\n\n${reminder('Other.')}\n\n${reminder(given)}`))).toBe('system_reminder');
  });

  verifies(
    ['PROOF.copilot', 'PROOF.not-delivered'],
    'is not proved by the output of a hook, or by what a person or a subagent got',
    async () => {
      const output = { hookType: 'userPromptSubmitted', success: true, output: { additionalContext: given } };
      expect(await isProven(row('hook.end', output), asked('Go on.'))).toBeUndefined();
      const pasted = reminder(given);
      expect(
        await isProven(row('user.message', { content: pasted, transformedContent: `Now.\n\n${pasted}` })),
      ).toBeUndefined();
      expect(await isProven(asked(`Go on.\n\n${reminder(given)}`, { agentId: 'agent-7' }))).toBeUndefined();
      expect(
        await isProven(asked(`Go on.\n\n${reminder(given.replace('Redis', 'redis').slice(0, -60))}`)),
      ).toBeUndefined();
    },
  );
});
