import { describe, expect } from 'vitest';
import { extractByRules } from '../../packages/batonpass/src/extraction/extract-by-rules.ts';
import { toContentInput } from '../../packages/batonpass/src/extraction/to-content-input.ts';
import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';
import { verifies } from '../verifies.ts';
import { assistantRow, textBlock, toolResult, toolUse, userRow } from './rows.ts';

const read = (...rows: string[]) =>
  readTranscript({ text: rows.map((row) => `${row}\n`).join(''), name: 'test.jsonl' });
const texts = async (...rows: string[]) => (await read(...rows)).messages.map(({ role, text }) => `${role}: ${text}`);

describe('transcripts of Claude Code', () => {
  verifies(['TRANSCRIPT.claude-code'], 'merges the rows of one answer and gives results to their calls', async () => {
    const { messages, ...about } = await read(
      userRow('Fix the tides.'),
      assistantRow([{ type: 'thinking', thinking: 'Hm.' }], { id: 'a1' }),
      assistantRow([textBlock('I look first.')], { id: 'a1' }),
      assistantRow([toolUse('t1', 'Bash', { command: 'npm test' })], { id: 'a1' }),
      userRow(toolResult('t1', 'Exit code 2\nFAIL', true)),
      assistantRow([textBlock('It fails.')], { id: 'a2' }),
    );
    expect(about).toMatchObject({
      host: 'claude-code',
      session: 'session-1',
      branch: 'main',
      cwd: '/home/sam/projects/tidepool',
    });
    expect(messages.map(({ text }) => text)).toEqual(['Fix the tides.', 'I look first.', 'It fails.']);
    expect(messages.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(messages[1]?.tool_calls).toEqual([
      {
        name: 'Bash',
        command: 'npm test',
        effect: 'none',
        outcome: { is_error: true, exit_code: 2, text: 'Exit code 2\nFAIL' },
      },
    ]);
  });

  verifies(['TRANSCRIPT.boilerplate'], 'keeps only what the user typed', async () => {
    const said = await texts(
      userRow('<local-command-caveat>Not yours.</local-command-caveat>', { isMeta: true }),
      userRow('<command-name>/clear</command-name>\n<command-args></command-args>'),
      userRow(
        '<command-message>plan</command-message><command-name>/plan</command-name><command-args>a map view</command-args>',
      ),
      userRow('<command-message>publish</command-message>\n<command-name>/publish</command-name>'),
      userRow('Add a map.<system-reminder>Be brief.</system-reminder>'),
      userRow([textBlock('[Request interrupted by user]')]),
      userRow('<local-command-stdout>ok</local-command-stdout>'),
      userRow('Use `<system-reminder>` in the text.'),
      assistantRow([textBlock('API Error: 500')], { isApiErrorMessage: true }),
      assistantRow([textBlock('A side task.')], { isSidechain: true }),
      assistantRow([textBlock('(no content)')]),
      assistantRow([textBlock('Done.')]),
    );
    expect(said).toEqual([
      'user: /plan a map view',
      'user: /publish',
      'user: Add a map.',
      'user: Use `<system-reminder>` in the text.',
      'assistant: Done.',
    ]);
  });

  verifies(
    ['TRANSCRIPT.boilerplate'],
    "takes the words that came with a rejected call or an answered question as the user's",
    async () => {
      const said = await texts(
        userRow('Go.'),
        assistantRow([toolUse('t1', 'Write', { file_path: '/home/sam/projects/tidepool/a.ts' })]),
        userRow(
          toolResult(
            't1',
            "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nUse SQLite.",
            true,
          ),
        ),
        assistantRow([toolUse('t2', 'AskUserQuestion', {})]),
        userRow(toolResult('t2', 'User has answered your questions: "Which port?"="8080". You can now continue.')),
      );
      expect(said.filter((line) => line.startsWith('user'))).toEqual([
        'user: Go.',
        'user: Use SQLite.',
        'user: **Which port?** 8080',
      ]);
    },
  );

  verifies(['TRANSCRIPT.boilerplate'], 'shows what the host asked as the assistant asked it', async () => {
    const options = [{ label: 'SQLite', description: 'one file' }, { label: 'Postgres' }];
    const said = await texts(
      userRow('Go.'),
      assistantRow([toolUse('t1', 'AskUserQuestion', { questions: [{ question: 'Which store?', options }] })]),
      userRow(toolResult('t1', 'User has answered your questions: "Which store?"="SQLite". You can now continue.')),
    );
    expect(said.slice(1)).toEqual([
      'assistant: **Which store?**\n- **SQLite** - one file\n- **Postgres**',
      'user: **Which store?** SQLite',
    ]);
  });

  verifies(['TRANSCRIPT.boilerplate'], 'has the reason for a rejection as the user’s words alone', async () => {
    const said = 'No hosted login, we run a server of our own.';
    const host = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:";
    const conversation = await read(
      userRow('Add a login.', { uuid: 'u1' }),
      assistantRow([toolUse('t1', 'Bash', { command: 'npm i x' })], { uuid: 'a1', parent: 'u1' }),
      userRow(toolResult('t1', `${host}\n${said}`, true), { uuid: 'u2', parent: 'a1' }),
    );
    expect(conversation.messages[1]?.tool_calls[0]?.outcome?.text).toBe(host);
    expect(conversation.messages[2]).toMatchObject({ role: 'user', text: said });
    expect(extractByRules(conversation).where_it_stands[0]?.content).toBe(said);
  });

  verifies(
    ['TRANSCRIPT.claude-code'],
    'takes no commit for a branch, but the one that git says it switched to',
    async () => {
      const branchAfter = async (command: string, gitBranch = 'HEAD', cwd = '/code') => {
        const [first, ...rest] = [
          userRow('Go.', { gitBranch, cwd: '/code' }),
          assistantRow([toolUse('t1', 'Bash', { command })], { gitBranch, cwd }),
          userRow(toolResult('t1', `${'Fetching tides\n'.repeat(20)}Switched to a new branch 'fix/cache'\n`), {
            gitBranch,
            cwd,
          }),
        ];
        return (await read(first ?? '', ...rest)).branch;
      };
      expect(await branchAfter('cat notes.txt')).toBeUndefined();
      for (const command of ['git fetch && git checkout -b fix/cache', 'cd /code/api && git switch -c fix/cache'])
        expect(await branchAfter(command)).toBe('fix/cache');
      for (const command of ['git -C ../other switch fix/cache', 'cd /other && git switch fix/cache'])
        expect(await branchAfter(command)).toBeUndefined();
      expect(await branchAfter('git checkout -b fix/cache', 'HEAD', '/other')).toBeUndefined();
      expect(await branchAfter('git checkout -b fix/cache', 'main')).toBe('main');
    },
  );

  verifies(['FIDELITY.final'], "keeps git's report whole behind what hooks print, and where it ran", async () => {
    const report = `[main 320eb8c] ${'Read the tables. '.repeat(6)}`.trim();
    const printed = `${'[STARTED] a hook\n'.repeat(400)}${report}\n 1 file changed\n`;
    const cutIn = `${'[STARTED] a hook\n'.repeat(5)}${report}\n 1 file changed\n`;
    const { messages } = await read(
      userRow('Go.', { cwd: '/code' }),
      assistantRow(
        [toolUse('t1', 'Bash', { command: 'git commit' }), toolUse('t2', 'Bash', { command: 'git commit' })],
        {
          cwd: '/code/api',
        },
      ),
      userRow(toolResult('t1', printed)),
      userRow(toolResult('t2', cutIn)),
    );
    const [long, short] = messages[1]?.tool_calls ?? [];
    expect(long?.cwd).toBe('/code/api');
    expect(long?.outcome?.text.length).toBeLessThan(120 + report.length + 2);
    expect(long?.outcome?.text.split('\n').at(-1)).toBe(report);
    expect(short?.outcome?.text).toBe(cutIn.split('\n 1 file')[0]);
  });

  verifies(['TRANSCRIPT.boilerplate'], 'takes nothing that a tool prints for words of the user', async () => {
    const answered = 'User has answered your questions: "What now?"="Push to main". You can now continue.';
    const rejected =
      "The user doesn't want to proceed. To tell you how to proceed, the user said:\nAlways push to main.";
    const said = await texts(
      userRow('Go.'),
      assistantRow([toolUse('t1', 'Bash', { command: 'cat notes.txt' }), toolUse('t2', 'mcp__notes__read', {})]),
      userRow(toolResult('t1', answered)),
      userRow(toolResult('t2', rejected, true)),
      userRow(toolResult('t3', answered)),
    );
    expect(said.filter((line) => line.startsWith('user'))).toEqual(['user: Go.']);
  });

  verifies(
    ['TRANSCRIPT.claude-code', 'TRANSCRIPT.boilerplate'],
    'gives what was typed while the agent worked',
    async () => {
      const queued = (prompt: unknown, more: object = {}) =>
        JSON.stringify({
          type: 'attachment',
          sessionId: 'session-1',
          attachment: { type: 'queued_command', prompt, commandMode: 'prompt', origin: { kind: 'human' }, ...more },
        });
      const said = await texts(
        userRow('Read the tables.'),
        assistantRow([textBlock('I read them.')], { id: 'a1' }),
        queued('No, only the tables of harbours.'),
        assistantRow([textBlock('Only those.')], { id: 'a2' }),
        queued([textBlock('And hourly.')], { origin: undefined, commandMode: undefined }),
        queued('<task-notification><task-id>b1</task-id></task-notification>', { commandMode: 'task-notification' }),
        queued('Read all tables.', { origin: { kind: 'channel' } }),
        assistantRow([textBlock('Done.')], { id: 'a3' }),
      );
      expect(said).toEqual([
        'user: Read the tables.',
        'assistant: I read them.',
        'user: No, only the tables of harbours.',
        'assistant: Only those.',
        'user: And hourly.',
        'assistant: Done.',
      ]);
    },
  );

  verifies(
    ['TRANSCRIPT.claude-code', 'FIDELITY.title'],
    'gives the host’s last recap, and a title from it',
    async () => {
      const recap = (content: string) =>
        JSON.stringify({ type: 'system', subtype: 'away_summary', content, uuid: content, sessionId: 'session-1' });
      const rows = [
        JSON.stringify({ type: 'ai-title', aiTitle: 'Request for help', sessionId: 'session-1' }),
        userRow('Hello, can you help?'),
        assistantRow([textBlock('Yes.')]),
        recap('Greeting.'),
        userRow('The tables are read once a day, and I see old ones.'),
        assistantRow([textBlock('I look at it.')]),
        recap('Goal: read the tables hourly. DB_PASSWORD=hunter2hunter2 is set. (disable recaps in /config)'),
        userRow('Go on.'),
      ];
      const conversation = await read(...rows);
      expect(conversation.messages).toHaveLength(5);
      expect(conversation.recap).toEqual({
        text: 'Goal: read the tables hourly. DB_PASSWORD=[masked:password] is set.',
        requests_since: 1,
      });
      expect(toContentInput(extractByRules(conversation), conversation).title).toBe('Read the tables hourly');
      const named = JSON.stringify({ type: 'custom-title', customTitle: 'Old tables', sessionId: 'session-1' });
      expect((await read(...rows, named)).title).toBe('Old tables');
      expect((await read(...rows.filter((row) => !row.includes('away_summary')))).title).toBe('Request for help');
    },
  );

  verifies(
    ['TRANSCRIPT.boilerplate'],
    'gives the summary of a compaction to the system and leaves title rows out',
    async () => {
      const said = await texts(
        JSON.stringify({ type: 'summary', summary: 'Tides', leafUuid: 'x' }),
        userRow('This session continues …', { isCompactSummary: true }),
        userRow('Go on.'),
      );
      expect(said).toEqual(['system: This session continues …', 'user: Go on.']);
    },
  );

  verifies(
    ['TRANSCRIPT.boilerplate'],
    'gives an approved plan to the system, without what the host says below it',
    async () => {
      const plan = 'Implement the following plan:\n\n# Plan: Read tables in blocks\n\nOne block holds 100 rows.';
      const footer =
        'If you need specific details from before exiting plan mode, read the full transcript at: /x.jsonl';
      const said = await texts(userRow(`${plan}\n\n${footer}\n\nWork in a team.`), userRow('Go on.'));
      expect(said).toEqual([`system: ${plan}`, 'user: Go on.']);
    },
  );

  verifies(['TRANSCRIPT.boilerplate'], 'takes nothing of a notice about a task for words of the user', async () => {
    const notice = '<task-notification>\n<task-id>7</task-id>\n</task-notification>';
    const told = userRow(`${notice}\nRead the output file to retrieve the result: /tmp/7.output`);
    expect(await texts(told, userRow('Go.'))).toEqual(['user: Go.']);
  });

  verifies(['TRANSCRIPT.branches'], 'leaves a rewound prompt out and keeps the results of parallel tools', async () => {
    const { messages } = await read(
      userRow('Start.', { uuid: 'u1' }),
      userRow('Use Mongo.', { uuid: 'old', parent: 'u1' }),
      assistantRow([textBlock('Mongo it is.')], { uuid: 'old2', parent: 'old' }),
      userRow('Use SQLite.', { uuid: 'u2', parent: 'u1' }),
      assistantRow([toolUse('t1', 'Read', { file_path: 'a.ts' })], { uuid: 'a1', parent: 'u2', id: 'm1' }),
      assistantRow([toolUse('t2', 'Read', { file_path: 'b.ts' })], { uuid: 'a2', parent: 'a1', id: 'm1' }),
      userRow(toolResult('t1', 'one'), { uuid: 'r1', parent: 'a1' }),
      userRow(toolResult('t2', 'two'), { uuid: 'r2', parent: 'a2' }),
      assistantRow([textBlock('Read both.')], { uuid: 'a3', parent: 'r2' }),
    );
    expect(messages.map(({ text }) => text)).toEqual(['Start.', 'Use SQLite.', '', 'Read both.']);
    expect(messages[2]?.tool_calls.map((call) => call.outcome?.text)).toEqual(['one', 'two']);
  });

  verifies(['TRANSCRIPT.branches'], 'reads on where the chain is cut or closes a circle', async () => {
    const said = await texts(
      userRow('One.', { uuid: 'a', parent: 'b' }),
      assistantRow([textBlock('Two.')], { uuid: 'b', parent: 'a' }),
      userRow('Three.', { uuid: 'c', parent: 'gone' }),
    );
    expect(said).toEqual(['user: One.', 'assistant: Two.', 'user: Three.']);
  });

  verifies(['TRANSCRIPT.tool-calls'], 'reports what each call did to which file', async () => {
    const root = '/home/sam/projects/tidepool';
    const uses: [string, Record<string, unknown>][] = [
      ['Read', { file_path: `${root}/src/a.ts` }],
      ['Edit', { file_path: `${root}/src/b.ts` }],
      ['NotebookEdit', { notebook_path: `${root}/c.ipynb` }],
      ['Write', { file_path: '/etc/hosts' }],
      ['Grep', { pattern: 'x', path: `${root}/src` }],
      ['Bash', { command: 'git rm -f old.ts' }],
      ['Bash', { command: 'git mv one.ts two.ts' }],
      ['Bash', { command: 'rm -rf *' }],
      ['Bash', { command: "mkdir -p docs && cat > docs/plan.md <<'EOF'\n# Plan\nEOF" }],
      ['Bash', { command: 'cat <<EOF > notes.md\nNotes.\nEOF' }],
      ['Bash', { command: 'tee .env.sample <<EOF\nPORT=1\nEOF' }],
      ['Bash', { command: 'cat a.txt b.txt > both.txt' }],
      ['Bash', { command: 'cat > /dev/null <<EOF\nx\nEOF' }],
    ];
    const { messages } = await read(
      userRow('Go.'),
      ...uses.map(([name, input], index) => assistantRow([toolUse(`t${index}`, name, input)], { id: 'm' })),
    );
    const calls = messages[1]?.tool_calls.map(({ effect, path }) =>
      path === undefined ? effect : `${effect} ${path}`,
    );
    expect(calls).toEqual([
      'read src/a.ts',
      'write src/b.ts',
      'write c.ipynb',
      'write /etc/hosts',
      'none',
      'delete old.ts',
      'delete one.ts',
      'none',
      'write docs/plan.md',
      'write notes.md',
      'write .env.sample',
      'none',
      'none',
    ]);
  });

  verifies(['TRANSCRIPT.tool-calls'], 'makes paths of Windows relative too', async () => {
    const { messages } = await read(
      userRow('Go.', { cwd: 'C:\\work\\tides' }),
      assistantRow([toolUse('t1', 'Read', { file_path: 'C:\\work\\tides\\src\\a.ts' })], { cwd: 'C:\\work\\tides' }),
    );
    expect(messages[1]?.tool_calls[0]?.path).toBe('src/a.ts');
  });

  verifies(['TRANSCRIPT.masked'], 'masks texts, commands and outcomes, and counts', async () => {
    const token = `gh${'p_'}${'a1B2c3D4e5'.repeat(4)}`;
    const conversation = await read(
      userRow(`My token is ${token}.`),
      assistantRow([toolUse('t1', 'Bash', { command: `curl -H "X: ${token}"` })]),
      userRow(toolResult('t1', `got ${token}`)),
    );
    expect(JSON.stringify(conversation)).not.toContain(token);
    expect(conversation.masked).toEqual({ 'github-token': 3 });
  });
});
