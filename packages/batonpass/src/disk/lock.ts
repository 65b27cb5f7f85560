import { realpathSync } from 'node:fs';
import { HandoffError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { machineTiming, pause, type Timing } from '../core/timing.ts';
import { explainDiskError } from './disk-error.ts';
import { createHeldLock, type HeldLock } from './held-lock.ts';
import { LockFolder } from './lock-folder.ts';
import { LockWatch } from './lock-watch.ts';

/** How a lock is waited for and held. */
export interface LockOptions {
  /** How long to wait for it. Default: `limits.lock_wait_ms`; 0 tries once. */
  wait_ms?: number;
  /** A holder that gave no sign of life for so long is taken over. Default: `limits.lock_stale_ms`. */
  stale_ms?: number;
  /** Ends the waiting; the body is not ended by it. */
  signal?: AbortSignal;
  /** By what time the waiting runs. Default: the machine's. */
  timing?: Timing;
}

interface Waiting {
  stale_ms: number;
  timing: Timing;
  /** Aborts when the waiting is over. */
  over: AbortSignal;
  /** Aborts when the caller does not want the lock any more. */
  signal: AbortSignal | undefined;
}

/** Between two tries: doubled with each, and never the same for two contenders. */
const PAUSE_MS_MIN = 1;
const PAUSE_MS_MAX = 32;

/**
 * Runs a body while this process alone holds the lock of a folder. Callers of one process run one after another; a body that
 * asks for the same lock again waits for itself. The lock is a folder `.lock` that is there while it is held.
 *
 * The lock of a killed holder is taken at once. One that is stopped, or blocks its process longer than `stale_ms`, is
 * taken over, and its later writes by `replaceFile` are refused with `lease_lost` and change nothing: write everything
 * that must be fenced by `replaceFile`. While an asynchronous body waits, the lock is kept alive for it.
 *
 * @param folder - must exist, on a file system that renames folders in one step, as every local one does.
 * @throws what the body throws; HandoffError `unavailable` that names the holder where the wait was too short,
 * `file_not_found` for a folder that does not exist; the signal's reason.
 */
export async function withLock<T>(
  folder: string,
  body: (lock: HeldLock) => T | Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const { wait_ms = limits.lock_wait_ms, stale_ms = limits.lock_stale_ms, timing = machineTiming, signal } = options;
  const place = resolvePlace(folder);
  const deadline = new AbortController();
  const callOff = timing.after(wait_ms, () => deadline.abort());
  const over = signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, signal]);
  const endTurn = await takeTurn(place, over);
  try {
    const lock = endTurn && (await contend(place, { stale_ms, timing, over, signal }));
    callOff();
    if (lock !== undefined) return await runHolding(lock, () => body(createHeldLock(place, lock)), stale_ms);
    signal?.throwIfAborted();
    throw stillHeld(place, wait_ms);
  } finally {
    callOff();
    endTurn?.();
  }
}

function resolvePlace(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    throw explainDiskError(error, folder, 'locked');
  }
}

/** Tries until it has the lock; nothing when the waiting is over. */
async function contend(folder: string, waiting: Waiting): Promise<LockFolder | undefined> {
  const { stale_ms, timing, over, signal } = waiting;
  const lock = new LockFolder(folder, stale_ms);
  const watch = new LockWatch(timing);
  try {
    for (let pause_ms = PAUSE_MS_MIN; ; pause_ms = Math.min(pause_ms * 2, PAUSE_MS_MAX)) {
      // The last attempt is made after the time has run out.
      const isLast = over.aborted;
      if (signal?.aborted === true) break;
      if (attempt(lock, watch, stale_ms)) {
        lock.sweep();
        return lock;
      }
      if (isLast) break;
      await pause(timing, pause_ms * (0.5 + Math.random()), over);
    }
    lock.abandon();
    return undefined;
  } catch (error) {
    retreat(lock);
    throw explainDiskError(error, folder, 'locked');
  }
}

/** The next holder removes what cannot be removed now; the first error is the one to report. */
function retreat(lock: LockFolder): void {
  try {
    lock.abandon();
    lock.release();
  } catch {
    // Left to the next holder.
  }
}

function attempt(lock: LockFolder, watch: LockWatch, stale_ms: number): boolean {
  if (lock.take()) return true;
  const seen = lock.look();
  return seen !== undefined && watch.isGone(seen, lock.now_ms, stale_ms) && lock.takeOver(seen.token);
}

async function runHolding<T>(lock: LockFolder, body: () => T | Promise<T>, stale_ms: number): Promise<T> {
  let beating: NodeJS.Timeout | undefined;
  try {
    const result = body();
    if (!(result instanceof Promise)) return result;
    beating = setInterval(() => lock.beat(), stale_ms / 4);
    // A body that waits for nothing more must not keep its process.
    beating.unref();
    return await result;
  } finally {
    clearInterval(beating);
    lock.release();
  }
}

function stillHeld(folder: string, wait_ms: number): HandoffError {
  const owner = new LockFolder(folder, 0).look()?.owner;
  const by = owner === undefined ? 'another process' : `process ${owner.pid} on ${owner.host} since ${owner.since}`;
  return new HandoffError('unavailable', `The lock of ${folder} is held by ${by}; waited ${wait_ms} ms.`, {
    details: { folder, pid: owner?.pid, host: owner?.host, since: owner?.since, wait_ms },
    alternatives: ['Retry when that process is done.', 'End that process if it hangs, which frees its lock at once.'],
  });
}

/** The callers that wait for each folder, in order of arrival; a key is there while one of them runs. */
const waiting = new Map<string, (() => void)[]>();

/**
 * Waits until the callers before it in this process are done with a folder: one at a time contends for it on the disk,
 * and callers of one process are served in order.
 *
 * @returns a function that lets the next caller run; nothing where the signal aborted first.
 */
function takeTurn(folder: string, signal: AbortSignal): Promise<(() => void) | undefined> {
  const queue = waiting.get(folder);
  if (queue === undefined) {
    waiting.set(folder, []);
    return Promise.resolve(() => endTurn(folder));
  }
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(undefined);
    const begin = () => {
      signal.removeEventListener('abort', giveUp);
      resolve(() => endTurn(folder));
    };
    const giveUp = () => {
      queue.splice(queue.indexOf(begin), 1);
      resolve(undefined);
    };
    queue.push(begin);
    signal.addEventListener('abort', giveUp, { once: true });
  });
}

function endTurn(folder: string): void {
  const next = waiting.get(folder)?.shift();
  if (next === undefined) waiting.delete(folder);
  else next();
}
