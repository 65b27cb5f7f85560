import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import {
  isRunning,
  type MachineProcess,
  machineName,
  readProcess,
} from '../../packages/batonpass/src/disk/machine-process.ts';
import { findPersonsProcess } from '../../packages/batonpass/src/workspace/hosts/host-process.ts';
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
