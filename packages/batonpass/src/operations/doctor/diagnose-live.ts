import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { throwIfAborted } from '../../core/aborted.ts';
import { tryingVariable } from '../../core/asking.ts';
import { eventOf, type HostName, hostNames, hosts, type TranscribedHost, transcribedHosts } from '../../core/hosts.ts';
import { replaceFile } from '../../disk/replace-file.ts';
import { ModelServer } from '../../host-trial/model-server.ts';
import { trialPrograms } from '../../host-trial/trial-programs.ts';
import { findPrograms } from '../../workspace/hosts/find-program.ts';
import { hookFileForms } from '../../workspace/hosts/hook-file-forms.ts';
import { type HostCommandEnd, runAsHost } from '../../workspace/hosts/host-command.ts';
import { commandLauncher, type Launcher } from '../../workspace/hosts/launcher.ts';
import type { OperationContext } from '../context.ts';
import { settleInjections } from '../sessions/settle-injections.ts';
import { type DiagnosisBounds, diagnosisBounds } from './diagnose-bounds.ts';
import { examine, type Finding, fine, firstLines, problem } from './diagnose-finding.ts';
import { openSandbox, type Sandbox } from './diagnose-sandbox.ts';

/** The result of one turn of a host's own program. */
export const liveTurnSchema = z.strictObject({
  host: z.enum(hostNames),
  /** The program that was started. */
  program: z.string(),
  /** As the program reports it; empty where it reports none. */
  version: z.string(),
  /** Whether the model got the handoff. */
  delivered: z.boolean(),
  /** Whether Baton found it in the host's own record of the session, and acknowledged it. */
  proven: z.boolean(),
  /** The events whose hooks ran, in order. */
  hooks: z.array(z.string()),
  took_ms: z.int(),
});

type LiveTurn = z.infer<typeof liveTurnSchema>;

type Bounds = Pick<DiagnosisBounds, 'turn_ms' | 'save_ms'>;

/**
 * Plays one turn of each installed host with its real program: a session that starts where a handoff waits. The model is a
 * local server of Baton on loopback, and home, repository and store are temporary: no account is used, and nothing of the
 * person's.
 *
 * @throws AbortError where the signal aborts, once all of it is removed.
 */
export async function diagnoseLive(
  context: OperationContext,
  bounds: Bounds = diagnosisBounds,
): Promise<{ findings: Finding[]; turns: LiveTurn[] }> {
  const { workspace, environment, signal } = context;
  const installed = transcribedHosts.flatMap((host) =>
    findPrograms(hosts[host].command, workspace.root, environment)
      .slice(0, 1)
      .map((program) => ({ host, program })),
  );
  if (installed.length === 0) return { findings: [noHost()], turns: [] };
  const findings: Finding[] = [];
  const turns: LiveTurn[] = [];
  for (const [done, { host, program }] of installed.entries()) {
    const { title } = hosts[host];
    const now = `${title}: one turn, ${bounds.turn_ms / 1_000} s at the most`;
    context.onProgress?.({ what: 'hosts tried', done, total: installed.length, now });
    findings.push(
      ...(await examine(title, async () => {
        const played = await playTurn({ host, program }, context, bounds);
        turns.push(played.turn);
        return [played.finding];
      })),
    );
    throwIfAborted(signal, 'The trial of the hosts');
  }
  return { findings, turns };
}

function noHost(): Finding {
  const commands = transcribedHosts.map((host) => hosts[host].command);
  return problem('no-host-found', {
    what: `None of the hosts is on the PATH: ${commands.join(', ')}.`,
    why: 'Only a host that is installed can be tried.',
    next: 'Install one, or run this where it is on the PATH: baton doctor --live',
  });
}

async function playTurn(
  { host, program }: { host: TranscribedHost; program: string },
  context: OperationContext,
  { turn_ms, save_ms }: Bounds,
): Promise<{ turn: LiveTurn; finding: Finding }> {
  const sandbox = await openSandbox(host, context, save_ms);
  const model = new ModelServer({});
  try {
    const { signal } = context;
    const cwd = sandbox.context.workspace.root;
    const surroundings = furnish(sandbox, context);
    const started = { cwd, environment: surroundings, signal, timeout_ms: turn_ms };
    const told = await runAsHost({ words: [program, '--version'] }, '', started);
    const version = /\d+\.\d+\.\d+/.exec(told.stdout)?.[0] ?? '';
    const { settle, headless } = trialPrograms[host];
    const url = await model.listen();
    const cache = context.environment.XDG_CACHE_HOME ?? join(context.environment.HOME ?? homedir(), '.cache');
    const variables = settle({ home: surroundings.HOME ?? '', project: cwd, url, version, cache });
    registerHooks(host, cwd, context.program);
    const environment = { ...surroundings, ...variables };
    const words = [program, ...headless, 'Go on where the last session stopped.'];
    const end = await runAsHost({ words }, '', { ...started, environment });
    await sandbox.waitForSave();
    await settleInjections(sandbox.store, sandbox.context);
    const { injected } = (await sandbox.store.get(sandbox.probe.id))?.delivery ?? {};
    const turn = {
      host,
      program,
      version,
      delivered: model.wasTold(sandbox.probe.id),
      proven: injected !== undefined,
      hooks: sandbox.readRuns().flatMap(({ event }) => (event === 'work' ? [] : [event])),
      took_ms: end.took_ms,
    };
    return { turn, finding: judge(turn, end, sandbox) };
  } finally {
    await model.close();
    await sandbox.close();
  }
}

/** What a program needs of the person's environment to start at all; nothing of it names an account, a server or a folder of settings. */
const passedOn = ['PATH', 'LANG', 'LC_ALL', 'SHELL', 'USER', 'LOGNAME', 'SYSTEMROOT', 'COMSPEC', 'PATHEXT'];

/** A home of its own, and Baton's places in the sandbox. */
function furnish(sandbox: Sandbox, { environment }: OperationContext): NodeJS.ProcessEnv {
  const folder = dirname(sandbox.context.workspace.root);
  const [home, temporary] = [join(folder, 'home'), join(folder, 'tmp')];
  for (const path of [home, temporary]) mkdirSync(path);
  const kept = Object.entries(environment).filter(([name]) => passedOn.includes(name.toUpperCase()));
  const own = Object.entries(sandbox.environment).filter(([name]) => /^(?:BATON_|XDG_STATE_HOME$)/.test(name));
  return {
    ...Object.fromEntries([...kept, ...own]),
    HOME: home,
    USERPROFILE: home,
    TMPDIR: temporary,
    [tryingVariable]: '1',
  };
}

/** Registers the hooks of the Baton that runs now. @param script - absent where a program uses the library. */
function registerHooks(host: HostName, root: string, script: string | undefined): void {
  const { form, project = '' } = hosts[host].hook_files;
  const words = script === undefined ? commandLauncher.hook : [process.execPath, script];
  const launcher: Launcher = { ...commandLauncher, hook: words, server: words };
  const path = join(root, project);
  replaceFile(path, hookFileForms[form].register('', { path, host }, launcher), 0o600);
}

function judge(turn: LiveTurn, end: HostCommandEnd, sandbox: Sandbox): Finding {
  const { host, version, delivered, proven, hooks, took_ms } = turn;
  const { title, version_min } = hosts[host];
  const named = `${title} ${version}`.trim();
  const about = { about: host, figures: { took_ms } };
  const seconds = `${(took_ms / 1_000).toFixed(1)} s`;
  if (delivered && proven) {
    const what = `${named} gave its model the handoff that waited, and its own record proves it: ${seconds}; hooks that ran: ${hooks.join(', ')}`;
    return fine('turn-works', what, about);
  }
  return problem('turn-fails', {
    ...about,
    what: `${named}: ${reasonOf(turn, end, sandbox)}`,
    why: 'A session of it may start without the handoff that waits, or never prove that it has it.',
    next: `Baton was seen to work with ${title} ${version_min}. Update both, then run it again: baton doctor --live`,
  });
}

/** The first step that did not happen. */
function reasonOf({ host, delivered, hooks }: LiveTurn, end: HostCommandEnd, { readRuns }: Sandbox): string {
  if (end.start_failure !== undefined) return `its program could not be started (${end.start_failure}).`;
  if (end.timed_out) return `it did not end within ${(end.took_ms / 1_000).toFixed(1)} s.`;
  const said = firstLines(end.stderr) || firstLines(end.stdout) || 'nothing';
  const ended = `It ended with ${end.exit_code ?? 'a signal'}, and said: ${said}`;
  const start = readRuns().findLast(({ event }) => eventOf(host, event)?.moment === 'start');
  if (hooks.length === 0) return `no hook ran. ${ended}`;
  if (start === undefined) return `the hook that gives a handoff did not run. ${ended}`;
  if (start.handoff_id === undefined) return `its hook gave nothing: ${start.error?.message ?? start.outcome}`;
  if (delivered) return 'its model was given the handoff, and its own record does not show it.';
  return `its hook gave the handoff, and its model was not given it. ${ended}`;
}
