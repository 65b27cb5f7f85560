import { homedir } from 'node:os';
import { type HostName, hosts } from '../../core/hosts.ts';
import { type HookRun, readHookRuns } from '../../workspace/hosts/hook-log.ts';
import type { HookRegistration } from '../../workspace/hosts/hook-registrations.ts';
import { type HostCommand, runAsHost } from '../../workspace/hosts/host-command.ts';
import { recordedPayload } from '../../workspace/hosts/recorded-payloads.ts';
import { ownFolder } from '../../workspace/place.ts';
import type { OperationContext } from '../context.ts';
import { hostSessionsOf } from '../sessions/host-sessions-of.ts';
import type { DiagnosisBounds } from './diagnose-bounds.ts';
import { type Finding, fine, problem, warning } from './diagnose-finding.ts';
import { judgeHook } from './diagnose-hook-end.ts';
import { openSandbox } from './diagnose-sandbox.ts';

type Bounds = Pick<DiagnosisBounds, 'hooks_ms' | 'hook_ms_min' | 'save_ms'>;

/**
 * Runs each registered hook as the host does, one after the other so that they do not slow each other down, and judges
 * the results by the host's rules. Each has a sandbox of its own.
 */
export async function diagnoseHooks(
  hooks: readonly HookRegistration[],
  context: OperationContext,
  bounds: Bounds,
): Promise<Finding[]> {
  const until_ms = performance.now() + bounds.hooks_ms;
  const findings: Finding[] = [];
  const untried: HookRegistration[] = [];
  for (const hook of withoutTwins(hooks)) {
    const left_ms = Math.round(until_ms - performance.now());
    if (left_ms < bounds.hook_ms_min || context.signal.aborted) untried.push(hook);
    else {
      const shortened = { ...hook, timeout_ms: Math.min(hook.timeout_ms, left_ms) };
      findings.push(...(await runHook(shortened, context, bounds)));
    }
  }
  return [...mergeAlike(findings), ...notRun(untried, findings)];
}

/** A reason that several hooks share is reported once. */
function mergeAlike(findings: readonly Finding[]): Finding[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const { id, level, about = '', what } = finding;
    const key = JSON.stringify(level === 'ok' ? [id, about] : [id, what.replaceAll(about, '')]);
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first, ...others] = group;
    if (first === undefined || others.length === 0) return group;
    const about = [...new Set(group.map((finding) => finding.about))].join(', ');
    const sentences = group.flatMap((finding) => finding.why.split(/(?<=\.) /));
    const why = [...new Set(sentences)].join(' ');
    return [{ ...first, about, why, what: first.what.replace(first.about ?? '', about) }];
  });
}

/** The host runs one command once per event, however often it is registered. */
function withoutTwins(hooks: readonly HookRegistration[]): HookRegistration[] {
  return [...new Map(hooks.map((hook) => [JSON.stringify([hook.event, hook.command]), hook])).values()];
}

/** The hooks that there was no time for, by host. @param tried - the findings on those before them. */
function notRun(untried: readonly HookRegistration[], tried: readonly Finding[]): Finding[] {
  if (untried.length === 0) return [];
  const eventsOf = (hooks: readonly HookRegistration[]) => [...new Set(hooks.map(({ event }) => event))].join(', ');
  const byHost = [...Map.groupBy(untried, ({ host }) => host)];
  const isWell = tried.every(({ level }) => level === 'ok');
  return [
    warning('hook-not-run', {
      about: eventsOf(untried),
      what: `No time was left to try hooks of ${byHost.map(([host, hooks]) => `${hosts[host].title} (${eventsOf(hooks)})`).join(', ')}.`,
      why: 'Whether they work is not known.',
      next: isWell
        ? 'Run it again when this machine has less to do: baton doctor'
        : 'Fix what is named above, then run it again: baton doctor',
    }),
  ];
}

async function runHook(hook: HookRegistration, context: OperationContext, { save_ms }: Bounds): Promise<Finding[]> {
  const sandbox = await openSandbox(hook.host, context, save_ms);
  try {
    const { workspace, signal } = context;
    const { host, command, event, timeout_ms } = hook;
    const environment = { ...sandbox.environment, [folderVariable]: workspace.root };
    const start = { cwd: workspace.root, environment, timeout_ms, signal };
    const end = await runAsHost(
      withFolder(command, host),
      `${JSON.stringify(recordedPayload(event, sandbox.session))}\n`,
      start,
    );
    return await judgeHook(hook, end, sandbox);
  } finally {
    await sandbox.close();
  }
}

/** Replaces the placeholder by the project's real folder, where a program of the project may be. */
const folderVariable = 'BATON_DOCTOR_PROJECT_DIR';

/**
 * A line for the shell finds its program by the real folder, while the hook finds the sandbox under the name that the
 * host gives it: nothing may lead it to the user's own handoffs. In words, the folder is replaced already.
 */
function withFolder(command: HostCommand, host: HostName): HostCommand {
  const { project } = hosts[host].variables;
  if ('words' in command || project === undefined) return command;
  return {
    line: command.line.replace(new RegExp(`\\$(?:${project}\\b|\\{${project}\\})`, 'g'), `\${${folderVariable}}`),
  };
}

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
