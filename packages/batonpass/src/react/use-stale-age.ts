import { useEffect, useState } from 'react';
import { limits } from '../core/limits.ts';

/** A draft that nobody changed for longer than this may no longer fit its conversation. */
const STALE_MS = 24 * 60 * 60_000;

/**
 * How old a draft is, in milliseconds, once that is more than 24 hours; null before. It becomes known without a change
 * of the draft: one timer waits for that moment.
 */
export function useStaleAge(changedAt: string | null, now: () => number): number | null {
  const [, setWoken] = useState(0);
  const age_ms = changedAt === null ? 0 : now() - Date.parse(changedAt);
  const left_ms = STALE_MS - age_ms;
  useEffect(() => {
    if (changedAt === null || left_ms < 0) return;
    const timer = setTimeout(() => setWoken((count) => count + 1), Math.min(left_ms + 1, limits.timer_ms_max));
    return () => clearTimeout(timer);
  }, [changedAt, left_ms]);
  return age_ms > STALE_MS ? age_ms : null;
}
