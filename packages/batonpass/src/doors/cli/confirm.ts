import { createInterface } from 'node:readline/promises';

/** Whether a person can be asked: standard input and standard error are a terminal. */
export function isAtTerminal(input: { isTTY?: boolean }, output: { isTTY?: boolean }): boolean {
  return input.isTTY === true && output.isTTY === true;
}

/** The streams for a question. */
export interface QuestionStreams {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/**
 * Asks a question with the answers yes and no.
 *
 * @returns true only for "y" and "yes": an empty answer, the end of the input, Ctrl-C and an abort are no.
 */
export async function askYesOrNo(question: string, streams: QuestionStreams, signal: AbortSignal): Promise<boolean> {
  const left = new AbortController();
  const asking = createInterface(streams);
  // Without a listener Ctrl-C would leave the question open.
  asking.once('SIGINT', () => left.abort());
  asking.once('close', () => left.abort());
  try {
    const answer = await asking.question(`${question} [y/N] `, { signal: AbortSignal.any([signal, left.signal]) });
    return /^y(?:es)?$/i.test(answer.trim());
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
    // The answer's line ends here; the next text begins on a new line.
    streams.output.write('\n');
    return false;
  } finally {
    asking.close();
  }
}
