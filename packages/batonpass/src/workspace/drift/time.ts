/**
 * The time that one comparison, or one measuring, may take: all that it asks git, reads and hashes draws on it. Nothing
 * is begun once it is used up, and what was begun is stopped or is short, so that the caller continues soon after.
 */
export interface TimeBudget {
  /** Milliseconds; 0 once it is used up. */
  left_ms: () => number;
  /** Whether something more may be begun. A "no" is remembered: something was left undone. */
  isLeft: () => boolean;
  /** Whether anything was skipped for lack of time, so that an answer which needs all of it is not possible. */
  ranOut: () => boolean;
}

/**
 * A budget that begins to run now.
 *
 * @param clock - milliseconds since any moment, never running backwards; default: the process's own.
 */
export function startTimeBudget(time_ms: number, clock: () => number = () => performance.now()): TimeBudget {
  const end_ms = clock() + time_ms;
  let hasRunOut = false;
  const left_ms = () => Math.max(0, end_ms - clock());
  return {
    left_ms,
    isLeft: () => {
      const isLeft = left_ms() > 0;
      if (!isLeft) hasRunOut = true;
      return isLeft;
    },
    ranOut: () => hasRunOut,
  };
}
