import { execFile } from 'node:child_process';
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { openBaton } from '../../packages/batonpass/src/index.ts';
import { diagnoseCommand } from '../../packages/batonpass/src/operations/doctor/diagnose-command.ts';
import { firstLines } from '../../packages/batonpass/src/operations/doctor/diagnose-finding.ts';
import { diagnosePlaces } from '../../packages/batonpass/src/operations/doctor/diagnose-place.ts';
import { openSandbox } from '../../packages/batonpass/src/operations/doctor/diagnose-sandbox.ts';
import { hostSessionsOf } from '../../packages/batonpass/src/operations/sessions/host-sessions-of.ts';
import { version } from '../../packages/batonpass/src/version.ts';
import { logHookRun } from '../../packages/batonpass/src/workspace/hosts/hook-log.ts';
import { ownFolder } from '../../packages/batonpass/src/workspace/place.ts';
import { verifies } from '../verifies.ts';
import type { DiskFindings } from './diagnosed-disks.ts';
import { createInitFolders } from './init-folder.ts';

const open = createInitFolders();

async function openContext() {
  const { folder, environment } = open({ git: true });
  const baton = await openBaton({ cwd: folder, environment });
  return { folder, baton, context: { ...baton.context, signal: new AbortController().signal } };
}

verifies(['DOCTOR.words'], 'what a program printed is named by its first three lines that are not empty', () => {
  expect(firstLines('\n  Error: no such option\r\n\r\n  at one\n\n at two\n at three\n')).toBe(
    'Error: no such option / at one / at two',
  );
  expect(firstLines('x'.repeat(301))).toBe('x'.repeat(300));
  expect(firstLines(' \n\n')).toBe('');
});

verifies(['DOCTOR.store'], 'a folder or file is named where others can read it', async () => {
  const { folder, baton, context } = await openContext();
  const permissions = () =>
    diagnosePlaces(context).flatMap(({ id, next }) => (id.startsWith('permissions') ? [[id, next]] : []));
  const own = join(folder, '.git/baton');
  rmSync(own, { recursive: true, force: true });
  expect(permissions()).toEqual([]);
  await baton.run('handoff.create', { content: { summary: 'x' } });
  expect(permissions()).toEqual([['permissions-private', '']]);
  chmodSync(own, 0o750);
  chmodSync(join(own, 'baton.db'), 0o604);
  expect(permissions()).toEqual([
    ['permissions-open', `Make it private: chmod u=rwx,go= '${own}' && chmod u=rw,go= '${own}/baton.db'`],
  ]);
  await baton.close();
});

verifies(['DOCTOR.command'], 'a command that fails, or prints no version, is named with what it printed', async () => {
  const { folder, baton, context } = await openContext();
  const program = join(folder, 'program');
  const look = async (script: string) => {
    writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
    const own = { ...context, environment: { ...context.environment, PATH: folder } };
    const findings = await diagnoseCommand([program], own, { tell_ms: 10_000 });
    return findings.map(({ id, what }) => [id, what.replaceAll(program, 'PROGRAM')]);
  };
  const fails = (how: string) => [['command-fails', `"PROGRAM --version" ended with ${how}`]];
  expect(await look('echo 1.2.3; exit 3')).toEqual(fails('3, and said: 1.2.3'));
  expect(await look('echo ready')).toEqual(fails('0, and said: ready'));
  expect(await look('echo out; echo err >&2; exit 1')).toEqual(fails('1, and said: err'));
  expect(await look('kill -9 $$')).toEqual(fails('a signal, and said: nothing'));
  const found = ['command-found', `Hosts start PROGRAM: PROGRAM, version ${version}`];
  expect(await look(`echo loading; echo ${version}`)).toEqual([found]);
  // An old Node is the one cause that is named, unless the command runs all the same.
  const node = join(folder, 'node');
  writeFileSync(node, '#!/bin/sh\necho 18.0.0\n', { mode: 0o700 });
  expect(await look('exit 1')).toEqual([['node-too-old', `The Node that hosts start Baton with is 18.0.0: ${node}.`]]);
  expect(await look(`echo ${version}`)).toEqual([found, ['node-found', `Node for hosts: ${node}, version 18.0.0`]]);
  await baton.close();
});

verifies(['DOCTOR.store'], 'a disk is named where it is full, nearly full or read-only', async () => {
  const { folder, environment } = open({ git: true });
  const isRoot = process.getuid?.() === 0;
  const words = [isRoot ? '-m' : '-rm', process.execPath, join(import.meta.dirname, 'diagnosed-disks.ts'), folder];
  const { stdout } = await promisify(execFile)('unshare', words, { env: environment });
  expect(JSON.parse(stdout) as DiskFindings).toEqual([
    ['size=66m', 'ok', 'disk-has-room'],
    ['size=63m', 'warning', 'disk-nearly-full'],
    ['size=2m', 'warning', 'disk-nearly-full'],
    ['size=512k', 'problem', 'disk-full'],
    ['size=66m,ro', 'problem', 'place-unwritable'],
  ]);
});

verifies(
  ['DOCTOR.harmless'],
  'a sandbox waits for the saves that hooks started in it, and no longer',
  async () => {
    const { baton, context } = await openContext();
    for (const last of ['job', 'worker']) {
      const sandbox = await openSandbox('claude-code', context, 20_000);
      const { session_id, cwd } = sandbox.session;
      const at = new Date(context.now()).toISOString();
      const own = ownFolder(sandbox.context.workspace, sandbox.environment);
      const log = (event: string, more = {}) => logHookRun(own, { at, event, took_ms: 1, outcome: 'done', ...more });
      // Neither a hook that gives something nor one that failed starts a save.
      log('SessionStart');
      log('Stop', { error: { code: 'unavailable', message: 'No room.' } });
      log('SessionEnd');
      const sessions = hostSessionsOf(sandbox.context);
      const facts = { session: session_id, host: 'claude-code', interactive: true, root: cwd };
      sessions.writeJob({ ...facts, event: 'SessionEnd', asked_at: at, ended: true });
      const steps = [
        () => log('work'),
        () => {
          sessions.takeJob(session_id);
          sessions.finishTaken(session_id);
        },
      ];
      const [first, second] = last === 'job' ? steps : steps.toReversed();
      first?.();
      let isOver = false;
      const waiting = sandbox.waitForSave().then(() => {
        isOver = true;
      });
      await new Promise(setImmediate);
      expect([last, isOver]).toEqual([last, false]);
      second?.();
      await waiting;
      await sandbox.close();
      expect(existsSync(cwd)).toBe(false);
    }
    await baton.close();
  },
  5_000,
);
