import { join } from 'node:path';
import type { Store } from '../packages/batonpass/src/core/store.ts';
import { openSqliteStore } from '../packages/batonpass/src/stores/sqlite/store.ts';
import { inFreshFolder } from './contest.ts';
import { fillWithHistory, fillWithOpen } from './fill.ts';
import { type Benchmark, type Metric, quantile } from './frame.ts';
import { claiming, createInput, createNewHandoff, creating, requestOf } from './sample-work.ts';
import { makeStore } from './store-file.ts';
import { growthTargets, type Target } from './targets.ts';

const claims = 1_000;
const warm_up = 100;
const handoffs_of_others = 200_000;

/** What a claim costs in a store that has grown, over what it costs in a small one. */
export const growth: Benchmark = {
  name: 'growth',
  what: 'a claim at 1,000,000 rows and behind 200,000 handoffs for others',
  run: async () => [...(await measureRows()), ...(await measureOthers())],
};

async function measureRows(): Promise<Metric[]> {
  return inFreshFolder(async (folder) => {
    const paths = { large: join(folder, 'large.db'), small: join(folder, 'small.db') };
    await fillWithHistory(paths.large, 1_000_000);
    await fillWithHistory(paths.small, 1_000);
    const large = await openSqliteStore(paths.large, { durability: 'normal' });
    const small = await openSqliteStore(paths.small, { durability: 'normal' });
    const ofTask = true;
    const [atMany = [], atFew = []] = await interleaveClaims([
      { store: large, ofTask },
      { store: small, ofTask },
    ]);
    await Promise.all([large.close(), small.close()]);
    return [compare(growthTargets.rows, atMany, atFew)];
  });
}

async function measureOthers(): Promise<Metric[]> {
  return inFreshFolder(async (folder) => {
    const paths = { crowded: join(folder, 'crowded.db'), empty: join(folder, 'empty.db') };
    await fillWithOpen(paths.crowded, handoffs_of_others, { target_agent: 'gemini' });
    await makeStore(paths.empty);
    const crowded = await openSqliteStore(paths.crowded, { durability: 'normal' });
    const empty = await openSqliteStore(paths.empty, { durability: 'normal' });
    const [behind = [], alone = [], behindOfAny = [], aloneOfAny = []] = await interleaveClaims([
      { store: crowded, ofTask: true },
      { store: empty, ofTask: true },
      { store: crowded, ofTask: false },
      { store: empty, ofTask: false },
    ]);
    await Promise.all([crowded.close(), empty.close()]);
    return [
      compare(growthTargets.behindOthers, behind, alone),
      compare(growthTargets.withoutTask, behindOfAny, aloneOfAny),
    ];
  });
}

/** How a claim asks: within its task or over all tasks. */
interface Claimer {
  store: Store;
  ofTask: boolean;
}

/** Claims one after another, with one more handoff each time; only the claim is timed. @returns durations in microseconds. */
async function interleaveClaims(claimers: readonly Claimer[]): Promise<number[][]> {
  const samples: number[][] = claimers.map(() => []);
  for (let round = -warm_up; round < claims; round += 1) {
    for (const [index, { store, ofTask }] of claimers.entries()) {
      await store.create([createNewHandoff(createInput(round))], creating);
      const { task_id, ...ofAny } = requestOf(1);
      const start_ms = performance.now();
      const { handoffs } = await store.claim(ofTask ? { ...ofAny, task_id } : ofAny, claiming);
      const duration_us = (performance.now() - start_ms) * 1_000;
      if (handoffs.length === 0) throw new Error('Nothing was claimed.');
      if (round >= 0) samples[index]?.push(duration_us);
    }
  }
  return samples;
}

function compare(target: Target, sample: readonly number[], base: readonly number[]): Metric {
  const [mine, other] = [quantile(sample, 0.5), quantile(base, 0.5)];
  const p99 = `p99 ${quantile(sample, 0.99).toFixed(0)} µs against ${quantile(base, 0.99).toFixed(0)} µs`;
  const note = `n = ${sample.length}; ${mine.toFixed(0)} µs against ${other.toFixed(0)} µs; ${p99}`;
  return { ...target, value: mine / other, note };
}
