import type { OperationInput, OperationName, OperationOutput } from '../../../batonpass/src/operations/catalogue.ts';
import { readProblem, unreachable } from './server-problem.ts';
import { endSession } from './session.ts';

/** What goes along with a call. */
export interface CallOptions {
  /** Breaks it off. */
  signal?: AbortSignal;
  /** A retry with the same key and input gives the first answer once more. */
  idempotencyKey?: string;
}

/**
 * Asks the server for an operation of the catalogue.
 *
 * @throws ServerProblem for whatever is no success; with `unauthorized` the studio asks to be let in by itself.
 */
export async function call<Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
  { signal, idempotencyKey }: CallOptions = {},
): Promise<OperationOutput<Name>> {
  const headers = new Headers({ 'content-type': 'application/json' });
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
  const answer = await ask(`/api/${name}`, {
    method: 'POST',
    body: JSON.stringify(input),
    headers,
    ...(signal === undefined ? {} : { signal }),
  });
  return (await answer.json()) as OperationOutput<Name>;
}

/** Lists handoffs without the words of their conversations, which no list shows and which weigh the most. */
export function listHandoffs(
  input: OperationInput<'handoff.list'>,
  signal?: AbortSignal,
): Promise<OperationOutput<'handoff.list'>> {
  return call('handoff.list', { ...input, without_words: true }, signal === undefined ? {} : { signal });
}

/** Sends a request, as `fetch` does. */
type Send = (path: string, init: RequestInit) => Promise<Response>;

/**
 * Asks the server for anything, with the session's cookie.
 *
 * @returns an answer with success, its body yet unread.
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

/** A key for one change, as `idempotencyKey`; also where a page is not served safely enough for `crypto.randomUUID`. */
export function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
