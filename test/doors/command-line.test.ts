import { readFileSync } from 'node:fs';
import { afterEach, expect } from 'vitest';
import { showHidden } from '../../packages/batonpass/src/core/hidden-characters.ts';
import { loadCommands } from '../../packages/batonpass/src/doors/cli/commands.ts';
import { parseDuration } from '../../packages/batonpass/src/doors/cli/duration.ts';
import { exitCodes } from '../../packages/batonpass/src/doors/cli/exit-codes.ts';
import {
  createReviewCommand,
  createStudioCommand,
  hook,
} from '../../packages/batonpass/src/doors/cli/local-commands.ts';
import { addCommands, createProgram } from '../../packages/batonpass/src/doors/cli/program.ts';
import { errorCodes } from '../../packages/batonpass/src/index.ts';
import { writeTrusted } from '../trust/trusted-settings.ts';
import { verifies } from '../verifies.ts';
import { openStage, type Stage } from './stage.ts';

const commands = await loadCommands();

const stages: Stage[] = [];

function stage(git = true): Stage {
  const opened = openStage({ git });
  stages.push(opened);
  return opened;
}

afterEach(() => {
  for (const opened of stages.splice(0)) opened.close();
});

const transcript = JSON.stringify({
  messages: [
    { role: 'user', content: 'The export is slow. Should we stream it or page it?' },
    {
      role: 'assistant',
      content: 'I suggest we stream the export row by row in `src/export.ts`, so that memory stays flat.',
    },
    { role: 'user', content: "Yes, let's stream it. Do not touch the import." },
    {
      role: 'assistant',
      content: 'Done in `src/export.ts`. One risk: a client that disconnects may leave the cursor open.',
    },
  ],
});

verifies(
  ['CLI.way', 'CLI.stdin', 'CLI.review'],
  'a conversation goes through the whole flow by commands alone',
  async () => {
    const { baton, json } = stage();
    const imported = await baton(['import', '-', '--task', 'export'], { input: transcript });
    expect(imported).toMatchObject({ code: 0 });
    expect(imported.stdout).toMatch(/draft/);
    const [{ id }] = (await json<{ handoffs: [{ id: string }] }>(['list'])).handoffs;

    expect((await baton(['edit', id, '--next', 'close the cursor on disconnect'])).stdout).toMatch(/draft/);
    expect((await baton(['claim'])).code).toBe(1);
    expect((await baton(['approve', id])).stdout).toMatch(/open/);

    const claimed = await baton(['claim', '--as', 'codex']);
    expect(claimed.code).toBe(0);
    expect(claimed.stdout).toContain('close the cursor on disconnect');
    const token = claimed.stderr.match(/--token (\S+)/)?.[1] ?? '';
    expect((await baton(['ack', id, '--as', 'codex', '--token', token])).stdout).toMatch(/acknowledged/);

    const { events } = await json<{ events: { name: string; actor: { name: string } }[] }>(['log', id]);
    expect(events.map(({ name }) => name)).toEqual([
      'handoff-created',
      'handoff-edited',
      'handoff-approved',
      'handoff-claimed',
      'handoff-acknowledged',
    ]);
    expect(events.at(-1)?.actor).toEqual({ name: 'codex', type: 'agent' });
  },
);

verifies(['CLI.status'], 'without arguments it says what is open here and what to do next', async () => {
  const { baton } = stage();
  const empty = await baton([]);
  expect(empty.code).toBe(0);
  expect(empty.stdout).toContain('baton import --last');
  expect(empty.stdout).toMatch(/^baton-test-\w+ \([0-9a-f]{8}\) · main · /);
  await baton(['create', '--summary', 'Finish the login form']);
  await baton(['create', '--summary', 'Only for codex', '--for', 'codex']);
  await baton(['create', '--summary', 'To be read first', '--draft']);
  const { stdout } = await baton([]);
  expect(stdout).toMatch(/Open for you[^\n]*\n[^\n]*Finish the login form/);
  expect(stdout).toContain('1 open for others');
  expect(stdout).toMatch(/Drafts to review\n[^\n]*To be read first/);
  expect(stdout).toContain('baton claim');
});

verifies(['CLI.wait'], 'a waiting claim is woken by a handoff that another process creates', async () => {
  const { start, baton } = stage();
  await baton(['list']);
  const waiting = start(['claim', '--wait', '--json']);
  let stdout = '';
  waiting.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  const ended = new Promise((resolve) => waiting.once('close', resolve));
  await baton(['create', '--summary', 'Wake up']);
  expect(await ended).toBe(0);
  expect(JSON.parse(stdout).handoff.content.summary).toBe('Wake up');
});

verifies(['CLI.wait', 'CLI.exit-codes'], 'a waiting claim ends with "no" when its time is over', async () => {
  const { baton } = stage();
  const { code, stderr } = await baton(['claim', '--wait', '100ms']);
  expect(code).toBe(1);
  expect(stderr).toContain('Nothing is open for you here.');
});

verifies(['CLI.exit-codes', 'CLI.exports'], 'each error code has one exit code', () => {
  expect(exitCodes).toEqual({
    invalid_input: 2,
    not_found: 3,
    file_not_found: 3,
    conflict: 4,
    already_claimed: 4,
    lease_lost: 5,
    parse_error: 6,
    invalid_structure: 6,
    extraction_failed: 6,
    too_large: 7,
    path_outside_root: 8,
    unavailable: 9,
    unsupported_version: 10,
    invalid_format: 6,
    validation_failed: 2,
    reference_not_found: 3,
    phase_transition_violation: 4,
  });
  expect(Object.keys(exitCodes).sort()).toEqual([...errorCodes].sort());
});

verifies(
  ['CLI.errors', 'CLI.exit-codes'],
  'bad input is answered with what, where and what to do next, and changes nothing',
  async () => {
    const { baton, json } = stage();
    const {
      handoff: { id },
    } = await json(['create', '--summary', 'Finish it']);
    await json(['claim', '--as', 'first', '--key', 'k']);
    const cases: [string[], number, RegExp][] = [
      [['show', 'ZZZZZZZZ'], 3, /No handoff "ZZZZZZZZ" in baton-test-\w+ \([0-9a-f]{8}\)\.\n.*baton list/],
      [['ack', id], 4, /without the token of its claim: it is claimed by first until/],
      [['ack', id, '--as', 'first'], 4, /If you claimed it, add the token[^→]*baton\s+ack \w{26}\s+--token TOKEN/],
      [['release', id], 4, /If you claimed it, add the token[^→]*baton\s+release \w{26}\s+--token TOKEN/],
      [['ack', id, '--token', 'stale'], 5, /lease[\s\S]*baton log/],
      [['renew', id], 2, /token/],
      [['approve', id], 4, /claimed by first(?![\s\S]*--wait)[\s\S]*baton show/],
      [['claim', id, '--as', 'second'], 4, /claimed by first[\s\S]*--wait/],
      [['claim', '--lease', '3 weeks'], 2, /"3 weeks" is not a duration[\s\S]*15m/],
      [['create'], 2, /nothing to hand over/],
      [['create', 'absent.json'], 3, /absent\.json cannot be read/],
      [['import', 'absent.jsonl'], 3, /absent\.jsonl/],
      [['import'], 2, /exactly one conversation/],
      [['lsit'], 2, /Unknown command 'lsit'\.[\s\S]*mean list\?/],
      [['list', '--sate', 'open'], 2, /--sate[\s\S]*--state/],
      [['list', '--state', 'opne'], 2, /"opne" is not a state[\s\S]*open/],
      [['list', '--store', 'mysql://x'], 2, /sqlite/],
      [['list', '--cwd', '/nowhere/at/all'], 3, /does not exist/],
      [['create', '--summary', 'x', '--store', 'sqlite:/proc/baton/x.db'], 9, /\/proc\/baton[\s\S]*BATON_STORE/],
      [['list', '--store', 'sqlite:/srv/mistyped.db'], 3, /no store at \/srv\/mistyped\.db[\s\S]*typo/],
      [['completion', 'tcsh'], 2, /tcsh[\s\S]*bash/],
    ];
    for (const [words, code, text] of cases) {
      const run = await baton(words);
      expect(`${words.join(' ')}: ${run.code}`).toBe(`${words.join(' ')}: ${code}`);
      expect(run.stderr).toMatch(text);
      expect(run.stdout).toBe('');
      expect(run.stderr).not.toMatch(/\n {4}at /);
    }
    const { events } = await json<{ events: unknown[] }>(['log', id]);
    expect(events).toHaveLength(2);
  },
);

verifies(['CLI.errors'], 'a content that is not JSON or has unknown fields is refused with the position', async () => {
  const { baton } = stage();
  const broken = await baton(['create', '-'], { input: '{"summary": ' });
  expect(broken).toMatchObject({ code: 6, stdout: '' });
  expect(broken.stderr).toContain('Standard input is not JSON');
  const unknown = await baton(['create', '-'], { input: '{"summary": "x", "descisions": []}' });
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toContain('Unrecognized key: "descisions" (did you mean "decisions"?).');
  const large = await baton(['create', '-'], { input: JSON.stringify({ summary: 'x', body: 'y'.repeat(5_000_000) }) });
  expect(large).toMatchObject({ code: 7, stdout: '' });
});

verifies(['OP.secrets', 'CLI.stdin'], 'a secret in a text is masked, and its writer is notified', async () => {
  const { baton, folder } = stage();
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const { stdout, stderr } = await baton(['create', '-', '--json'], { input: `# Deploy\n\nexport TOKEN=${secret}\n` });
  expect(stdout).not.toContain(secret);
  expect(readFileSync(`${folder}/.git/baton/baton.db`).includes(secret)).toBe(false);
  expect(`${stderr}${(await baton(['create', '--summary', secret])).stderr}`).toContain('Secrets masked: github-token');
});

verifies(
  ['CLI.stdin', 'CLI.errors'],
  'what is not text, or JSON but no content, is refused; the output of other commands is accepted',
  async () => {
    const { baton, json } = stage();
    for (const input of ['[]', 'null', '"x"', '{"content": 1}', '   ']) {
      expect(await baton(['create', '-'], { input })).toMatchObject({ code: 2, stdout: '' });
    }
    for (const input of [Buffer.from([0x63, 0xe9, 0x20]), Buffer.from([0, 1, 2, 255])]) {
      expect(await baton(['create', '-'], { input })).toMatchObject({ code: 6, stdout: '' });
    }
    const extracted = await baton(['extract', '-', '--json'], { input: transcript });
    const created = await baton(['create', '-', '--json'], { input: extracted.stdout });
    expect(JSON.parse(created.stdout).handoff.content.decisions).toEqual(
      JSON.parse(extracted.stdout).content.decisions,
    );
    const shown = await baton(['show', JSON.parse(created.stdout).handoff.id, '--json']);
    expect((await json(['create', '-'], { input: shown.stdout })).handoff.id).not.toBe(
      JSON.parse(created.stdout).handoff.id,
    );
  },
);

verifies(['CLI.stdin'], 'a Markdown document becomes the body, its heading the title, as the help says', async () => {
  const { baton, json } = stage();
  const { stdout: help } = await baton(['create', '--help']);
  expect(help.replace(/\s+/g, ' ')).toContain('or Markdown, all of which becomes the body');
  const { handoff: created } = await json<{ handoff: { content: Record<string, string> } }>(['create', '-'], {
    input: '# Login form\n\nTwo fields.\n\n## Decisions\n\n- No captcha\n',
  });
  expect(created.content).toMatchObject({
    title: 'Login form',
    summary: 'Login form',
    body: '# Login form\n\nTwo fields.\n\n## Decisions\n\n- No captcha\n',
    decisions: [],
  });
});

verifies(
  ['CLI.identity', 'CLI.review', 'LIFE.review'],
  'a flag names the agent, else BATON_AGENT, else a person acts',
  async () => {
    const { json } = stage();
    const create = ['create', '--summary', 'x'];
    type Created = { handoff: { content: { source_agent: string }; delivery: { state: string } } };
    const environment = { BATON_AGENT: 'codex' };
    expect((await json<Created>([...create, '--as', 'cursor'], { environment })).handoff.content.source_agent).toBe(
      'cursor',
    );
    expect((await json<Created>(create, { environment })).handoff.content.source_agent).toBe('codex');
    const { actor } = await json<{ actor: { type: string } }>(['status']);
    expect(actor.type).toBe('person');
    expect((await json<Created>(create)).handoff.delivery.state).toBe('open');
    const always = { BATON_REVIEW: 'always' };
    expect((await json<Created>(create, { environment: always })).handoff.delivery.state).toBe('draft');
    const never = { input: transcript, environment: { BATON_REVIEW: 'never' } };
    expect((await json<Created>(['import', '-'], never)).handoff.delivery.state).toBe('open');
  },
);

verifies(['CLI.way'], 'the same conversation imported twice is one handoff', async () => {
  const { json } = stage();
  const first = await json<{ handoff: { id: string }; existing: boolean }>(['import', '-'], { input: transcript });
  const second = await json<{ handoff: { id: string }; existing: boolean }>(['import', '-'], { input: transcript });
  expect(first.existing).toBe(false);
  expect(second).toMatchObject({ existing: true, handoff: { id: first.handoff.id } });
});

verifies(
  ['CLI.colours', 'CLI.hostile-text'],
  'no escape of a handoff reaches the terminal, and a pipe gets no colours',
  async () => {
    const { baton, json } = stage();
    const hostile = 'Harmless\rEvil\u001b[2J\u001b]8;;http://evil.example\u0007click\u202e';
    const {
      handoff: { id },
    } = await json(['create', '--summary', hostile, '--title', hostile, '--decision', hostile, '--next', hostile]);
    expect((await json<{ handoff: { content: { title: string } } }>(['show', id])).handoff.content.title).toBe(
      showHidden(hostile),
    );
    for (const words of [
      ['list'],
      ['list', '--json'],
      ['show', id],
      ['status'],
      ['render', id],
      ['log', id],
      ['claim'],
    ]) {
      const { stdout, stderr } = await baton(words, { environment: { FORCE_COLOR: undefined } });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      expect(`${stdout}${stderr}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }
  },
);

verifies(['CLI.help'], 'every command has a help page with examples', async () => {
  const { baton } = stage(false);
  const first = await baton(['--help']);
  expect(first.stdout).toMatch(/\nStart:\n[\s\S]*\nHand over:\n[\s\S]*\nTake over:\n[\s\S]*baton help all/);
  expect(first.stdout.match(/^ {2}[a-z]/gm)?.length).toBeLessThanOrEqual(12);
  const all = await baton(['help', 'all']);
  expect(all.code).toBe(0);
  for (const { name, examples } of commands) {
    expect(all.stdout).toContain(`\n  ${name.split(' ')[0]}`);
    expect(examples.length).toBeGreaterThan(0);
  }
  const { stdout, code } = await baton(['claim', '--help']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/Usage: baton claim[\s\S]*--wait[\s\S]*Examples:\n {2}baton claim/);
});

verifies(['CLI.help'], 'the help of the review has its commands and an example, within the width', async () => {
  const { baton } = stage(false);
  for (const words of [
    ['review', '--help'],
    ['help', 'review'],
  ]) {
    const { stdout } = await baton(words, { environment: { COLUMNS: '50' } });
    expect(stdout).toMatch(/\n {2}r {2}remove ID… +remove items\n[\s\S]*\nExamples:\n {2}baton review\n/);
    expect(stdout.split('\n').filter((line) => line.length > 50)).toEqual([]);
  }
  expect((await baton(['claim', '--help'])).stdout).not.toContain('Commands of the review');
});

verifies(['CLI.help'], 'no line of a help page is wider than the terminal', () => {
  const columns = process.stdout.columns;
  try {
    for (const width of [40, 60, 80]) {
      Object.assign(process.stdout, { columns: width });
      let help = '';
      const writeOut = (text: string) => {
        help += text;
      };
      const program = createProgram({ writeOut, showsAll: true });
      addCommands(program, { commands, locals: [hook], run: async () => {}, readStandardInput: async () => '' });
      const pages = [program, ...program.commands, ...program.commands.flatMap((each) => each.commands)];
      for (const page of pages) page.outputHelp();
      expect(help.split('\n').filter((line) => line.length > width)).toEqual([]);
      if (width === 40) expect(help).toContain('create --summary \\\n    "Finish the login form" --next \\\n');
    }
  } finally {
    Object.assign(process.stdout, { columns });
  }
});

verifies(['CLI.own-options'], 'no option of a command has the name of one that every command takes', () => {
  const { signal } = new AbortController();
  const own = [...commands, createReviewCommand(signal), createStudioCommand(signal), hook];
  const program = createProgram({ writeOut: () => {}, showsAll: true });
  const names = (flags: string) => flags.match(/--?[a-z][\w-]*/gi) ?? [];
  const taken = new Set([...program.options.flatMap(({ flags }) => names(flags)), '-h', '--help']);
  expect([...taken]).toEqual(
    expect.arrayContaining(['--json', '--cwd', '--store', '--as', '--key', '-V', '--version']),
  );
  const shared = own.flatMap(({ name, options = [] }) =>
    options.flatMap(({ flags }) => names(flags).flatMap((option) => (taken.has(option) ? [`${name} ${option}`] : []))),
  );
  expect(shared).toEqual([]);
});

verifies(['CLI.own-options', 'EXCHANGE.source-2'], 'the form of an export is chosen, for every actor', async () => {
  const { baton, json, folder } = stage();
  const {
    handoff: { id },
  } = await json(['create', '--summary', 'x', '--as', 'codex']);
  const { stdout, code } = await baton(['export', id, '--form', 'record', '--as', 'codex', '--to', 'out']);
  expect({ stdout, code }).toEqual({ stdout: `out/handoffs/${id}.json\n`, code: 0 });
  expect(JSON.parse(readFileSync(`${folder}/out/handoffs/${id}.json`, 'utf8'))).toMatchObject({ id });
});

verifies(['CLI.completion'], 'completion names every command for three shells', async () => {
  const { baton } = stage(false);
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout, code } = await baton(['completion', shell]);
    expect(code).toBe(0);
    for (const word of commands.flatMap(({ name }) => name.split(' '))) expect(stdout).toContain(word);
  }
});

verifies(['CLI.configuration'], 'a wrong setting is refused by name, and a right one holds', async () => {
  const opened = stage();
  const { baton, json } = opened;
  const wrong = await baton(['list'], { environment: { BATON_REVIEW: 'reveiw' } });
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('review') });
  await writeTrusted(opened, { project: 'tidepool', agent: 'from-file' });
  expect(await json(['status'])).toMatchObject({ project: 'tidepool', actor: { name: 'from-file' } });
  const environment = { BATON_AGENT: 'from-environment' };
  expect(await json(['status'], { environment })).toMatchObject({ actor: { name: 'from-environment' } });
  expect(await json(['status', '--as', 'from-flag'], { environment })).toMatchObject({ actor: { name: 'from-flag' } });
});

verifies(['CLI.errors'], 'a duration without a unit is refused', () => {
  expect(parseDuration('1.5h')).toBe(5_400_000);
  expect(() => parseDuration('15')).toThrow(/not a duration/);
});
