import { limits } from '../../core/limits.ts';
import { showHiddenIn } from '../../core/shown-values.ts';
import type { Timing } from '../../core/timing.ts';
import type { AnswerChunk } from '../../operations/context.ts';

/** An answer that is sent while it is made. */
export interface Telling {
  /** Makes it. The value that it resolves with is sent last. */
  make: (tell: (chunk: AnswerChunk) => void) => Promise<AnswerChunk | undefined>;
  /** What is sent last where it fails after it has begun. */
  explain: (error: unknown) => AnswerChunk & { errorText?: string };
  /** The clock of the keep-alive lines. */
  after: Timing['after'];
  /** Ends the connection at once, which aborts the making of the answer. */
  cut: () => void;
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
 * yet are held, `limits.http_answer_unread_bytes_max` of them and one more: a model does not wait for its reader. A client
 * that leaves more unread while the answer is made is disconnected, as if it had left.
 *
 * @throws what making it throws before the first part, so that a refusal has its status.
 */
export function answerStream({ make, explain, after, cut }: Telling): Promise<Response> {
  return new Promise((resolve, reject) => {
    const pipe = new Pipe(after, cut);
    const begin = () => {
      if (!pipe.hasBegun) resolve(new Response(pipe.stream, { headers }));
    };
    const tell = (chunk: AnswerChunk) => {
      begin();
      pipe.write(formatChunk(chunk));
    };
    const end = (chunk: AnswerChunk | undefined) => {
      begin();
      const last = chunk === undefined ? '' : formatChunk(chunk);
      pipe.finish(`${last}${format('[DONE]')}`);
    };
    make(tell).then(end, (error: unknown) => {
      if (pipe.hasBegun) end(explain(error));
      else {
        pipe.finish('');
        reject(error as Error);
      }
    });
  });
}

/** A piece of a text may end within an emoji: the reader that joins the pieces makes hidden characters visible. */
function formatChunk(chunk: AnswerChunk): string {
  return format(JSON.stringify('delta' in chunk ? chunk : showHiddenIn(chunk)));
}

function format(data: string): string {
  return `data: ${data}\n\n`;
}

/** A stream that is written to, with keep-alive lines while there is nothing to write. */
class Pipe {
  readonly stream: ReadableStream<Uint8Array>;
  hasBegun = false;
  readonly #encoder = new TextEncoder();
  readonly #cut: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #callOff = () => {};

  constructor(after: Timing['after'], cut: () => void) {
    this.#cut = cut;
    const beat = () => {
      this.#put(':\n\n');
      this.#callOff = after(limits.http_heartbeat_ms, beat);
    };
    const source = {
      start: (controller: ReadableStreamDefaultController<Uint8Array>) => {
        this.#controller = controller;
      },
      // The client has left: the signal of its request aborts the making of the answer.
      cancel: () => this.#leave(),
    };
    const highWaterMark = limits.http_answer_unread_bytes_max;
    this.stream = new ReadableStream<Uint8Array>(source, new ByteLengthQueuingStrategy({ highWaterMark }));
    this.#callOff = after(limits.http_heartbeat_ms, beat);
  }

  /** Writes, unless too much of what was written is unread: then the client is disconnected. */
  write(text: string): void {
    this.hasBegun = true;
    const room = this.#controller?.desiredSize;
    // The client has left, or there is room.
    if (room === undefined || (room !== null && room > 0)) this.#put(text);
    else {
      this.#leave();
      this.#cut();
    }
  }

  /** Writes the last part, however much is unread: nothing comes after it. */
  finish(text: string): void {
    this.hasBegun = true;
    this.#put(text);
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
