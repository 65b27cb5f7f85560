import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { isHandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { changedAt, storedSession } from '../../transcripts/opencode-store.ts';
import { type HostSession, type HostSessions, isLive, type SessionJob } from '../../workspace/hosts/host-sessions.ts';
import { takeLock } from '../../workspace/hosts/session-lock.ts';
import type { OperationContext } from '../context.ts';
import { hostSessionsOf } from './host-sessions-of.ts';
import { isSameProcess } from './session-facts.ts';
import { noteFailed, noteSaved } from './session-notices.ts';

/** Between two checks of a save that another process works on. */
const look_ms = 20;

/**
 * For a process that only reads and saves: by default V8 gives new objects up to 128 MiB where the machine has much
 * memory, which is more than a session of 100 MB leaves behind.
 */
const nodeOptions = ['--max-semi-space-size=16'];

/** How long a worker may take to start before nobody counts as working on the save. */
const worker_start_ms = 3_000;

/**
 * Does the saves that hooks asked for of sessions in this work tree, each by one worker at a time. A worker that is
 * killed leaves its job behind; the next hook or the next session continues it.
 *
 * @returns the handoffs saved.
 * @throws the first failure, after every session was tried. The job stays: what a full disk or a held store stops is
 * tried again for ever, everything else `limits.save_tries_max` times.
 */
export async function workOnSaves(context: OperationContext): Promise<string[]> {
  const saved: string[] = [];
  const failures: unknown[] = [];
  const ours = hostSessionsOf(context)
    .listJobs()
    .filter((job) => isOurs(job, context));
  for (const { session } of ours) {
    try {
      saved.push(...(await workUntilDone(session, context)));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return saved;
}

/** A work tree has its own branch, files and configuration; the saves of one that is gone may be done from anywhere. */
function isOurs({ root }: SessionJob, { workspace }: OperationContext): boolean {
  return root === workspace.root || !existsSync(root);
}

async function workUntilDone(session: string, context: OperationContext): Promise<string[]> {
  const sessions = hostSessionsOf(context);
  const saved: string[] = [];
  // Checked again after the lock is released: a job that came at that moment found it still held.
  while (sessions.readJob(session) !== undefined) {
    const release = takeLock(sessions.lockPath(session));
    if (release === null) break;
    try {
      for (let job = sessions.takeJob(session); job !== undefined; job = sessions.takeJob(session)) {
        saved.push(...(await workOn(job, sessions, context)));
      }
    } finally {
      release();
    }
  }
  return saved;
}

async function workOn(job: SessionJob, sessions: HostSessions, context: OperationContext): Promise<string[]> {
  // Loaded here, because hooks that only record an event need none of it.
  const { saveSession, withHost } = await import('./save-session.ts');
  const { session, tries, ended } = job;
  if (tries >= limits.save_tries_max) {
    sessions.finishTaken(session);
    throw new Error(`The save of session ${session} was given up: it was tried ${tries} times.`);
  }
  // Counted before it is begun: a save that kills its worker must not be begun for ever.
  sessions.keepTaken({ ...job, tries: tries + 1 });
  try {
    const saved = await saveSession(job, withHost(job, context));
    if (saved.id !== undefined) noteSaved(session, saved.id, context);
    sessions.finishTaken(session);
    if (ended) sessions.writeProgress(session, undefined);
    // The job is done: nobody waits for a model, and a model that is killed leaves what the rules saved.
    const handoff_id = (await saved.improve()) ?? saved.id;
    return handoff_id === undefined ? [] : [handoff_id];
  } catch (error) {
    if (isPassing(error)) sessions.keepTaken(job);
    noteFailed(session, error, context);
    throw error;
  }
}

/** Whether a retry may succeed although nothing of the session changes. */
function isPassing(error: unknown): boolean {
  if (isHandoffError(error)) return ['unavailable', 'unsupported_version'].includes(error.code);
  return error instanceof Error && 'syscall' in error;
}

/**
 * Asks for the saves of sessions that are gone without an end event: their hosts were killed, or crashed, after the
 * last event that a hook got; or the hook of their end failed, and their host is at another session already. A
 * session that has ended gets no more events.
 */
export function askForLostSaves(present: HostSession, context: OperationContext): void {
  const sessions = hostSessionsOf(context);
  const now_ms = context.now();
  const now = new Date(now_ms).toISOString();
  for (const known of sessions.list()) {
    const { session, ended_at, seen_at } = known;
    if (session === present.session || ended_at !== undefined) continue;
    if (!isSameProcess(known.process, present.process) && isLive(known, now_ms)) continue;
    sessions.write({ ...known, ended_at: now });
    const { process: _process, received: _received, seen_at: _seen, ended_at: _ended, ...facts } = known;
    // A waiting job may be in progress, and have read the transcript before it grew.
    const waiting = sessions.readJob(session);
    if (waiting !== undefined || hasGrown(known.transcript, seen_at)) {
      sessions.writeJob({ ...facts, event: 'lost', asked_at: now, last_words: waiting?.last_words, ended: true });
    }
  }
}

/** Files get their times from a clock of ticks, which is up to so much behind the one that events are noted by. */
const tick_ms = 10;

function hasGrown(transcript: string | undefined, seen_at: string): boolean {
  if (transcript === undefined) return false;
  const stored = storedSession(transcript);
  const changed_ms = stored ? changedAt(stored) : (statSync(transcript, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return changed_ms + tick_ms > Date.parse(seen_at);
}

/**
 * Starts the saves that wait: in processes of their own, one for each work tree, or here and for this one where a
 * program uses the library.
 */
export async function startSaves(context: OperationContext): Promise<void> {
  const { program, workspace, environment } = context;
  if (program === undefined) {
    await workOnSaves(context);
    return;
  }
  const jobs = hostSessionsOf(context).listJobs();
  const roots = jobs.map(({ root }) => (existsSync(root) ? root : workspace.root));
  for (const root of new Set(roots)) startDetached([...nodeOptions, program, 'hook', 'work'], root, environment);
}

/**
 * Waits until no save waits any more: at most for `limits.pending_save_wait_ms`, and no longer than
 * a worker works on one.
 */
export async function finishPendingSaves(context: OperationContext): Promise<void> {
  const sessions = hostSessionsOf(context);
  if (sessions.listJobs().length === 0) return;
  // A session's start does not fail by another session's save; a save that cannot be done now stays to be done.
  await startSaves(context).catch(() => {});
  for (let waited_ms = 0; waited_ms < limits.pending_save_wait_ms; waited_ms += look_ms) {
    const isWorkedOn = ({ session }: SessionJob) => existsSync(sessions.lockPath(session));
    // A save that failed before may fail again; only a worker at work is waited for.
    const left = sessions.listJobs().filter((job) => job.tries === 0 || isWorkedOn(job));
    if (left.length === 0 || context.signal.aborted) return;
    if (waited_ms > worker_start_ms && !left.some(isWorkedOn)) return;
    await new Promise((resolve) => setTimeout(resolve, look_ms));
  }
}

/**
 * Starts a script of this Node in a session of its own, and does not wait for it: a host that ends takes its hooks with
 * it, but not this. A script that cannot be started leaves its work to the next hook or session.
 */
function startDetached(words: readonly string[], cwd: string, environment: NodeJS.ProcessEnv): void {
  const options = { cwd, env: environment, detached: true, stdio: 'ignore', windowsHide: true } as const;
  const child = spawn(process.execPath, words, options);
  child.once('error', () => {});
  child.unref();
}
