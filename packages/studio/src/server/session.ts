import { createStore } from 'zustand/vanilla';
import { readProblem, unreachable } from './server-problem.ts';

/** Whether this browser is signed in. */
interface Session {
  isIn: boolean;
  /** Why it is not signed in, where that is known. */
  reason: string;
  /** Increases at each sign-in. */
  number: number;
}

/** The browser's session: the page never reads the cookie itself. */
export const session = createStore<Session>(() => ({ isIn: true, reason: '', number: 0 }));

const PREFIX = '#enter=';

/**
 * Signs this browser in by the secret in the address, where there is one: the secret is removed from the address and
 * the history before it is used, and works once.
 */
export async function enterByAddress(): Promise<void> {
  if (!location.hash.startsWith(PREFIX)) return;
  const secret = location.hash.slice(PREFIX.length);
  history.replaceState(null, '', location.pathname + location.search);
  try {
    await enter(secret);
  } catch {
    // The cookie of an earlier link may still be valid: the first call shows it.
  }
}

/**
 * Signs this browser in.
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

/** This browser is signed in again, by a cookie that another tab received. */
export function beginSession(): void {
  session.setState(({ number }) => ({ isIn: true, reason: '', number: number + 1 }));
}

/** This browser is not signed in, or no longer. */
export function endSession(reason: string): void {
  if (session.getState().isIn) session.setState({ isIn: false, reason });
}

/** Signs out: the cookie is no longer valid. @throws ServerProblem */
export async function leave(): Promise<void> {
  const answer = await fetch('/api/session', { method: 'DELETE' }).catch((error: unknown) => {
    throw unreachable(error);
  });
  if (!answer.ok && answer.status !== 401) throw await readProblem(answer);
  endSession('You are signed out.');
}
