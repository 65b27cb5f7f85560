import { homedir } from 'node:os';
import { hosts } from '../../core/hosts.ts';
import { type HookRun, readHookRuns } from '../../workspace/hosts/hook-log.ts';
import { ownFolder } from '../../workspace/place.ts';
import type { OperationContext } from '../context.ts';
import { hostSessionsOf } from '../sessions/host-sessions-of.ts';
import { type Finding, fine, problem, warning } from './diagnose-finding.ts';

/** Failures further back are history. */
const recent_ms = 7 * 24 * 60 * 60_000;

/** A save is done within seconds; after this it waits for somebody. */
const waiting_ms_max = 60_000;

/** The earlier runs of hooks here, by their log, and the jobs that they left undone. */
export function diagnoseHookLog(context: OperationContext): Finding[] {
  const { workspace, environment } = context;
  const here = readHookRuns(ownFolder(workspace, environment));
  // Where the project's own folder could not be written, the record is in the user's folder.
  const left = workspace.git_common_dir === undefined ? [] : readHookRuns(ownFolder({ root: homedir() }, environment));
  const ours = left.filter(({ cwd }) => cwd !== undefined && isWithin(cwd, workspace.root));
  const runs = [...here, ...ours].sort((a, b) => a.at.localeCompare(b.at));
  return [...diagnoseRuns(runs, context.now()), ...diagnoseJobs(context)];
}

function isWithin(folder: string, root: string): boolean {
  return folder === root || folder.startsWith(`${root}/`);
}

function diagnoseRuns(runs: readonly HookRun[], now_ms: number): Finding[] {
  const last = runs.at(-1);
  if (last === undefined)
    return [fine('hooks-ran', 'No hook has run here yet: the next session of a host is the first')];
  const recent = runs.filter(({ at }) => now_ms - Date.parse(at) < recent_ms);
  const failed = recent.filter(({ error }) => error !== undefined);
  const newest = failed.at(-1);
  if (newest === undefined)
    return [fine('hooks-ran', `The last hook ran at ${last.at}: ${last.event}. ${last.outcome}`)];
  // A failure that persists is a problem; one that has succeeded since is worth a warning.
  const heard = Object.values(hosts).flatMap((host) => host.events.map(({ event }) => event));
  const events = [...new Set([...heard, 'work'])];
  const failing = events.filter((name) => recent.findLast(({ event }) => event === name)?.error !== undefined);
  const word = failing.length > 0 ? problem : warning;
  const { at, event, error, took_ms } = newest;
  return [
    word('hooks-failed', {
      about: failing.join(', ') || event,
      what: `${countFailed(failed.length, recent.length)} failed, ${event} at ${at} after ${took_ms} ms: ${error?.message ?? ''}`,
      why: failing.length > 0 ? 'Its last run failed: it may still fail.' : 'It has worked again since then.',
      next: 'Fix what the message names. All runs are in hooks.jsonl, next to the store.',
    }),
  ];
}

function countFailed(failed: number, all: number): string {
  if (all === 1) return 'The last hook run';
  return failed === all ? `All of the last ${all} hook runs` : `${failed} of the last ${all} hook runs`;
}

function diagnoseJobs(context: OperationContext): Finding[] {
  const sessions = hostSessionsOf(context);
  const waiting = sessions
    .listJobs()
    .filter(({ asked_at }) => context.now() - Date.parse(asked_at) > waiting_ms_max)
    .map(({ session }) => session);
  if (waiting.length === 0) return [];
  return [
    warning('saves-waiting', {
      about: waiting.join(', '),
      what: `${waiting.length === 1 ? 'A session still waits' : `${waiting.length} sessions still wait`} to be saved.`,
      why: 'The process that saves was killed, or could not be started. Nothing is lost yet.',
      next: 'The next session does it; or do it now: baton hook work',
    }),
  ];
}
