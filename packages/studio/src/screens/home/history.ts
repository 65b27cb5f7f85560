import type { HandoffEvent } from '../../../../batonpass/src/core/delivery.ts';
import { isSignOfLife } from '../../shown/age.tsx';

/** The counts of one day in local time. */
export interface Day {
  /** Its first millisecond. */
  start_ms: number;
  written: number;
  finished: number;
}

/** The present claim of a handoff, as its events show it. */
export interface HeldSince {
  claimed_at: string;
  /** When its holder last sent a sign of life. */
  heard_at: string;
}

const finishing: readonly string[] = ['handoff-acknowledged', 'handoff-injected'];

/** The claims in the events, by handoff: the last one of each. */
export function claimsOf(events: readonly HandoffEvent[]): ReadonlyMap<string, HeldSince> {
  const claims = new Map<string, HeldSince>();
  for (const { handoff_id, name, at } of events.filter(isSignOfLife)) {
    const claim = claims.get(handoff_id);
    if (name === 'handoff-claimed') claims.set(handoff_id, { claimed_at: at, heard_at: at });
    else if (claim !== undefined) claim.heard_at = at;
  }
  return claims;
}

/** The last days, today last, with how many handoffs were written and finished on each. */
export function daysOf(events: readonly HandoffEvent[], count: number, now_ms: number): Day[] {
  const today = new Date(now_ms);
  const days = Array.from({ length: count }, (_, index): Day => {
    const start = new Date(today.getFullYear(), today.getMonth(), today.getDate() - (count - 1 - index));
    return { start_ms: start.getTime(), written: 0, finished: 0 };
  });
  for (const event of events) {
    const at_ms = Date.parse(event.at);
    const day = days.findLast(({ start_ms }) => start_ms <= at_ms);
    if (day === undefined) continue;
    if (event.name === 'handoff-created') day.written += 1;
    else if (finishing.includes(event.name)) day.finished += 1;
  }
  return days;
}
