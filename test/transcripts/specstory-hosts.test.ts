import { describe, expect } from 'vitest';
import type { ToolCall } from '../../packages/batonpass/src/core/conversation.ts';
import { extractByRules } from '../../packages/batonpass/src/extraction/extract-by-rules.ts';
import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';
import { verifies } from '../verifies.ts';
import { processorTime_ms } from './processor-time.ts';

const read = (...lines: string[]) => readTranscript({ text: `${lines.join('\n')}\n`, name: 'chat.md' });

/** A block as SpecStory writes it. */
function tool(kind: string, name: string, given: string, ...body: string[]): string[] {
  const summary = `<summary>Tool use: **${name}**${given === '' ? '' : ` ${given}`}</summary>`;
  const tag = `<tool-use data-tool-type="${kind}" data-tool-name="${name}"><details>`;
  return [tag, summary, ...body, '</details></tool-use>', ''];
}

async function callsOf(...blocks: string[][]): Promise<ToolCall[]> {
  const agent = '_**Agent (a-model 2026-09-14 08:01:00Z)**_';
  const { messages } = await read('_**User**_', 'Go.', agent, '', ...blocks.flat());
  return messages.flatMap(({ tool_calls }) => tool_calls);
}

const filesOf = async (...blocks: string[][]) =>
  (await callsOf(...blocks)).map(({ effect, path }) => `${effect} ${path ?? '-'}`);

const fenced = (text: string, language = '', marks = '```') => [`${marks}${language}`, ...text.split('\n'), marks];

describe("commands in SpecStory's exports of each host", () => {
  verifies(['READ.specstory'], 'read commands of Codex and their ends, whatever they printed', async () => {
    const ended = (code: number, printed: string) =>
      fenced(`Chunk ID: 09e35b\nWall time: 0.05 seconds\nProcess exited with code ${code}\nOutput:\n${printed}`);
    const calls = await callsOf(
      tool('shell', 'exec_command', '`git status --short`', ...ended(0, ' M tides.ts')),
      // A README that was printed holds a command of its own.
      tool('shell', 'exec_command', '`cat README.md`', ...ended(0, '# Tides\n```bash\nnpm start\n```\nThen open it.')),
      tool('shell', 'exec_command', '', ...fenced('npm test \\\n  --watch', 'bash'), ...ended(1, '2 failed')),
      tool('unknown', 'shell_command', '`npm run lint`', ...fenced('Exit code: 1\nWall time: 2 seconds\nOutput:\nno')),
      tool('shell', 'exec_command', '`cat long.txt`', ...ended(2, 'x'.repeat(20_000))),
      tool('shell', 'exec_command', '`true`', ...ended(0, '').filter((line) => line !== '')),
    );
    expect(calls.map(({ command, outcome }) => [command, outcome?.exit_code])).toEqual([
      ['git status --short', 0],
      ['cat README.md', 0],
      ['npm test \\\n  --watch', 1],
      ['npm run lint', 1],
      ['cat long.txt', 2],
      ['true', 0],
    ]);
    expect(calls[5]?.outcome?.text).toBe('');
    expect(calls[1]?.outcome?.text).toBe('# Tides\n```bash\nnpm start\n```\nThen open it.');
    expect(calls[2]?.outcome).toMatchObject({ is_error: true, text: '2 failed' });
  });

  verifies(['READ.specstory'], 'read the line of a shell that a call of Codex only starts', async () => {
    const calls = await callsOf(
      tool('shell', 'shell', '', '**Input:**', '', "- command: `[bash -lc python - <<'PY'", "print('`a`')", 'PY]`', ''),
      tool('shell', 'shell', '', '**Input:**', '', '- command: `[git log -1]`', '- workdir: `/tides`', ''),
      tool('shell', 'shell', '', '- command:', '', ...fenced('[zsh -lc ls\npwd]'), '', '**Result:**', ...fenced('a')),
      ['Tool use: **shell**', '', '`bash -lc rg -n "x" src`', '', 'Output:', ...fenced('src/a.ts:1:x'), '---', ''],
      // A shell that a person would type stays.
      tool('shell', 'shell', '`bash -c "exit 3"`'),
    );
    expect(calls.map(({ command }) => command)).toEqual([
      "python - <<'PY'\nprint('`a`')\nPY",
      'git log -1',
      'ls\npwd',
      'rg -n "x" src',
      'bash -c "exit 3"',
    ]);
    expect(calls.map(({ outcome }) => outcome?.text)).toEqual([undefined, undefined, 'a', 'src/a.ts:1:x', undefined]);
  });

  verifies(['READ.specstory'], 'read commands of Gemini CLI, Copilot CLI, Cursor and VS Code', async () => {
    const gemini = ['Directory: `src`', '', ...fenced('npm test', 'bash'), '', 'Result:'];
    const copilot = ['', 'Run the tests', '', ...fenced('npm test', 'bash'), '', '**Result:**', ''];
    const input = ['**Input:**', '', '- command: `npm test`', ''];
    const calls = await callsOf(
      tool('shell', 'run_shell_command', '', ...gemini, ...fenced('Output: 1 failed\nExit Code: 1', 'text')),
      tool('shell', 'bash', '', ...copilot, ...fenced('1 failed\n<shellId: 0 completed with exit code 1>')),
      tool('shell', 'Shell', '`npm test`', ...fenced('Exit code: 1\n\n```\n1 failed\n```', '', '````')),
      tool('generic', 'run_in_terminal', '', ...input, '**Error:**', '', ...fenced('gone')),
      tool('shell', 'list_bash', '', '', '**Result:**', '', ...fenced('<no active shell sessions>')),
      tool('shell', 'LS', '`src`', ...fenced('a.ts')),
    );
    expect(calls.map(({ command, outcome }) => [command, outcome?.is_error, outcome?.exit_code])).toEqual([
      ['npm test', true, 1],
      ['npm test', true, 1],
      ['npm test', true, 1],
      ['npm test', true, undefined],
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
    ]);
  });

  verifies(['READ.specstory'], 'read commands of Droid, Antigravity and pi', async () => {
    const pi = [
      '**Command:**',
      ...fenced('npm test', 'bash'),
      '',
      '**Timeout (seconds):**',
      ...fenced('60', 'text'),
      '',
    ];
    const json = fenced('{\n  "command": "npm test && echo \\"a\\""\n}', 'json');
    const calls = await callsOf(
      tool('shell', 'Execute', '', 'Directory: `/tides`', '', '`npm test`', '', 'Output (error): it failed'),
      tool('shell', 'run_command', '', '`npm test', 'npm run lint`', '', 'Output: ok'),
      tool('shell', 'bash', '`npm test`', ...pi, ...fenced('ok', 'text')),
      tool('shell', 'bash', '', '**Error:**', '', ...fenced('1 failed', 'text'), '', '**Input:**', ...json),
    );
    expect(calls.map(({ command, outcome }) => [command, outcome?.is_error, outcome?.text])).toEqual([
      ['npm test', true, 'it failed'],
      ['npm test\nnpm run lint', false, 'ok'],
      ['npm test', false, 'ok'],
      ['npm test && echo "a"', true, '1 failed'],
    ]);
  });

  verifies(['READ.specstory'], 'read what exports of editors escape', async () => {
    const [shell, editor] = await callsOf(
      [
        '<tool-use data-tool-type="shell" data-tool-name="run_terminal_command_v2">',
        '<details><summary>Tool use: **run_terminal_command_v2** • Run command: npm i</summary>',
        ...fenced('npm i &amp;&amp; npm test &gt; log', 'bash'),
        ...fenced('&lt;ok&gt;'),
        '</details>',
        '</tool-use>',
      ],
      [
        '<tool-use data-tool-type="unknown" data-tool-name="run_in_terminal">',
        '<details>',
        '<summary>Tool use: **run_in_terminal**</summary>',
        'Parameters:',
        ...fenced('{\n  "commandLine": {\n    "original": "cd web &amp;&amp; pnpm build",\n  }\n}', 'json'),
        'Result:',
        ...fenced('{\n  "content": ""\n}', 'json'),
        '</details>',
        '</tool-use>',
      ],
    );
    expect(shell).toMatchObject({ command: 'npm i && npm test > log', outcome: { text: '<ok>' } });
    expect(editor).toEqual({ name: 'run_in_terminal', command: 'cd web && pnpm build', effect: 'none' });
  });

  verifies(['READ.specstory'], 'read the code of Codex in any fence, and how it ended', async () => {
    const code = 'await tools.exec_command({ cmd: "npm test" });';
    const calls = await callsOf(
      tool(
        'unknown',
        'exec',
        '',
        '',
        'Input:',
        ...fenced(code, '', '````'),
        '',
        ...fenced('Script failed\nWall time 0.1 seconds\nOutput:\n\nno'),
      ),
    );
    expect(calls).toEqual([
      {
        name: 'exec_command',
        command: 'npm test',
        effect: 'none',
        outcome: expect.objectContaining({ is_error: true }),
      },
    ]);
  });
});

describe("files in SpecStory's exports of each host", () => {
  verifies(['READ.specstory'], 'read each file of a patch', async () => {
    const patch = tool(
      'write',
      'apply_patch',
      '',
      '**Update: `src/a.ts`**',
      '',
      ...fenced('@@\n+**Add: `not/a-file.ts`**', 'diff'),
      '',
      '**Add: `src/b.ts`**',
      '',
      ...fenced('+b', 'diff'),
      '',
      '**Update: `src/c.ts`**',
      '',
      ...fenced('*** Move to: src/d.ts\n@@', 'diff'),
      '',
      '**Delete: `src/e.ts`**',
    );
    expect(await filesOf(patch)).toEqual([
      'write src/a.ts',
      'write src/b.ts',
      'delete src/c.ts',
      'write src/d.ts',
      'delete src/e.ts',
    ]);
    const reported = fenced('Success. Updated the following files:\nA src/a.ts\nM src/b.ts\nD src/c.ts');
    const whole = fenced('*** Begin Patch\n*** Update File: src/d.ts\n@@\n*** End Patch', 'diff');
    const typed = "`apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: src/f.ts\n+f\n*** End Patch\nEOF`";
    expect(
      await filesOf(
        tool('write', 'apply_patch', '', '', 'Output:', ...reported),
        tool('write', 'ApplyPatch', '', ...whole),
        tool('write', 'apply_patch', '• Apply patch for src/e.ts', ...fenced('@@', 'diff')),
        tool('shell', 'shell_command', typed),
      ),
    ).toEqual([
      'write src/a.ts',
      'write src/b.ts',
      'delete src/c.ts',
      'write src/d.ts',
      'write src/e.ts',
      'write src/f.ts',
    ]);
    const failed = tool(
      'write',
      'apply_patch',
      '',
      '**Update: `a.ts`**',
      ...fenced('@@', 'diff'),
      ...fenced('apply_patch verification failed: a.ts'),
    );
    expect((await callsOf(failed))[0]).toMatchObject({ path: 'a.ts', outcome: { is_error: true } });
  });

  verifies(['READ.specstory'], 'read the files of Gemini CLI, Cursor, Droid, Antigravity, pi and VS Code', async () => {
    const link = 'file:///home/sam/tides/my%20map.ts#1-1';
    expect(
      await filesOf(
        tool('read', 'read_file', '`src/a.ts`', ...fenced('a', 'ts')),
        tool('write', 'write_file', '', 'Path: `src/b.ts`', '', ...fenced('b', 'ts'), '', 'Result: ok'),
        tool('unknown', 'replace', '', 'Path: `src/c.ts`', '', ...fenced('c', 'diff')),
        tool('write', 'Write', '`src/d.ts`', ...fenced('d', 'ts')),
        tool('write', 'StrReplace', '', ...fenced('--- src/e.ts\n+++ src/e.ts\n-e\n+f', 'diff')),
        tool('write', 'Delete', '`src/f.ts`'),
        tool('write', 'replace_file_content', '', 'Path: `src/g.ts`', '', ...fenced('+g', 'diff')),
        tool(
          'write',
          'write',
          '',
          '**Path:**',
          ...fenced('src/h.ts', 'text'),
          '',
          '**Content:**',
          ...fenced('h', 'ts'),
        ),
        tool('read', 'view_image', '', '/tides/map.png'),
        tool('read', 'copilot_readFile', `• Reading [](${link})`, '', 'Read it'),
        // These name no file that was worked on.
        tool('read', 'list_dir', '', 'Path: `src`'),
        tool('read', 'WebFetch', '', ' `https://example.org/a.jar`'),
      ),
    ).toEqual([
      'read src/a.ts',
      'write src/b.ts',
      'write src/c.ts',
      'write src/d.ts',
      'write src/e.ts',
      'delete src/f.ts',
      'write src/g.ts',
      'write src/h.ts',
      'read /tides/map.png',
      'read /home/sam/tides/my map.ts',
      'none -',
      'none -',
    ]);
  });

  verifies(['READ.specstory'], 'tell that a tool failed where the export says so', async () => {
    const calls = await callsOf(
      tool('write', 'edit', '', '**Input:**', '', '- path: `a.ts`', '', '**Error:**', '', ...fenced('no match')),
      tool(
        'write',
        'edit_file',
        '• Edit file: b.ts',
        'Status: **error**',
        '',
        '**Apply failed**',
        '',
        ...fenced('@@', 'diff'),
      ),
      tool(
        'read',
        'view',
        '',
        '**Input:**',
        '',
        '- path: `c.md`',
        '',
        '**Result:**',
        '',
        ...fenced('# Log\n**Error:** none'),
      ),
    );
    expect(calls.map(({ path, outcome }) => [path, outcome?.is_error])).toEqual([
      ['a.ts', true],
      ['b.ts', true],
      ['c.md', undefined],
    ]);
  });
});

describe("what was planned and said in SpecStory's exports", () => {
  verifies(['READ.specstory'], 'read the lists of tasks of each host', async () => {
    const calls = await callsOf(
      tool('task', 'update_plan', '', '**Agent task list:**', '- [X] Find it', '- [⚡] Fix it', '- [ ] Test it', ''),
      tool('generic', 'TodoWrite', '', '**Agent task list:**', '- [⚡] 🌡️ Fix it', '', ...fenced('- [ ] printed')),
      tool('task', 'write_todos', '', 'Todo List:', '- [x] Find it', '- [⚡] Fix it'),
      tool('task', 'manage_todo_list', '', '', '- [x] Find it', '- [ ] Fix it _(in progress)_', '- [ ] Test it', ''),
      tool('task', 'todo_write', '• Todo List', '', '- [-] Fix it', ''),
    );
    const states = calls.map(({ todos }) => todos?.items.map(({ state, text }) => `${state} ${text}`).join(', '));
    expect(states).toEqual([
      'done Find it, doing Fix it, open Test it',
      'doing Fix it',
      'done Find it, doing Fix it',
      'done Find it, doing Fix it, open Test it',
      'doing Fix it',
    ]);
  });

  verifies(['READ.specstory', 'FIDELITY.final'], 'leave out a list of tasks that was done long ago', async () => {
    const done = tool('task', 'todo_write', '• Todo List', '', '- [x] Draw the map', '');
    const asked = (count: number) =>
      Array.from({ length: count }, (_, place) => ['_**User**_', `Change part ${place} of it.`, '_**Agent**_', 'Ok.']);
    const states = async (count: number) => {
      const conversation = await read('_**User**_', 'Go.', '_**Agent**_', ...done, ...asked(count).flat());
      return extractByRules(conversation).where_it_stands.filter(({ kind }) => kind === 'done');
    };
    expect(await states(1)).toEqual([{ kind: 'done', content: 'Draw the map' }]);
    expect(await states(4)).toEqual([]);
  });

  verifies(
    ['READ.specstory'],
    'take the answers to questions of Droid and Antigravity for words of the person',
    async () => {
      const { messages } = await read(
        '_**User**_',
        'Go.',
        '_**Agent**_',
        ...tool(
          'generic',
          'AskUser',
          '',
          '**Canvas or SVG?**',
          '',
          'Options:',
          '- Canvas',
          '- SVG',
          '',
          '**Answer:** Canvas',
        ),
        '_**Agent**_',
        ...tool('generic', 'ask_question', '', '**Ship it?**', '- Yes', '- No', '', 'Output: Not on a Friday.'),
      );
      expect(messages.filter(({ role }) => role === 'user').map(({ text }) => text)).toEqual([
        'Go.',
        '**Canvas or SVG?** Canvas',
        '**Ship it?** Not on a Friday.',
      ]);
    },
  );

  verifies(['READ.specstory'], 'read the plan that the person approved', async () => {
    const result =
      'User has approved your plan. You can now start coding.\n\n## Approved Plan:\n# Tides\n\n1. Draw the map';
    const { messages } = await read(
      '_**User**_',
      'Plan it.',
      '_**Agent**_',
      ...tool('generic', 'ExitPlanMode', '', ...fenced(result, 'text')),
    );
    expect(messages[1]).toMatchObject({ text: '# Tides\n\n1. Draw the map', tool_calls: [{ plan: 'approved' }] });
  });

  verifies(['READ.specstory'], 'tell helpers, other sessions and ids of messages from what was said', async () => {
    const { messages } = await read(
      '_**User (2026-09-14 08:00:00Z)**_',
      '<!-- message-id: u_1 -->',
      '',
      'Go.',
      '_**Agent - sidechain (2026-09-14 08:01:00Z)**_',
      '',
      'List the folder.',
      '_**Agent - sidechain (a-model 2026-09-14 08:02:00Z)**_',
      '',
      ...tool('read', 'view', '', '**Input:**', '', '- path: `a.ts`', ''),
      '_**User (2026-09-14 08:03:00Z)**_',
      '',
      '_Message from Copilot session `4ea18a78`:_',
      '',
      'The build is green.',
    );
    expect(messages.map(({ role, text }) => [role, text.split('\n')[0]])).toEqual([
      ['user', 'Go.'],
      ['assistant', ''],
      ['system', '_Message from Copilot session `4ea18a78`:_'],
    ]);
    expect(messages[1]?.tool_calls).toEqual([{ name: 'view', effect: 'read', path: 'a.ts', agent: 'sidechain' }]);
  });

  verifies(['READ.specstory'], 'read a hostile block in linear time', async () => {
    const hostile = [
      '`'.repeat(16_000),
      '- ['.repeat(5_000),
      '"command": "'.repeat(1_300),
      '\n```\n- command: `['.repeat(900),
    ];
    const started = processorTime_ms();
    for (const text of hostile) {
      for (const name of ['bash', 'apply_patch', 'exec', 'todo_write']) await callsOf(tool('shell', name, '', text));
    }
    expect(processorTime_ms() - started).toBeLessThan(5_000);
  });
});
