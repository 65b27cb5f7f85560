import { describe, expect } from 'vitest';
import { isHandoffError } from '../../packages/batonpass/src/core/errors.ts';
import { extractByRules } from '../../packages/batonpass/src/extraction/extract-by-rules.ts';
import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';
import { verifies } from '../verifies.ts';

/** aider ends lines of the user and of its own in two blanks. */
const user = (text: string) => `#### ${text}  `;
const own = (text: string) => `> ${text}  `;

const history = [
  '',
  '# aider chat started at 2026-09-13 09:00:00',
  '',
  own('aider --model a-model'),
  '',
  user('Draw a map.'),
  '',
  'Here is a map.',
  '',
  '# aider chat started at 2026-09-14 08:00:00',
  '',
  own('Added src/reader.ts to the chat.'),
  user('/add src/table.ts'),
  '',
  user('/ask Where are the tables read?'),
  '',
  'In `src/reader.ts`:',
  '',
  '> a quote of the model',
  '',
  '#### A heading of the model',
  '',
  user('Read them once a day.'),
  user('And keep them a week.'),
  '',
  'src/reader.ts',
  '```',
  '<<<<<<< SEARCH',
  '> Applied edit to src/not-this.ts',
  '>>>>>>> REPLACE',
  '```',
  '',
  own('Tokens: 1k sent, 90 received. Cost: $0.01 message, $0.01 session.'),
  own('Applied edit to src/reader.ts'),
  own('Did not apply edit to src/table.ts (--dry-run)'),
  own('Commit 1a2b3c4 feat: Read the tables once a day'),
  own('Running npm test'),
  '',
  '# aider chat started at 2026-09-15 08:00:00',
  '',
  own('Aider v0.86.0'),
];

const read = (lines: readonly string[], conversation?: string) =>
  readTranscript(
    { text: `${lines.join('\n')}\n`, name: '.aider.chat.history.md' },
    conversation ? { conversation } : {},
  );

describe("aider's history", () => {
  verifies(['READ.aider'], 'gives an answer in several parts as one message', async () => {
    const { messages } = await read([
      '# aider chat started at 2026-09-14 08:00:00',
      user('Restart it.'),
      'I change the port.',
      own('Applied edit to server.conf'),
      'Now restart the service:',
      own('Running make restart'),
      'make restart',
    ]);
    expect(messages.map(({ text }) => text)).toEqual([
      'Restart it.',
      'I change the port.\nNow restart the service:\nmake restart',
    ]);
    expect(messages[1]?.tool_calls).toMatchObject([{ path: 'server.conf' }, { command: 'make restart' }]);
  });

  verifies(
    ['READ.aider'],
    'takes nothing that aider prints below an answer with an open block for the answer',
    async () => {
      const text = [
        '# aider chat started at 2026-09-14 08:00:00',
        user('Add the menu.'),
        '',
        '```ts',
        'const menu = 1;',
        own('Tokens: 59k sent, 2.6k received. Cost: $0.03 message, $0.17 session.'),
        own('The LLM did not conform to the edit format.'),
        own('Retrying in 0.2 seconds...'),
      ].join('\n');
      const { messages } = await readTranscript({ text, name: 'history.md' });
      expect(messages.map(({ text: said }) => said)).toEqual([
        'Add the menu.',
        '```ts\nconst menu = 1;\n```\n> The LLM did not conform to the edit format.',
      ]);
    },
  );

  verifies(['READ.aider'], 'gives the last run in which somebody spoke, and what aider did', async () => {
    const { messages, ...about } = await read(history);
    expect(about).toMatchObject({ host: 'aider', session: '2026-09-14 08:00:00', unread: { lines: 0 } });
    expect(messages.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      'assistant: ',
      'user: Where are the tables read?',
      'assistant: In `src/reader.ts`:\n\n> a quote of the model\n\n#### A heading of the model',
      'user: Read them once a day.\nAnd keep them a week.',
      expect.stringMatching(/^assistant: src\/reader\.ts\n```\n<<<<<<< SEARCH\n> Applied edit/),
    ]);
    expect(messages[0]?.tool_calls).toEqual([{ name: 'add', effect: 'read', path: 'src/reader.ts' }]);
    expect(messages[4]?.tool_calls).toMatchObject([
      { effect: 'write', path: 'src/reader.ts' },
      { effect: 'write', path: 'src/table.ts', outcome: { is_error: true } },
      { command: 'git commit -m "feat: Read the tables once a day"', outcome: { exit_code: 0 } },
      { command: 'npm test' },
    ]);
  });

  verifies(
    ['READ.aider', 'RULES.dead-ends'],
    'keeps what aider refused and reported, and what the system did not let it write',
    async () => {
      const conversation = await read([
        '# aider chat started at 2026-09-15 08:00:00',
        own('Aider v0.86.2'),
        own('Main model: a-model with whole edit format'),
        own('Repo-map: using 4096 tokens, auto refresh'),
        user('Move the map into a file of its own.'),
        'I move it.',
        own('Unable to write file C:\\maps\\map.ts after 5 attempts: [Errno 13] Permission denied: map.ts'),
        own('Unable to write file src/key.ts after 5 attempts: [Errno 13] Permission denied: key.ts'),
        user('/add src/key.ts'),
        own('Added src/key.ts to the chat'),
        user('/add maps'),
        own("No files matched 'maps'. Do you want to create /work/maps? (Y)es/(N)o [Yes]: n"),
        user('/add new.ts'),
        own("No files matched 'new.ts'. Do you want to create /work/new.ts? (Y)es/(N)o [Yes]: y"),
        user('Try the key again.'),
        'I write it again.',
        own('Skipping edits to src/dist.ts that matches gitignore spec.'),
        own('Skipping edits to src/dist.ts that matches gitignore spec.'),
        own('src/key.ts'),
        own('Allow edits to file that has not been added to the chat? (Y)es/(N)o [Yes]: y'),
        own('Applied edit to src/key.ts'),
        own('Traceback (most recent call last):'),
        own('raise InvalidURL(error)'),
        own('httpx.InvalidURL: no URL'),
        own('Retrying in 0.2 seconds...'),
        user('/bye'),
        own('Invalid command: /bye'),
      ]);
      expect(conversation.messages.map(({ text }) => text)).toEqual([
        'Move the map into a file of its own.',
        'I move it.',
        'Try the key again.',
        'I write it again.\n> httpx.InvalidURL: no URL',
      ]);
      expect(conversation.program).toBe('Aider v0.86.2, Main model: a-model with whole edit format');
      expect(extractByRules(conversation).environment).toContainEqual({ content: conversation.program });
      expect(extractByRules(conversation).tried).toEqual([
        { what: 'Write C:/maps/map.ts', outcome: '[Errno 13] Permission denied: map.ts' },
        { what: 'Write src/dist.ts', outcome: 'Skipping edits to src/dist.ts that matches gitignore spec.' },
        { what: '`/add maps`', outcome: "No files matched 'maps'." },
      ]);
    },
  );

  verifies(['READ.aider'], 'takes a refusal for one of the last command only, not of a message', async () => {
    const { messages } = await read([
      '# aider chat started at 2026-09-15 08:00:00',
      user('Move the map.'),
      own('Unable to list files in git repo: broken'),
      user('/git push'),
      own('error: failed to push some refs'),
    ]);
    expect(messages.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      'user: Move the map.',
      'assistant: > Unable to list files in git repo: broken',
    ]);
    expect(messages.flatMap(({ tool_calls }) => tool_calls.map(({ command }) => command))).toEqual(['/git push']);
  });

  verifies(['READ.aider'], 'is read where an editor has cut the blanks at the ends of lines', async () => {
    const { messages } = await read(history.map((line) => line.trimEnd()));
    expect(messages.filter(({ role }) => role === 'user').map(({ text }) => text)).toContain(
      'Read them once a day.\nAnd keep them a week.',
    );
    expect(messages.flatMap(({ tool_calls }) => tool_calls.map(({ path }) => path))).toContain('src/reader.ts');
  });

  verifies(['READ.aider'], 'joins a prompt that is broken at the width of a terminal', async () => {
    const { messages } = await read([
      '# aider chat started at 2026-09-14 08:00:00',
      '',
      user('The tide bar should have the same room above it and below it, and it has'),
      '',
      user('16 pixels above.'),
      '',
      user('Do it.'),
      '',
      user('The rooms of the harbour page should be the same as those of the tide page'),
      '',
      user('/add src/harbour.ts'),
    ]);
    expect(messages.map(({ text }) => text)).toEqual([
      'The tide bar should have the same room above it and below it, and it has\n16 pixels above.',
      'Do it.',
      'The rooms of the harbour page should be the same as those of the tide page',
    ]);
  });

  verifies(['READ.choice'], 'gives another run by when it started, and refuses one that is not there', async () => {
    const { messages } = await read(history, '2026-09-13 09:00:00');
    expect(messages.map(({ text }) => text)).toEqual(['Draw a map.', 'Here is a map.']);
    const error = await read(history, 'yesterday').catch((cause: unknown) => cause);
    expect(isHandoffError(error) && error.code).toBe('invalid_input');
    expect(isHandoffError(error) && error.alternatives.join('\n')).toContain('There is: 2026-09-14 08:00:00');
  });

  verifies(['READ.aider'], "keeps neither a model's thoughts nor the questions of aider itself", async () => {
    const tag = `thinking-content-${'7b'.repeat(16)}`;
    const { messages } = await read([
      '# aider chat started at 2026-09-14 08:00:00',
      own('src/reader.ts'),
      user("Add file to the chat? (Y)es/(N)o/(A)ll/(S)kip all/(D)on't ask again [Yes]: all"),
      user('Read them once a day.'),
      '',
      `<${tag}>`,
      '1. The user wants a reader.',
      '```',
      '#### a heading of a thought',
      `</${tag}>`,
      '',
      'Then it reads once a day.',
      own('Applied edit to src/reader.ts'),
      user('Good.'),
      '<think>One line.</think>Thanks.',
      user('And?'),
      '<think>A thought that never ends',
      user('Go on.'),
    ]);
    expect(messages.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      'user: Read them once a day.',
      'assistant: Then it reads once a day.',
      'user: Good.',
      'assistant: Thanks.',
      'user: And?',
      'user: Go on.',
    ]);
    expect(messages[1]?.tool_calls).toMatchObject([{ path: 'src/reader.ts' }]);
  });

  verifies(['READ.choice'], 'gives the newest run that has a prompt, and says of how many', async () => {
    const opened = ['# aider chat started at 2026-09-16 08:00:00', own('Added src/table.ts to the chat.')];
    const newest = await read([...history, ...opened]);
    expect(newest).toMatchObject({ session: '2026-09-14 08:00:00', among: 4 });
    expect(await read([...history, ...opened], '2026-09-16 08:00:00')).toMatchObject({
      session: '2026-09-16 08:00:00',
    });
    expect(await read(opened)).not.toHaveProperty('among');
  });

  const run = (started: string, ...lines: string[]) => [
    `# aider chat started at 2026-09-14 ${started}`,
    '',
    ...lines,
    '',
  ];
  const asked = [user('Read the tables once a day.'), '', 'Then add src/reader.ts.'];
  const listed = [user('ls'), '', 'Here are some files.'];
  const spoken = async (...parts: readonly (readonly string[])[]) =>
    (await read(parts.flat())).messages.map(({ text }) => text).filter((text) => text !== '');

  verifies(['READ.aider'], 'gives a run that only goes on together with the runs before it', async () => {
    const added = own('Added src/reader.ts to the chat');
    const whole = await read([
      ...run('07:00:00', user('Draw a map of all harbours.'), '', 'Here is a map.'),
      ...run('07:29:00', ...asked),
      ...run('07:40:00', own('Aider v0.86.0')),
      ...run('07:59:00', added, ...listed),
      ...run('08:29:00', user('/add src/table.ts'), own('Added src/table.ts to the chat')),
    ]);
    expect(whole).toMatchObject({ session: '2026-09-14 07:29:00', among: 2, unread: { lines: 0 } });
    expect(whole.messages.map(({ index, text }) => `${index}: ${text}`)).toEqual([
      '0: Read the tables once a day.',
      '1: Then add src/reader.ts.',
      '2: ',
      '3: ls',
      '4: Here are some files.',
      '5: ',
    ]);
    expect(whole.messages.flatMap(({ tool_calls }) => tool_calls.map(({ path }) => path))).toEqual([
      'src/reader.ts',
      'src/table.ts',
    ]);
  });

  verifies(['READ.aider'], 'gives a run alone that begins late, asks for something, or changes a file', async () => {
    const alone = ['ls', 'Here are some files.'];
    expect(await spoken(run('08:00:00', ...asked), run('08:30:01', ...listed))).toEqual(alone);
    // A clock that was set back, or a history that was put together: nothing is known of the time between.
    expect(await spoken(run('08:00:00', ...asked), run('07:59:59', ...listed))).toEqual(alone);
    expect(await spoken(run('08:00:00', ...asked), ['# aider chat started at noon', ...listed])).toEqual(alone);
    for (const done of ['Applied edit to src/a.ts', 'Commit 1a2b3c4 feat: Read them']) {
      expect(await spoken(run('08:00:00', ...asked), run('08:01:00', ...listed, own(done)))).toEqual(alone);
    }
    expect(await spoken(run('08:00:00', ...listed), run('08:01:00', ...asked))).toEqual([
      'Read the tables once a day.',
      'Then add src/reader.ts.',
    ]);
  });

  verifies(
    ['READ.choice'],
    'gives the conversation in which a run has the start that is named, and lists each once',
    async () => {
      const lines = [...run('08:00:00', ...asked), ...run('08:05:00', ...listed), ...run('09:00:00', ...asked)];
      for (const named of ['2026-09-14 08:00:00', '2026-09-14 08:05:00']) {
        expect(await read(lines, named)).toMatchObject({
          session: '2026-09-14 08:00:00',
          among: 2,
          messages: { length: 4 },
        });
      }
      const error = await read(lines, 'yesterday').catch((cause: unknown) => cause);
      expect(isHandoffError(error) && error.alternatives.slice(0, -1)).toEqual([
        'There is: 2026-09-14 09:00:00',
        'There is: 2026-09-14 08:00:00',
      ]);
    },
  );

  verifies(
    ['READ.aider', 'TRANSCRIPT.masked'],
    'masks the secrets of all runs of a conversation, and counts them',
    async () => {
      const secret = own('Running deploy --password hunter2hunter2');
      const { masked, messages } = await read([
        ...run('08:00:00', ...asked, secret),
        ...run('08:05:00', ...listed, secret),
      ]);
      expect(JSON.stringify(messages)).not.toContain('hunter2');
      expect(Object.values(masked)).toEqual([2]);
    },
  );

  verifies(
    ['READ.hostile', 'READ.bounded'],
    'takes linear time on runs that all go on, and on one long line',
    async () => {
      // Quadratic code needs minutes for these; the test's own time limit ends it.
      const { messages, ...about } = await read(
        Array.from({ length: 20_000 }, () => run('08:00:00', ...listed)).flat(),
      );
      expect(about).not.toHaveProperty('among');
      expect(messages).toHaveLength(40_000);
      const giant = 'a '.repeat(500_000);
      expect(
        await spoken(run('08:00:00', user(giant)), [`# aider chat started at ${giant}`], run('08:01:00')),
      ).toHaveLength(2);
    },
  );
});
