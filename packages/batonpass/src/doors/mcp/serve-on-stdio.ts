import { PassThrough, Transform } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { limits } from '../../core/limits.ts';
import { type BatonOptions, openBaton } from '../../operations/baton.ts';
import { describeIgnored } from '../../operations/ignored-settings.ts';
import { createMcpServerFactory } from './create-server.ts';

const INVALID_REQUEST = -32600;

/** For a person who starts it at a terminal and waits. */
const FOR_HOSTS = 'baton mcp: a host starts this and speaks with it; register it: baton init --only mcp\n';

/** Where to work, and until when. */
export interface ServeOptions extends Pick<BatonOptions, 'cwd' | 'store' | 'agent'> {
  /** Ends the server, as the end of standard input does. */
  signal: AbortSignal;
}

/**
 * Serves MCP on this process's standard input and output until the input ends or the signal aborts. Requests from before
 * the end get their answers, as long as no `limits.last_answers_ms` pass without one; then requests that still run are
 * aborted, and the store is closed. Without a folder it works in `CLAUDE_PROJECT_DIR`, which Claude Code sets, else in the
 * process's own. Nothing but the protocol is written to standard output.
 *
 * @throws HandoffError as `openBaton` does, before anything is served.
 */
export async function serveOnStdio({ signal, cwd, store, agent }: ServeOptions): Promise<void> {
  const baton = await openBaton({
    agent,
    named_store: store,
    cwd: cwd ?? (process.env.CLAUDE_PROJECT_DIR || undefined),
  });
  const ignored = describeIgnored(baton.context);
  if (ignored !== undefined) process.stderr.write(`baton mcp: ${ignored.what} ${ignored.next}\n`);
  // The client would read the output of a library as an answer of the protocol.
  console.log = console.info = console.debug = console.error;
  const { stdin, stdout } = process;
  const guard = createLineGuard((line) => answerRefused(transport, line));
  // It never ends by itself: the protocol's code drops the answers that come after the end of its input.
  const lines = new PassThrough();
  guard.pipe(lines, { end: false });
  const transport = new StdioServerTransport(lines, stdout);
  const answered = watchPending(transport);
  const handle = serveStdio(createMcpServerFactory(baton), { transport, onerror: report });
  const ended = whenEnded(guard, signal);
  if (stdin.isTTY) process.stderr.write(FOR_HOSTS);
  stdin.pipe(guard);
  await ended;
  stdin.destroy();
  // What is in flight arrives first, unless a transport that closed by itself reads no more.
  do await nextTurn();
  while (lines.readableFlowing && lines.readableLength > 0);
  if (!signal.aborted) await answered(limits.last_answers_ms);
  await handle.close();
  await baton.close();
}

/** An answer instead of silence: without an id the client at least sees why nothing comes. */
function answerRefused(transport: StdioServerTransport, { id, reason }: RefusedLine): void {
  const error = { code: INVALID_REQUEST, message: reason };
  const answer = { jsonrpc: '2.0' as const, ...(id === null ? {} : { id }), error };
  transport.send(answer).catch(report);
  report(new Error(reason));
}

/** Waits until all input was passed on, or nothing more can be read or written. */
function whenEnded(guard: Transform, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => resolve();
    guard.once('end', end);
    const { stdin } = process;
    stdin.once('error', end).once('close', () => {
      if (!stdin.readableEnded) end();
    });
    // The first answer that cannot be written shows that a client left without closing its end.
    process.stdout.once('error', end).once('close', end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

/** What the protocol's code could not report to the client: a line that is no JSON, an unknown version. */
function report(error: Error): void {
  process.stderr.write(`baton mcp: ${error.message}\n`);
}

/**
 * Watches a transport for requests that have no answer yet: requests from before the end of the input are answered before
 * the server ends, as a caller that pipes requests into it expects.
 *
 * @returns waits until nothing is pending, at most for `time_ms` after the last answer. A request that its
 * client cancelled is never answered, so that only the time ends the wait for it.
 */
function watchPending(transport: StdioServerTransport): (time_ms: number) => Promise<void> {
  const pending = new Set<unknown>();
  let wake = () => {};
  let handler = transport.onmessage;
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => handler,
    set: (given: typeof handler) => {
      handler = given && watched(given, (id) => pending.add(id));
    },
  });
  const send = transport.send.bind(transport);
  transport.send = async (message, ...rest) => {
    await send(message, ...rest);
    if (!('method' in message) && 'id' in message) pending.delete(message.id);
    wake();
  };
  return (time_ms) =>
    new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      wake = () => {
        clearTimeout(timer);
        if (pending.size === 0) resolve();
        else timer = setTimeout(resolve, time_ms);
      };
      wake();
    });
}

type Handler = NonNullable<StdioServerTransport['onmessage']>;

function watched(handler: Handler, note: (id: unknown) => void): Handler {
  return ((message: JSONRPCMessage, ...rest: []) => {
    if ('method' in message && 'id' in message) note(message.id);
    return handler(message, ...rest);
  }) as Handler;
}

/** A request that was too large to be read, as far as it can be named. */
interface RefusedLine {
  /** The request's id where the line shows it; null where it has none or hides it. */
  id: string | number | null;
  reason: string;
}

/** How much of a refused line is searched for its id, at each end. */
const END_BYTES = 512;

const NEWLINE = 0x0a;

/**
 * A stream that passes whole lines on and drops those above `limits.request_bytes_max`, without ever holding more than
 * that: the protocol's own reader would end the connection.
 *
 * @param refuse - is called for each dropped line, so that its sender gets an answer.
 */
function createLineGuard(refuse: (line: RefusedLine) => void): Transform {
  const line = new GuardedLine();
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        line.add(chunk.subarray(start, end + 1));
        const refused = line.judge();
        if (refused === null) this.push(line.take());
        else refuse(refused);
        line.clear();
        start = end + 1;
      }
      line.add(chunk.subarray(start));
      done();
    },
  });
}

/** One line as it arrives, piece by piece; beyond the bound only its ends are kept. */
class GuardedLine {
  #pieces: Buffer[] = [];
  #bytes = 0;
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);

  add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes <= limits.request_bytes_max) {
      this.#pieces.push(piece);
      return;
    }
    if (this.#pieces.length > 0) {
      const held = Buffer.concat(this.#pieces);
      this.#head = Buffer.from(held.subarray(0, END_BYTES));
      this.#tail = Buffer.from(held.subarray(-END_BYTES));
      this.#pieces = [];
    }
    this.#tail = Buffer.from(Buffer.concat([this.#tail, piece.subarray(-END_BYTES)]).subarray(-END_BYTES));
  }

  take(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  judge(): RefusedLine | null {
    if (this.#bytes <= limits.request_bytes_max) return null;
    const id = findRequestId(this.#head.toString('latin1'), this.#tail.toString('latin1'));
    return { id, reason: `The request has ${this.#bytes} bytes; ${limits.request_bytes_max} are the most.` };
  }

  clear(): void {
    this.#pieces = [];
    this.#bytes = 0;
    this.#head = Buffer.alloc(0);
    this.#tail = Buffer.alloc(0);
  }
}

const id = '(-?\\d{1,15}|"[^"\\\\\\u0080-\\u00ff]{0,200}")';

/** The id as one of the first members of the line's object: nothing before it can hold a text of the sender's. */
const idAtHead = new RegExp(`^\\s*\\{(?:\\s*"jsonrpc"\\s*:\\s*"2\\.0"\\s*,)?\\s*"id"\\s*:\\s*${id}\\s*,`);

/** The id as the last member: a quote after `{` or `,` opens a name, never ends a text, or the line were no JSON. */
const idAtTail = new RegExp(`[{,]\\s*"id"\\s*:\\s*${id}\\s*\\}\\s*$`);

function findRequestId(head: string, tail: string): string | number | null {
  const found = (idAtHead.exec(head) ?? idAtTail.exec(tail))?.[1];
  return found === undefined ? null : (JSON.parse(found) as string | number);
}
