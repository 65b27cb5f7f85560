import { execFile } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { openBaton } from '../../packages/batonpass/src/index.ts';
import { firstLines } from '../../packages/batonpass/src/operations/doctor/diagnose-finding.ts';
import { diagnosePlaces } from '../../packages/batonpass/src/operations/doctor/diagnose-place.ts';
import { openSandbox } from '../../packages/batonpass/src/operations/doctor/diagnose-sandbox.ts';
import { hostSessionsOf } from '../../packages/batonpass/src/operations/sessions/host-sessions-of.ts';
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
