import { CommanderError } from 'commander';
import { config } from 'zod';
import { HandoffError } from '../../core/errors.ts';
import { completion } from './completion.ts';
import { EXIT_INTERRUPTED, EXIT_NO, EXIT_TERMINATED } from './exit-codes.ts';
import { hook } from './hook.ts';
import { createView } from './present/view.ts';
import { createProgram, type LocalCommand, missingValue, withDefaultCommand } from './program.ts';
import { renderError } from './render-error.ts';
import { createReviewCommand } from './review/review-command.ts';
import { createStandardInputReader, runCommand } from './run-command.ts';
import { createStudioCommand } from './studio.ts';
import { write } from './write.ts';

const demo: LocalCommand = {
  name: 'demo',
  summary: 'Hand a recorded session over, end to end, in a temporary folder',
  run: async () => (await import('./demo.ts')).runDemo(),
};

/** For hosts: the door loads with it, so that no other command pays for the protocol. */
function createMcpCommand(signal: AbortSignal): LocalCommand {
  return {
    name: 'mcp',
    summary: 'Serve MCP on standard input and output, for agents’ hosts',
    run: async (_given, { cwd, store, as }) => {
      const { serveOnStdio } = await import('../mcp/serve-on-stdio.ts');
      await serveOnStdio({ cwd, store, agent: as, signal });
      if (signal.aborted) process.exitCode = signal.reason;
    },
  };
}

/**
 * The command line: reads the words, runs one command, sets the process's exit code and never ends the process itself,
 * so that everything written leaves it.
 */
export async function main(words: readonly string[]): Promise<void> {
  // A command checks one input: to compile the checks first costs more than it saves.
  config({ jitless: true });
  // The AI SDK tells its hints to programmers on standard error; what concerns a user is in the answer.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort(EXIT_INTERRUPTED));
  process.once('SIGTERM', () => interrupted.abort(EXIT_TERMINATED));
  // Each write answers for itself; without a listener the stream would end the process as well.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  let help = '';
  const program = createProgram({
    words,
    run: async (command, given, globals) => {
      process.exitCode = await runCommand(command, given, globals, interrupted.signal);
      if (interrupted.signal.aborted) process.exitCode = interrupted.signal.reason;
    },
    locals: [
      createReviewCommand(interrupted.signal),
      createStudioCommand(interrupted.signal),
      createMcpCommand(interrupted.signal),
      hook,
      demo,
      completion,
    ],
    readStandardInput: createStandardInputReader(process.stdin),
    writeOut: (text) => {
      help += text;
    },
  });
  try {
    await parse(program, words);
    await write(process.stdout, help);
  } catch (error) {
    // Whoever stopped it knows why it ended.
    if (interrupted.signal.aborted && error instanceof Error && error.name === 'AbortError') {
      process.exitCode = interrupted.signal.reason;
      return;
    }
    const code = await report(error, words.includes('--json'));
    // To a host, a hook that ends with 2 stops the user.
    process.exitCode = words[0] === 'hook' ? EXIT_NO : code;
  }
}

/** `--help` and `--version` end by an error of commander too, with code 0. */
async function parse(program: ReturnType<typeof createProgram>, words: readonly string[]): Promise<void> {
  try {
    const isTyped = process.stdin.isTTY === true;
    await program.parseAsync([...withDefaultCommand(words, program, { name: 'status', isTyped })], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError && error.exitCode === 0)) throw error;
  }
}

/** @returns the exit code, which stays the one word where standard error cannot be written either. */
async function report(error: unknown, json: boolean): Promise<number> {
  const view = createView(process.stderr, { now_ms: Date.now(), options: {} });
  const { text, exitCode } = renderError(error instanceof CommanderError ? asInvalidInput(error) : error, view, json);
  await write(process.stderr, text).catch(() => false);
  return exitCode;
}

/** Commander's message as a sentence, with its guess of what was meant. */
function asInvalidInput({ message, code }: CommanderError): HandoffError {
  if (message === '(outputHelp)') return noSuchCommand();
  const [what = '', guess] = message.replace(/^error: /, '').split('\n');
  const missing = code === 'commander.optionMissingArgument' ? message.match(/(--[a-z-]+)/)?.[1] : undefined;
  if (missing !== undefined) return missingValue(missing);
  const sentence = `${what.charAt(0).toUpperCase()}${what.slice(1).replace(/\.$/, '')}.`;
  return new HandoffError('invalid_input', sentence, {
    details: { code },
    alternatives: [
      ...(guess === undefined ? [] : [guess.replace(/^\(|\)$/g, '')]),
      'See what there is: baton --help, or baton COMMAND --help.',
    ],
  });
}

/** Asked for the help of a command that is none; commander says no more than that it shows its own. */
function noSuchCommand(): HandoffError {
  return new HandoffError('invalid_input', 'There is no such command to help with.', {
    alternatives: ['See what there is: baton --help'],
  });
}
