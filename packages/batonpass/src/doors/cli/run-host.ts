import { type ChildProcess, spawn } from 'node:child_process';
import { basename } from 'node:path';
import { runningVariable } from '../../core/asking.ts';
import { HandoffError, isHandoffError } from '../../core/errors.ts';
import { type HostName, hostNames, hosts } from '../../core/hosts.ts';
import { type Baton, openBaton } from '../../operations/baton.ts';
import { isPromptShown } from '../../operations/sessions/find-prompt.ts';
import { EXIT_NO } from './exit-codes.ts';
import { shortId } from './present/handoff-line.ts';
import type { LocalCommand } from './program.ts';
import { write } from './write.ts';

/** Claims a handoff and runs a host on it; see the command `run`. @param signal - stops the host. */
export async function runHost(
  { arguments: given, options }: Parameters<LocalCommand['run']>[0],
  { cwd, store, as }: Parameters<LocalCommand['run']>[1],
  signal: AbortSignal,
): Promise<void> {
  const words = given.map((word) => word ?? '');
  const host = hostOf(words);
  const baton = await openBaton({ cwd, store, agent: as ?? host, program: process.argv[1] });
  try {
    const input = {
      id: options.id as string | undefined,
      task_id: options.task as string | undefined,
      // Such runs leave results, which are nobody's work.
      kind: (options.kind as string | undefined) ?? 'context',
      lease_ms: options.lease as number | undefined,
    };
    const { handoff, context } = await baton.handoff.claim(input);
    if (handoff === null || context === null) {
      await write(process.stderr, 'Nothing to claim; the host was not started.');
      process.exitCode = EXIT_NO;
      return;
    }
    const text = `${context.text}\n${context.situation}Rendered: sha256 ${context.sha256}\n`;
    const receiver = new Receiver(baton, {
      host,
      id: handoff.id,
      token: handoff.delivery.lease?.token ?? '',
      rendered_sha256: context.sha256,
      renew_ms: (input.lease_ms ?? baton.context.configuration.lease_ms) / 3,
    });
    process.exitCode = await receiver.run(words, text, signal);
  } finally {
    await baton.close();
  }
}

/** The hosts that work without a person. */
const runnable = hostNames.filter((host) => hosts[host].headless.words.length > 0);

function hostOf(words: readonly string[]): HostName {
  const [program = '', ...rest] = words;
  const name = basename(program).replace(/\.(?:cmd|exe)$/, '');
  const host = hostNames.find((each) => hosts[each].command === name);
  if (host !== undefined && hosts[host].headless.words.some((word) => rest.includes(word))) return host;
  const what =
    host === undefined
      ? `"${name}" cannot be run: it is no host's program. Those that can: ${runnable.map((each) => hosts[each].command).join(', ')}.`
      : `${hosts[host].title} would wait for a person. A handoff for a person's session comes by hooks: baton init`;
  throw new HandoffError('invalid_input', what, {
    alternatives: Object.values(hosts).map(({ headless }) => headless.example),
  });
}

interface Holding {
  host: HostName;
  id: string;
  token: string;
  rendered_sha256: string;
  renew_ms: number;
}

/** Between two reads of the transcript. */
const look_ms = 2_000;

/** Holds one handoff while a host runs on it. */
class Receiver {
  readonly #baton: Baton;
  readonly #holding: Holding;
  readonly #since_ms = Date.now();
  #isShown = false;

  constructor(baton: Baton, holding: Holding) {
    this.#baton = baton;
    this.#holding = holding;
  }

  /** @returns the host's own exit code. @throws HandoffError `unavailable` where it cannot be started. */
  async run(words: readonly string[], text: string, signal: AbortSignal): Promise<number> {
    const { id } = this.#holding;
    const [program = '', ...given] = words;
    const { rest, prompt } = withoutPrompt(this.#holding.host, given);
    await write(process.stderr, `Runs ${program} on ${shortId(id)}.`);
    const child = spawn(program, rest, {
      cwd: this.#baton.context.workspace.root,
      env: { ...process.env, [runningVariable]: '1' },
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    const stop = () => child.kill('SIGTERM');
    signal.addEventListener('abort', stop, { once: true });
    const timers = [
      setInterval(() => void this.#renew(), this.#holding.renew_ms),
      setInterval(() => void this.#look(), look_ms),
    ];
    try {
      const code = await endOf(child, prompt + text);
      await this.#look();
      await this.#settle(code);
      return code;
    } catch (error) {
      await this.#release('The host could not be started.');
      throw error;
    } finally {
      for (const timer of timers) clearInterval(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  async #renew(): Promise<void> {
    const { id, token } = this.#holding;
    await this.#baton.handoff.renew({ id, token }).catch(unlessExpected);
  }

  /** Acknowledges as soon as the transcript shows the text: from then on the host has it, however its run ends. */
  async #look(): Promise<void> {
    if (this.#isShown) return;
    const { host, id, token, rendered_sha256 } = this.#holding;
    const wanted = { host, since_ms: this.#since_ms, handoff_id: id, rendered_sha256 };
    if (!(await isPromptShown(wanted, this.#baton.context)) || this.#isShown) return;
    this.#isShown = true;
    await this.#baton.handoff.acknowledge({ id, token }).catch(unlessExpected);
  }

  async #settle(code: number): Promise<void> {
    const { id, host } = this.#holding;
    const title = hosts[host].title;
    if (this.#isShown) {
      await write(
        process.stderr,
        `${title} ended with ${code}; its transcript shows ${shortId(id)}, which is acknowledged.`,
      );
      return;
    }
    await this.#release(`${title} ended with ${code}, and no transcript of it shows the handoff.`);
    await write(
      process.stderr,
      `${title} ended with ${code}; no transcript shows ${shortId(id)}, which is open again.`,
    );
  }

  async #release(reason: string): Promise<void> {
    const { id, token } = this.#holding;
    await this.#baton.handoff.release({ id, token, reason }).catch(unlessExpected);
  }
}

/** A host that reads standard input only without a prompt gets the prompt there, before the text: no other user sees it. */
function withoutPrompt(host: HostName, words: readonly string[]): { rest: string[]; prompt: string } {
  const { headless } = hosts[host];
  const at = headless.has_prompt === true ? words.findIndex((word) => headless.words.includes(word)) : -1;
  if (at === -1) return { rest: [...words], prompt: '' };
  return {
    rest: words.filter((_word, index) => index !== at && index !== at + 1),
    prompt: `${words[at + 1] ?? ''}\n\n`,
  };
}

/** Another caller, as the agent itself, took a step meanwhile, or the lease has lapsed: that step is the result. */
function unlessExpected(error: unknown): void {
  if (!isHandoffError(error)) throw error;
}

/** Gives a host its text, and waits for its end; a signal gives the exit code that a shell gives. */
function endOf(child: ChildProcess, text: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => {
      const { code } = cause as NodeJS.ErrnoException;
      const message = `The host cannot be started: ${child.spawnfile} (${code}). The handoff is open again.`;
      reject(
        new HandoffError('unavailable', message, {
          cause,
          alternatives: ['Install it, or give the full path of its program.'],
        }),
      );
    });
    child.once('close', (code, killed) => resolve(code ?? 128 + (killed === 'SIGKILL' ? 9 : 15)));
    // A host that does not read closes the pipe; then no transcript shows the text.
    child.stdin?.on('error', () => {});
    child.stdin?.end(text);
  });
}
