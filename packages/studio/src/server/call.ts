import type { OperationInput, OperationName, OperationOutput } from '../../../batonpass/src/operations/catalogue.ts';
import { readProblem, unreachable } from './server-problem.ts';
import { endSession } from './session.ts';

/** Options of a call. */
interface CallOptions {
  /** Aborts it. */
  signal?: AbortSignal | undefined;
  /** A retry with the same key and input returns the first answer again. */
  idempotencyKey?: string;
}

/**
 * Calls an operation of the catalogue on the server.
 *
 * @throws ServerProblem unless the call succeeds; on `unauthorized` the studio shows the sign-in automatically.
 */
export async function call<Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
  { signal, idempotencyKey }: CallOptions = {},
): Promise<OperationOutput<Name>> {
  const headers = new Headers({ 'content-type': 'application/json' });
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
  const body = JSON.stringify(input);
  const answer = await ask(`/api/${name}`, { method: 'POST', body, headers, signal: signal ?? null });
  return (await answer.json()) as OperationOutput<Name>;
}

/** Lists handoffs without their conversations: no list shows them, and they are the largest part. */
export function listHandoffs(
  input: OperationInput<'handoff.list'>,
  signal?: AbortSignal,
): Promise<OperationOutput<'handoff.list'>> {
  return call('handoff.list', { ...input, without_words: true }, { signal });
}

/** Sends a request, as `fetch` does. */
type Send = (path: string, init: RequestInit) => Promise<Response>;

/**
 * Sends any request to the server, with the session's cookie.
 *
 * @returns a successful response whose body is not read yet.
 * @throws ServerProblem
 */
export async function ask(path: string, init: RequestInit = {}, send: Send = fetch): Promise<Response> {
  const answer = await send(path, init).catch((error: unknown) => {
    throw init.signal?.aborted === true ? error : unreachable(error);
  });
  if (answer.ok) return answer;
  const problem = await readProblem(answer);
  if (answer.status === 401) endSession(problem.message);
  throw problem;
}

/** Runs once and shares the result; a failure is retried at the next call. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= load().catch((error: unknown) => {
      asked = undefined;
      throw error;
    });
    return asked;
  };
}

/** A key for one change, as `idempotencyKey`; works without `crypto.randomUUID`, as in an insecure context. */
export function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
