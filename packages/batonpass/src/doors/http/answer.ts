import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { limits } from '../../core/limits.ts';
import { showHiddenIn } from '../../core/shown-values.ts';
import { type Problem, Refusal, toProblem } from './problem.ts';

const compress = promisify(gzip);

/** The fastest level: an answer over loopback takes longer to compress than to send. */
const LEVEL = 1;

/** An answer that is complete before it is sent. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
}

/**
 * Sends an answer by Node itself: a `Response` for a complete text costs as much as all checks of a request.
 *
 * @returns the value that reports to the server's library that the answer is sent.
 */
export function sendAnswer({ status, headers, body }: HttpAnswer, outgoing: ServerResponse): Response {
  // 304 has no body, and no length of the body that the client has.
  outgoing.writeHead(status, status === 304 ? headers : { ...headers, 'content-length': Buffer.byteLength(body) });
  outgoing.end(body);
  return RESPONSE_ALREADY_SENT;
}

/** The parts of a JSON answer besides its value. */
export interface AnswerOptions {
  status?: number;
  headers?: Record<string, string>;
  /** The request's Accept-Encoding, where the answer may be compressed: never one with a secret. */
  acceptEncoding?: string | null;
}

/** A value as an answer of JSON; compressed where the client accepts it and it is long enough. */
export async function answerJson(value: unknown, options: AnswerOptions = {}): Promise<HttpAnswer> {
  return answerText(JSON.stringify(showHiddenIn(value)), {
    ...options,
    headers: { 'content-type': 'application/json', ...options.headers },
  });
}

/** A text as an answer; as above. */
export async function answerText(
  text: string,
  { status = 200, headers = {}, acceptEncoding }: AnswerOptions,
): Promise<HttpAnswer> {
  if (!isWorthwhile(text, acceptEncoding)) return { status, headers, body: text };
  const body = await compress(text, { level: LEVEL });
  return { status, headers: { ...headers, 'content-encoding': 'gzip', vary: 'accept-encoding' }, body };
}

function isWorthwhile(text: string, acceptEncoding: string | null | undefined): boolean {
  return (
    text.length >= limits.compressed_bytes_min &&
    /(?:^|[\s,])gzip(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(acceptEncoding ?? '')
  );
}

/** A failure as an answer, with the id by which the log names the request. */
export function answerProblem(error: unknown, requestId: string, change?: Partial<Problem>): HttpAnswer {
  const problem = { ...toProblem(error), ...change, instance: `urn:baton:request:${requestId}` };
  const headers = error instanceof Refusal ? error.headers : {};
  return {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json', ...headers },
    body: JSON.stringify(showHiddenIn(problem)),
  };
}
