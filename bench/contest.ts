import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Metric, summarize } from './frame.ts';
import type { Target } from './targets.ts';

/** One implementation of a piece of work that others do too. */
export interface Contender {
  /** Opens what it works with on a new file and lays out the work; not timed. */
  prepare: (path: string) => Promise<Heat>;
}

/** A contender at its start. */
export interface Heat {
  /** How many operations the work is. */
  operations: number;
  /** The timed part: when it resolves, all is as durable as the contender's name states. */
  work: () => Promise<void>;
  close: () => Promise<void>;
}

/** Operations a second of two contenders, one figure of each a round. */
export interface Rates {
  ours: number[];
  theirs: number[];
}

/**
 * Runs two contenders alternately, each on a new file of its own, `rounds` times after one round that does not count. The
 * first one changes with each round, so that neither always finds the disk as the other left it.
 */
export async function contest(ours: Contender, theirs: Contender, rounds: number): Promise<Rates> {
  const rates: Rates = { ours: [], theirs: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? (['ours', 'theirs'] as const) : (['theirs', 'ours'] as const);
    for (const side of order) {
      const rate = await inFreshFolder((folder) => runHeat(side === 'ours' ? ours : theirs, join(folder, 'queue.db')));
      if (round > 0) rates[side].push(rate);
    }
  }
  return rates;
}

/** Runs a body with a new folder on the disk, which is removed with its contents, after Ctrl-C too: it may hold gigabytes. */
export async function inFreshFolder<T>(body: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'baton-bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const stop = () => {
    remove();
    process.exit(130);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    return await body(folder);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    remove();
  }
}

/** How many times as fast one is as the other: the middle of the rounds' own ratios, for a slow moment meets both. */
export function ratioOf(target: Target, { ours, theirs }: Rates, how: string): Metric {
  const { minimum, median, maximum } = summarize(ours.map((rate, round) => rate / (theirs[round] ?? Number.NaN)));
  const rate = (sample: readonly number[]) => Math.round(summarize(sample).median).toLocaleString('en');
  const note = `${ours.length} rounds, ${minimum.toFixed(2)}–${maximum.toFixed(2)}; ${rate(ours)}/s against ${rate(theirs)}/s`;
  return { ...target, value: median, note: `${note}; ${how}` };
}

async function runHeat({ prepare }: Contender, path: string): Promise<number> {
  const { operations, work, close } = await prepare(path);
  try {
    const start_ms = performance.now();
    await work();
    return (operations / (performance.now() - start_ms)) * 1_000;
  } finally {
    await close();
  }
}
