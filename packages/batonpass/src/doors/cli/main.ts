import { CommanderError, type Command as Program } from 'commander';
import { HandoffError, isHandoffError } from '../../core/errors.ts';
import type { Command } from './command.ts';
import { findCommandName, loadCommands } from './commands.ts';
import { EXIT_INTERRUPTED, EXIT_NO, EXIT_TERMINATED } from './exit-codes.ts';
import {
  createCompletionCommand,
  createReviewCommand,
  createRunCommand,
  createStudioCommand,
  hook,
} from './local-commands.ts';
import { addCommands, createProgram, type LocalCommand, namingWords, withDefaultCommand } from './program.ts';
import { write } from './write.ts';

function createDemoCommand(signal: AbortSignal): LocalCommand {
  return {
    name: 'demo',
    summary: 'Hand a recorded session over, end to end, in a temporary folder',
    run: async () => (await import('./demo.ts')).runDemo(signal),
  };
}

/** For hosts. The door is loaded with it, so that no other command loads the protocol. */
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
 * The command line: reads the words, runs one command, and sets the process's exit code. It never ends the process
 * itself, so that all output is written.
 */
export async function main(given: readonly string[]): Promise<void> {
  const showsAll = given[0] === 'help' && given[1] === 'all';
  const words = showsAll ? ['--help'] : given;
  // The AI SDK prints hints for programmers on standard error; what concerns a user is in the answer.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort(EXIT_INTERRUPTED));
  process.once('SIGTERM', () => interrupted.abort(EXIT_TERMINATED));
  // Each write handles its own error; without a listener the stream would end the process as well.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  let help = '';
  const writeOut = (text: string) => {
    help += text;
  };
  const program = createProgram({ writeOut, showsAll });
  try {
    const helped = helpedRequest(words, program);
    await parse(program, helped === undefined ? words : ['plan', helped, '--help'], interrupted.signal);
    if (helped !== undefined) {
      const { renderRequestHelp } = await import('./request-help.ts');
      help += await renderRequestHelp(helped);
    }
    if (isReviewHelp(words, program)) help += (await import('./review/review.ts')).renderReviewHelp();
    await write(process.stdout, help);
  } catch (error) {
    // The person who stopped it knows why it ended.
    if (interrupted.signal.aborted && error instanceof Error && error.name === 'AbortError') {
      process.exitCode = interrupted.signal.reason;
      return;
    }
    const code = await report(error, words, program);
    // A host stops its user when a hook exits with 2.
    process.exitCode = words[0] === 'hook' ? EXIT_NO : code;
  }
}

/** The command of plans whose help is asked for, before or after `--help`. */
function helpedRequest(words: readonly string[], program: Program): string | undefined {
  const [group, name = '', ...others] = namingWords(words, program);
  const isAsked = words.some((word) => word === '-h' || word === '--help');
  return isAsked && group === 'plan' && others.length === 0 && findCommandName(['plan', name]) ? name : undefined;
}

/** Whether the help of the review is asked for: its own words are loaded for nothing else. */
function isReviewHelp(words: readonly string[], program: Program): boolean {
  const [first, second] = namingWords(words, program);
  const isAsked = words.some((word) => word === '-h' || word === '--help');
  return isAsked ? first === 'review' : first === 'help' && second === 'review';
}

/** Commander ends `--help` and `--version` with an error too, with code 0. */
async function parse(program: Program, given: readonly string[], signal: AbortSignal): Promise<void> {
  const words = withDefaultCommand(given, program, { name: 'status', isTyped: () => process.stdin.isTTY === true });
  const others = [
    createReviewCommand(signal),
    createStudioCommand(signal),
    createMcpCommand(signal),
    createRunCommand(signal),
    hook,
    createDemoCommand(signal),
  ];
  const locals = [...others, createCompletionCommand(others)];
  addCommands(program, {
    commands: await loadNamed(words, program, locals),
    locals,
    run: async (command, given, globals) => {
      const { runCommand } = await import('./run-command.ts');
      process.exitCode = await runCommand(command, given, globals, signal);
      if (signal.aborted) process.exitCode = signal.reason;
    },
    readStandardInput: createStandardInputReader(() => process.stdin),
  });
  try {
    await program.parseAsync([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError && error.exitCode === 0)) throw error;
  }
}

/** The commands that these words need: the one that they name, or all, for the help page and for a mistyped word. */
async function loadNamed(
  words: readonly string[],
  program: Program,
  locals: readonly LocalCommand[],
): Promise<readonly Command[]> {
  // Hosts and scripts ask for the version to see whether the command exists: nothing is loaded for it.
  if (words.every((word) => word === '-V' || word === '--version')) return [];
  // Before any schema is made: a schema compiles its checks unless this is set before.
  await import('./plain-checks.ts');
  const naming = namingWords(words, program);
  if (locals.some(({ name }) => name === naming[0])) return [];
  const name = findCommandName(naming);
  return loadCommands(name === undefined ? undefined : [name]);
}

/** @returns the exit code, the only result where standard error cannot be written either. */
async function report(error: unknown, words: readonly string[], program: Program): Promise<number> {
  const [{ createView }, { renderError }, { explainComplaint, explainRefusal }] = await Promise.all([
    import('./present/view.ts'),
    import('./render-error.ts'),
    import('./wrong-words.ts'),
  ]);
  const naming = namingWords(words, program);
  const told =
    error instanceof CommanderError
      ? await explainComplaint(error, naming)
      : isHandoffError(error)
        ? await explainRefusal(error, naming)
        : error;
  const view = createView(process.stderr, { now_ms: Date.now(), options: {} });
  const { text, exitCode } = renderError(told, view, words.includes('--json'));
  await write(process.stderr, text).catch(() => false);
  return exitCode;
}

/**
 * Reads standard input once; several readers get the same text. The stream is opened when it is read: opening it
 * costs every start some milliseconds.
 */
function createStandardInputReader(open: () => NodeJS.ReadStream): () => Promise<string> {
  let read: Promise<string> | undefined;
  return () => {
    const stream = open();
    if (stream.isTTY) {
      throw new HandoffError('invalid_input', 'Standard input is the keyboard; a text was expected there.', {
        alternatives: ['Redirect a file: baton … - < FILE', 'Or name the file in place of "-".'],
      });
    }
    read ??= readWhole(stream);
    return read;
  };
}

/** The imports are loaded here, because few commands read and every start would load them. */
async function readWhole(stream: NodeJS.ReadStream): Promise<string> {
  const [{ buffer }, { decodeText }] = await Promise.all([
    import('node:stream/consumers'),
    import('./given-content.ts'),
  ]);
  return decodeText(await buffer(stream), '-');
}
