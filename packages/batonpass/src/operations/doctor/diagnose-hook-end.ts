import { z } from 'zod';
import { readAnswer } from '../../core/hook-answer.ts';
import { eventOf, hosts, isGiving } from '../../core/hosts.ts';
import { howToInstall } from '../../core/how-to-install.ts';
import { estimateTokens } from '../../formats/token-estimate.ts';
import type { HookRegistration } from '../../workspace/hosts/hook-registrations.ts';
import type { HostCommand, HostCommandEnd } from '../../workspace/hosts/host-command.ts';
import { cannotRecord } from '../sessions/note-hook-run.ts';
import { type Finding, fine, firstLines, problem, warning } from './diagnose-finding.ts';
import type { Sandbox } from './diagnose-sandbox.ts';

/** The parts of a hook's answer that the host reads. */
const answerSchema = z.looseObject({ continue: z.boolean().optional(), decision: z.string().optional() });

/** Judges one run of a hook: how the host would have read it, and whether it did its work. */
export async function judgeHook(hook: HookRegistration, end: HostCommandEnd, sandbox: Sandbox): Promise<Finding[]> {
  const { event } = hook;
  const verdict =
    judgeEnd(hook, end) ??
    (isGiving(hook.host, hook.event) ? await judgeContext(hook, end, sandbox) : await judgeSave(hook, end, sandbox));
  const all = verdict.level === 'ok' ? [verdict, ...judgeManners(hook, end)] : [verdict];
  return all.map((finding) => ({ ...finding, about: event, figures: { took_ms: end.took_ms, ...finding.figures } }));
}

const lost = 'The host continues silently, and no session starts with a handoff.';
const withheld = 'The host continues silently, and the session does not get what an agent wrote for it.';
const unsaved = 'The host continues silently, and the results of the session are not saved.';

function harm(hook: HookRegistration): string {
  const { host, event } = hook;
  if (eventOf(host, event)?.moment === 'start') return lost;
  return isGiving(host, event) ? withheld : unsaved;
}

function judgeEnd(hook: HookRegistration, end: HostCommandEnd): Finding | undefined {
  const { event, timeout_ms } = hook;
  const shown = show(hook.command);
  const why = harm(hook);
  if (end.start_failure !== undefined || end.exit_code === 127) {
    const reason = end.start_failure ?? firstLines(end.stderr);
    const next = 'Install it where hosts find it, as named above. Or register the Baton that runs now: baton init';
    return problem('hook-fails', { what: `${event} could not be started: ${shown} (${reason}).`, why, next });
  }
  if (end.timed_out) {
    const what = `${event} did not end within ${seconds(timeout_ms)}: ${shown}`;
    const next = 'See what it waits for by running that command by hand, and whether the machine is busy.';
    return problem('hook-timeout', { what, why: `The host kills it then. ${why}`, next });
  }
  if (end.exit_code === hosts[hook.host].block_exit_code && canBlock(hook)) {
    const what = `${event} ended with ${end.exit_code}, and said: ${firstLines(end.stderr) || 'nothing'}`;
    const next = unwrap(hook);
    return problem('hook-blocks', { what, why: 'To the host this means: stop what the user is doing.', next });
  }
  if (end.exit_code === 0) return undefined;
  const what = `${event} ended with ${end.exit_code ?? 'a signal'}, and said: ${firstLines(end.stderr) || 'nothing'}`;
  return problem('hook-fails', { what, why, next: `Run it by hand to see more: echo '{}' | ${shown}` });
}

/** What a session starts with: one JSON object of the host's form, with the sandbox's handoff in it, short enough. */
async function judgeContext(hook: HookRegistration, end: HostCommandEnd, sandbox: Sandbox): Promise<Finding> {
  const { event } = hook;
  const next = unwrap(hook);
  const text = end.stdout.trim();
  if (text === '') return cannotWrite(hook, end, sandbox) ?? silent(hook, sandbox);
  const answer = parseAnswer(text);
  if (answer === undefined) {
    const what = `${event} prints something other than a JSON object: ${firstLines(text).slice(0, 100)}`;
    const why = text.startsWith('{')
      ? `The host drops it. ${harm(hook)}`
      : 'The model gets all of it as plain text, noise included.';
    return problem('hook-invalid-json', { what, why, next });
  }
  const name = readAnswer(hook.host, answer, 'event');
  const context = readAnswer(hook.host, answer, 'context') ?? '';
  const { answer: places, context_characters_max: most } = hosts[hook.host];
  if (places.event !== undefined && name !== event) {
    const member = places.event.at(-1);
    const what = `${event} prints ${name === undefined ? `no ${member}` : `the ${member} "${name}"`}.`;
    return problem('hook-event-name', { what, why: `The host drops such an answer. ${harm(hook)}`, next });
  }
  const figures = { characters: context.length, tokens: estimateTokens(context) };
  if (context.length > most) {
    const what = `${event} gives the session ${counted(context.length)} characters; at most ${counted(most)} are sure to arrive.`;
    const why = 'A host may write a longer text to a file, so that the model sees only its beginning.';
    return problem('hook-too-long', { what, why, next, figures });
  }
  const offered = (await sandbox.store.get(sandbox.probe.id))?.delivery.offered?.rendered_sha256;
  // A session that only gets the name of a handoff claims it itself.
  const isNamed = hosts[hook.host].keeps_no_record === true && context.includes(sandbox.probe.id);
  const isGiven = offered !== undefined && context.includes(sandbox.probe.id) && context.includes(offered);
  if (!isNamed && !isGiven) {
    const what = `${event} gives the session a text without the handoff that was waiting.`;
    return problem('hook-wrong-context', {
      what,
      why: 'The session continues from nothing, or from something else.',
      next,
    });
  }
  const isStart = eventOf(hook.host, event)?.moment === 'start';
  const what = `${event} puts the ${isStart ? 'newest handoff' : 'handoff that waits for it'} into the session: ${end.took_ms} ms, ${counted(context.length)} characters, about ${figures.tokens} tokens`;
  return fine('hook-works', what, { figures });
}

/** A hook of Baton records every run; one that complains and recorded nothing could not write. */
function cannotWrite(hook: HookRegistration, { stderr }: HostCommandEnd, { readRuns }: Sandbox): Finding | undefined {
  if (!stderr.includes(cannotRecord) || readRuns().length > 0) return undefined;
  const what = `${hook.event} cannot write to the disk: ${firstLines(stderr)}`;
  const next = 'Free space on the disk, or make it writable, then run it again: baton doctor';
  return problem('hook-cannot-write', { what, why: harm(hook), next });
}

function silent(hook: HookRegistration, { readRuns }: Sandbox): Finding {
  const run = readRuns().at(-1);
  const said = run === undefined ? 'and recorded no reason' : `and recorded: ${run.error?.message ?? run.outcome}`;
  const what = `${hook.event} prints nothing although a handoff was waiting, ${said}`;
  return problem('hook-silent', { what, why: harm(hook), next: unwrap(hook) });
}

/** The result of an event that saves: a handoff of the session, once the work in the background is done. */
async function judgeSave(hook: HookRegistration, end: HostCommandEnd, sandbox: Sandbox): Promise<Finding> {
  const { event } = hook;
  const answer = parseAnswer(end.stdout.trim());
  if (answer?.decision === 'block' && canBlock(hook)) {
    const why = 'To the host this means: stop what the user is doing.';
    return problem('hook-blocks', { what: `${event} answers "block".`, why, next: unwrap(hook) });
  }
  await sandbox.waitForSave();
  const { context, store, session } = sandbox;
  const filter = { project: context.project, session: session.session_id };
  const { handoffs } = await store.list({ filter, limit: 1 });
  const after = `answered in ${end.took_ms} ms`;
  if (handoffs.length > 0) return fine('hook-works', `${event} saves the session: ${after}`);
  const unwritten = cannotWrite(hook, end, sandbox);
  if (unwritten !== undefined) return unwritten;
  const failed = sandbox.readRuns().findLast(({ error }) => error !== undefined);
  const said = failed?.error?.message ?? (sandbox.isSaving() ? 'the save did not begin' : 'no reason was recorded');
  return problem('hook-not-saved', {
    what: `${event} ${after}, yet the session was not saved: ${said}`,
    why: unsaved,
    next: 'Check that the machine lets hooks start processes, and see what is named above.',
  });
}

/** What does no harm today: output where none is wanted, and slowness. */
function judgeManners(hook: HookRegistration, { stdout, stderr, took_ms }: HostCommandEnd): Finding[] {
  const { event } = hook;
  const { slow_ms = Number.POSITIVE_INFINITY, takes_context = false, moment } = eventOf(hook.host, event) ?? {};
  const next = unwrap(hook);
  const prints = !isGiving(hook.host, event) && stdout.trim() !== '';
  return [
    ...(prints
      ? [
          warning('hook-prints', {
            what: `${event} prints: ${firstLines(stdout)}`,
            why: takes_context ? 'The host may take it for an answer.' : 'The host drops it.',
            next,
          }),
        ]
      : []),
    ...(stderr.trim() === ''
      ? []
      : [
          warning('hook-complains', {
            what: `${event} says on standard error: ${firstLines(stderr)}`,
            why: 'It works anyway; the host shows this output to nobody.',
            next: 'Fix what it names.',
          }),
        ]),
    ...(took_ms <= slow_ms
      ? []
      : [
          warning('hook-slow', {
            what: `${event} takes ${seconds(took_ms)}.`,
            why: moment === 'end' ? 'A host that ends may not wait so long.' : 'The user waits for it each time.',
            next: `Where npx starts it, an installed command is faster: ${howToInstall}; then: baton init`,
          }),
        ]),
  ];
}

function canBlock({ host, event }: HookRegistration): boolean {
  return eventOf(host, event)?.can_block === true;
}

function parseAnswer(text: string): z.infer<typeof answerSchema> | undefined {
  try {
    return answerSchema.safeParse(JSON.parse(text)).data;
  } catch {
    // No JSON: the caller reports it.
    return undefined;
  }
}

function unwrap({ form, place, command }: HookRegistration): string {
  const shown = show(command);
  if (form !== 'own') return `Remove "${shown}" from ${place}, then register the hook alone: baton init --only hooks`;
  return `See what "${shown}" runs: no command around the hook may change what it prints. Then register it again: baton init`;
}

function show(command: HostCommand): string {
  return 'words' in command ? command.words.join(' ') : command.line;
}

function seconds(ms: number): string {
  return ms < 100 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

function counted(count: number): string {
  return count.toLocaleString('en-US');
}
