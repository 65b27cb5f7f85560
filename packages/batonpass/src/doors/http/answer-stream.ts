import { limits } from '../../core/limits.ts';
import type { Timing } from '../../core/timing.ts';
import type { AnswerChunk } from '../../operations/context.ts';

/** An answer that is told of while it is made. */
export interface Telling {
  /** Makes it. What it resolves with is told last. */
  make: (tell: (chunk: AnswerChunk) => void) => Promise<AnswerChunk | undefined>;
  /** What is told last where it fails after it had begun. */
  explain: (error: unknown) => AnswerChunk & { errorText?: string };
  /** By which signs of life come. */
  after: Timing['after'];
}

/** As the AI SDK's `useChat` reads it. */
const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  'x-vercel-ai-ui-message-stream': 'v1',
};

/**
 * Answers with each part of an answer as it comes, as the AI SDK's UI message stream. Parts that the client has not read
 * yet are held: all of one answer is bounded by the tokens that a model may answer with.
 *
 * @throws what making it throws before the first part, so that a refusal has its status.
 */
export function answerStream({ make, explain, after }: Telling): Promise<Response> {
  return new Promise((resolve, reject) => {
    const pipe = new Pipe(after);
    const write = (text: string) => {
      if (!pipe.hasBegun) resolve(new Response(pipe.stream, { headers }));
      pipe.write(`data: ${text}\n\n`);
    };
    const tell = (chunk: AnswerChunk) => write(JSON.stringify(chunk));
    const end = (chunk: AnswerChunk | undefined) => {
      if (chunk !== undefined) tell(chunk);
      write('[DONE]');
      pipe.close();
    };
    make(tell).then(end, (error: unknown) => {
      if (pipe.hasBegun) end(explain(error));
      else {
        pipe.close();
        reject(error as Error);
      }
    });
  });
}

/** A stream that is written to, with signs of life while there is nothing to write. */
class Pipe {
  readonly stream: ReadableStream<Uint8Array>;
  hasBegun = false;
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #callOff = () => {};

  constructor(after: Timing['after']) {
    const beat = () => {
      this.#put(':\n\n');
      this.#callOff = after(limits.http_heartbeat_ms, beat);
    };
    this.stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      // The client has left: the signal of its request tells whoever makes the answer.
      cancel: () => this.#leave(),
    });
    this.#callOff = after(limits.http_heartbeat_ms, beat);
  }

  write(text: string): void {
    this.hasBegun = true;
    this.#put(text);
  }

  close(): void {
    this.#controller?.close();
    this.#leave();
  }

  #put(text: string): void {
    this.#controller?.enqueue(this.#encoder.encode(text));
  }

  #leave(): void {
    this.#controller = undefined;
    this.#callOff();
  }
}
