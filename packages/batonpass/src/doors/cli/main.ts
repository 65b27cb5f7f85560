import { CommanderError } from 'commander';
import { config } from 'zod';
import { HandoffError } from '../../core/errors.ts';
import { completion } from './completion.ts';
import { EXIT_INTERRUPTED } from './exit-codes.ts';
import { createView } from './present/view.ts';
import { createProgram, type LocalCommand, withDefaultCommand } from './program.ts';
import { renderError } from './render-error.ts';
import { createStandardInputReader, runCommand } from './run-command.ts';

const demo: LocalCommand = {
  name: 'demo',
  summary: 'Hand a recorded session over, end to end, in a temporary folder',
  run: async () => (await import('./demo.ts')).runDemo(),
};

/**
 * The command line: reads the words, runs one command, sets the process's exit code and never ends the process itself,
 * so that everything written leaves it.
 */
export async function main(words: readonly string[]): Promise<void> {
  // A command checks one input: to compile the checks first costs more than it saves.
  config({ jitless: true });
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  process.once('SIGTERM', () => interrupted.abort());
  // A reader that closes early, as `head`, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const program = createProgram(
    words,
    async (command, given, globals) => {
      process.exitCode = await runCommand(command, given, globals, interrupted.signal);
      if (interrupted.signal.aborted) process.exitCode = EXIT_INTERRUPTED;
    },
    [demo, completion],
    createStandardInputReader(process.stdin),
  );
  try {
    await program.parseAsync([...withDefaultCommand(words, program, 'status')], { from: 'user' });
  } catch (error) {
    process.exitCode = report(error, words.includes('--json'));
  }
}

/** `--help` and `--version` end by an error of commander too, with code 0. */
function report(error: unknown, json: boolean): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') return 0;
  const view = createView(process.stderr, { now_ms: Date.now(), options: {} });
  const { text, exitCode } = renderError(error instanceof CommanderError ? asInvalidInput(error) : error, view, json);
  process.stderr.write(`${text}\n`);
  return exitCode;
}

/** Commander's message as a sentence, with its guess of what was meant. */
function asInvalidInput({ message, code }: CommanderError): HandoffError {
  const [what = '', guess] = message.replace(/^error: /, '').split('\n');
  const sentence = `${what.charAt(0).toUpperCase()}${what.slice(1).replace(/\.$/, '')}.`;
  return new HandoffError('invalid_input', sentence, {
    details: { code },
    alternatives: [
      ...(guess === undefined ? [] : [guess.replace(/^\(|\)$/g, '')]),
      'See what there is: baton --help, or baton COMMAND --help.',
    ],
  });
}
