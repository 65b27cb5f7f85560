import { join } from 'node:path';
import { inFreshFolder } from './contest.ts';
import { type Metric, summarize } from './frame.ts';
import { type Participant, startParticipant } from './processes.ts';
import type { Saturation } from './saturation-process.ts';
import { makeStore } from './store-file.ts';
import { queueTargets } from './targets.ts';

const processes = 4;
const duration_ms = 3_000;
const rounds = 3;

/** How long the slowest call waits, and how evenly processes are served, when all of them compete for everything. */
export async function measureSaturation(): Promise<Metric[]> {
  const worst: number[] = [];
  const fairness: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const each = await inFreshFolder(saturate);
    const operations = each.map((one) => one.operations);
    worst.push(Math.max(...each.map((one) => one.worst_ms)));
    fairness.push(Math.min(...operations) / Math.max(...operations));
    rates.push((operations.reduce((sum, one) => sum + one, 0) / duration_ms) * 1_000);
  }
  const together = `${rounds} rounds of ${duration_ms / 1_000} s, ${Math.round(summarize(rates).median)} operations/s together`;
  const each = (sample: readonly number[], digits: number) => sample.map((one) => one.toFixed(digits)).join(', ');
  return [
    // The worst of all rounds: a middle would hide what this metric is about.
    { ...queueTargets.worstWait, value: Math.max(...worst), note: `${together}; ${each(worst, 0)}` },
    { ...queueTargets.fairness, value: summarize(fairness).median, note: `${together}; ${each(fairness, 2)}` },
  ];
}

async function saturate(folder: string): Promise<Saturation[]> {
  const path = join(folder, 'queue.db');
  await makeStore(path);
  const participants: Participant[] = [];
  try {
    while (participants.length < processes) {
      participants.push(await startParticipant('saturation-process.ts', [path]));
    }
    return (await Promise.all(participants.map(({ ask }) => ask({ duration_ms })))) as Saturation[];
  } finally {
    await Promise.all(participants.map(({ end }) => end()));
  }
}
