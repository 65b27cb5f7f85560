import { describe, expect } from 'vitest';
import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';
import { verifies } from '../verifies.ts';

const at = '2026-09-14T08:00:00.000Z';
const row = (type: string, payload: object) => JSON.stringify({ timestamp: at, type, payload });
const item = (payload: object) => row('response_item', payload);
const event = (payload: object) => row('event_msg', payload);
const user = (text: string) => item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
const assistant = (text: string) =>
  item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] });
const call = (call_id: string, name: string, input: unknown) =>
  item({ type: 'function_call', name, call_id, arguments: JSON.stringify(input) });
const output = (call_id: string, text: unknown) => item({ type: 'function_call_output', call_id, output: text });
const meta = row('session_meta', { id: 'session-7', cwd: '/code/tide', git: { branch: 'tables' } });

const read = (...rows: string[]) =>
  readTranscript({ text: rows.map((each) => `${each}\n`).join(''), name: 'rollout.jsonl' });
const texts = async (...rows: string[]) => (await read(...rows)).messages.map(({ role, text }) => `${role}: ${text}`);

describe('rollouts of Codex', () => {
  verifies(['READ.codex'], 'name the branch that commands went to, and none that is gone', async () => {
    const branchAfter = async (...commands: string[]) => {
      const rows = commands.flatMap((command, number) => [
        call(`c${number}`, 'exec_command', { cmd: command }),
        output(`c${number}`, `Process exited with code ${command.includes('missing') ? 1 : 0}\nOutput:\n`),
      ]);
      return (await read(meta, user('Go.'), ...rows)).branch;
    };
    expect(await branchAfter('git status')).toBe('tables');
    expect(await branchAfter('git checkout -b fix/cache', 'git checkout src/a.ts', 'git checkout missing')).toBe(
      'fix/cache',
    );
    expect(await branchAfter('cd x && git switch main && git branch -D tables')).toBe('main');
    expect(await branchAfter('git branch -D tables')).toBeUndefined();
  });

  verifies(
    ['READ.codex'],
    'give what the person answered to a question of the host, and of no other tool',
    async () => {
      const asked = { questions: [{ id: 'store', question: 'Which store?', options: [{ label: 'SQLite' }] }] };
      const answered = JSON.stringify({ answers: { store: { answers: ['SQLite'] } } });
      expect(
        await texts(
          meta,
          user('Plan it.'),
          call('c1', 'request_user_input', asked),
          output('c1', answered),
          // An output that is written twice is one answer.
          output('c1', answered),
          call('c2', 'notes__ask', asked),
          output('c2', answered),
        ),
      ).toEqual([
        'user: Plan it.',
        'assistant: **Which store?**\n- **SQLite**',
        'user: **Which store?** SQLite',
        'assistant: ',
      ]);
    },
  );

  verifies(['READ.codex'], 'give each text once, without scaffolding, and the facts of a session', async () => {
    const conversation = await read(
      meta,
      item({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'You are …' }] }),
      user('<environment_context>\n<cwd>/code/tide</cwd>\n</environment_context>'),
      user('# AGENTS.md instructions for /code/tide\n\nBe brief.'),
      user('Read the tables once a day.'),
      event({ type: 'user_message', message: 'Read the tables once a day.' }),
      item({ type: 'reasoning', summary: [], encrypted_content: 'x' }),
      event({ type: 'agent_message', message: 'I look at the reader.' }),
      assistant('I look at the reader.'),
      event({ type: 'token_count', info: null }),
      user('# Context from my IDE setup:\n\n## Open tabs\n- a.ts\n\n## My request for Codex:\nKeep them a week.'),
      row('session_meta', { id: 'ancestor', cwd: '/elsewhere' }),
      event({ type: 'thread_name_updated', thread_id: 'session-7', thread_name: 'Daily tide tables' }),
      event({ type: 'thread_name_updated', thread_id: 'ancestor', thread_name: 'Older work' }),
    );
    expect(conversation).toMatchObject({
      host: 'codex',
      title: 'Daily tide tables',
      session: 'session-7',
      branch: 'tables',
      cwd: '/code/tide',
      started_at: at,
      unread: { lines: 0 },
    });
    expect(conversation.messages.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      'user: Read the tables once a day.',
      'assistant: I look at the reader.',
      'user: Keep them a week.',
    ]);
  });

  verifies(['READ.codex'], 'give a command of words whole, and without a shell that only runs a line', async () => {
    const commands: [string[], string][] = [
      [['powershell', '-File', 'new.ps1', '-Json', '$ARGUMENTS'], 'powershell -File new.ps1 -Json "$ARGUMENTS"'],
      [['powershell.exe', '-NoProfile', '-Command', 'Get-Content a.md'], 'Get-Content a.md'],
      [['bash', 'build.sh', 'all the "rest"'], 'bash build.sh \'all the "rest"\''],
      [['bash', '-o', 'pipefail', '-c', 'npm test | tail'], 'npm test | tail'],
      [['cmd', '/c', 'dir /b'], 'dir /b'],
    ];
    const { messages } = await read(
      meta,
      user('Go.'),
      ...commands.map(([command], place) => call(`c${place}`, 'shell', { command })),
    );
    expect(messages[1]?.tool_calls.map(({ command }) => command)).toEqual(commands.map(([, line]) => line));
  });

  verifies(['READ.codex'], 'give commands with the exit code of the event, and patches with their files', async () => {
    const patch = [
      '*** Begin Patch',
      '*** Add File: src/table.ts',
      '+export {};',
      '*** Update File: /code/tide/src/reader.ts',
      '*** Move to: src/read-table.ts',
      '*** Delete File: old.ts',
      '*** End Patch',
    ].join('\n');
    const { messages } = await read(
      meta,
      user('Go.'),
      call('c1', 'shell', { command: ['bash', '-lc', 'npm test'], workdir: '/code/tide' }),
      output('c1', JSON.stringify({ output: 'other', metadata: { exit_code: 0 } })),
      event({ type: 'exec_command_end', call_id: 'c1', aggregated_output: '2 failed', exit_code: 2 }),
      call('c2', 'exec_command', { cmd: 'git rm notes.md' }),
      output('c2', 'Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 1\nOutput:\nno such file'),
      call('c3', 'shell_command', { command: 'ls' }),
      output('c3', JSON.stringify({ output: 'a.ts', metadata: { exit_code: 0 } })),
      item({ type: 'custom_tool_call', name: 'apply_patch', call_id: 'c4', input: patch }),
      item({ type: 'custom_tool_call_output', call_id: 'c4', output: [{ type: 'input_text', text: 'Success.' }] }),
      assistant('Done.'),
    );
    expect(messages.map(({ text }) => text)).toEqual(['Go.', '', 'Done.']);
    expect(messages[1]?.tool_calls).toEqual([
      {
        name: 'shell',
        command: 'npm test',
        effect: 'none',
        outcome: { is_error: true, exit_code: 2, text: '2 failed' },
      },
      {
        name: 'exec_command',
        command: 'git rm notes.md',
        effect: 'delete',
        path: 'notes.md',
        outcome: { is_error: true, exit_code: 1, text: 'no such file' },
      },
      {
        name: 'shell_command',
        command: 'ls',
        effect: 'none',
        outcome: { is_error: false, exit_code: 0, text: 'a.ts' },
      },
      ...(
        [
          ['src/table.ts', 'write'],
          ['src/reader.ts', 'delete'],
          ['src/read-table.ts', 'write'],
          ['old.ts', 'delete'],
        ] as const
      ).map(([path, effect]) => ({
        name: 'apply_patch',
        effect,
        path,
        outcome: { is_error: false, text: 'Success.' },
      })),
    ]);
  });

  verifies(['READ.codex'], 'give an approved plan to the system: the agent wrote it', async () => {
    const plan = 'PLEASE IMPLEMENT THIS PLAN:\n# Read tables in blocks\n\nOne block holds 100 rows.';
    expect(await texts(meta, user(plan), assistant('On it.'))).toEqual([`system: ${plan}`, 'assistant: On it.']);
  });

  verifies(['READ.codex'], 'keep the summary of a compaction, and take turns back that were rolled back', async () => {
    const said = await texts(
      meta,
      user('One.'),
      assistant('Yes.'),
      row('compacted', { message: 'What was agreed so far.', replacement_history: [{ role: 'user' }] }),
      user('Use Mongo.'),
      assistant('Mongo it is.'),
      event({ type: 'thread_rolled_back', num_turns: 1 }),
      user('Use SQLite.'),
      event({ type: 'thread_rolled_back' }),
      event({ type: 'token_count', num_turns: 1 }),
    );
    expect(said).toEqual(['user: One.', 'assistant: Yes.', 'system: What was agreed so far.', 'user: Use SQLite.']);
  });

  verifies(['READ.codex-old'], 'of bare items, and of events alone, give the same', async () => {
    const bare = [
      JSON.stringify({ id: 'old-1', timestamp: at, instructions: null, git: { branch: 'main' } }),
      JSON.stringify({ record_type: 'state' }),
      JSON.stringify({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello.' }] }),
      JSON.stringify({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi.' }] }),
    ];
    expect(await texts(...bare)).toEqual(['user: Hello.', 'assistant: Hi.']);
    expect((await read(...bare)).session).toBe('old-1');
    const events = [
      meta,
      event({ type: 'user_message', message: 'Hello.' }),
      event({ type: 'agent_message', message: 'Hi.' }),
    ];
    expect(await texts(...events)).toEqual(['user: Hello.', 'assistant: Hi.']);
    expect((await read(...events)).session).toBe('session-7');
  });

  verifies(['READ.codex', 'TRANSCRIPT.lenient'], 'count unknown rows and torn lines by their reason', async () => {
    const { unread, messages } = await read(
      '{"timestamp": broken',
      meta,
      user('Hello.'),
      row('hologram', {}),
      item({ type: 'telepathy' }),
      '{"type":"response_it',
    );
    expect(messages).toHaveLength(1);
    expect(unread.reasons).toEqual({
      'line is not JSON': 2,
      'unknown row type "hologram"': 1,
      'unknown item "telepathy"': 1,
    });
  });
});

describe('code that Codex runs', () => {
  const code = (call_id: string, input: string) => item({ type: 'custom_tool_call', name: 'exec', call_id, input });
  const printed = (call_id: string, ...parts: string[]) =>
    item({ type: 'custom_tool_call_output', call_id, output: parts.map((text) => ({ type: 'input_text', text })) });
  const calls = async (...rows: string[]) =>
    (await read(meta, user('Go.'), assistant('I do.'), ...rows)).messages.flatMap(({ tool_calls }) => tool_calls);

  verifies(['READ.codex'], 'gives the commands, patches and tasks that are written out in it', async () => {
    const patch = '*** Begin Patch\n*** Update File: /code/tide/src/a.ts\n@@\n-one\n+two\n*** End Patch\n';
    const found = await calls(
      code(
        'c1',
        `// it's a test\nconst r = await tools.exec_command({"cmd":"npm test -- \\"a b\\"","workdir":"/code/tide"}); text(r.output);`,
      ),
      code('c2', `await tools.exec_command({cmd: 'git status', yield_time_ms: 10})`),
      code('c3', `const patch = ${JSON.stringify(patch)};\nawait tools.apply_patch(patch);`),
      code(
        'c4',
        `await tools.update_plan({plan:[{step:"Read it",status:"completed"},{step:"Write it",status:"in_progress"}]})`,
      ),
      code(
        'c5',
        String.raw`tools.exec_command({cmd: "echo \u{10FFFF}\u{110000}\x41\u0042\
!"})`,
      ),
      code('c6', 'const all = await Promise.all(names.map((cmd) => tools.exec_command({cmd})));'),
    );
    expect(found).toMatchObject([
      { command: 'npm test -- "a b"' },
      { command: 'git status' },
      { name: 'apply_patch', effect: 'write', path: 'src/a.ts' },
      {
        todos: {
          items: [
            { text: 'Read it', state: 'done' },
            { text: 'Write it', state: 'doing' },
          ],
        },
      },
      { command: 'echo \u{10FFFF}AB!' },
      { name: 'exec', effect: 'none' },
    ]);
  });

  verifies(['READ.codex'], 'has the ends of its commands from events of their own', async () => {
    const ended = (cmd: string, exit_code: number) =>
      event({
        type: 'item_completed',
        item: {
          type: 'CommandExecution',
          id: 'exec-1',
          command: ['/bin/zsh', '-lc', cmd],
          exit_code,
          aggregated_output: 'x',
        },
      });
    const found = await calls(
      code('c1', 'await tools.exec_command({cmd:"npm test"}); await tools.exec_command({cmd:"npm run lint"})'),
      ended('npm test', 0),
      ended('npm run lint', 2),
      ended('another', 1),
      printed('c1', 'Script completed\nOutput:\n', 'x'),
    );
    expect(found.map(({ command, outcome }) => [command, outcome?.exit_code, outcome?.is_error])).toEqual([
      ['npm test', 0, false],
      ['npm run lint', 2, true],
    ]);
  });

  verifies(['READ.codex'], 'says how a command ended only where the result shows it', async () => {
    const run = (id: string, ...commands: string[]) =>
      code(id, commands.map((cmd) => `tools.exec_command({cmd:${JSON.stringify(cmd)}})`).join(';'));
    const result = (exit_code: number, output: string) => JSON.stringify({ chunk_id: 'x', exit_code, output });
    const ends = (
      await calls(
        run('c1', 'npm test'),
        printed('c1', 'Script completed\nWall time 1 seconds\nOutput:\n', result(1, '1 failed')),
        run('c2', 'npm run lint'),
        printed('c2', 'Script completed\nOutput:\n', 'the output without an exit code'),
        run('c3', 'true', 'false'),
        printed('c3', `[${result(0, '')},${result(1, '')}]`),
        run('c4', 'npm run build'),
        printed('c4', 'Script failed\nError: aborted'),
      )
    ).map(({ command, outcome }) => [command, outcome?.exit_code, outcome?.is_error, outcome?.text]);
    expect(ends).toEqual([
      ['npm test', 1, true, '1 failed'],
      ['npm run lint', undefined, undefined, undefined],
      ['true', undefined, undefined, undefined],
      ['false', undefined, undefined, undefined],
      ['npm run build', undefined, true, 'Script failed\nError: aborted'],
    ]);
  });
});
