import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import { HandoffError, type OperationOutput, openBaton } from '../../packages/batonpass/src/index.ts';
import {
  type DiagnosisBounds,
  diagnosisBounds,
} from '../../packages/batonpass/src/operations/doctor/diagnose-bounds.ts';
import { examine, findingSchema } from '../../packages/batonpass/src/operations/doctor/diagnose-finding.ts';
import { diagnoseProject } from '../../packages/batonpass/src/operations/doctor/diagnose-project.ts';
import { isSupportedNode } from '../../packages/batonpass/src/workspace/hosts/node-version.ts';
import { type Diagnosis, HookStage, program } from '../hosts/hook-stage.ts';
import { verifies } from '../verifies.ts';
import { listProcessesIn, waitForProcessesIn } from '../working-processes.ts';

let folder = '';
let stage: HookStage;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'baton-diagnose-')));
  stage = new HookStage(folder);
  vi.stubEnv('TMPDIR', stage.environment.TMPDIR);
});

afterEach(() => {
  vi.unstubAllEnvs();
  waitForProcessesIn(folder);
  expect([listProcessesIn(folder), stage.listLeft()]).toEqual([[], []]);
  stage.remove();
});

type Finding = Diagnosis['findings'][number];

/** The diagnosis by the library in these surroundings: what no other process has to see. */
async function look(options: { now?: () => number } = {}): Promise<OperationOutput<'project.diagnose'>> {
  const { project, environment } = stage;
  const surroundings = options.now === undefined ? {} : { now: options.now };
  const baton = await openBaton({ cwd: project, environment, surroundings });
  try {
    return await baton.run('project.diagnose', {});
  } finally {
    await baton.close();
  }
}

/** The same, with other bounds: what hangs is waited for no longer than it takes to see that. */
async function lookWithin(bounds: Partial<DiagnosisBounds>): Promise<{ findings: Finding[] }> {
  const baton = await openBaton({ cwd: stage.project, environment: stage.environment });
  try {
    const context = { ...baton.context, signal: new AbortController().signal };
    return { findings: await diagnoseProject(context, { ...diagnosisBounds, ...bounds }) };
  } finally {
    await baton.close();
  }
}

const idsOf = ({ findings }: { findings: Finding[] }, level: Finding['level']) =>
  findings.filter((finding) => finding.level === level).map(({ id }) => id);
const find = ({ findings }: { findings: Finding[] }, id: Finding['id']) =>
  findings.find((finding) => finding.id === id);

/** Every file of a folder with its mode and bytes. */
function readTree(root: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true }).map(String).sort();
  return Object.fromEntries(
    entries.map((name) => {
      const path = join(root, name);
      const status = lstatSync(path);
      const text = status.isFile() ? readFileSync(path, 'base64') : '';
      return [name, `${status.mode.toString(8)} ${text}`];
    }),
  );
}

describe('a healthy installation', () => {
  verifies(['DOCTOR.runs', 'DOCTOR.harmless', 'DOCTOR.server'], 'is found well, and is as it was', async () => {
    await stage.register();
    stage.environment.BATON_STORE = `sqlite:${join(folder, 'state/own.db')}`;
    await stage.handOver();
    const before = [readTree(stage.project), readTree(join(folder, 'home')), readTree(join(folder, 'state'))];
    const diagnosis = await stage.diagnose();
    expect(diagnosis.findings.filter(({ level }) => level !== 'ok')).toEqual([]);
    expect(diagnosis).toMatchObject({ exit_code: 0, problems: 0, warnings: 0, root: stage.project });
    expect([readTree(stage.project), readTree(join(folder, 'home')), readTree(join(folder, 'state'))]).toEqual(before);

    const tried = diagnosis.findings.filter(({ id }) => id === 'hook-works');
    expect(tried.map(({ about }) => about)).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'PreCompact',
      'Stop',
      'SubagentStop',
      'SessionEnd',
    ]);
    for (const { figures } of tried) expect(figures?.took_ms).toBeGreaterThan(0);
    expect(tried[0]?.figures).toMatchObject({ tokens: expect.any(Number), characters: expect.any(Number) });
    expect(find(diagnosis, 'server-works')?.what).toMatch(/2025-11-25 and 2026-07-28: \d+ tools/);
    expect(find(diagnosis, 'server-works')?.figures?.tokens).toBeLessThan(2_000);
  });

  verifies(
    ['DOCTOR.runs'],
    'is found well with hooks for a shell of one user, and printed as a line for each check',
    async () => {
      await stage.register();
      const settings = join(stage.project, '.claude/settings.json');
      const { hooks } = JSON.parse(readFileSync(settings, 'utf8')) as { hooks: Record<string, unknown> };
      mkdirSync(join(stage.project, 'node_modules'));
      symlinkSync(join(program, '../..'), join(stage.project, 'node_modules/batonpass'));
      const script = '"$CLAUDE_PROJECT_DIR/node_modules/batonpass/bin/baton.js"';
      const lines = Object.keys(hooks).map((event, index) => {
        const command = index % 2 === 0 ? `baton hook ${event}` : `node ${script} hook ${event}`;
        return [event, [{ hooks: [{ type: 'command', command }] }]];
      });
      rmSync(settings);
      mkdirSync(join(folder, 'home/.claude'));
      writeFileSync(join(folder, 'home/.claude/settings.json'), JSON.stringify({ hooks: Object.fromEntries(lines) }));
      const { stdout, stderr, exit_code } = await stage.baton(['doctor']);
      expect(exit_code).toBe(0);
      expect(stdout).toMatch(/^✓ SessionStart puts the newest handoff into the session: \d+ ms/m);
      expect(stdout.match(/^✓ \w+ (?:puts|saves) the /gm)).toHaveLength(lines.length);
      expect(stdout).not.toMatch(/^[!✗]/m);
      expect(stderr).toMatch(/^\d+ checks: all is well\.$/m);
    },
  );
});

describe('what is registered', () => {
  verifies(
    ['DOCTOR.unregistered', 'DOCTOR.words'],
    'is asked for first where nothing is, outside git too',
    async () => {
      const outside = await stage.diagnose();
      expect(outside.exit_code).toBe(1);
      expect(outside.findings[0]).toMatchObject({ id: 'not-registered', next: expect.stringContaining('baton init') });
      expect(idsOf(outside, 'problem')).toEqual(['not-registered']);
      const { findings } = await look();
      expect(findings.map(({ id }) => id)).toEqual(outside.findings.map(({ id }) => id));
      const { stdout, stderr } = await stage.baton(['doctor']);
      expect(stdout).toMatch(/^✗ Baton is not registered[^\n]*\n {2}Until [^\n]*\n {2}→ Register it: baton init/);
      expect(stderr).toMatch(/checks: 1 problem\.$/m);
      expect(existsSync(join(folder, 'state/baton'))).toBe(false);
    },
  );

  verifies(['DOCTOR.registration'], 'is named where it is doubled, switched off or unreadable', async () => {
    await stage.register();
    const local = join(stage.project, '.claude/settings.local.json');
    const twin = { type: 'command', command: 'npx', args: ['-y', 'batonpass', 'hook', 'SessionStart'] };
    const settings = {
      disableAllHooks: true,
      disabledMcpjsonServers: ['baton'],
      hooks: { SessionStart: [{ hooks: [twin] }] },
    };
    writeFileSync(local, JSON.stringify(settings));
    stage.write('bin/npx', '#!/bin/sh\nshift 2\nexec baton "$@"\n');
    const doubled = await stage.diagnose();
    expect(idsOf(doubled, 'warning')).toContain('hooks-doubled');
    expect(idsOf(doubled, 'problem').sort()).toEqual(['hooks-disabled', 'server-refused']);
    expect(find(doubled, 'hooks-disabled')?.what).toContain(local);
    const started = doubled.findings.find(({ id, about }) => id === 'hook-works' && about === 'SessionStart');
    expect(started?.what).toMatch(/^SessionStart puts/);
    const risk = find(doubled, 'command-downloads');
    expect(risk).toMatchObject({
      level: 'warning',
      about: 'npx -y batonpass',
      next: expect.stringMatching(/baton init$/),
    });

    // What is registered elsewhere takes no part in it.
    rmSync(join(stage.project, '.claude/settings.json'));
    writeFileSync(local, '{ "hooks": ');
    const torn = await look();
    expect(find(torn, 'settings-unreadable')).toMatchObject({ level: 'problem', about: local });
    expect(find(torn, 'settings-unreadable')?.what).toMatch(/^[^ ]*:1:\d+ cannot be read as JSON/);

    // A repository can bring a link to a device: it is not read, for there is no end of it.
    rmSync(local);
    symlinkSync('/dev/zero', local);
    expect(find(await look(), 'settings-unreadable')?.what).toMatch(/is a pipe, socket or device, not a file/);
  });

  verifies(['DOCTOR.registration'], 'counts as registered where the plugin is enabled', async () => {
    mkdirSync(join(stage.project, '.claude'));
    writeFileSync(join(stage.project, '.claude/settings.json'), '{"enabledPlugins":{"baton@baton":true}}');
    stage.write('bin/npx', '#!/bin/sh\nshift 2\nexec baton "$@"\n');
    const diagnosis = await stage.diagnose();
    expect(idsOf(diagnosis, 'problem')).toEqual([]);
    expect(find(diagnosis, 'hooks-registered')?.what).toContain('the plugin');
    expect(idsOf(diagnosis, 'ok').filter((id) => id === 'hook-works')).toHaveLength(6);
  });
});

describe('what is registered and run', () => {
  verifies(['DOCTOR.bounded', 'DOCTOR.harmless'], 'is cut off where it hangs', async () => {
    await stage.register();
    const hang = `${process.execPath} -e 'setTimeout(() => {}, 300000)'`;
    stage.write('bin/baton', `#!/bin/sh\n[ "$1" = hook ] || exec node '${program}' "$@"\n${hang}\n`);
    stage.changeSettings(({ hooks }) => {
      for (const event of ['SessionStart', 'UserPromptSubmit']) {
        for (const hook of hooks[event]?.[0]?.hooks ?? []) hook.timeout = 0.05;
      }
    });
    const slow = await lookWithin({ hooks_ms: 4_000, hook_ms_min: 250 });
    const cut = find(slow, 'hook-timeout');
    expect(cut).toMatchObject({ level: 'problem', about: 'SessionStart, UserPromptSubmit' });
    expect(cut?.what).toContain('did not end within 50 ms');
    expect(cut?.why.match(/The host kills it then\./g)).toHaveLength(1);
    const untried = find(slow, 'hook-not-run');
    expect(untried?.what).toMatch(/^No time was left to try hooks of Claude Code \([A-Z]\w+(?:, [A-Z]\w+)*\)\.$/);
    expect(untried?.next).toContain('Fix what is named above');
    expect(idsOf(slow, 'ok')).toContain('server-works');

    // Nothing is named where all that was tried is well.
    stage.write('bin/baton', `#!/bin/sh\nexec node '${program}' "$@"\n`);
    const busy = find(await lookWithin({ hooks_ms: 200, hook_ms_min: 250 }), 'hook-not-run');
    expect(busy?.next).toBe('Run it again when this machine has less to do: baton doctor');

    stage.write('bin/baton', `#!/bin/sh\n${hang}\n`);
    expect(idsOf(await lookWithin({ tell_ms: 300 }), 'problem')).toEqual(['command-hangs']);
  });

  verifies(['DOCTOR.registration', 'DOCTOR.runs'], 'is known within a line for a shell, and in a wrapper', async () => {
    await stage.register();
    rmSync(join(stage.project, '.mcp.json'));
    stage.write('noisy.sh', '#!/bin/sh\necho loading\nexec baton "$@"\n');
    const commands = {
      SessionStart: 'echo hello; baton hook SessionStart',
      Stop: 'baton hook Stop 2>&1',
      SubagentStop: `${join(folder, 'noisy.sh')} hook SubagentStop`,
    };
    stage.changeSettings(({ hooks }) => {
      delete hooks.PreCompact;
      for (const [event, command] of Object.entries(commands)) hooks[event] = [{ hooks: [{ command }] }];
    });
    const diagnosis = await look();
    expect(find(diagnosis, 'hooks-not-registered')?.about).toBe('PreCompact');
    const noisy = find(diagnosis, 'hook-invalid-json');
    expect(noisy?.about).toBe('SessionStart');
    expect(noisy?.next).toMatch(/^Remove "echo hello; baton hook SessionStart" from .*settings\.json/);
    expect(find(diagnosis, 'hook-prints')?.about).toBe('SubagentStop');
    expect(find(diagnosis, 'hook-wrapped')?.what).toMatch(/SubagentStop looks like a wrapper of Baton: .*noisy\.sh/);
    expect(diagnosis.findings.filter(({ id }) => id === 'hook-works').map(({ about }) => about)).toEqual([
      'UserPromptSubmit',
      'Stop',
      'SubagentStop',
      'SessionEnd',
    ]);
  });

  verifies(['DOCTOR.command'], 'is named where another version is registered, or shadowed', async () => {
    await stage.register();
    // The server alone reports it too.
    rmSync(join(stage.project, '.claude'), { recursive: true });
    const other = join(folder, 'other/lib/node_modules/batonpass');
    mkdirSync(join(other, 'bin'), { recursive: true });
    writeFileSync(join(other, 'package.json'), '{"name":"batonpass","version":"0.0.3"}');
    stage.write('other/lib/node_modules/batonpass/bin/baton', '#!/bin/sh\necho 0.0.3\n');
    stage.environment.PATH = `${stage.environment.PATH}:${join(other, 'bin')}`;
    const shadowed = await look();
    expect(find(shadowed, 'command-shadowed')?.what).toContain('0.0.3 at');
    stage.write('bin/baton', `#!/bin/sh\n[ "$1" = --version ] && echo 0.0.2 && exit\nexec node '${program}' "$@"\n`);
    expect(find(await look(), 'version-differs')?.what).toContain('Hosts start Baton 0.0.2');
  });

  verifies(['DOCTOR.runs', 'DOCTOR.words'], 'is checked by the host’s rules', async () => {
    await stage.register();
    // The server takes no part in it.
    rmSync(join(stage.project, '.mcp.json'));
    const only = (ending: string) =>
      stage.write(
        'bin/baton',
        `#!/bin/sh\n[ "$1" = hook ] || exec node '${program}' "$@"\n${ending.replaceAll('REAL', `node '${program}' "$@"`)}\n`,
      );
    const cases: [string, Finding['id'][]][] = [
      ['exit 0', ['hook-silent', 'hook-not-saved']],
      ['echo no >&2; exit 2', ['hook-fails', 'hook-blocks']],
      ['REAL; echo "be careful" >&2', ['hook-complains']],
      ['echo "Welcome back"; REAL', ['hook-invalid-json', 'hook-prints']],
      [`REAL; echo '{"decision":"block"}'`, ['hook-invalid-json', 'hook-blocks']],
      [
        `echo '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"Hello"}}'`,
        ['hook-wrong-context'],
      ],
    ];
    for (const [ending, ids] of cases) {
      only(ending);
      stage.changeSettings(({ hooks }) => {
        for (const event of Object.keys(hooks)) if (!['SessionStart', 'Stop'].includes(event)) delete hooks[event];
      });
      const { findings } = await look();
      const found = findings.filter(({ id, level }) => id.startsWith('hook-') && level !== 'ok');
      expect(
        found.map(({ id }) => id),
        ending,
      ).toEqual(expect.arrayContaining(ids));
      for (const { what, why, next } of found) {
        expect([what, why, next]).not.toContain('');
        expect(next).not.toMatch(/\brm\b|reset --hard|--force|delete/i);
      }
    }
  });

  verifies(['DOCTOR.server'], 'is named where the server refuses, or stays when its client has gone', async () => {
    await stage.register();
    rmSync(join(stage.project, '.claude'), { recursive: true });
    const only = (ending: string) =>
      stage.write('bin/baton', `#!/bin/sh\n[ "$1" = mcp ] || exec node '${program}' "$@"\n${ending}\n`);
    only(`echo 'listening on stdio'; exec node '${program}' mcp`);
    expect(find(await look(), 'server-noise')?.what).toContain('listening on stdio');
    only('echo "no such option" >&2; exit 1');
    expect(find(await look(), 'server-fails')?.what).toContain('no such option');
    only(`node '${program}' mcp; exec sleep 300`);
    stage.environment.PATH = `${stage.environment.PATH}:/usr/bin:/bin`;
    expect(idsOf(await lookWithin({ end_ms: 1_000 }), 'warning')).toContain('server-hangs');
  });
});

describe('what it rests on', () => {
  verifies(['DOCTOR.store'], 'is named where the store is open to others, foreign or damaged', async () => {
    stage.commit();
    await stage.handOver();
    const path = join(stage.project, '.git/baton/baton.db');
    expect(find(await look(), 'store-healthy')?.what).toContain('sound');
    chmodSync(path, 0o644);
    const open = find(await look(), 'permissions-open');
    expect(open?.next).toBe(`Make it private: chmod u=rw,go= '${path}'`);
    execFileSync('/bin/sh', ['-c', (open?.next ?? '').split(': ')[1] ?? '']);
    expect(statSync(path).mode & 0o777).toBe(0o600);

    damage(path);
    expect(find(await look(), 'store-damaged')).toMatchObject({ level: 'problem', about: path });
    writeFileSync(path, 'no database at all, but a text that somebody put here by mistake'.repeat(20));
    expect(find(await look(), 'store-unusable')?.what).toContain('is not a SQLite database');
    expect(readFileSync(path, 'utf8')).toContain('by mistake');
  });

  verifies(['DOCTOR.store'], 'is named where another version of Baton made the store, and stays', async () => {
    stage.commit();
    await stage.handOver();
    const path = join(stage.project, '.git/baton/baton.db');
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 999');
    database.close();
    expect(find(await look(), 'store-unusable')?.what).toContain('written by another version of Baton');
  });

  verifies(['DOCTOR.log'], 'is named where hooks failed, or left something undone', async () => {
    stage.commit();
    const own = join(stage.project, '.git/baton');
    mkdirSync(own, { mode: 0o700 });
    const at = (ago_ms: number) => new Date(Date.now() - ago_ms).toISOString();
    const failed = {
      event: 'Stop',
      took_ms: 9,
      outcome: 'failed',
      error: { code: 'unavailable', message: 'No room.' },
    };
    writeLog([{ at: at(60_000), ...failed }]);
    mkdirSync(join(own, 'sessions'), { mode: 0o700 });
    const facts = {
      host: 'claude-code',
      session: 'session-one',
      transcript: '/x/one.jsonl',
      interactive: true,
      root: stage.project,
    };
    const job = { ...facts, event: 'Stop', asked_at: at(300_000), ended: false };
    writeFileSync(join(own, 'sessions/session-one.job.json'), JSON.stringify(job), { mode: 0o600 });
    const failing = await look();
    expect(find(failing, 'hooks-failed')).toMatchObject({ level: 'problem', about: 'Stop' });
    expect(find(failing, 'hooks-failed')?.what).toMatch(/^The last hook run failed, .* No room\.$/);
    expect(find(failing, 'saves-waiting')?.about).toBe('session-one');

    writeLog([
      { at: at(60_000), ...failed },
      { at: at(1_000), event: 'Stop', took_ms: 9, outcome: 'The save was noted.' },
    ]);
    expect(find(await look(), 'hooks-failed')).toMatchObject({ level: 'warning' });
    writeLog([{ at: at(30 * 86_400_000), ...failed }]);
    expect(find(await look(), 'hooks-failed')).toBeUndefined();

    function writeLog(runs: object[]): void {
      writeFileSync(join(own, 'hooks.jsonl'), runs.map((run) => `${JSON.stringify(run)}\n`).join(''), { mode: 0o600 });
    }
  });

  verifies(
    ['DOCTOR.log', 'DOCTOR.command'],
    'is named where an offer waits for proof, and where the clock is wrong',
    async () => {
      await stage.register();
      const id = await stage.handOver();
      await stage.startHost().startSession();
      // What is registered takes no part in it.
      rmSync(join(stage.project, '.claude'), { recursive: true });
      rmSync(join(stage.project, '.mcp.json'));
      expect(find(await look(), 'offers-unproved')?.what).toContain(id);
      const early = await look({ now: () => Date.UTC(1970, 0, 2) });
      expect(idsOf(early, 'problem')).toContain('clock-wrong');
    },
  );

  verifies(['DOCTOR.command'], 'knows which Node is new enough', () => {
    const versions = ['20.20.2', '22.22.2', '22.22.3', '22.23.0', '23.11.0', '24.14.9', '24.15.0', '25.0.0'];
    expect(versions.filter(isSupportedNode)).toEqual(['22.22.3', '22.23.0', '24.15.0', '25.0.0']);
  });

  verifies(['DOCTOR.words'], 'has a name for each finding, each once', () => {
    const ids = findingSchema.shape.id.options;
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
  });

  verifies(['DOCTOR.words'], 'makes a problem of a check that fails, with its reason and the next step', async () => {
    const failing = (error: Error) => examine('The store', () => Promise.reject(error));
    const expected = new HandoffError('unavailable', 'It is locked.', { alternatives: ['Wait for it.', 'Or not.'] });
    expect(await failing(expected)).toMatchObject([
      { id: 'check-failed', level: 'problem', what: expect.stringMatching(/: It is locked\.$/), next: 'Wait for it.' },
    ]);
    expect(await failing(new TypeError('x is undefined'))).toMatchObject([
      {
        about: 'The store',
        what: expect.stringMatching(/: x is undefined$/),
        next: expect.stringMatching(/baton doctor$/),
      },
    ]);
  });
});

/** Overwrites a page in the middle of a database. */
function damage(path: string): void {
  const bytes = readFileSync(path);
  bytes.fill(0x5a, 4_096 * 2, 4_096 * 4);
  writeFileSync(path, bytes);
}
