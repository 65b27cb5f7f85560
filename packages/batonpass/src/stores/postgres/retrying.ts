import type { PoolClient } from 'pg';
import { isHandoffError } from '../../core/errors.ts';
import { isCollision, isLost, isSilent } from './failure.ts';
import { isForgotten, type Preparing } from './session.ts';

/** First pause before a lost connection is replaced; it doubles with each, up to a second. */
const PAUSE_MS_MIN = 20;
const PAUSE_MS_MAX = 1_000;

/** How long is tried, and what is told in the end. */
export interface Trying {
  /** Milliseconds. */
  wait_ms: number;
  explain: (error: unknown) => unknown;
  preparing: Preparing;
}

/** Tries again what collided or lost its connection. */
export async function untilDone<T>(attempt: () => Promise<T>, { wait_ms, explain, preparing }: Trying): Promise<T> {
  let begun_ms = performance.now();
  let wasSilent = false;
  for (let pause_ms = PAUSE_MS_MIN; ; pause_ms = Math.min(2 * pause_ms, PAUSE_MS_MAX)) {
    try {
      return await attempt();
    } catch (error) {
      if (isHandoffError(error)) throw error;
      // A connection that fell silent took its time to be found out: the wait for another begins then, once.
      if (isSilent(error) && !wasSilent) begun_ms = performance.now();
      wasSilent ||= isSilent(error);
      if (isForgotten(error)) preparing.isPossible = false;
      const isTried = isLost(error) || isCollision(error) || isForgotten(error);
      if (!isTried || performance.now() - begun_ms >= wait_ms) throw explain(error);
    }
    // Jittered, so that two that collided do not meet again and again.
    await new Promise((resolve) => setTimeout(resolve, pause_ms * (0.5 + Math.random())));
  }
}

/** A transaction that failed is undone; a connection that cannot even do that is thrown away. */
export async function giveBack(client: PoolClient, error: unknown): Promise<void> {
  if (isLost(error)) {
    client.release(true);
    return;
  }
  try {
    await client.query('ROLLBACK');
    client.release();
  } catch {
    // Why the transaction failed is told already; the server undoes it when it sees the connection end.
    client.release(true);
  }
}
