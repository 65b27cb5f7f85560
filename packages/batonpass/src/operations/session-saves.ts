import { existsSync, statSync } from 'node:fs';
import { isHandoffError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { takeLock } from '../workspace/session-lock.ts';
import { startDetached } from '../workspace/start-detached.ts';
import type { OperationContext } from './context.ts';
import { hostSessionsOf } from './host-sessions-of.ts';

/** Between two looks at a save that another process is at. */
const look_ms = 20;

/** How long a worker may take to start before nobody is taken to be at work. */
const worker_start_ms = 1_000;

/**
 * Does the saves that hooks of this project asked for, each by one worker at a time. A worker that is killed leaves its
 * job behind; the next hook or the next session takes it up.
 *
 * @returns the handoffs saved.
 * @throws the first failure, once every session had its turn. What cannot be done now (`unavailable`) stays to be done;
 * a job that fails otherwise would fail for ever, and is dropped.
 */
export async function workOnSaves(context: OperationContext): Promise<string[]> {
  const sessions = hostSessionsOf(context);
  const saved: string[] = [];
  const failures: unknown[] = [];
  for (const session of sessions.listJobs()) {
    try {
      saved.push(...(await workUntilDone(session, context)));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return saved;
}

async function workUntilDone(session: string, context: OperationContext): Promise<string[]> {
  const sessions = hostSessionsOf(context);
  const saved: string[] = [];
  // Asked again after the lock is given back: a job that came at that moment found it still taken.
  while (sessions.readJob(session) !== undefined) {
    const release = takeLock(sessions.lockPath(session));
    if (release === null) break;
    try {
      saved.push(...(await workOnJobs(session, context)));
    } finally {
      release();
    }
  }
  return saved;
}

async function workOnJobs(session: string, context: OperationContext): Promise<string[]> {
  // Loaded here, because hooks that only leave word need nothing of it.
  const { saveSession } = await import('./save-session.ts');
  const sessions = hostSessionsOf(context);
  const saved: string[] = [];
  for (let next = sessions.readJob(session); next !== undefined; next = sessions.readJob(session)) {
    try {
      const handoff_id = await saveSession(session, next.job, context);
      if (handoff_id !== undefined) saved.push(handoff_id);
    } catch (error) {
      if (!isHandoffError(error) || error.code !== 'unavailable') sessions.finishJob(session, next.text);
      throw error;
    }
    sessions.finishJob(session, next.text);
  }
  return saved;
}

/**
 * Asks for the saves of sessions that are gone without having said so: their hosts were killed, or crashed, after the
 * last word that a hook heard. Of a session that has ended nothing more is to come.
 */
export function askForLostSaves(context: OperationContext): void {
  const sessions = hostSessionsOf(context);
  const now_ms = context.now();
  const now = new Date(now_ms).toISOString();
  for (const known of sessions.list(now_ms - limits.lost_session_ms)) {
    const { session, ended_at, transcript } = known;
    if (ended_at !== undefined || sessions.isLive(session, now_ms)) continue;
    sessions.write({ ...known, ended_at: now });
    if (hasGrown(transcript, known.seen_at)) sessions.writeJob(session, { event: 'lost', asked_at: now });
  }
}

function hasGrown(transcript: string | undefined, seen_at: string): boolean {
  if (transcript === undefined) return false;
  const { mtimeMs = 0 } = statSync(transcript, { throwIfNoEntry: false }) ?? {};
  return mtimeMs > Date.parse(seen_at);
}

/** Starts the saves that wait: in a process of their own, or here where a program uses the library. */
export async function startSaves(context: OperationContext): Promise<void> {
  const { program, workspace, environment } = context;
  if (program === undefined) await workOnSaves(context);
  else startDetached([program, 'hook', 'work'], workspace.root, environment);
}

/**
 * Waits until nothing waits to be saved any more: for `limits.pending_save_wait_ms` at the most, and no longer than
 * somebody is at it.
 */
export async function finishPendingSaves(context: OperationContext): Promise<void> {
  const sessions = hostSessionsOf(context);
  if (sessions.listJobs().length === 0) return;
  // A session's start does not fail by another's save; what could not be done now stays to be done.
  await startSaves(context).catch(() => {});
  for (let waited_ms = 0; waited_ms < limits.pending_save_wait_ms; waited_ms += look_ms) {
    const left = sessions.listJobs();
    if (left.length === 0 || context.signal.aborted) return;
    const isWorkedOn = left.some((session) => existsSync(sessions.lockPath(session)));
    if (waited_ms > worker_start_ms && !isWorkedOn) return;
    await new Promise((resolve) => setTimeout(resolve, look_ms));
  }
}
