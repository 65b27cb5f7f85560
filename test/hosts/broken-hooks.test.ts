import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import type { Handoff } from '../../packages/batonpass/src/index.ts';
import type { RequirementId } from '../requirements.ts';
import { verifies } from '../verifies.ts';
import { waitForProcessesIn } from '../working-processes.ts';
import { type Diagnosis, HookStage } from './hook-stage.ts';

let folder = '';

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'baton-broken-')));
});

afterEach(() => {
  waitForProcessesIn(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

/** One fault of an installation, and the finding for it. */
interface Breakage {
  ids: RequirementId[];
  name: string;
  destroy: (stage: HookStage) => void;
  repair: (stage: HookStage) => void;
  finding: string;
  what: RegExp;
}

const reinstall = (stage: HookStage) => stage.install();

const breakages: Breakage[] = [
  {
    ids: ['BREAK.event-name'],
    name: 'an answer without the event’s name',
    destroy: (stage) =>
      stage.wrap(
        'const answer = JSON.parse(out); delete answer.hookSpecificOutput.hookEventName; print(JSON.stringify(answer));',
      ),
    repair: reinstall,
    finding: 'hook-event-name',
    what: /prints no hookEventName/,
  },
  {
    ids: ['BREAK.event-name'],
    name: 'an answer with another event’s name',
    destroy: (stage) => stage.wrap('print(out.replace("SessionStart", "UserPromptSubmit"));'),
    repair: reinstall,
    finding: 'hook-event-name',
    what: /UserPromptSubmit/,
  },
  {
    ids: ['BREAK.json'],
    name: 'an answer with noise before it',
    destroy: (stage) => stage.wrap('print("{trace} loading 12 plugins\\n" + out);'),
    repair: reinstall,
    finding: 'hook-invalid-json',
    what: /\{trace\} loading 12 plugins/,
  },
  {
    ids: ['BREAK.timeout'],
    name: 'an answer that comes too late',
    destroy: (stage) => {
      stage.wrap('setTimeout(() => print(out), 60_000);');
      stage.changeSettings(({ hooks }) => {
        for (const hook of hooks.SessionStart?.[0]?.hooks ?? []) hook.timeout = 1;
      });
    },
    repair: reinstall,
    finding: 'hook-timeout',
    what: /did not end within 1.0 s/,
  },
  {
    ids: ['BREAK.length'],
    name: 'an answer that is too long',
    destroy: (stage) =>
      stage.wrap(
        'const answer = JSON.parse(out); answer.hookSpecificOutput.additionalContext += "x".repeat(10_000); print(JSON.stringify(answer));',
      ),
    repair: reinstall,
    finding: 'hook-too-long',
    what: /at most 10,000/,
  },
  {
    ids: ['BREAK.registration'],
    name: 'a hook that is not registered',
    destroy: (stage) => stage.changeSettings(({ hooks }) => void delete hooks.SessionStart),
    repair: (stage) =>
      stage.changeSettings((settings) => {
        settings.hooks = { ...settings.hooks, SessionStart: asFor('SessionStart', settings.hooks.SessionEnd) };
      }),
    finding: 'hooks-not-registered',
    what: /No hook of Claude Code is registered for SessionStart/,
  },
  {
    ids: ['BREAK.path'],
    name: 'a command that is not on the PATH',
    destroy: ({ folder: at }) => renameSync(join(at, 'bin/baton'), join(at, 'baton-elsewhere')),
    repair: reinstall,
    finding: 'command-not-found',
    what: /The command baton, which is registered, is not on the PATH/,
  },
  {
    ids: ['BREAK.node'],
    name: 'a Node that is too old',
    destroy: (stage) => {
      stage.write(
        'old.cjs',
        'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.11.1" } });',
      );
      renameSync(join(stage.folder, 'bin/node'), join(stage.folder, 'newer-node'));
      stage.write(
        'bin/node',
        `#!/bin/sh\nexec '${process.execPath}' --require '${join(stage.folder, 'old.cjs')}' "$@"\n`,
      );
    },
    repair: ({ folder: at }) => renameSync(join(at, 'newer-node'), join(at, 'bin/node')),
    finding: 'node-too-old',
    what: /is 20\.11\.1/,
  },
  {
    ids: ['BREAK.disk'],
    name: 'a disk that is full for hooks',
    destroy: (stage) => stage.breakHooks('ulimit -f 0; trap "" XFSZ; exec'),
    repair: reinstall,
    finding: 'hook-cannot-write',
    what: /SessionStart.* cannot write to the disk: .*EFBIG/,
  },
  {
    ids: ['BREAK.disk'],
    name: 'a disk that hooks can only read',
    // In a file system of the hook's own, as in a container or a sandbox; without the right to make one this fails.
    destroy: (stage) => {
      const mounts = `mount --bind '${stage.folder}' '${stage.folder}' && mount -o remount,bind,ro '${stage.folder}'`;
      const isRoot = process.getuid?.() === 0;
      stage.breakHooks(
        `PATH=$PATH:/usr/bin:/bin exec unshare ${isRoot ? '-m' : '-rm'} /bin/sh -c "${mounts}"' && exec "$@"' sh`,
      );
    },
    repair: reinstall,
    finding: 'hook-cannot-write',
    what: /SessionStart.* cannot write to the disk: .*EROFS/,
  },
];

/** What is registered for `SessionEnd`, for another event. */
function asFor<T>(event: string, end: T): T {
  return JSON.parse(JSON.stringify(end).replace('"SessionEnd"', `"${event}"`)) as T;
}

describe('a broken hook', () => {
  for (const { ids, name, destroy, repair, finding, what } of breakages) {
    verifies(ids, `${name} leaves the handoff for the next session, and doctor names it`, async () => {
      const stage = new HookStage(folder);
      await stage.registerOnly('SessionStart', 'SessionEnd');
      const id = await stage.handOver();
      destroy(stage);

      const broken = stage.startHost();
      await broken.startSession();
      broken.say('user', 'Hello?');
      expectPending(await stage.get(id));
      await broken.endSession();
      expectPending(await stage.get(id));
      expectFound(await stage.diagnose(), finding, what);
      expect(stage.listLeft()).toEqual([]);

      repair(stage);
      expectReceived(await stage.startHost().startSession(), id);
    });
  }

  verifies(['BREAK.disk'], 'a full disk leaves the handoff for the next session, and doctor names it', async () => {
    // A file system of half a megabyte, seen by that process and its children alone; without the right to make one this fails.
    const isRoot = process.getuid?.() === 0;
    const script = join(import.meta.dirname, 'full-disk.ts');
    const words = [isRoot ? '-m' : '-rm', process.execPath, script, folder];
    const { stdout } = await promisify(execFile)('unshare', words);
    const { id, context, exit_codes, diagnosis, handoff, next } = JSON.parse(stdout) as {
      id: string;
      context: string[];
      exit_codes: number[];
      diagnosis: Diagnosis;
      handoff: Handoff;
      next: string[];
    };
    expect(context).toEqual([]);
    expect(exit_codes).toEqual([0, 0]);
    expectPending(handoff);
    expectFound(diagnosis, 'disk-full', /is full/);
    expectReceived(next, id);
  });
});

/** Open, or with a session that has not proved it: then it is offered again. */
function expectPending({ delivery }: Handoff): void {
  expect(['open', 'claimed']).toContain(delivery.state);
  expect(delivery.injected).toBeUndefined();
  expect(delivery.acknowledged_at).toBeUndefined();
}

function expectFound({ findings, exit_code }: Diagnosis, id: string, what: RegExp): void {
  const problems = findings.filter(({ level }) => level === 'problem');
  expect(problems.map((problem) => problem.id)).toContain(id);
  const found = problems.find((problem) => problem.id === id);
  expect(found?.what).toMatch(what);
  for (const { why, next } of problems) expect([why, next]).not.toContain('');
  expect(exit_code).toBe(1);
}

function expectReceived(context: readonly string[], id: string): void {
  expect(context).toHaveLength(1);
  expect(context[0]).toContain(id);
  expect(context[0]).toMatch(/Rendered: sha256 [0-9a-f]{64}/);
}
