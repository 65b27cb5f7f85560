import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';
import { verifies } from '../verifies.ts';
import { createClaudeCode, type HostOptions } from './claude-code.ts';
import { hostRules } from './claude-code-rules.ts';

let folder = '';
let project = '';
let home = '';

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'baton-host-')));
  project = join(folder, 'project');
  home = join(folder, 'home');
  await mkdir(join(project, '.claude'), { recursive: true });
  await mkdir(join(home, '.claude'), { recursive: true });
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const host = (options: Partial<HostOptions> = {}) =>
  createClaudeCode({ project, home, environment: { PATH: process.env.PATH }, ...options });

interface Registration {
  event?: string;
  matcher?: string;
  timeout?: number;
}

/** Registers a script of Node's as a hook; the payload is `payload` in it. */
async function register(script: string, { event = 'SessionStart', matcher, timeout }: Registration = {}) {
  const text = `const payload = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));\n${script}`;
  await writeFile(join(project, 'hook.cjs'), text);
  const hook = { type: 'command', command: process.execPath, args: [`${'$'}{CLAUDE_PROJECT_DIR}/hook.cjs`], timeout };
  await writeSettings({ hooks: { [event]: [{ matcher, hooks: [hook] }] } });
}

const writeSettings = (settings: unknown, path = join(project, '.claude', 'settings.json')) =>
  writeFile(path, typeof settings === 'string' ? settings : JSON.stringify(settings));

const additional = (text: string, event = 'SessionStart') =>
  `{ hookSpecificOutput: { hookEventName: '${event}', additionalContext: ${text} } }`;
const print = (value: string) => `console.log(JSON.stringify(${value}));`;

interface Row {
  type: string;
  uuid: string;
  parentUuid: string | null;
  attachment?: Record<string, unknown>;
}

async function rows(path: string): Promise<Row[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

const attachments = async (path: string) => (await rows(path)).flatMap(({ attachment }) => attachment ?? []);

describe('the simulated Claude Code', () => {
  verifies(['HOST.runs-hooks'], 'gives a hook payload, folder and environment, and records its text', async () => {
    const answer = 'JSON.stringify([payload, process.cwd(), process.env])';
    await register(print(additional(answer)), { matcher: 'startup|resume' });
    const code = host({ environment: { PATH: process.env.PATH, OTEL_EXPORTER: 'x' } });
    const [text = ''] = await code.startSession();
    const [payload, cwd, environment] = JSON.parse(text);
    expect(payload).toEqual({
      session_id: code.session_id,
      transcript_path: code.transcript_path,
      cwd: project,
      permission_mode: 'default',
      hook_event_name: 'SessionStart',
      source: 'startup',
      model: 'claude-sonnet-4-5',
    });
    expect(cwd).toBe(project);
    expect(environment).toMatchObject({
      HOME: home,
      CLAUDE_PROJECT_DIR: project,
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      CLAUDE_PID: String(process.pid),
    });
    expect(environment.OTEL_EXPORTER).toBeUndefined();
    expect(
      code.transcript_path.startsWith(join(home, '.claude', 'projects', project.replace(/[^A-Za-z0-9]/g, '-'))),
    ).toBe(true);
    expect(await attachments(code.transcript_path)).toMatchObject([
      { type: 'hook_success', hookName: 'SessionStart:startup', content: '', exitCode: 0, stdout: code.ran[0]?.stdout },
      { type: 'hook_additional_context', content: [text], hookEvent: 'SessionStart' },
    ]);
  });

  verifies(['HOST.runs-hooks'], 'runs what the three settings files register, each once, by its matcher', async () => {
    const shell = (text: string, matcher?: string) => ({
      hooks: { SessionStart: [{ matcher, hooks: [{ type: 'command', command: `echo ${text}` }] }] },
    });
    await writeSettings(shell('"$CLAUDE_PROJECT_DIR"'));
    await writeSettings(shell('local', 'resume|clear'), join(project, '.claude', 'settings.local.json'));
    await writeSettings(shell('"$CLAUDE_PROJECT_DIR"', 'startup'), join(home, '.claude', 'settings.json'));
    const code = host();
    expect(await code.startSession({ interactive: false })).toEqual([project]);
    expect(await code.clear()).toEqual([project, 'local']);
    expect(await code.compact()).toEqual([project]);
    await writeSettings({ disableAllHooks: true });
    expect(await code.clear()).toEqual([]);
    await writeSettings('{ broken', join(project, '.claude', 'settings.local.json'));
    await writeSettings('');
    expect(await code.startSession()).toEqual([project]);
  });

  verifies(
    ['HOST.runs-hooks'],
    "gives each event its own fields, and keeps a session's rows in one chain",
    async () => {
      const events = ['SessionStart', 'Stop', 'SubagentStop', 'PreCompact', 'SessionEnd'];
      const hook = { type: 'command', command: 'cat > /dev/null' };
      await writeSettings({ hooks: Object.fromEntries(events.map((event) => [event, [{ hooks: [hook] }]])) });
      const code = host();
      await code.startSession();
      code.say('user', 'Count the tides.');
      code.useTool('Bash', { command: 'ls' }, { text: 'a.ts' });
      code.say('assistant', 'Four.');
      await code.stop();
      await code.subagentStop('Explore', 'Found it.');
      await code.compact('manual');
      await code.endSession('logout');
      expect(
        code.ran.map(({ payload: { hook_event_name, session_id, transcript_path, ...fields } }) => fields),
      ).toMatchObject([
        { source: 'startup' },
        { stop_hook_active: false, last_assistant_message: 'Four.' },
        { agent_type: 'Explore', last_assistant_message: 'Found it.' },
        { trigger: 'manual', custom_instructions: '' },
        { source: 'compact' },
        { reason: 'logout' },
      ]);
      const written = await rows(code.transcript_path);
      expect(written.map(({ parentUuid }) => parentUuid)).toEqual([
        null,
        ...written.slice(0, -1).map(({ uuid }) => uuid),
      ]);
      const { messages, session } = await readTranscript({ path: code.transcript_path });
      expect(session).toBe(code.session_id);
      expect(messages.map(({ text }) => text)).toEqual([
        'Count the tides.',
        '',
        'Four.',
        'This session is being continued from a previous conversation.',
      ]);
      const agent = code.ran[2]?.payload.agent_transcript_path as string;
      expect(await rows(agent)).toMatchObject([{ isSidechain: true, sessionId: code.session_id }]);
      const resumed = host();
      await resumed.startSession({ source: 'resume', session: code.session_id });
      expect((await rows(resumed.transcript_path)).at(written.length)?.parentUuid).toBe(written.at(-1)?.uuid);
    },
  );

  verifies(['HOST.runs-hooks'], 'writes the rows of hooks late where it lags', async () => {
    await writeSettings({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'echo fact' }] }] } });
    const code = host({ lags: true });
    expect(await code.startSession()).toEqual(['fact']);
    expect(await rows(code.transcript_path)).toEqual([]);
    code.say('user', 'Hello.');
    expect((await rows(code.transcript_path)).map(({ type }) => type)).toEqual(['attachment', 'user']);
  });

  verifies(['HOST.judges-output'], 'takes plain text at a start alone', async () => {
    const hook = { type: 'command', command: 'echo; echo fact; echo' };
    await writeSettings({ hooks: { SessionStart: [{ hooks: [hook] }], Stop: [{ hooks: [hook] }] } });
    const code = host();
    expect(await code.startSession()).toEqual(['fact']);
    expect((await code.stop()).context).toEqual([]);
    expect(await attachments(code.transcript_path)).toMatchObject([
      { type: 'hook_success', content: 'fact', stdout: '\nfact\n\n' },
      { type: 'hook_success', hookName: 'Stop' },
    ]);
  });

  verifies(['HOST.judges-output'], 'drops JSON that is broken or names no event or another', async () => {
    const outputs = {
      'not JSON': `console.log('{ "hookSpecificOutput": ');`,
      "not the host's form: hookSpecificOutput.hookEventName": print(
        `{ hookSpecificOutput: { additionalContext: 'x' } }`,
      ),
      'of another event: Stop': print(additional(`'x'`, 'Stop')),
      'not JSON ': `console.log('{}'); console.log('{}');`,
    };
    for (const [reason, script] of Object.entries(outputs)) {
      await register(script);
      const code = host();
      expect(await code.startSession()).toEqual([]);
      expect(code.ran[0]).toMatchObject({ dropped: reason.trim(), exit_code: 0 });
      expect(await attachments(code.transcript_path)).toMatchObject([{ type: 'hook_success', content: '' }]);
    }
  });

  verifies(['HOST.judges-output'], 'shows a stub of what is too long and saves the whole', async () => {
    const most = hostRules.context_characters_max;
    await register(print(additional(`'x'.repeat(${most})`)));
    expect(await host().startSession()).toEqual(['x'.repeat(most)]);
    for (const script of [print(additional(`'x'.repeat(${most + 1})`)), `console.log('x'.repeat(${most + 1}));`]) {
      await register(script);
      const code = host();
      const [stub = ''] = await code.startSession();
      expect(stub).toMatch(/^<persisted-output>\nOutput too large \(9\.8KB\)/);
      expect(stub.length).toBeLessThan(3_000);
      const kept = code.transcript_path.replace(/\.jsonl$/, '/tool-results');
      const [name = ''] = await readdir(kept);
      expect(stub).toContain(join(kept, name));
      expect(await readFile(join(kept, name), 'utf8')).toBe('x'.repeat(most + 1));
      expect(JSON.stringify(await attachments(code.transcript_path))).toContain('persisted-output');
    }
  });

  verifies(
    ['HOST.judges-output'],
    'is stopped by exit code 2 or a decision where the event can be stopped',
    async () => {
      const refuse = `console.error('not yet'); process.exitCode = 2;`;
      await register(refuse, { event: 'PreCompact' });
      const code = host();
      await code.startSession();
      expect(await code.preCompact('auto')).toEqual({ context: [], blocked: ['not yet\n'] });
      expect(await code.compact()).toEqual([]);
      expect((await attachments(code.transcript_path))[0]).toMatchObject({
        type: 'hook_blocking_error',
        blockingError: { blockingError: 'not yet\n' },
      });
      await register(print(`{ decision: 'block', reason: 'go on' }`), { event: 'Stop' });
      expect((await code.stop()).blocked).toEqual(['go on']);
      for (const exit of ['process.exitCode = 2', 'process.exitCode = 1']) {
        await register(`console.log('x'); ${exit}`);
        const other = host();
        expect(await other.startSession()).toEqual([]);
        expect(await attachments(other.transcript_path)).toMatchObject([
          { type: 'hook_non_blocking_error', stdout: 'x\n' },
        ]);
      }
    },
  );

  verifies(['HOST.judges-output'], 'kills a hook that never ends, and names a command that is not there', async () => {
    await register(`console.log('fact'); setInterval(() => undefined, 1_000);`, { timeout: 0.2 });
    const code = host();
    expect(await code.startSession()).toEqual([]);
    expect(code.ran[0]?.timed_out).toBe(true);
    expect(await attachments(code.transcript_path)).toMatchObject([{ type: 'hook_cancelled', timedOut: true }]);
    await writeSettings({
      hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'no-such-command', args: [] }] }] },
    });
    const other = host();
    expect(await other.startSession()).toEqual([]);
    expect(other.ran[0]).toMatchObject({ exit_code: null, timed_out: false });
    expect(other.ran[0]?.stderr).toContain('ENOENT');
  });

  verifies(['HOST.judges-output'], 'gives the hooks of an end their own short time', async () => {
    await register('setInterval(() => undefined, 1_000);', { event: 'SessionEnd' });
    const code = host({ environment: { PATH: process.env.PATH, CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS: '100' } });
    await code.startSession();
    await code.endSession();
    expect(code.ran[0]?.timed_out).toBe(true);
    expect(hostRules.events.SessionEnd.timeout_ms).toBe(1_500);
  });
});
