import { spawnSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';

/** One figure of a benchmark: a row of its table. */
export interface Metric {
  name: string;
  value: number;
  unit: string;
  /** The worst value that is accepted. */
  floor: number;
  /** The value that is worked for. */
  aim: number;
  better: 'higher' | 'lower';
  /** How the value was found: runs, spread. */
  note: string;
}

/** A benchmark: contenders in one run, so that only their ratios and differences count. */
export interface Benchmark {
  name: string;
  what: string;
  run: () => Promise<Metric[]>;
}

/** Smallest, middle and largest of a sample. */
export interface Spread {
  minimum: number;
  median: number;
  maximum: number;
}

/** The middle of a sample and its ends. */
export function summarize(sample: readonly number[]): Spread {
  const sorted = [...sample].sort((a, b) => a - b);
  const at = (index: number) => sorted[Math.max(0, Math.min(sorted.length - 1, index))] ?? Number.NaN;
  return { minimum: at(0), median: at(Math.floor(sorted.length / 2)), maximum: at(sorted.length - 1) };
}

/** The value below which a share of the sample is: one in a hundred exceeds 0.99. */
export function quantile(sample: readonly number[], share: number): number {
  const sorted = [...sample].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * Runs every contender once per round, one after another, `rounds` times after one round that does not count, so that a
 * slow moment of the machine affects all of them alike.
 *
 * @returns for each contender its durations in milliseconds, in order.
 */
export function interleave(contenders: readonly (() => void)[], rounds: number): number[][] {
  const samples: number[][] = contenders.map(() => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) {
      const start_ms = performance.now();
      contender();
      if (round > 0) samples[index]?.push(performance.now() - start_ms);
    }
  }
  return samples;
}

/** Durations of a command and of its bare limit, in milliseconds. */
export interface Compared {
  sample: readonly number[];
  bare: readonly number[];
  floor: number;
  aim: number;
}

/** How much longer a command takes than Node itself, by the middle of each sample. */
export function over(what: string, { sample, bare, floor, aim }: Compared): Metric {
  const mine = summarize(sample);
  const base = summarize(bare);
  const spread = ({ median, minimum, maximum }: Spread) =>
    `${median.toFixed(0)} (${minimum.toFixed(0)}–${maximum.toFixed(0)})`;
  return {
    name: `${what} over node -e 0`,
    value: mine.median - base.median,
    unit: 'ms',
    floor,
    aim,
    better: 'lower',
    note: `n = ${sample.length}; ${spread(mine)} against ${spread(base)}`,
  };
}

/** Runs a command to its end without a shell; throws where it fails, so that no failure is timed as a success. */
export function runOnce(file: string, words: readonly string[], environment: NodeJS.ProcessEnv, folder: string): void {
  const { status, stderr } = spawnSync(file, words, {
    env: environment,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (status !== 0) throw new Error(`${file} ${words.join(' ')} ended with ${status}: ${stderr}`);
}

/** The machine that a figure belongs to. */
export function describeMachine(): { cpu: string; cores: number; memory_gib: number; node: string; platform: string } {
  const [first] = cpus();
  return {
    cpu: first?.model ?? 'unknown',
    cores: cpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  };
}

/** A verdict for people; benchmarks never fail a build. */
export function judge({ value, floor, aim, better }: Metric): 'aim reached' | 'ok' | 'below' {
  const reaches = (bound: number) => (better === 'higher' ? value >= bound : value <= bound);
  if (reaches(aim)) return 'aim reached';
  return reaches(floor) ? 'ok' : 'below';
}
