import { limits } from '../../core/limits.ts';
import { busyStore, isBusy } from './failure.ts';

/**
 * Tries again every one or two milliseconds while another process holds the lock.
 *
 * @param isHeld - tells the error of a held lock. Default: SQLite's own.
 * @throws HandoffError `unavailable` after the wait, by default `limits.write_wait_ms`; every other error at once.
 */
export async function untilFree<T>(
  path: string,
  attempt: () => T | Promise<T>,
  { isHeld = isBusy, wait_ms = limits.write_wait_ms as number } = {},
): Promise<T> {
  const begun_ms = performance.now();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isHeld(error)) throw error;
      const waited_ms = performance.now() - begun_ms;
      if (waited_ms >= wait_ms) throw busyStore(path, Math.round(waited_ms), error);
    }
    // Jittered, so that two waiters do not meet again and again.
    await new Promise((resolve) => setTimeout(resolve, 1 + Math.random()));
  }
}
