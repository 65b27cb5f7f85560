import { createStore } from 'zustand/vanilla';
import { readProblem, unreachable } from './server-problem.ts';

/** Whether the server knows this browser. */
export interface Session {
  isIn: boolean;
  /** Why it is not in, where that is known. */
  reason: string;
  /** Rises with each time that it was let in. */
  number: number;
}

/** The browser's session: the cookie itself is none of the page's business. */
export const session = createStore<Session>(() => ({ isIn: true, reason: '', number: 0 }));

const PREFIX = '#enter=';

/**
 * Lets this browser in by the secret of the address, where there is one: it is taken out of the address and of the
 * history before it is used, and is good once.
 */
export async function enterByAddress(): Promise<void> {
  if (!location.hash.startsWith(PREFIX)) return;
  const secret = location.hash.slice(PREFIX.length);
  history.replaceState(null, '', location.pathname + location.search);
  try {
    await enter(secret);
  } catch {
    // The cookie of an earlier link may still be good: the first call tells.
  }
}

/**
 * Lets this browser in.
 *
 * @param secret - of a link, or a token.
 * @throws ServerProblem
 */
export async function enter(secret: string): Promise<void> {
  const answer = await fetch('/api/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret }),
  }).catch((error: unknown) => {
    throw unreachable(error);
  });
  if (!answer.ok) throw await readProblem(answer);
  beginSession();
}

/** The server lets this browser in again, by a cookie that another tab has got. */
export function beginSession(): void {
  session.setState(({ number }) => ({ isIn: true, reason: '', number: number + 1 }));
}

/** This browser is not signed in, or not any more. */
export function endSession(reason: string): void {
  if (session.getState().isIn) session.setState({ isIn: false, reason });
}

/** Leaves: the cookie is good for nothing any more. @throws ServerProblem */
export async function leave(): Promise<void> {
  const answer = await fetch('/api/session', { method: 'DELETE' }).catch((error: unknown) => {
    throw unreachable(error);
  });
  if (!answer.ok && answer.status !== 401) throw await readProblem(answer);
  endSession('You are signed out.');
}
