import { contest, ratioOf } from './contest.ts';
import type { Benchmark, Metric } from './frame.ts';
import { matchesOverBare, matchesOverPlainjob } from './matches.ts';
import { measureSaturation } from './saturation.ts';

const rounds = 9;
const sizes = { normal: 4_000, full: 1_000, batched: 10_000 };

/** How fast the store is over the bare statements and over another queue, and how fair among processes. */
export const queue: Benchmark = {
  name: 'queue',
  what: 'speed over the bare statements and over plainjob, and fairness among processes',
  run: async () => {
    const metrics: Metric[] = [];
    for (const { target, ours, theirs, how } of [...matchesOverBare(sizes), ...matchesOverPlainjob(sizes)]) {
      metrics.push(ratioOf(target, await contest(ours, theirs, rounds), how));
    }
    return [...metrics, ...(await measureSaturation())];
  },
};
