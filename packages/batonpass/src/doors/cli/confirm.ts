import { createInterface } from 'node:readline/promises';

/** Whether somebody is there to be asked: reading standard input and standard error is a person at a terminal. */
export function isAtTerminal(input: { isTTY?: boolean }, output: { isTTY?: boolean }): boolean {
  return input.isTTY === true && output.isTTY === true;
}

/** The streams that a question is asked on. */
export interface QuestionStreams {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/**
 * Asks a question that is answered by yes or no.
 *
 * @returns true for "y" and "yes" alone: an empty answer, the end of the input, Ctrl-C and an abort are no.
 */
export async function askYesOrNo(question: string, streams: QuestionStreams, signal: AbortSignal): Promise<boolean> {
  const left = new AbortController();
  const asking = createInterface(streams);
  // Without a listener Ctrl-C would leave the question open and nobody to answer it.
  asking.once('SIGINT', () => left.abort());
  asking.once('close', () => left.abort());
  try {
    const answer = await asking.question(`${question} [y/N] `, { signal: AbortSignal.any([signal, left.signal]) });
    return /^y(?:es)?$/i.test(answer.trim());
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
    // The answer's line ends here; what follows begins on the next.
    streams.output.write('\n');
    return false;
  } finally {
    asking.close();
  }
}
