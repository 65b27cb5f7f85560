import type { Recovered } from './fact-matches.ts';
import { recallOf, type SessionFidelity, type Side } from './fidelity.ts';

/** A difference of two sides, and the values between which it is in 95 of 100 such sets of sessions. */
export interface Difference {
  value: number;
  low: number;
  high: number;
}

const RESAMPLES = 10_000;

/**
 * By how much one side's recall is above another's, with the interval of a paired bootstrap over sessions: each
 * resample draws whole sessions, and both sides from the same ones. The draws are the same at each run.
 */
export function compareSides(
  sessions: readonly SessionFidelity[],
  budget: number,
  [side, other]: readonly [Side, Side],
): Difference {
  const pairs = sessions.flatMap(({ recovered }) => {
    const found = recovered.get(budget);
    return found === undefined ? [] : [{ one: found[side], two: found[other] }];
  });
  const difference = (drawn: readonly { one: Recovered; two: Recovered }[]) =>
    recallOf(drawn.map(({ one }) => one)) - recallOf(drawn.map(({ two }) => two));
  const random = createRandom();
  const draw = () => pairs[Math.floor(random() * pairs.length)] ?? [];
  const resampled = Array.from({ length: RESAMPLES }, () => difference(pairs.flatMap(draw))).sort((a, b) => a - b);
  return {
    value: difference(pairs),
    low: resampled[Math.floor(RESAMPLES * 0.025)] ?? 0,
    high: resampled[Math.ceil(RESAMPLES * 0.975) - 1] ?? 0,
  };
}

/** Mulberry32 from a fixed seed, so that equal sessions give equal intervals. */
function createRandom(): () => number {
  let state = 23;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
