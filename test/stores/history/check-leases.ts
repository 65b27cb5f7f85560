import type { HandoffEvent } from '../../../packages/batonpass/src/core/delivery.ts';
import { limits } from '../../../packages/batonpass/src/core/limits.ts';
import type { Mark } from './check-order.ts';
import type { Operation } from './history.ts';
import type { Life } from './replay.ts';
import type { Verdict } from './verdict.ts';

/** What is known of all leases of a run. */
export interface Leases {
  lives: ReadonlyMap<string, Life>;
  /** Until when each was promised, by the store's clock; where the last promise is not known, it is not here. */
  promises: Map<string, number>;
  marks: Mark[];
  operations: readonly Operation[];
}

/** A lease in a word: its handoff and its fence. */
export function nameOf({ id, fence }: { id?: string; fence?: number }): string {
  return `${id} ${fence}`;
}

/** No lease ends before its time, by the clock of the caller that noticed its end. */
export function checkLeases(leases: Leases, verdict: Verdict): void {
  const { lives, promises } = leases;
  for (const { tenures } of lives.values()) {
    for (const [index, tenure] of tenures.entries()) {
      const lapsed_ms = tenure.end?.name === 'handoff-lapsed' ? Date.parse(tenure.end.at) : undefined;
      const promised_ms = promises.get(nameOf(tenure)) ?? lapsed_ms;
      const next = tenures[index + 1]?.claimed;
      const isOver = tenure.end !== undefined && lapsed_ms === undefined;
      if (isOver || promised_ms === undefined) continue;
      // One that ends later than any lease can was given before the clock was set back: it is over at once.
      if (lapsed_ms !== undefined && promised_ms > lapsed_ms + limits.lease_ms_max) continue;
      const isEarly = lapsed_ms !== undefined && lapsed_ms < promised_ms;
      const isRunning = next !== undefined && Date.parse(next.at) < promised_ms;
      if (!isEarly && (!isRunning || wasReached(leases, promised_ms, tenure.claimed, next))) continue;
      const says = `${nameOf(tenure)} was promised until ${new Date(promised_ms).toISOString()}`;
      verdict.stolen.push(isEarly ? `${says} and lapsed at ${tenure.end?.at}.` : `${says} and claimed at ${next?.at}.`);
    }
  }
}

/**
 * Whether the clock of any caller reached an instant while a lease was given: somebody saw it lapse, and the clock was
 * set back before the next claim. When that was by the machine's clock follows from its neighbours in the order.
 */
function wasReached(
  { operations, marks }: Leases,
  instant_ms: number,
  given: HandoffEvent,
  taken: HandoffEvent,
): boolean {
  const from_us = marks.reduce(
    (latest, { seq, begun_us }) => (seq <= given.seq ? Math.max(latest, begun_us) : latest),
    0,
  );
  const to_us = marks.reduce(
    (soonest, { seq, ended_us }) => (seq >= taken.seq ? Math.min(soonest, ended_us) : soonest),
    Number.POSITIVE_INFINITY,
  );
  return operations.some(
    ({ begun_us, ended_us, begun_clock_ms, ended_clock_ms }) =>
      ended_us >= from_us && begun_us <= to_us && Math.max(begun_clock_ms, ended_clock_ms) >= instant_ms,
  );
}
