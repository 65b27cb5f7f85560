import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import type { Handoff, HandoffEvent } from '../../packages/batonpass/src/index.ts';
import { createHookSettings } from '../../packages/batonpass/src/workspace/hosts/host-hooks.ts';
import { HostSessions } from '../../packages/batonpass/src/workspace/hosts/host-sessions.ts';
import { openStage, program, type Stage } from '../doors/stage.ts';
import { verifies } from '../verifies.ts';
import { listProcessesIn } from '../working-processes.ts';
import { type ClaudeCode, createClaudeCode } from './claude-code.ts';

/** The host's sessions from end to end: real hooks in real processes, as `baton init` registers them. */

let stage: Stage;

beforeEach(() => {
  stage = openStage({ git: true });
  const hook = [process.execPath, program];
  const hooks = createHookSettings({ kind: 'global', hook, server: hook, reason: 'a test' });
  mkdirSync(join(stage.folder, '.claude'));
  writeFileSync(join(stage.folder, '.claude/settings.json'), JSON.stringify({ hooks }));
});

afterEach(async () => {
  await saved();
  stage.close();
});

function host(options: { lags?: boolean } = {}): ClaudeCode {
  const { folder, environment } = stage;
  return createClaudeCode({ project: folder, home: environment.HOME ?? '', environment, ...options });
}

/**
 * Until no save waits or is being made: the workers that hooks started have ended. A lock alone says nothing: a worker
 * that is killed after its save leaves it behind.
 */
async function saved(): Promise<void> {
  const folder = join(stage.folder, '.git/baton/sessions');
  const isBusy = () => existsSync(folder) && readdirSync(folder).some((file) => /\.(job|work)\.json$/.test(file));
  while (isBusy() || listWorkers(stage.folder).length > 0) await pause(5);
}

/** The workers that were started in a folder and still run: each leaves its last word after its save. */
const listWorkers = (folder: string) => listProcessesIn(folder).filter((process) => process.includes(' hook work'));

const list = async (...words: string[]) => (await stage.json<{ handoffs: Handoff[] }>(['list', ...words])).handoffs;

async function logOf(id: string): Promise<HandoffEvent[]> {
  return (await stage.json<{ events: HandoffEvent[] }>(['log', id])).events;
}

/** A session in which something is decided and done. */
function work(code: ClaudeCode): void {
  code.say('user', 'The upload fails at 10 MB. We will use multipart uploads, not one big request.');
  code.useTool('Edit', { file_path: join(stage.folder, 'src/upload.ts'), old_string: 'a', new_string: 'b' });
  code.say('assistant', 'Done. One risk: the parts could be lost if the process dies before the last one.');
}

verifies(
  ['HOOK.save', 'HOOK.output', 'LIFE.injected', 'HOOK.log'],
  'a session hands over by itself, and the next one starts with it, provably',
  async () => {
    const first = host();
    expect(await first.startSession()).toEqual([]);
    first.say('user', 'The upload fails at 10 MB. We will use multipart uploads, not one big request.');
    await first.stop();
    await saved();
    expect((await list('--state', 'open')).map(({ content }) => content.origin?.trigger)).toEqual(['Stop']);
    work(first);
    await first.subagentStop('Explore', 'The limit stands in src/server.ts.');
    await first.stop();
    await first.endSession();

    const second = host();
    const [text = '', ...others] = await second.startSession();
    expect(others).toEqual([]);
    expect(text).toMatch(/multipart uploads/);
    expect(text.length).toBeLessThanOrEqual(10_000);
    const [claimed, ...rest] = await list();
    expect(rest.every(({ delivery }) => delivery.state === 'withdrawn')).toBe(true);
    const id = claimed?.id ?? '';
    expect(text).toContain(id);

    second.say('user', 'Go on.');
    await second.stop();
    await saved();
    const events = await logOf(id);
    expect(events.map(({ name }) => name)).toEqual(['handoff-created', 'handoff-claimed', 'handoff-injected']);
    expect(events.at(-1)).toMatchObject({
      actor: { name: 'claude-code', type: 'hook' },
      details: { session: second.session_id, row: 'hook_additional_context' },
    });
    const { stdout } = await stage.baton(['log', id]);
    expect(stdout).toMatch(/injected/);
    const shown = (await stage.baton(['show', id])).stdout.replace(/\s+/g, ' ');
    expect(shown).toMatch(/Saved by claude-code at its \w+; no person has reviewed it/);
    expect(shown).toContain(`Shown by the transcript of session ${second.session_id}`);
    expect((await stage.baton(['list'])).stdout).toMatch(/claude-code, unreviewed/);
    for (const { stdout: printed, exit_code, dropped } of [...first.ran, ...second.ran]) {
      expect([exit_code, dropped]).toEqual([0, undefined]);
      const { hookSpecificOutput, systemMessage } = printed === '' ? {} : JSON.parse(printed);
      expect(hookSpecificOutput?.hookEventName ?? 'SessionStart').toBe('SessionStart');
      expect(systemMessage ?? 'Baton: ').toMatch(/^Baton: /);
    }
  },
);

verifies(['HOOK.compact', 'LIFE.injected'], 'a compacted session continues with its results', async () => {
  const code = host();
  await code.startSession();
  work(code);
  const [text = ''] = await code.compact();
  expect(text).toMatch(/multipart uploads/);
  code.say('user', 'Now the tests, please. They must not need the network.');
  await code.stop();
  await saved();
  const [newest, first] = await list();
  expect(first?.delivery).toMatchObject({ state: 'acknowledged', injected: { session: code.session_id } });
  expect(newest?.delivery.state).toBe('open');
  expect(JSON.stringify(newest?.content)).toMatch(/multipart[\s\S]*network/);
});

verifies(
  ['CARRY.fading'],
  'what rules found is handed on by two sessions that did not touch it, not by a third',
  async () => {
    const found: boolean[] = [];
    for (const topic of ['parts', 'the search', 'the invoices', 'the login', 'the menu']) {
      const code = host();
      await code.startSession();
      if (topic === 'parts') work(code);
      else code.say('user', `Please rework ${topic} now: we will keep it in one module, and write tests for it first.`);
      code.say('assistant', `I have reworked ${topic} and its tests pass.`);
      await code.stop();
      await code.endSession();
      await saved();
      const [newest] = await list('--state', 'open');
      found.push(JSON.stringify(newest?.content.decisions).includes('multipart'));
    }
    expect(found).toEqual([true, true, true, false, false]);
  },
);

verifies(['LIFE.injected'], 'rows that the host writes late prove as well, a clear hands over too', async () => {
  const code = host({ lags: true });
  await code.startSession();
  work(code);
  const [text = ''] = await code.clear();
  expect(text).toMatch(/multipart uploads/);
  const [handed] = await list();
  expect(handed?.delivery.state).toBe('claimed');
  code.say('user', 'hi');
  expect((await list())[0]?.delivery).toMatchObject({ state: 'acknowledged', injected: { session: code.session_id } });
});

verifies(['HOOK.interactive'], 'a session of the SDK neither takes the handoff nor hides it', async () => {
  const first = host();
  await first.startSession();
  work(first);
  await first.endSession();
  const headless = host();
  expect(await headless.startSession({ interactive: false })).toEqual([]);
  headless.say('user', 'Write a commit message for the staged changes, in one line, and nothing else but that.');
  await headless.endSession();
  expect((await host().startSession())[0]).toMatch(/multipart uploads/);
});

verifies(
  ['HOOK.harmless'],
  'a hook without a payload, with a wrong one or of an unknown event does no harm',
  async () => {
    const cases: [string[], string][] = [
      [['hook', 'SessionStart'], ''],
      [['hook', 'Stop'], '{"session_id":'],
      [['hook', 'Stop'], '[]'],
      [['hook', 'Notification'], JSON.stringify({ session_id: 's', cwd: stage.folder })],
      [['hook'], '{}'],
      [['hook', 'SessionStart'], JSON.stringify({ session_id: 's', cwd: join(stage.folder, 'nowhere') })],
      [
        ['hook', 'SessionEnd'],
        JSON.stringify({ session_id: '../../x', transcript_path: '/dev/zero', cwd: stage.folder }),
      ],
    ];
    for (const [words, input] of cases) {
      const { code, stdout } = await stage.baton(words, { input });
      expect([words, input, code, stdout]).toEqual([words, input, 0, '']);
    }
    await saved();
    const word = readFileSync(join(stage.environment.XDG_STATE_HOME ?? '', 'baton/hooks.jsonl'), 'utf8');
    expect(word).toMatch(/"error":{"code":"file_not_found"/);
    expect(readdirSync(join(stage.folder, '.git')).includes('x.session.json')).toBe(false);
    expect((await stage.baton(['hook', 'Stop', '--nonsense'], { input: '{}' })).code).toBe(1);
  },
);

verifies(
  ['HOOK.save'],
  'a session that goes into another repository is saved in its project, one in a work tree there',
  async () => {
    const other = openStage({ git: true });
    try {
      const code = host().openSession();
      work(code);
      const stop = (cwd: string) =>
        stage.baton(['hook', 'Stop'], {
          input: JSON.stringify({ session_id: code.session_id, transcript_path: code.transcript_path, cwd }),
          environment: { CLAUDE_PROJECT_DIR: stage.folder },
          // The worker inherits its folder too, and must not go by it.
          folder: cwd,
        });
      await stop(other.folder);
      await saved();
      expect((await list('--state', 'open')).length).toBe(1);
      expect(existsSync(join(other.folder, '.git/baton/baton.db'))).toBe(false);

      const tree = join(other.folder, 'tree');
      stage.git('worktree', 'add', '--quiet', '-b', 'aside', tree);
      code.say('user', 'In this work tree we will try the other way, never on main.');
      await stop(tree);
      await saved();
      expect((await list('--state', 'open')).map(({ content }) => content.origin?.branch)).toEqual(['aside']);
    } finally {
      other.close();
    }
  },
);

describe('killed', () => {
  /** Runs a hook by hand and kills it after some milliseconds, at any step. */
  async function killed(code: ClaudeCode, event: string, after_ms: number, fields: object): Promise<void> {
    const child: ChildProcess = spawn(process.execPath, [program, 'hook', event], {
      cwd: stage.folder,
      env: { ...stage.environment, CLAUDE_PROJECT_DIR: stage.folder, CLAUDE_PID: String(process.pid) },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.stdin?.on('error', () => {});
    const { session_id, transcript_path } = code;
    child.stdin?.end(JSON.stringify({ session_id, transcript_path, cwd: stage.folder, ...fields }));
    await Promise.race([ended, pause(after_ms)]);
    child.kill('SIGKILL');
    await ended;
  }

  // Spread over what a hook takes, from before its first line to after its last; `npm run soak -- killed-hooks` takes more.
  const between_ms = Number(process.env.BATON_HOOK_KILLS_BETWEEN_MS ?? 25);
  const moments_ms = Array.from({ length: Math.floor(125 / between_ms) + 1 }, (_, at) => at * between_ms);

  verifies(
    ['HOOK.killed', 'HOOK.release'],
    'whenever the start of a session is killed, the handoff goes to the next one',
    async () => {
      const first = host();
      await first.startSession();
      work(first);
      await first.endSession();
      await saved();
      const [handoff] = await list();
      for (const after_ms of moments_ms) {
        const code = host();
        await killed(code.openSession(), 'SessionStart', after_ms, { source: 'startup' });
        await code.endSession();
        await saved();
        const shown = await stage.json<{ handoff: Handoff }>(['show', handoff?.id ?? '']);
        const { delivery } = shown.handoff;
        expect([after_ms, delivery.state, delivery.attempts]).toEqual([after_ms, 'open', 0]);
      }
      expect((await host().startSession())[0]).toContain(handoff?.id);
    },
    moments_ms.length * 20_000,
  );

  verifies(
    ['HOOK.killed', 'HOOK.quick'],
    'whenever the end of a session is killed, the next start still finds its results',
    async () => {
      for (const after_ms of moments_ms) {
        const code = host();
        await code.startSession();
        code.say('user', `We will use way ${after_ms} of uploading, not the other one.`);
        await code.stop();
        code.say('user', `And the limit for it must be ${after_ms} MB, never more than that.`);
        await killed(code, 'SessionEnd', after_ms, { reason: 'other' });
        // Whether the end was noted or not: the host is at another session now, and that one asks for the save.
        const [text = ''] = await host().startSession();
        expect([after_ms, text.includes(`${after_ms} MB`)]).toEqual([after_ms, true]);
      }
    },
    moments_ms.length * 20_000,
  );

  verifies(['HOOK.killed'], 'what was said within a tick of the last event is found too', async () => {
    const code = host();
    await code.startSession();
    code.say('user', 'We will use SQLite for the uploads, not Redis.');
    await code.stop();
    await saved();
    code.say('user', 'And the limit for it must be 77 MB, never more than that.');
    const [known] = new HostSessions(join(stage.folder, '.git/baton/sessions')).list();
    const written = new Date(Date.parse(known?.seen_at ?? '') - 5);
    utimesSync(code.transcript_path, written, written);
    expect((await host().startSession())[0]).toContain('77 MB');
  });

  verifies(
    ['HOOK.killed', 'HOOK.quick'],
    'whenever the worker is killed, its job is still there, and the session is saved once',
    async () => {
      const sessions = new HostSessions(join(stage.folder, '.git/baton/sessions'));
      const now = new Date().toISOString();
      for (const after_ms of moments_ms) {
        const code = host().openSession();
        code.say('user', `We will use way ${after_ms} of uploading, not the other one.`);
        const { session_id: session, transcript_path: transcript } = code;
        const facts = { host: 'claude-code', session, transcript, interactive: true, root: stage.folder };
        sessions.writeJob({ ...facts, branch: 'main', event: 'SessionEnd', asked_at: now, ended: true });
        await killed(code, 'work', after_ms, {});
        expect((await stage.baton(['hook', 'work'])).code).toBe(0);
        const open = (await list('--state', 'open')).filter(({ content }) => content.origin?.session === session);
        expect([after_ms, open.length]).toEqual([after_ms, 1]);
      }
    },
    moments_ms.length * 20_000,
  );
});
