import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContentInput } from '../packages/batonpass/src/core/content.ts';
import { type Baton, openBaton } from '../packages/batonpass/src/operations/baton.ts';

/**
 * `npm start`: the studio with the demo's transcript and some handoffs around it, in a folder of its own that goes when
 * it is stopped. Words behind `--` are those of `baton studio`.
 */

const program = join(import.meta.dirname, '../packages/batonpass/bin/baton.js');
const sessions = join(import.meta.dirname, '../examples/sessions');

/** What other agents have handed over meanwhile. */
const written: readonly ContentInput[] = [
  {
    title: 'Sessions survive a restart',
    summary: 'Sessions lie in SQLite; the store is opened once for each process.',
    decisions: ['Keep sessions in SQLite', 'Renew the cookie at each login'],
    files: ['src/sessions.ts', 'test/sessions.test.ts'],
    risks: [{ description: 'Two processes may write at once', severity: 'medium' }],
    next_steps: ['Measure the login under load'],
    task_id: 'sessions',
    source_agent: 'codex',
  },
  {
    title: 'The upload test fails one time in fifty',
    summary: 'It waits for a file before its folder is there.',
    kind: 'findings',
    decisions: ['Wait for the folder, not for a time'],
    files: ['test/upload.test.ts'],
    task_id: 'upload',
    source_agent: 'gemini-cli',
    target_agent: 'night-shift',
  },
  {
    title: 'Which status tells a client to slow down',
    summary: 'The limiter answers 429 with Retry-After.',
    decisions: ['Answer 429', 'Send Retry-After in seconds'],
    files: ['src/rate-limit/middleware.ts'],
    task_id: 'rate-limit',
    source_agent: 'claude-code',
  },
];

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'baton-start-')));
try {
  const environment = openFolder();
  await fill(environment);
  process.stdout.write(
    'The studio with sample handoffs; nothing of yours takes part, and all of it goes with Ctrl-C.\n\n',
  );
  process.exitCode = await serve(environment);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** A repository of its own: neither the user's settings nor stores take part. */
function openFolder(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:BATON|GIT)_/.test(name));
  const environment = { ...Object.fromEntries(own), XDG_STATE_HOME: join(folder, 'state') };
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', folder], { env: environment });
  const remote = ['remote', 'add', 'origin', 'https://github.com/tidepool/api.git'];
  execFileSync('git', remote, { cwd: folder, env: environment });
  copyFileSync(join(sessions, 'claude-code-rate-limit.jsonl'), join(folder, 'session.jsonl'));
  copyFileSync(join(sessions, 'brainstorm.json'), join(folder, 'brainstorm.json'));
  return environment;
}

async function fill(environment: NodeJS.ProcessEnv): Promise<void> {
  const writer = await openBaton({ cwd: folder, environment });
  const receiver = await openBaton({ cwd: folder, environment, agent: 'night-shift' });
  try {
    for (const path of ['session.jsonl', 'brainstorm.json'])
      await writer.run('handoff.import', { path: join(folder, path) });
    for (const content of written) await writer.run('handoff.create', { content, draft: false });
    await receive(receiver);
  } finally {
    await receiver.close();
    await writer.close();
  }
}

/** One is being worked on, one waits for an answer, the last is open. */
async function receive(receiver: Baton): Promise<void> {
  await receiver.run('handoff.claim', {});
  const { handoff } = await receiver.run('handoff.claim', {});
  const held = { id: handoff?.id ?? '', token: handoff?.delivery.lease?.token ?? '' };
  await receiver.run('handoff.ask', { ...held, question: 'May the test create the folder by itself?' });
}

/** Runs the command until it is stopped; Ctrl-C reaches it by itself, other ends are passed on. */
function serve(environment: NodeJS.ProcessEnv): Promise<number> {
  const words = [program, 'studio', ...process.argv.slice(2)];
  const child: ChildProcess = spawn(process.execPath, words, { cwd: folder, env: environment, stdio: 'inherit' });
  // The terminal tells the child too; whoever was started by something else is told here.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    // To be stopped is how it ends well.
    child.once('exit', (code) => resolve(code === 130 || code === 143 ? 0 : (code ?? 1)));
  });
}
