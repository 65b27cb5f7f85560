import { HandoffError } from '../../core/errors.ts';
import { openBaton } from '../../operations/baton.ts';
import type { Command, Given } from './command.ts';
import { EXIT_NO, EXIT_OK } from './exit-codes.ts';
import { createView } from './present/view.ts';
import type { GlobalOptions } from './program.ts';
import { withProgress } from './progress.ts';

/** Reads standard input once; several readers get the same text. */
export function createStandardInputReader(stream: NodeJS.ReadStream): () => Promise<string> {
  let read: Promise<string> | undefined;
  return () => {
    if (stream.isTTY) {
      throw new HandoffError('invalid_input', 'Standard input is the keyboard; a text was expected there.', {
        alternatives: ['Redirect a file: baton … - < FILE', 'Or name the file in place of "-".'],
      });
    }
    // Loaded here, because few commands read and every start would pay for it.
    read ??= import('node:stream/consumers').then(({ text }) => text(stream));
    return read;
  };
}

/**
 * Runs a command's operation and prints its answer: results on standard output, remarks on standard error.
 *
 * @returns the exit code: 0, or 1 where the answer is "no".
 */
export async function runCommand(
  command: Command,
  given: Given,
  globals: GlobalOptions,
  signal: AbortSignal,
): Promise<number> {
  const input = await command.toInput(given);
  const baton = await openBaton({ cwd: globals.cwd, store: globals.store, agent: globals.as });
  try {
    const output = await withProgress(command.summary, process.stderr, () =>
      baton.run(command.operation, input, { idempotency_key: globals.key, signal }),
    );
    if (globals.json === true) await write(process.stdout, formatJson(output));
    else await print(command, output, given);
    return command.isNo?.(output) === true ? EXIT_NO : EXIT_OK;
  } finally {
    await baton.close();
  }
}

/** JSON whose characters that steer a terminal are escaped: the same value to every reader. */
function formatJson(output: unknown): string {
  return JSON.stringify(output, null, 2).replace(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

async function print(command: Command, output: Parameters<Command['present']>[0], given: Given): Promise<void> {
  const surroundings = { now_ms: Date.now(), options: given.options };
  await write(process.stdout, command.present(output, createView(process.stdout, surroundings)));
  await write(process.stderr, command.remark?.(output, createView(process.stderr, surroundings)) ?? '');
}

/** Ends a text with one newline; an empty one writes nothing. Waits until it has left the process. */
function write(stream: NodeJS.WriteStream, content: string): Promise<void> {
  if (content === '') return Promise.resolve();
  return new Promise((resolve, reject) => {
    stream.write(content.endsWith('\n') ? content : `${content}\n`, (error) => (error ? reject(error) : resolve()));
  });
}
