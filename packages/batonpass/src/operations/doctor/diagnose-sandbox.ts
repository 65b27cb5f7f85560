import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isHandoffError } from '../../core/errors.ts';
import type { Handoff } from '../../core/handoff.ts';
import { type HostName, hostNames, hosts, isGiving } from '../../core/hosts.ts';
import type { Store } from '../../core/store.ts';
import { replaceFile } from '../../disk/replace-file.ts';
import { makeTemporaryFolder } from '../../disk/temporary-folder.ts';
import { openStore } from '../../stores/open.ts';
import { readConfiguration } from '../../workspace/configuration.ts';
import { askGit } from '../../workspace/git.ts';
import { type HookRun, readHookRuns } from '../../workspace/hosts/hook-log.ts';
import { type RecordedSession, recordedTranscript } from '../../workspace/hosts/recorded-payloads.ts';
import { ownFolder } from '../../workspace/place.ts';
import { openWorkspace, pinProject } from '../../workspace/project.ts';
import type { OperationContext } from '../context.ts';
import { handoffCreate } from '../handoff-create.ts';
import { BackgroundRuns } from '../planning/background-runs.ts';
import { hostSessionsOf } from '../sessions/host-sessions-of.ts';

/** A project of its own in a temporary folder: what runs there finds one open handoff, and nothing of the user's. */
export interface Sandbox {
  context: OperationContext;
  store: Store;
  /** The one open handoff. */
  probe: Handoff;
  /** A session whose transcript the host has. */
  session: RecordedSession;
  /** The environment of a command: the user's own, with every folder of Baton in the sandbox. */
  environment: NodeJS.ProcessEnv;
  /** The runs that hooks recorded here, oldest first. */
  readRuns: () => HookRun[];
  /** Whether a save that a hook recorded is still to be done. */
  isSaving: () => boolean;
  /** Waits, once the hook has ended, for the save that it started in the background; for a bounded time. */
  waitForSave: () => Promise<void>;
  /** Waits in the same way, closes the store and removes the folder. */
  close: () => Promise<void>;
}

/**
 * Opens a sandbox. It is a repository where the project is one, so that hooks do the same work there.
 *
 * @param host - whose hooks are tried in it.
 * @param save_ms - how long a save in the background is waited for.
 * @throws the system's error, or HandoffError `unavailable`, where nothing can be written or git does not answer.
 */
export async function openSandbox(host: HostName, context: OperationContext, save_ms: number): Promise<Sandbox> {
  const folder = makeTemporaryFolder('baton-doctor-');
  try {
    const { waitForSave, ...sandbox } = await furnish({ folder: folder.path, host }, context, save_ms);
    return {
      ...sandbox,
      waitForSave,
      close: async () => {
        // Whatever the hook did: a worker whose folder is gone would make it again.
        await waitForSave();
        await sandbox.store.close();
        folder.remove();
      },
    };
  } catch (error) {
    folder.remove();
    throw error;
  }
}

/** Whether a repository is around a folder, also one that may not be opened. */
function isInRepository(folder: string): boolean {
  try {
    return openWorkspace(folder).git_common_dir !== undefined;
  } catch (error) {
    if (!isHandoffError(error)) throw error;
    return true;
  }
}

async function furnish(
  { folder, host }: { folder: string; host: HostName },
  outer: OperationContext,
  save_ms: number,
): Promise<Omit<Sandbox, 'close'>> {
  const cwd = join(folder, 'project');
  const environment = environmentFor({ folder, cwd, host }, outer);
  mkdirSync(cwd);
  // Also where the temporary files are in a repository: its own files would be read then.
  const isGit = outer.workspace.git_common_dir !== undefined || isInRepository(tmpdir());
  if (isGit) askGit(cwd, ['init', '--quiet', '--template=']);
  const session = { host, session_id: crypto.randomUUID(), transcript_path: join(folder, 'transcript.jsonl'), cwd };
  replaceFile(session.transcript_path, recordedTranscript(session, new Date(outer.now()).toISOString()), 0o600);
  const { context, store } = await openContext(cwd, environment, outer);
  const content = {
    summary: 'A recorded handoff, with which the hooks of this project are tried out.',
    decisions: ['Count requests in Redis, shared by all servers.'],
    next_steps: ['Document the headers.'],
  };
  const probe = await handoffCreate.run(handoffCreate.input.parse({ content }), context);
  // At a prompt only what waits for this session is given.
  hostSessionsOf(context).writeFollowing(session.session_id, probe.id);
  const own = ownFolder(context.workspace, environment);
  const readRuns = () => readHookRuns(own);
  const isSaving = () => hostSessionsOf(context).listJobs().length > 0;
  let waiting: Promise<void> | undefined;
  const waitForSave = () => {
    waiting ??= waitUntilSaved({ host, readRuns, isSaving }, save_ms, outer.signal);
    return waiting;
  };
  return {
    context,
    store,
    probe: probe as Handoff,
    session,
    environment,
    readRuns,
    isSaving,
    waitForSave,
  };
}

/** Between two checks of a save in the background. */
const look_ms = 20;

/** A hook records the save before it ends, and starts a worker for it; each worker records its end. */
async function waitUntilSaved(
  { host, readRuns, isSaving }: Pick<Sandbox, 'readRuns' | 'isSaving'> & { host: HostName },
  save_ms: number,
  signal: AbortSignal,
): Promise<void> {
  const until_ms = performance.now() + save_ms;
  while (performance.now() < until_ms && !signal.aborted) {
    const runs = readRuns();
    const saves = runs.filter(({ event, error }) => event !== 'work' && !isGiving(host, event) && error === undefined);
    const ended = runs.filter(({ event }) => event === 'work').length;
    if (!isSaving() && ended >= saves.length) return;
    await new Promise((resolve) => setTimeout(resolve, look_ms));
  }
}

async function openContext(cwd: string, environment: NodeJS.ProcessEnv, { now, signal }: OperationContext) {
  const workspace = openWorkspace(cwd);
  const { configuration, repository } = readConfiguration(workspace, environment);
  const store_url = configuration.store ?? '';
  const store = await openStore(store_url, { now });
  const context: OperationContext = {
    actor: { name: 'baton-doctor', type: 'agent' },
    workspace,
    project: pinProject(workspace),
    configuration,
    repository,
    environment,
    store_url,
    openStore: async () => store,
    background: new BackgroundRuns(),
    now,
    signal,
  };
  return { context, store };
}

/** The user's environment as a host passes it to a hook, in a session that a person uses. */
function environmentFor(
  { folder, cwd, host }: { folder: string; cwd: string; host: HostName },
  { environment }: OperationContext,
): NodeJS.ProcessEnv {
  const { project, process: pid, entrypoint } = hosts[host].variables;
  const marks = hostNames.flatMap((name) => hosts[name].variables.own ?? []);
  const kept = Object.entries(environment).filter(
    ([name]) => !hosts[host].hidden_variables.test(name) && !name.startsWith('BATON_') && !marks.includes(name),
  );
  return {
    ...Object.fromEntries(kept),
    // No agent is asked about a session that never existed.
    BATON_EXTRACTOR: 'rules',
    XDG_STATE_HOME: join(folder, 'state'),
    BATON_STORE: `sqlite:${join(folder, 'state', 'baton', 'baton.db')}`,
    ...(project !== undefined && { [project]: cwd }),
    ...(entrypoint !== undefined && { [entrypoint.name]: entrypoint.interactive }),
    ...(pid !== undefined && { [pid]: String(process.pid) }),
  };
}
