import { describe, expect } from 'vitest';
import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';
import { verifies } from '../verifies.ts';

const read = (...lines: string[]) => readTranscript({ text: `${lines.join('\n')}\n`, name: 'chat.md' });
const texts = async (...lines: string[]) => (await read(...lines)).messages.map(({ role, text }) => `${role}: ${text}`);
const agreed = ['user: Use SQLite.', 'assistant: Then SQLite it is.'];

describe('Markdown with a heading for each speaker', () => {
  verifies(['READ.markdown'], 'is read in each spelling of people and programs', async () => {
    const ways: [string, string][] = [
      ['_**User**_', '_**Assistant**_'],
      ['_**User (2026-09-14 08:00:00Z)**_', '_**Agent (a-model 2026-09-14 08:00:09Z)**_'],
      ['_**User: sam (2026-09-14 08:00Z)**_', '_**Agent (model a-model, mode Agent)**_'],
      ['## User', '## Assistant'],
      ['## User', '### Assistant'],
      ['# 👤 User', '# 🤖 Claude'],
      ['### **Human:**', '### **Assistant:**'],
      ['## User (08:00:12)', '## Claude Code - 08:00:15'],
      ['**Human:**', '**Assistant:**'],
      ['**User**', '**Cursor**'],
      ['##### You said:', '##### ChatGPT said:'],
    ];
    for (const [user, assistant] of ways) {
      const said = await texts(
        '# Tides',
        '',
        user,
        '',
        'Use SQLite.',
        '',
        '---',
        '',
        assistant,
        '',
        'Then SQLite it is.',
      );
      expect(said, user).toEqual(agreed);
    }
    expect(await texts('**Human:** Use SQLite.', '', '**Assistant:** Then SQLite it is.')).toEqual(agreed);
    expect(await texts('User: Use SQLite.', '', 'Assistant: Then SQLite it is.')).toEqual(agreed);
  });

  verifies(['READ.markdown'], 'is read where each message has a number and a time, and some have no text', async () => {
    const { title, messages, unread } = await read(
      '## OpenCode Chat Export',
      '- Session ID: ses_39b9a333bffe',
      '- Title: Where the tides are kept',
      '## Conversation',
      '### 1. user (2026-02-16T03:01:59.124Z)',
      'Use SQLite.',
      '### 2. assistant (2026-02-16T03:02:04.510Z)',
      '_No text content captured for this message._',
      '### 3. assistant (2026-02-16T03:02:08.751Z)',
      'Then SQLite it is.',
      '### 1. User',
      'is a heading of the answer.',
    );
    expect(title).toBe('Where the tides are kept');
    expect(unread.lines).toBe(0);
    expect(messages).toMatchObject([
      { role: 'user', text: 'Use SQLite.', at: '2026-02-16T03:01:59.124Z' },
      { role: 'assistant', text: 'Then SQLite it is.\n### 1. User\nis a heading of the answer.' },
    ]);
  });

  verifies(['READ.markdown'], 'takes facts of the document above the first speaker for no speaker', async () => {
    const { title, messages } = await read(
      '# Deployment of the shop',
      '**User:** Sam (sam@example.org)',
      '**Created:** 14.9.2026',
      '## Prompt:',
      'Deploy it.',
      '## Response:',
      'Done.',
    );
    expect(title).toBe('Deployment of the shop');
    expect(messages.map(({ role, text }) => `${role}: ${text}`)).toEqual(['user: Deploy it.', 'assistant: Done.']);
    expect((await read('# Deploy (2026-09-14 08:00Z)', '## Prompt:', 'Go.', '## Response:', 'Done.')).title).toBe(
      undefined,
    );
  });

  verifies(['READ.markdown'], "keeps an answer's own headings, rules and fenced transcripts as its text", async () => {
    const [first, second, ...more] = await texts(
      '## User',
      'How does one look?',
      '## Assistant',
      'So:',
      '### Assistant',
      '---',
      '**User** is a role.',
      '```md',
      '## User',
      'Not me.',
      '```',
      'That is all.',
      '## User',
      'Thanks.',
    );
    expect(first).toBe('user: How does one look?');
    expect(second).toContain('### Assistant\n---\n**User** is a role.\n```md\n## User\nNot me.\n```\nThat is all.');
    expect(more).toEqual(['user: Thanks.']);
  });

  verifies(
    ['READ.markdown'],
    'continues after a fence that was never closed, where a rule comes before a heading',
    async () => {
      const said = await texts('**User**', '', '```', 'a log', '', '---', '', '**Cursor**', '', 'I see.');
      expect(said).toEqual(['user: ```\na log', 'assistant: I see.']);
    },
  );

  verifies(
    ['READ.markdown', 'TRANSCRIPT.lenient'],
    'counts text without a speaker, and refuses a text without speakers',
    async () => {
      const { unread } = await read('# Tides', 'Some words.', '', '## User', 'Go.', '## Assistant', 'Yes.');
      expect(unread).toEqual({ lines: 1, reasons: { 'text before the first speaker': 1 } });
      await expect(read('# Tides', '', 'Some words.')).rejects.toThrow('No conversation found');
    },
  );

  verifies(['READ.cursor'], 'of Cursor is known by what it was exported from', async () => {
    const conversation = await read(
      '# Tide tables',
      '_Exported on 9/14/2026 at 08:00:00 GMT+2 from Cursor (3.0.16)_',
      '',
      '---',
      '',
      '**User**',
      '',
      'Use SQLite.',
      '',
      '---',
      '',
      '**Cursor**',
      '',
      'Then SQLite it is.',
    );
    expect(conversation.host).toBe('cursor');
    expect(conversation.messages.map(({ role, text }) => `${role}: ${text}`)).toEqual(agreed);
    expect(conversation.unread.lines).toBe(0);
  });
});

describe('exports of SpecStory', () => {
  const header = [
    '<!-- Generated by SpecStory, Markdown v2.1.0 -->',
    '',
    '# 2026-09-14 08:00:00Z',
    '',
    '<!-- Claude Code Session 11111111-2222-4333-8444-555555555555 (2026-09-14 08:00:00Z) -->',
    '',
  ];

  const tools = [
    '<tool-use data-tool-type="shell" data-tool-name="Bash"><details>',
    '<summary>Tool use: **Bash**</summary>',
    'Run them',
    '',
    '`npm test`',
    '',
    '```text',
    '## User',
    '1 failed',
    '```',
    '</details></tool-use>',
    '',
    '<tool-use data-tool-type="write" data-tool-name="Edit"><details>',
    '<summary>Tool use: **Edit**</summary>',
    '',
    '```text',
    'The file src/reader.ts has been updated successfully.',
    '```',
    '</details></tool-use>',
    '<tool-use data-tool-type="read" data-tool-name="read_file">',
    '<details><summary>Tool use: **read_file** • Read file: src/table.ts</summary>',
    '',
    '</details>',
    '</tool-use>',
  ];

  verifies(['READ.specstory'], 'give the session, times, and tools with their files and commands', async () => {
    const conversation = await read(
      ...header,
      '_**User (2026-09-14 08:00:00Z)**_',
      '',
      'Fix the reader.',
      '',
      '---',
      '',
      '_**Agent (a-model 2026-09-14 08:00:09Z)**_',
      '',
      '<think><details><summary>Thought Process</summary>',
      'Hm, _**User**_.',
      '</details></think>',
      '',
      'I run the tests.',
      '',
      ...tools,
      '',
      'It works.',
      '_**Agent (a-model) (sidechain)**_',
      'I looked around.',
      '<tool-use data-tool-type="read" data-tool-name="Read"><details>',
      '<summary>Tool use: **Read**</summary>',
      ' `./docs/tides.md`',
      '</details></tool-use>',
    );
    const { messages, ...about } = conversation;
    expect(about).toMatchObject({
      host: 'specstory',
      session: '11111111-2222-4333-8444-555555555555',
      started_at: '2026-09-14T08:00:00.000Z',
      ended_at: '2026-09-14T08:00:09.000Z',
      unread: { lines: 0 },
    });
    expect(messages.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      'user: Fix the reader.',
      'assistant: I run the tests.',
      'assistant: It works.',
    ]);
    expect(messages[1]?.tool_calls).toEqual([
      { name: 'Bash', command: 'npm test', effect: 'none', outcome: { is_error: false, text: '## User\n1 failed' } },
      { name: 'Edit', effect: 'write', path: 'src/reader.ts' },
      { name: 'read_file', effect: 'read', path: 'src/table.ts' },
    ]);
    expect(messages[2]?.tool_calls).toEqual([
      { name: 'Read', effect: 'read', path: 'docs/tides.md', agent: 'sidechain' },
    ]);
  });

  verifies(
    ['READ.specstory'],
    'of early versions are read with their bare tool lines and nameless headings',
    async () => {
      const { messages } = await read(
        '<!-- Generated by SpecStory -->',
        '',
        '# Tides (2026-09-14 08:00:00)',
        '_**User**_',
        'Look at the reader.',
        '---',
        '_**Assistant**_',
        'I read it.',
        '---',
        '_****_',
        'Read file: src/reader.ts',
        '---',
        'Tool use: **run_terminal_cmd**',
        '',
        '```bash',
        'npm test',
        '```',
        '---',
        'Done.',
      );
      expect(messages.map(({ text }) => text)).toEqual(['Look at the reader.', 'I read it.', 'Done.']);
      expect(messages[1]?.tool_calls).toMatchObject([
        { effect: 'read', path: 'src/reader.ts' },
        { name: 'run_terminal_cmd', command: 'npm test' },
      ]);
    },
  );

  verifies(['READ.specstory'], 'give what was asked and answered, and nothing that the host wrote', async () => {
    const { messages } = await read(
      '_**User**_',
      '',
      'Base directory for this skill: /home/sam/skills/plans',
      '',
      '# Plans',
      '',
      '_**User**_',
      '',
      '<command-name>/clear</command-name>',
      '',
      '_**User**_',
      '',
      'Plan the cache.',
      '',
      '_**Agent (<synthetic> 2026-09-14 08:00:00Z)**_',
      '',
      'Credit balance is too low',
      '',
      '_**Agent (a-model 2026-09-14 08:00:00Z)**_',
      '',
      'API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}',
      '',
      '_**Agent (a-model 2026-09-14 08:01:00Z)**_',
      '',
      '<tool-use data-tool-type="generic" data-tool-name="AskUserQuestion"><details>',
      '<summary>Tool use: **AskUserQuestion**</summary>',
      '**Where are tables kept?**',
      '',
      'Options:',
      '- **SQLite** - one file',
      '- **Postgres** - a server',
      '',
      '**Answer:** SQLite',
      '',
      '**For how long?**',
      '',
      '**Answer:** A week',
      '</details></tool-use>',
      '',
      '_**User**_',
      '',
      'This session is being continued from a previous conversation that ran out of context.',
    );
    expect(messages.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      'user: Plan the cache.',
      'assistant: ',
      'assistant: **Where are tables kept?**\n\nOptions:\n- **SQLite** - one file\n- **Postgres** - a server',
      'user: **Where are tables kept?** SQLite',
      'assistant: **For how long?**',
      'user: **For how long?** A week',
      'system: This session is being continued from a previous conversation that ran out of context.',
    ]);
  });

  verifies(['READ.specstory'], 'record what a tool wrote, and that it failed', async () => {
    const { messages } = await read(
      '_**User**_',
      'Go.',
      '_**Agent (a-model 2026-09-14 08:01:00Z)**_',
      '',
      '<tool-use data-tool-type="write" data-tool-name="Write"><details>',
      '<summary>Tool use: **Write**</summary>',
      '',
      '```text',
      'File created successfully at: src/cache.ts (file state is current in your context — no need to Read it back)',
      '```',
      '</details></tool-use>',
      '<tool-use data-tool-type="write" data-tool-name="Edit"><details>',
      '<summary>Tool use: **Edit**</summary>',
      '',
      '```text',
      '<tool_use_error>File has not been read yet.</tool_use_error>',
      '```',
      '</details></tool-use>',
      '<tool-use data-tool-type="unknown" data-tool-name="apply_patch">',
      '<details><summary>Tool use: **apply_patch**</summary>',
      'Parameters:',
      '```json',
      '{',
      '  "relativeWorkspacePath": "src/reader.ts"',
      '}',
      '```',
      '</details>',
      '</tool-use>',
    );
    expect(messages[1]?.tool_calls).toMatchObject([
      { effect: 'write', path: 'src/cache.ts' },
      { name: 'Edit', effect: 'none', outcome: { is_error: true } },
      { effect: 'write', path: 'src/reader.ts' },
    ]);
  });

  verifies(
    ['READ.specstory'],
    'of VS Code give its tools, what it says between them, and nothing of its buttons',
    async () => {
      const { title, messages } = await read(
        '<!-- Generated by SpecStory -->',
        '# Pages for the table (2026-09-14 08:00Z)',
        '_**User**_',
        'Add pages.',
        '_**Agent (copilot/a-model)**_',
        '',
        '<think><details><summary>Thought Process</summary>',
        'The library has no pages. I write them myself:',
        '</details></think>',
        '',
        '_**Agent (copilot/a-model)**_',
        '',
        '<tool-use data-tool-type="generic" data-tool-name="replace_string_in_file"><details>',
        '<summary>Tool use: **replace_string_in_file**</summary>',
        '',
        '- filePath: `/code/tide/src/table.ts`',
        '- newString:',
        '</details></tool-use>',
        '<tool-use data-tool-type="generic" data-tool-name="run_in_terminal"><details>',
        '<summary>Tool use: **run_in_terminal**</summary>',
        '',
        '- command: `npm test`',
        '- isBackground: `false`',
        '</details></tool-use>',
        '_**Agent (copilot/a-model)**_',
        'The library has no pages. I write them myself:',
        '_**Agent (copilot/a-model)**_',
        'It passes: Copilot has been working on this problem for a while. It can continue to iterate, or you can send a new message to refine your prompt.',
        '_**User**_',
        '@agent Continue: "Continue to iterate?"',
      );
      expect(title).toBe('Pages for the table');
      expect(messages.map(({ role, text }) => `${role}: ${text}`)).toEqual([
        'user: Add pages.',
        'assistant: The library has no pages. I write them myself:',
        'assistant: It passes:',
      ]);
      expect(messages[1]?.tool_calls).toMatchObject([
        { effect: 'write', path: '/code/tide/src/table.ts' },
        { command: 'npm test' },
      ]);
    },
  );

  verifies(['READ.specstory'], 'of Codex give the commands in the code that it runs', async () => {
    const { messages, title } = await read(
      '# 2026-09-01 03:13:24Z',
      '_**User**_',
      'Go.',
      '_**Agent (a-model 2026-09-14 08:01:00Z)**_',
      '<tool-use data-tool-type="unknown" data-tool-name="exec"><details>',
      '<summary>Tool use: **exec**</summary>',
      'Input (truncated): ```',
      'const r = await tools.exec_command({"cmd":"npm run check","workdir":"/code/tide","yield_ti',
      '...',
      '```',
      '</details></tool-use>',
    );
    expect(title).toBeUndefined();
    expect(messages[1]?.tool_calls).toMatchObject([{ command: 'npm run check' }]);
  });

  verifies(['READ.specstory'], 'of its first versions give edits in details, and no reminder of the host', async () => {
    const { messages } = await read(
      '_**User**_',
      'Go.',
      '_**Assistant**_',
      'I change it:',
      '<details><summary>Edit file: src/tree.ts</summary>',
      '**Chunk 1**',
      '+ import { a } from "b";',
      '</details>',
      'Done.',
      "<system_reminder>You haven't updated your list.</system_reminder>",
    );
    expect(messages.map(({ text }) => text)).toEqual(['Go.', 'I change it:', 'Done.']);
    expect(messages[1]?.tool_calls).toMatchObject([{ effect: 'write', path: 'src/tree.ts' }]);
  });

  verifies(['READ.specstory'], 'are read without what the agent searched, but with details of its own', async () => {
    const said = await texts(
      '_**User**_',
      'Go.',
      '_**Assistant**_',
      'I search first.',
      '<details>',
      '            <summary>Searched codebase "tides" • **25** results</summary>',
      '| `src/tides.ts` | L1-17 |',
      '</details>',
      '<details>',
      '<summary>Why SQLite</summary>',
      'It needs no server.',
      '</details>',
      'Done.',
    );
    expect(said).toEqual([
      'user: Go.',
      'assistant: I search first.\n<details>\n<summary>Why SQLite</summary>\nIt needs no server.\n</details>\nDone.',
    ]);
  });

  verifies(['READ.specstory'], 'are read without the empty blocks in the place of tool uses', async () => {
    const said = await texts(
      '_**User**_',
      'Go.',
      '_**Assistant**_',
      'Now the reader:',
      '```',
      '',
      '```',
      '',
      '```sh',
      'npm test',
      '```',
      '',
      '```',
      'a log',
      '```',
      'Done.',
    );
    expect(said[1]).toBe('assistant: Now the reader:\n\n```sh\nnpm test\n```\n\n```\na log\n```\nDone.');
  });
});
