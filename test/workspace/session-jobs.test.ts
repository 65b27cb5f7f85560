import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect } from 'vitest';
import { HostSessions } from '../../packages/batonpass/src/workspace/hosts/host-sessions.ts';
import { verifies } from '../verifies.ts';

const sessions_count = 300;

let folder: string;
let sessions: HostSessions;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'baton-jobs-'));
  sessions = new HostSessions(folder);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const names = Array.from({ length: sessions_count }, (_, index) => `session-${index}`);

function writeJobs(): void {
  const facts = { host: 'claude-code', interactive: true, root: folder, event: 'Stop', ended: false };
  for (const session of names) sessions.writeJob({ ...facts, session, asked_at: new Date().toISOString() });
}

/** Does something to the jobs in another thread, one after the other, and meanwhile something here again and again. */
async function whileTaken(there: string, here: () => void): Promise<void> {
  const code = `const { copyFileSync, renameSync } = require('node:fs');
    const cell = new Int32Array(new SharedArrayBuffer(4));
    for (const path of require('node:worker_threads').workerData) {
      ${there}
      Atomics.wait(cell, 0, 0, 1);
    }`;
  const thread = new Worker(code, { eval: true, workerData: names.map((name) => join(folder, name)) });
  let isAtWork = true;
  thread.once('exit', () => {
    isAtWork = false;
  });
  while (isAtWork) {
    here();
    await setImmediate();
  }
}

verifies(['HOOK.save'], 'a save that a worker takes at this moment counts as one to be waited for', async () => {
  writeJobs();
  const counts = new Set<number>();
  await whileTaken(`renameSync(path + '.job.json', path + '.work.json');`, () => {
    counts.add(sessions.listJobs().length);
  });
  expect([...counts]).toEqual([sessions_count]);
});

verifies(['HOOK.save'], 'a job that comes while files of old ones are removed stays', async () => {
  writeJobs();
  const again = `copyFileSync(path + '.job.json', path + '.new');
    renameSync(path + '.job.json', path + '.work.json');
    Atomics.wait(cell, 0, 0, 1);
    renameSync(path + '.new', path + '.job.json');`;
  await whileTaken(again, () => sessions.removeOld(Date.now()));
  expect(readdirSync(folder).filter((file) => file.endsWith('.job.json'))).toHaveLength(sessions_count);
});
