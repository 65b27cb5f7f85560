import type { Handoff } from '../../core/handoff.ts';
import { showHiddenIn } from '../../core/shown-values.ts';
import { actedByPerson } from '../../operations/acted-by-person.ts';
import { type Baton, openBaton } from '../../operations/baton.ts';
import type { OperationInput, OperationName } from '../../operations/catalogue.ts';
import type { Progress } from '../../operations/context.ts';
import { describeIgnored } from '../../operations/ignored-settings.ts';
import { describeReadOnly } from '../../operations/store/store-opener.ts';
import type { Command, Given } from './command.ts';
import { EXIT_NO, EXIT_OK } from './exit-codes.ts';
import { createView, visible } from './present/view.ts';
import type { GlobalOptions } from './program.ts';
import { write } from './write.ts';

/**
 * Runs a command's operation and prints its answer: results on standard output, remarks on standard error.
 *
 * @returns the exit code: 0, or 1 where the answer is "no".
 */
export async function runCommand(
  named: Command,
  given: Given,
  globals: GlobalOptions,
  signal: AbortSignal,
): Promise<number> {
  const command = named.instead?.(given) ?? named;
  let input = await command.toInput(given);
  const baton = await openFor(command, globals);
  let { options } = given;
  try {
    const agreed = await confirm(command, { given, input, baton, json: globals.json === true, signal });
    if (agreed === 'refused') return EXIT_NO;
    if (agreed !== 'not asked') {
      input = agreed;
      options = { ...options, confirmed: true };
    }
    // A person agrees at a terminal, also where the folder names an agent.
    const acting = agreed === 'not asked' ? baton : actedByPerson(baton, { is_confirmed: true });
    const output = await withProgress(command.progress?.(given) ?? command.summary, process.stderr, (tell) =>
      acting.run(command.operation, input, {
        idempotency_key: globals.key,
        signal,
        onProgress: (progress) => tell(formatProgress(progress), command.tellsEach),
      }),
    );
    const id = signal.aborted ? undefined : command.toAbout?.(output, given);
    const about = id === undefined ? undefined : await baton.handoff.get({ id });
    const { name, type } = baton.context.actor;
    const agent = type === 'agent' ? name : undefined;
    const claimed = command.claimed?.(output) ?? undefined;
    const isTokenKept = claimed !== undefined && (await keepToken(claimed));
    const surroundings = { now_ms: Date.now(), options, agent, about, isTokenKept };
    // The person who stopped a wait knows that nothing came.
    const isStopped = signal.aborted && command.isNo?.(output) === true;
    const printing = { command, surroundings, json: globals.json === true, isSilent: isStopped };
    await print({ ...printing, output });
    const folder = command.follows?.(given, baton.context);
    if (folder !== undefined) {
      const { follow } = await import('./follow.ts');
      const ask = () => baton.run(command.operation, input, { signal });
      await follow({ folder, first: output, ask, show: (answer) => print({ ...printing, output: answer }), signal });
    }
    return command.isNo?.(output) === true ? EXIT_NO : EXIT_OK;
  } finally {
    await baton.close();
  }
}

/** Loaded late: finding the terminal starts a program, and few commands claim. */
async function keepToken(claimed: Handoff): Promise<boolean> {
  return (await import('../../operations/terminal-tokens.ts')).keepToken(claimed, process.env);
}

async function openFor({ operation }: Command, { cwd, store, as: agent }: GlobalOptions): Promise<Baton> {
  const baton = await openBaton({ cwd, named_store: store, agent, program: process.argv[1] });
  if (!explainsSettings.includes(operation)) await noteIgnored(baton);
  const readOnly = describeReadOnly(baton.context);
  if (readOnly !== undefined) await write(process.stderr, `! ${visible(readOnly)}`);
  return baton;
}

/** The operations that report a repository's settings themselves. */
const explainsSettings: readonly OperationName[] = ['project.trust', 'project.diagnose'];

/** Reports once which settings of the repository are ignored. */
export async function noteIgnored({ context }: Baton): Promise<void> {
  const ignored = describeIgnored(context);
  if (ignored !== undefined) await write(process.stderr, `! ${visible(ignored.what)}\n→ ${ignored.next}`);
}

/** `1,200 of 5,000 handoffs copied`, or the present step. */
function formatProgress({ what, done, total, now }: Progress): string {
  if (now !== undefined) return now;
  const count = done.toLocaleString('en-US');
  return total === undefined ? `${count} ${what}` : `${count} of ${total.toLocaleString('en-US')} ${what}`;
}

interface Asking {
  given: Given;
  input: OperationInput<OperationName>;
  baton: Baton;
  json: boolean;
  signal: AbortSignal;
}

/**
 * Shows a person at a terminal what a command is about to do, and asks.
 *
 * @returns the input that does exactly that; `not asked` where nobody can be asked, or nothing is to be done.
 */
async function confirm(
  { confirm: confirmation, operation, present }: Command,
  { given, input, baton, json, signal }: Asking,
): Promise<OperationInput<OperationName> | 'refused' | 'not asked'> {
  if (confirmation?.isWanted(given) !== true) return 'not asked';
  const { askYesOrNo, isAtTerminal } = await import('./confirm.ts');
  if (!isAtTerminal(process.stdin, process.stderr)) return 'not asked';
  const plan = await baton.run(operation, confirmation.rehearse(input), { signal });
  const agreed = confirmation.agree(input, plan);
  if (agreed === null) return 'not asked';
  // With JSON, standard output has one answer only.
  const stream = json ? process.stderr : process.stdout;
  await write(stream, present(plan, createView(stream, { now_ms: Date.now(), options: given.options })));
  const streams = { input: process.stdin, output: process.stderr };
  if (!(await askYesOrNo(confirmation.question, streams, signal))) {
    await write(process.stderr, confirmation.refused);
    return 'refused';
  }
  const { offer } = confirmation;
  if (offer?.isWanted(plan) !== true) return agreed;
  return (await askYesOrNo(offer.question, streams, signal)) ? offer.accept(agreed) : agreed;
}

/** The JSON that every door answers, indented. */
export function formatJson(output: unknown): string {
  return JSON.stringify(showHiddenIn(output), null, 2);
}

interface Printing {
  command: Command;
  output: Parameters<Command['present']>[0];
  surroundings: Parameters<typeof createView>[1];
  json: boolean;
  isSilent: boolean;
}

/**
 * Prints the answer, then the remark. With `json` the answer holds everything and the remark is left out, unless the
 * answer was not written: a claim's token would be lost with it.
 */
async function print({ command, output, surroundings, json, isSilent }: Printing): Promise<void> {
  let arrived = false;
  try {
    const answer = json
      ? formatJson(command.toJson?.(output) ?? output)
      : command.present(output, createView(process.stdout, surroundings));
    arrived = await write(process.stdout, answer);
  } finally {
    const wanted = !isSilent && !(json && arrived);
    const remark = wanted ? command.remark?.(output, createView(process.stderr, surroundings)) : undefined;
    await write(process.stderr, remark ?? '');
  }
}

/** A shorter task shows nothing: a line that flashes by cannot be read. */
const quiet_ms = 1_000;

/** Clears the cursor's line. */
const WIPE = '\r\u001b[2K';

/**
 * Runs a task. Where it takes over a second on a terminal, it shows the elapsed time and the progress:
 * `Copying handoffs … 1,200 of 5,000 · 2 s (Ctrl-C stops)`. The line is cleared whenever the task ends, also on failure.
 *
 * @param task - gets a function that takes the progress; text that is to stay gets a line of its own, whatever the
 * stream is.
 */
async function withProgress<T>(
  label: string,
  stream: NodeJS.WriteStream,
  task: (tell: (text: string, stays?: true) => void) => Promise<T>,
): Promise<T> {
  let told = '';
  const tell = (text: string, stays?: true) => {
    told = `${text} · `;
    if (stays) stream.write(`${stream.isTTY ? WIPE : ''}${visible(text)}\n`);
  };
  if (!stream.isTTY) return task(tell);
  const start_ms = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - start_ms) / 1_000);
    stream.write(`${WIPE}${label} … ${told}${seconds} s (Ctrl-C stops)`);
  }, quiet_ms);
  try {
    return await task(tell);
  } finally {
    clearInterval(timer);
    if (performance.now() - start_ms >= quiet_ms) stream.write(WIPE);
  }
}
