import { createInterface } from 'node:readline';
import { createView } from '../present/view.ts';
import { write } from '../write.ts';
import type { ReviewTalk } from './review.ts';

/** The streams of a review. */
export interface TalkStreams {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WriteStream;
  errors: NodeJS.WriteStream;
}

/** A dialogue over streams. */
export interface OpenTalk extends ReviewTalk {
  /** Whether Ctrl-C ended it. */
  isInterrupted: () => boolean;
  /** Closes the input. */
  close: () => void;
}

/**
 * A dialogue by lines: prompts and line editing only where a person types, and then with the terminal's own means, so
 * that it works over ssh, in a terminal without colours and with a screen reader. Ctrl-C and an abort end the input.
 */
export function openTalk({ input, output, errors }: TalkStreams, signal: AbortSignal): OpenTalk {
  const isTyped = input.isTTY === true && output.isTTY === true;
  // Only a terminal gets what the library draws; elsewhere it would echo the words into the answer.
  const reading = createInterface({
    input,
    ...(isTyped ? { output } : {}),
    terminal: isTyped && process.env.TERM !== 'dumb',
  });
  const lines = reading[Symbol.asyncIterator]();
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
    reading.close();
  };
  reading.once('SIGINT', interrupt);
  signal.addEventListener('abort', interrupt);
  if (signal.aborted) interrupt();
  return {
    isTyped,
    view: createView(output, { now_ms: Date.now(), options: {} }),
    signal,
    say: async (text) => {
      await write(output, text);
    },
    complain: async (text) => {
      await write(errors, text);
    },
    ask: async (prompt) => {
      if (interrupted) return undefined;
      if (isTyped) {
        reading.setPrompt(prompt);
        reading.prompt();
      }
      const line = await lines.next();
      // The answer's line ends here; the next text begins on a new line.
      if (line.done === true && isTyped) await write(output, '\n');
      return line.done === true ? undefined : line.value;
    },
    isInterrupted: () => interrupted,
    close: () => {
      signal.removeEventListener('abort', interrupt);
      reading.close();
    },
  };
}
