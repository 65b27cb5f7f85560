import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Another process that takes part in a benchmark: it gets one request at a time, and answers. */
export interface Participant {
  /** Sends a question and waits for the next answer. Throws where the process ends instead. */
  ask: (question: object) => Promise<unknown>;
  /** Waits for the next answer without a question. */
  hear: () => Promise<unknown>;
  /** Ends the process, and waits for its end. */
  end: () => Promise<void>;
}

/** Starts one of this folder's files as a separate process; resolves when it reports that it is ready. */
export async function startParticipant(file: string, words: readonly string[]): Promise<Participant> {
  const child = fork(join(import.meta.dirname, file), words, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const answers = collectAnswers(child);
  const participant = {
    ask: (question: object) => {
      child.send(question);
      return answers();
    },
    hear: answers,
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
  await participant.hear();
  return participant;
}

/** An answer may come before anybody waits for it. */
function collectAnswers(child: ChildProcess): () => Promise<unknown> {
  const arrived: unknown[] = [];
  let deliver: (() => void) | undefined;
  child.on('message', (message) => {
    arrived.push(message);
    deliver?.();
  });
  child.on('exit', () => deliver?.());
  return async () => {
    while (arrived.length === 0) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error('A process of the benchmark has ended.');
      await new Promise<void>((resolve) => {
        deliver = resolve;
      });
    }
    return arrived.shift();
  };
}

/** The other side: answers each question with the body's result, after it has reported that it is ready. */
export function answerAsParticipant(body: (question: Record<string, unknown>) => Promise<unknown>): void {
  process.on('message', (question) => {
    void body(question as Record<string, unknown>).then((answer) => process.send?.(answer));
  });
  // The parent process has ended: nothing else would end this one.
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
}
