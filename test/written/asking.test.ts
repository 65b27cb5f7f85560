import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Handoff } from '../../packages/batonpass/src/index.ts';
import { assertTrustable } from '../../packages/batonpass/src/workspace/configuration.ts';
import { question, questionSha256 } from '../../packages/batonpass/src/written/question.ts';
import { verifies } from '../verifies.ts';
import { at, calls, choose, converse, list, play, settled, stage, standIn, useStage } from './asking-stage.ts';
import { goodAnswer } from './session.ts';

useStage();

verifies(['ASKING.host'], 'what the agent writes replaces what rules saved, with its cost', async () => {
  await play();
  const [written, ...others] = await list('open');
  expect(others).toEqual([]);
  expect(written?.content).toMatchObject({
    title: goodAnswer.title,
    origin: {
      trigger: 'SessionEnd',
      extractor: 'claude-code/a-model',
      asked: { question_sha256: questionSha256, model: 'a-model', input_tokens: 100, output_tokens: 7 },
    },
  });
  const [replaced] = await list('withdrawn');
  expect(written?.content.supersedes_id).toBe(replaced?.id);
  expect(replaced?.content.origin?.asked).toBeUndefined();
});

verifies(['ASKING.closed'], 'the host is started for one answer, with nothing of the repository', async () => {
  await play();
  const [call, ...more] = calls();
  expect(more).toEqual([]);
  expect(call?.asked).toBe(question);
  expect(call?.cwd).toBe(stage.project);
  const { words = [] } = call ?? {};
  const session = words[2] ?? '';
  expect(words.slice(0, -1)).toEqual([
    ...['-p', '--resume', session, '--fork-session', '--no-session-persistence', '--safe-mode'],
    ...['--setting-sources', 'user', '--strict-mcp-config', '--tools', '', '--output-format', 'json', '--json-schema'],
  ]);
  expect(JSON.parse(words.at(-1) ?? '')).toMatchObject({ additionalProperties: false, type: 'object' });
  expect(readdirSync(at('tmp')).filter((name) => name.startsWith('baton-'))).toEqual([]);
});

verifies(['ASKING.environment'], 'variables that a repository can set do not reach it, nor its programs', async () => {
  mkdirSync(join(stage.project, 'node_modules/.bin'), { recursive: true });
  standIn({}, 'project/node_modules/.bin/claude');
  const trap = 'http://127.0.0.1:9';
  writeFileSync(join(stage.project, '.env'), `ANTHROPIC_BASE_URL=${trap}\n`);
  const { PATH } = stage.environment;
  stage.environment = {
    ...stage.environment,
    PATH: `${join(stage.project, 'node_modules/.bin')}:${PATH}`,
    ANTHROPIC_BASE_URL: trap,
    ANTHROPIC_API_KEY: 'stolen',
    NODE_OPTIONS: '--no-warnings',
    HTTPS_PROXY: trap,
    CLAUDE_CODE_USE_BEDROCK: '1',
  };
  await play();
  expect(calls('project/node_modules/.bin/claude')).toEqual([]);
  const [call] = calls();
  const known = [
    'HOME',
    'PATH',
    'TMPDIR',
    'XDG_STATE_HOME',
    'BATON_ASKING',
    'DISABLE_AUTOUPDATER',
    'DISABLE_TELEMETRY',
  ];
  expect(Object.keys(call?.environment ?? {}).sort()).toEqual(known.sort());
  expect(JSON.stringify(call?.environment)).not.toContain('127.0.0.1');
});

describe.each(['settings.json', 'settings.local.json'])('a repository whose .claude/%s moves the home', (name) => {
  verifies(['ASKING.environment'], 'is not asked about at all', async () => {
    const path = join(stage.project, '.claude', name);
    const settings = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
    writeFileSync(path, JSON.stringify({ ...settings, env: { HOME: '/elsewhere' } }));
    await play();
    expect(calls()).toEqual([]);
    expect((await list('open')).map(({ content }) => content.origin?.extractor)).toEqual([undefined]);
  });
});

verifies(['ASKING.consent'], 'no agent is asked by default, nor because a repository wants it', async () => {
  choose('rules');
  writeFileSync(join(stage.project, 'baton.config.json'), JSON.stringify({ extractor: 'host' }));
  await play();
  expect(calls()).toEqual([]);
  expect(() => assertTrustable(stage.project, { extractor: 'host' })).toThrow(/lets the agents of sessions write/);
});

verifies(['ASKING.rest'], 'a host that is logged out is left alone for an hour', async () => {
  standIn({ is_error: true, result: 'Not logged in · Please run /login' }, 'bin/claude', 1);
  await play();
  await play();
  expect(calls()).toHaveLength(1);
  const open = await list('open');
  expect(open.length).toBeGreaterThan(0);
  expect(open.every(({ content }) => content.origin?.asked === undefined)).toBe(true);
});

verifies(['ASKING.kept'], 'a later save by rules keeps what the agent wrote, and adds what is new', async () => {
  const code = stage.startHost();
  await play(code);
  const [written] = await list('open');
  standIn({ is_error: true, result: 'Not logged in · Please run /login' }, 'bin/claude', 1);
  await code.startSession({ source: 'resume', session: code.session_id });
  await code.stop();
  await settled();
  // Nothing was said: what the agent wrote is there as it was.
  expect((await list('open')).map(({ id }) => id)).toEqual([written?.id]);
  code.say('user', 'We will use argon2 for the passwords, not bcrypt. Now add a test of the logout.');
  code.say('assistant', 'The passwords are hashed by argon2 now.');
  await code.endSession();
  await settled();
  const [again, ...others] = await list('open');
  expect(others).toEqual([]);
  expect(again?.content.supersedes_id).toBe(written?.id);
  expect(again?.content).toMatchObject({ title: goodAnswer.title, origin: { asked: written?.content.origin?.asked } });
  const texts = (content: Handoff['content'] | undefined) =>
    content?.decisions.map((decision) => decision.content) ?? [];
  expect(texts(again?.content)).toEqual(expect.arrayContaining(texts(written?.content)));
  expect(texts(written?.content).join()).not.toContain('argon2');
  expect(texts(again?.content).join()).toContain('argon2');
  expect(JSON.stringify(again?.content.where_it_stands)).toContain(goodAnswer.where_it_stands);
  expect(again?.content.briefs?.[0]?.brief).toContain('logout');
});

verifies(['ASKING.again'], 'a second answer after a compaction keeps what only the first one said', async () => {
  const item = (text: string, quote: string, kind = 'decision') => ({ kind, text, brief: text, by: 'person', quote });
  const endpoint = 'The old endpoint stays alive until March.';
  standIn({
    structured_output: {
      ...goodAnswer,
      items: [
        item(endpoint, 'keep the old endpoint alive until March'),
        item('Signed tokens of 15 minutes replace the sessions in Redis.', 'signed tokens of 15 minutes'),
        item('The lint is slow on this machine.', 'no such words', 'risk'),
        item('Add the limiter.', 'no such words', 'next'),
      ],
    },
  });
  const code = stage.startHost();
  await code.startSession();
  converse(code);
  await code.compact();
  await expect.poll(async () => (await list('open')).some(({ content }) => content.origin?.asked)).toBe(true);
  expect(calls()).toHaveLength(1);
  standIn({
    structured_output: {
      ...goodAnswer,
      title: 'Login and logout of the shop',
      instructions: [],
      items: [
        item('Tokens that are signed replace Redis sessions.', 'signed tokens of 15 minutes instead'),
        item('Passwords are hashed by argon2, not by bcrypt.', 'We will use argon2 for the passwords'),
        item('Test the logout.', 'Now add a test of the logout', 'next'),
      ],
      reversed: [{ was: 'The lint is slow on this machine', now: 'it was the disk' }],
    },
  });
  await code.prompt('We will use argon2 for the passwords, not bcrypt. Now add a test of the logout.');
  code.say('assistant', 'The passwords are hashed by argon2 now.');
  await code.endSession();
  const isLast = ({ content }: Handoff) => content.title === 'Login and logout of the shop';
  await expect.poll(async () => (await list('open')).some(isLast)).toBe(true);
  expect(calls()).toHaveLength(2);
  const [last, ...others] = await list('open');
  expect(others).toEqual([]);
  const { content } = last as Handoff;
  expect(content.title).toBe('Login and logout of the shop');
  expect(content.decisions.map((decision) => decision.content)).toEqual([
    'Tokens that are signed replace Redis sessions.',
    'Passwords are hashed by argon2, not by bcrypt.',
    endpoint,
  ]);
  expect(JSON.stringify(content.instructions)).toContain('Never store the e-mail in localStorage');
  expect(content.risks).toEqual([]);
  expect(content.next_steps).toEqual(['Test the logout.']);
  expect(content.briefs?.map(({ of }) => of)).toContain(endpoint);
});

verifies(['ASKING.recursion'], 'hooks of a host that is asked do nothing', async () => {
  stage.environment = { ...stage.environment, BATON_ASKING: '1' };
  const code = stage.startHost();
  expect(await code.startSession()).toEqual([]);
  code.say('user', 'We will use multipart uploads, not one big request, for all files.');
  await code.stop();
  const folder = join(stage.project, '.git/baton/sessions');
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  rmSync(join(stage.project, '.git/baton/hooks.jsonl'), { force: true });
});

verifies(
  ['ASKING.consent'],
  'one command turns it on and one off, and nothing else in the settings changes',
  async () => {
    const path = at('home/.config/baton/config.json');
    const read = () => JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ review: 'never', extractor: 'model' }));
    const set = (agent_writes: 'on' | 'off') => stage.run((baton) => baton.run('project.init', { agent_writes }));
    await set('on');
    expect(read()).toEqual({ review: 'never', extractor: 'host' });
    const { files, remarks } = await set('off');
    expect(read()).toEqual({ review: 'never' });
    expect({ files, remarks }).toEqual({
      files: [],
      remarks: ['Agents of sessions are no longer asked, in any of your projects.'],
    });
  },
);

verifies(['ASKING.rest'], 'doctor says what the day cost, and why nothing came back', async () => {
  standIn({ is_error: true, result: 'Claude usage limit reached' }, 'bin/claude', 1);
  await play();
  const { findings } = await stage.diagnose();
  // The sessions by which doctor tries the hooks belong to no user: only the program's version is asked for.
  expect(calls().filter(({ asked }) => asked !== '')).toHaveLength(1);
  const found = findings.filter(({ id }) => id.startsWith('agents-'));
  expect(found.map(({ id, level }) => [id, level])).toEqual([
    ['agents-asked', 'ok'],
    ['agents-not-asked', 'warning'],
  ]);
  expect(found[0]?.what).toContain('Today: 1 of 20 calls, 0 tokens read and 0 written.');
  expect(found[1]?.what).toContain('Claude usage limit reached');
});
