import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { limits } from '../../core/limits.ts';
import { type Problem, Refusal, toProblem } from './problem.ts';

const compress = promisify(gzip);

/** The fastest level: an answer over loopback costs more to compress than to send. */
const LEVEL = 1;

/** What an answer of JSON takes besides its value. */
export interface AnswerOptions {
  status?: number;
  headers?: Record<string, string>;
  /** The request's Accept-Encoding, where the answer may be compressed: never one with a secret. */
  acceptEncoding?: string | null;
}

/** A value as an answer of JSON; compressed where the client takes it and it is worth it. */
export async function answerJson(value: unknown, options: AnswerOptions = {}): Promise<Response> {
  return answerText(JSON.stringify(value), {
    ...options,
    headers: { 'content-type': 'application/json', ...options.headers },
  });
}

/** A text as an answer; as above. */
export async function answerText(
  text: string,
  { status = 200, headers = {}, acceptEncoding }: AnswerOptions,
): Promise<Response> {
  if (!isWorthwhile(text, acceptEncoding)) return new Response(text, { status, headers });
  const packed = await compress(text, { level: LEVEL });
  return new Response(packed, {
    status,
    headers: { ...headers, 'content-encoding': 'gzip', vary: 'accept-encoding' },
  });
}

function isWorthwhile(text: string, acceptEncoding: string | null | undefined): boolean {
  return (
    text.length >= limits.compressed_bytes_min &&
    /(?:^|[\s,])gzip(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(acceptEncoding ?? '')
  );
}

/** A failure as an answer, with the id by which the log names the request. */
export function answerProblem(error: unknown, requestId: string, change?: Partial<Problem>): Response {
  const problem = { ...toProblem(error), ...change, instance: `urn:baton:request:${requestId}` };
  const headers = error instanceof Refusal ? error.headers : {};
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  });
}
