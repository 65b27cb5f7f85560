import { askingVariable } from '../../core/asking.ts';
import { isHandoffError } from '../../core/errors.ts';
import { formatAnswer } from '../../core/hook-answer.ts';
import { defaultHost, eventOf, type HostName, hosts, isRunByAnother } from '../../core/hosts.ts';
import { limits } from '../../core/limits.ts';
import { type Baton, openBaton } from '../../operations/baton.ts';
import { cannotRecord, noteHookRun } from '../../operations/sessions/note-hook-run.ts';
import { folderOfSession } from '../../operations/sessions/session-folder.ts';
import { askedBy, type HookRequest, parsePayload } from './host-events.ts';

/** One call of a hook by a host. */
export interface HookCall {
  /** The host's event, as `SessionStart`; `work` for the worker that hooks start themselves. */
  event: string | undefined;
  /** The caller. */
  host: HostName;
  readStandardInput: () => Promise<string>;
  environment: NodeJS.ProcessEnv;
  /** The folder where the payload names none. */
  cwd: string;
  /** The script that was started. */
  program: string;
}

/** A hook's output: for the host on standard output, for people on standard error. */
export interface HookAnswer {
  output: string;
  remark: string;
}

interface HookOutcome {
  output: string;
  session?: string;
  outcome: string;
  handoff_id?: string;
}

/**
 * Answers a host. It never fails: on every error the output is valid or empty, the host continues, and the error is
 * recorded for `baton doctor`.
 */
export async function runHook(call: HookCall): Promise<HookAnswer> {
  const started_ms = performance.now();
  const event = call.event ?? '(none)';
  // Before the payload is read the session's folder is unknown. The worker was started in it, whatever the host's folder is.
  const place = { cwd: (event === 'work' ? undefined : projectOf(call)) ?? call.cwd };
  const base = () => ({
    at: new Date().toISOString(),
    event,
    took_ms: Math.round(performance.now() - started_ms),
  });
  try {
    const { output, ...outcome } = await withinTime(timeFor(event, call), () => answer(event, call, place));
    return { output, remark: note({ ...base(), ...outcome }, place.cwd, call.environment) };
  } catch (error) {
    if (error instanceof NoPayload) return { output: '', remark: `baton: ${error.message}` };
    const { code, message } = describe(error);
    const run = { ...base(), outcome: 'failed', error: { code, message } };
    return { output: '', remark: [`baton: ${message}`, note(run, place.cwd, call.environment)].join('\n').trim() };
  }
}

async function answer(event: string, call: HookCall, place: { cwd: string }): Promise<HookOutcome> {
  // A host that Baton asks about a session runs no session of the user: nothing is handed over to it or saved from it.
  if (call.environment[askingVariable] !== undefined)
    return { output: '', outcome: 'Nothing is done while a host is asked.' };
  if (event === 'work') return work(call, place.cwd);
  if (isRunByAnother(call.host, call.environment)) return { output: '', outcome: 'Another host runs this hook.' };
  const text = await call.readStandardInput();
  const bytes = Buffer.byteLength(text);
  if (bytes > limits.hook_input_bytes_max) {
    throw new Error(`The payload has ${bytes} bytes; ${limits.hook_input_bytes_max} are the most.`);
  }
  const payload = parsePayload(text, call.host);
  if (payload === undefined) throw new NoPayload();
  place.cwd = folderOfSession(projectOf(call), payload.cwd) ?? place.cwd;
  const asked = askedBy({ ...call, event }, payload);
  if (asked === undefined) return { output: '', session: payload.session, outcome: `Nothing is done at ${event}.` };
  return withBaton(call, place.cwd, async (baton) => ({
    session: payload.session,
    ...(await ask(asked, { host: call.host, event }, baton)),
  }));
}

async function ask(asked: HookRequest, hook: { host: HostName; event: string }, baton: Baton): Promise<HookOutcome> {
  const { agent } = baton.context.configuration;
  const actor = { name: agent ?? asked.input.host, type: 'hook' as const };
  if (asked.name === 'session.note') {
    const { notice } = await baton.session.note(asked.input, { actor });
    return { output: formatAnswer(hook, { text: '', notice }), outcome: 'The save was noted.' };
  }
  const { text, notice, handoff_id, reason } = await baton.session.start(asked.input, { actor });
  const found = handoff_id === null ? {} : { handoff_id };
  return { output: formatAnswer(hook, { text, notice }), outcome: reason, ...found };
}

/** Does the saves that hooks recorded, in a process that no host waits for. */
async function work(call: HookCall, cwd: string): Promise<HookOutcome> {
  return withBaton(call, cwd, async (baton) => {
    const { agent } = baton.context.configuration;
    const actor = { name: agent ?? defaultHost, type: 'hook' as const };
    const { handoff_ids } = await baton.session.work({}, { actor });
    return { output: '', outcome: `${handoff_ids.length} saved.`, handoff_id: handoff_ids.at(-1) };
  });
}

async function withBaton(
  call: HookCall,
  cwd: string,
  body: (baton: Baton) => Promise<HookOutcome>,
): Promise<HookOutcome> {
  const { environment, program } = call;
  const baton = await openBaton({ cwd, environment, program });
  try {
    return await body(baton);
  } finally {
    await baton.close();
  }
}

/** The project's folder where the host names it. A host that was started within another also has that one's variables. */
function projectOf({ host, environment }: HookCall): string | undefined {
  return environment[hosts[host].variables.project ?? ''];
}

/** Payloads that no host sends are not recorded: they belong to no session. */
class NoPayload extends Error {
  override readonly message =
    'Standard input holds no payload of a host: a JSON object with session_id, transcript_path and cwd. To test hooks: baton doctor';
}

/** How long a host waits, in milliseconds; a save in the background has no bound. */
function timeFor(event: string, { host, environment }: HookCall): number | undefined {
  if (event === 'work') return undefined;
  const { moment, timeout_ms = limits.hook_ms } = eventOf(host, event) ?? {};
  if (moment !== 'end') return limits.hook_ms;
  const given_ms = Number(environment[hosts[host].variables.end_timeout ?? ''] || timeout_ms);
  const time_ms = (given_ms > 0 ? given_ms : timeout_ms) - limits.session_end_rest_ms;
  return Math.min(limits.hook_ms, Math.max(1, time_ms));
}

async function withinTime<T>(time_ms: number | undefined, body: () => Promise<T>): Promise<T> {
  if (time_ms === undefined) return body();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`It took more than ${time_ms} ms.`)), time_ms);
  });
  try {
    return await Promise.race([body(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** @returns the error message where the run cannot be recorded; empty where it was. */
function note(run: Parameters<typeof noteHookRun>[0], cwd: string, environment: NodeJS.ProcessEnv): string {
  try {
    noteHookRun(run, cwd, environment);
    return '';
  } catch (error) {
    return `${cannotRecord} ${(error as Error).message}`;
  }
}

function describe(error: unknown): { code: string; message: string } {
  if (isHandoffError(error)) return { code: error.code, message: error.message };
  return { code: 'defect', message: error instanceof Error ? error.message : String(error) };
}
