import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import type { Conversation } from '../../packages/batonpass/src/core/conversation.ts';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import {
  continueTranscript,
  type TranscriptProgress,
} from '../../packages/batonpass/src/transcripts/continue-transcript.ts';
import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';
import { verifies } from '../verifies.ts';
import { assistantRow, textBlock, toolResult, toolUse, userRow } from './rows.ts';

let folder = '';
let path = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'baton-subagents-'));
  path = join(folder, 'session-1.jsonl');
  await mkdir(join(folder, 'session-1', 'subagents'), { recursive: true });
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const keep = (name: string, ...rows: string[]) =>
  writeFile(join(folder, 'session-1', 'subagents', name), rows.map((row) => `${row}\n`).join(''));
const side = { isSidechain: true, agentId: 'x1' };
const use = (id: string, name: string, input: Record<string, unknown>) =>
  assistantRow([toolUse(id, name, input)], { ...side, id: `answer-${id}` });

const main = [
  userRow('Find where the tables are read.'),
  assistantRow([toolUse('t1', 'Agent', { subagent_type: 'Explore', prompt: 'Look.' })], { id: 'm1' }),
  userRow(toolResult('t1', 'They are read in src/reader.ts.'), { toolUseResult: { agentId: 'x1' } }),
  assistantRow([toolUse('t2', 'Bash', { command: 'npm test' })], { id: 'm1' }),
  assistantRow([textBlock('In the reader.')], { id: 'm2' }),
];

/** The contents of a message's calls: who did what. */
const work = ({ messages }: Conversation, index = 1) =>
  messages[index]?.tool_calls.map(({ agent = 'self', name, effect, path: file, command }) =>
    [agent, name, effect, file ?? command].filter((part) => part !== undefined).join(' '),
  );

const token = `gh${'p_'}${'a1B2c3D4e5'.repeat(4)}`;

describe('helpers of a Claude Code session', () => {
  verifies(['READ.subagents'], 'add what they did after the call that started them, and no words', async () => {
    await writeFile(path, `${main.join('\n')}\n`);
    await keep(
      'agent-x1.jsonl',
      userRow('Look.', side),
      assistantRow([textBlock('I decide to use Mongo.')], { ...side, id: 'w' }),
      use('s1', 'Read', { file_path: '/home/sam/projects/tidepool/src/reader.ts' }),
      use('s2', 'Read', { file_path: '/home/sam/projects/tidepool/src/reader.ts' }),
      use('s3', 'Grep', { pattern: 'table' }),
      use('s4', 'Bash', { command: `grep ${token}` }),
      userRow(toolResult('s4', `Exit code 1\n${token}`, true), side),
      assistantRow([textBlock('They are read in src/reader.ts.')], { ...side, id: 'z' }),
    );
    const conversation = await readTranscript({ path });
    expect(conversation.messages.map(({ text }) => text)).toEqual([
      'Find where the tables are read.',
      '',
      'In the reader.',
    ]);
    expect(work(conversation)).toEqual([
      'self Agent none',
      'Explore Read read src/reader.ts',
      'Explore Bash none grep [masked:github-token]',
      'self Bash none npm test',
    ]);
    expect(conversation.messages[1]?.tool_calls[2]?.outcome).toMatchObject({ is_error: true, exit_code: 1 });
    expect(conversation.masked).toEqual({ 'github-token': 2 });
  });

  verifies(
    ['READ.subagents'],
    'are linked by what their file says, else by time, and left out with a rewound prompt',
    async () => {
      const timestamp = '2026-09-14T09:00:00.000Z';
      const rewound = [
        userRow('Start.', { uuid: 'u1' }),
        userRow('Ask around.', { uuid: 'o1', parent: 'u1' }),
        assistantRow([toolUse('t9', 'Task', {})], { uuid: 'o2', parent: 'o1', id: 'm9' }),
        userRow(toolResult('t9', 'Done.'), { uuid: 'o3', parent: 'o2', toolUseResult: { agentId: 'left' } }),
        userRow('Do it yourself.', { uuid: 'u2', parent: 'u1' }),
        assistantRow([toolUse('t1', 'Agent', {})], { uuid: 'a1', parent: 'u2', id: 'm1' }),
        assistantRow([textBlock('Done.')], { uuid: 'a2', parent: 'a1', id: 'm2', timestamp }),
      ];
      await writeFile(path, `${rewound.join('\n')}\n`);
      await keep('agent-left.jsonl', use('s1', 'Read', { file_path: 'left.ts' }));
      await keep('agent-told.jsonl', use('s2', 'Read', { file_path: 'told.ts' }));
      await writeFile(
        join(folder, 'session-1', 'subagents', 'agent-told.meta.json'),
        JSON.stringify({ agentType: 'Plan', toolUseId: 't1' }),
      );
      await keep('agent-free.jsonl', use('s3', 'Write', { file_path: 'free.ts' }));
      const late = { ...side, id: 'answer-s4', timestamp };
      await keep('agent-late.jsonl', assistantRow([toolUse('s4', 'Read', { file_path: 'late.ts' })], late));
      const conversation = await readTranscript({ path });
      expect(work(conversation, 2)?.toSorted()).toEqual([
        'Plan Read read told.ts',
        'free Write write free.ts',
        'self Agent none',
      ]);
      expect(work(conversation, 3)).toEqual(['late Read read late.ts']);
    },
  );

  verifies(['READ.subagents'], 'that run in the background give their last words as the outcome', async () => {
    const rows = [
      userRow('Look.'),
      assistantRow([toolUse('t1', 'Agent', {})], { id: 'm1' }),
      userRow(toolResult('t1', 'Async agent launched successfully.'), { toolUseResult: { agentId: 'x1' } }),
    ];
    await writeFile(path, `${rows.join('\n')}\n`);
    await keep('agent-x1.jsonl', assistantRow([textBlock('It lies in src/reader.ts.')], { ...side, id: 'z' }));
    const { messages } = await readTranscript({ path });
    expect(messages[1]?.tool_calls[0]?.outcome?.text).toBe('It lies in src/reader.ts.');
  });

  verifies(
    ['READ.subagents', 'SECRET.scanner'],
    'have what only the scanner finds masked in their commands, outcomes and last words',
    async () => {
      // Our own patterns know it in small letters only.
      const secret = `da${'pi'}${'04931EA5E037C0EB'.repeat(2)}`;
      const rows = [
        userRow('Look.'),
        assistantRow([toolUse('t1', 'Agent', {})], { id: 'm1' }),
        userRow(toolResult('t1', 'Async agent launched successfully.'), { toolUseResult: { agentId: 'x1' } }),
      ];
      await writeFile(path, `${rows.join('\n')}\n`);
      await keep(
        'agent-x1.jsonl',
        use('s1', 'Bash', { command: `echo ${secret}` }),
        userRow(toolResult('s1', secret), side),
        assistantRow([textBlock(`It prints ${secret}.`)], { ...side, id: 'z' }),
      );
      const conversation = await readTranscript({ path });
      expect(work(conversation)).toEqual(['self Agent none', 'Agent Bash none echo [masked:databricks-token]']);
      expect(conversation.messages[1]?.tool_calls[0]?.outcome?.text).toBe('It prints [masked:databricks-token].');
      expect(JSON.stringify(conversation)).not.toContain(secret);
      // One each in the command, in its outcome, and in the last words, which are the launch's outcome.
      expect(conversation.masked).toEqual({ 'databricks-token': 3 });
    },
  );

  verifies(['READ.subagents'], 'that are written into the transcript itself are marked too', async () => {
    const rows = [
      userRow('Look.'),
      assistantRow([toolUse('t1', 'Task', { subagent_type: 'Explore' })], { id: 'm1' }),
      userRow('Look.', { isSidechain: true }),
      use('s1', 'Read', { file_path: 'src/a.ts' }),
      userRow(toolResult('t1', 'Done.')),
      assistantRow([textBlock('Done.')], { id: 'm2' }),
    ];
    const conversation = await readTranscript({ text: rows.join('\n'), name: 'x' });
    expect(conversation.messages.map(({ text }) => text)).toEqual(['Look.', '', 'Done.']);
    expect(work(conversation)).toEqual(['self Task none', 'Explore Read read src/a.ts']);
  });

  verifies(
    ['READ.subagents', 'READ.hostile'],
    'never drown a conversation, and a broken or foreign file is passed over',
    async () => {
      await writeFile(path, `${main.join('\n')}\n`);
      const reads = Array.from({ length: limits.subagent_calls_max * 2 }, (_, index) =>
        use(`s${index}`, 'Read', { file_path: `src/${index}.ts` }),
      );
      await keep('agent-x1.jsonl', ...reads, use('w', 'Write', { file_path: 'src/new.ts' }));
      await keep('agent-torn.jsonl', '{"type":"assis', '[]', '"x"', JSON.stringify({ type: 'user', message: 7 }));
      await keep('notes.jsonl', use('n', 'Write', { file_path: 'notes.ts' }));
      await writeFile(join(folder, 'secret.jsonl'), use('n', 'Write', { file_path: 'linked.ts' }));
      await symlink(join(folder, 'secret.jsonl'), join(folder, 'session-1', 'subagents', 'agent-link.jsonl'));
      const conversation = await readTranscript({ path });
      const calls = work(conversation) ?? [];
      expect(calls).toHaveLength(limits.subagent_calls_max + 2);
      expect(calls).toContain('Explore Write write src/new.ts');
      expect(JSON.stringify(conversation)).not.toMatch(/notes|linked/);
    },
  );

  verifies(
    ['READ.subagents', 'GROW.equal', 'GROW.masked'],
    'are read on where the transcript grows, and kept masked',
    async () => {
      await writeFile(path, `${main.slice(0, 3).join('\n')}\n`);
      await keep('agent-x1.jsonl', use('s1', 'Bash', { command: `echo ${token}` }));
      const first = await continueTranscript(path, undefined);
      const stored = JSON.stringify(first.progress);
      expect(stored).toContain('[masked:github-token]');
      expect(stored).not.toContain(token);
      await writeFile(path, `${main.join('\n')}\n`);
      await keep('agent-x1.jsonl', use('s1', 'Bash', { command: 'ls' }), use('s2', 'Read', { file_path: 'src/b.ts' }));
      const earlier = JSON.parse(stored) as TranscriptProgress;
      const { conversation } = await continueTranscript(path, earlier);
      expect(conversation).toStrictEqual(await readTranscript({ path }));
      expect(work(conversation)).toContain('Explore Read read src/b.ts');
    },
  );
});

describe('rows out of turn', () => {
  verifies(['READ.order'], 'come after their parents, and repeated ones come once', async () => {
    const rows = [
      userRow('One.', { uuid: 'a' }),
      assistantRow([textBlock('Four.')], { uuid: 'd', parent: 'c', id: 'm2' }),
      userRow('Three.', { uuid: 'c', parent: 'b' }),
      assistantRow([textBlock('Two.')], { uuid: 'b', parent: 'a', id: 'm1' }),
      userRow('One.', { uuid: 'a' }),
      userRow('Five.', { uuid: 'e', parent: 'd' }),
    ];
    const { messages } = await readTranscript({ text: rows.join('\n'), name: 'x' });
    expect(messages.map(({ text }) => text)).toEqual(['One.', 'Two.', 'Three.', 'Four.', 'Five.']);
  });

  verifies(['READ.subagents'], 'are read as conversations of their own where their file is named', async () => {
    await keep(
      'agent-x1.jsonl',
      userRow('Look where the tables are read.', side),
      assistantRow([textBlock('They are read in the reader.'), toolUse('s1', 'Bash', { command: 'grep table' })], {
        ...side,
        id: 'w',
      }),
    );
    const helper = await readTranscript({ path: join(folder, 'session-1', 'subagents', 'agent-x1.jsonl') });
    // The session that started it is another conversation, into whose handoff this one must not go.
    expect(helper.session).toBe('agent-x1');
    expect(helper.messages.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      'user: Look where the tables are read.',
      'assistant: They are read in the reader.',
    ]);
    expect(work(helper)).toEqual(['self Bash none grep table']);
  });
});
