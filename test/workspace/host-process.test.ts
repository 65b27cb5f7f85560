import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import {
  findOwnProcess,
  isRunning,
  type MachineProcess,
  machineName,
  readProcess,
} from '../../packages/batonpass/src/disk/machine-process.ts';
import { findAncestor, findPersonsProcess } from '../../packages/batonpass/src/workspace/hosts/host-process.ts';
import { isLive } from '../../packages/batonpass/src/workspace/hosts/host-sessions.ts';
import { takeLock } from '../../packages/batonpass/src/workspace/hosts/session-lock.ts';
import { verifies } from '../verifies.ts';

let folder: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'baton-host-process-')));
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a program of the folder, which ends with the test. */
function start(program: string, words: readonly string[], cwd = folder): MachineProcess {
  const child = spawn(join(folder, program), words, { cwd, stdio: ['pipe', 'ignore', 'ignore'] });
  children.push(child);
  const pid = child.pid ?? 0;
  return { machine: machineName(), pid, started: readProcess(pid)?.started ?? '' };
}

verifies(['HOOK.live'], 'a script that starts the command under its name is not detected as a host', () => {
  const source = join(import.meta.dirname, '../../packages/batonpass/src/workspace/hosts/host-process.ts');
  const code = `import { findHostProcess } from ${JSON.stringify(source)}; process.stdout.write(String(findHostProcess({}, 'opencode')?.pid));`;
  const hook = join(folder, 'hook.ts');
  writeFileSync(hook, code);
  const script = join(folder, 'baton');
  writeFileSync(script, `#!/bin/sh\n"${process.execPath}" "${hook}"\ntrue\n`, { mode: 0o755 });
  expect(execFileSync(script, { encoding: 'utf8' })).toBe(String(process.pid));
});

verifies(['HOOK.live'], 'a session that a server runs belongs to the person’s own process in its folder', () => {
  if (process.platform !== 'linux') return;
  writeFileSync(join(folder, 'codex'), '#!/bin/sh\nread line\n', { mode: 0o755 });
  const find = (runner: MachineProcess | undefined, held: MachineProcess[] = []) =>
    findPersonsProcess({ host: 'codex', runner }, folder, held);
  const server = start('codex', ['app-server']);
  expect(find(server)).toBeUndefined();
  start('codex', ['resume'], tmpdir());
  expect(find(server)).toBeUndefined();
  const person = start('codex', ['resume']);
  expect(find(server)).toEqual(person);
  expect(find(person)).toEqual(person);
  expect(find(undefined)).toBeUndefined();
  // A session that was cleared continues in the process of the one before.
  expect(find(server, [person])).toEqual(person);
  const other = start('codex', ['resume']);
  expect(find(other)).toEqual(other);
  expect(find(server)).toBeUndefined();
  expect(find(server, [other])).toEqual(person);
  expect(find(server, [person, other])).toBeUndefined();
});

verifies(
  ['HOOK.live'],
  'the nearest of the wanted processes is found among the ancestors, and no other process',
  () => {
    if (process.platform === 'win32') return;
    const own = findOwnProcess();
    const parent = { ...own, pid: process.ppid, started: readProcess(process.ppid)?.started ?? '' };
    const find = (...wanted: MachineProcess[]) => findAncestor(wanted, own.pid);
    expect(find(parent)).toEqual(parent);
    expect(find(parent, own)).toEqual(own);
    expect(findAncestor([own, parent])).toEqual(parent);
    expect(find({ ...own, started: 'earlier' }, { ...own, machine: 'another' }, { ...own, pid: 0 })).toBeUndefined();
    expect(find()).toBeUndefined();
  },
);

verifies(['HOOK.live'], 'a session is live until it ends, while its process runs or for the time of a lease', () => {
  const now_ms = Date.now();
  const at = (ago_ms: number) => new Date(now_ms - ago_ms).toISOString();
  const known = { host: 'claude-code', session: 's', interactive: true, root: folder, seen_at: at(0), received: [] };
  const longAgo = { ...known, seen_at: at(limits.lease_ms_default) };
  const own = findOwnProcess();
  const another = { ...own, machine: 'another' };
  const ended = { ...own, started: 'earlier' };
  const live = [known, { ...longAgo, process: own }, { ...known, process: another }];
  const over = [longAgo, { ...known, process: ended }, { ...longAgo, process: another }];
  expect(live.map((session) => isLive(session, now_ms))).toEqual([true, true, true]);
  expect(over.map((session) => isLive(session, now_ms))).toEqual([false, false, false]);
  expect(live.map((session) => isLive({ ...session, ended_at: at(0) }, now_ms))).toEqual([false, false, false]);
});

verifies(['HOOK.killed'], 'a lock is taken from a dead holder, and released only by the one that has it', () => {
  const lock = join(folder, 'lock');
  const release = takeLock(lock);
  expect([typeof release, takeLock(lock)]).toEqual(['function', null]);
  for (const other of [JSON.stringify({ ...findOwnProcess(), started: 'earlier' }), '{"pid":', 'null']) {
    writeFileSync(lock, other);
    release?.();
    expect(readFileSync(lock, 'utf8')).toBe(other);
    takeLock(lock)?.();
    expect(existsSync(lock)).toBe(false);
  }
  release?.();
});

verifies(['HOOK.killed'], 'a lock that its holder releases at the moment of the try is tried again', async () => {
  const lock = join(folder, 'lock');
  const other = join(folder, 'other.ts');
  writeFileSync(join(folder, 'held'), JSON.stringify(findOwnProcess()));
  writeFileSync(
    other,
    `import { linkSync, rmSync } from 'node:fs'; for (;;) try { linkSync('held', 'lock'); rmSync('lock'); } catch {}`,
  );
  const child = spawn(process.execPath, [other], { cwd: folder, stdio: 'ignore' });
  children.push(child);
  await expect.poll(() => existsSync(lock), { timeout: 20_000, interval: 0 }).toBe(true);
  const taken = Array.from({ length: 60 }, () => {
    const release = takeLock(lock);
    release?.();
    return release !== null;
  });
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(new Set(taken)).toEqual(new Set([true, false]));
});

verifies(['HOOK.live'], 'a process that has ended does not run, although nobody has read its exit code', async () => {
  if (process.platform !== 'linux') return;
  const script = '#!/bin/sh\nexec 3<&0\ncat <&3 & echo $! > child\nexec tail -f /dev/null\n';
  writeFileSync(join(folder, 'parent'), script, { mode: 0o755 });
  const parent = start('parent', []);
  await expect.poll(() => readProcess(parent.pid)?.name).toBe('tail');
  const pid = Number(readFileSync(join(folder, 'child'), 'utf8'));
  const child = { ...parent, pid, started: readProcess(pid)?.started ?? '' };
  expect([isRunning(parent), isRunning(child)]).toEqual([true, true]);
  children.at(-1)?.stdin?.end();
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ');
  expect(readProcess(pid)).toBeUndefined();
  expect([isRunning(parent), isRunning(child)]).toEqual([true, false]);
});
