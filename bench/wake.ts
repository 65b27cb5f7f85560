import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openSqliteStore } from '../packages/batonpass/src/stores/sqlite/store.ts';
import { inFreshFolder } from './contest.ts';
import { type Benchmark, type Metric, quantile } from './frame.ts';
import { type Participant, startParticipant } from './processes.ts';
import { createInput, createNewHandoff, creating } from './sample-work.ts';
import { wakeTargets } from './targets.ts';
import type { IdleCost, Woken } from './wake-process.ts';

const handoffs = 600;
const warm_up = 50;
const idle_ms = 10_000;

/** How soon a receiver in another process is notified of a handoff, and what it costs to wait for one. */
export const wake: Benchmark = {
  name: 'wake',
  what: 'how soon a receiver in another process is woken, and what waiting costs',
  run: () =>
    inFreshFolder(async (folder) => {
      const path = join(folder, 'queue.db');
      const store = await openSqliteStore(path);
      const receiver = await startParticipant('wake-process.ts', [path]);
      try {
        const sample_ms: number[] = [];
        for (let round = -warm_up; round < handoffs; round += 1) {
          // After a silence, at a moment that is independent of the receiver's own polls.
          await setTimeout(25 + 50 * Math.random());
          const given = createNewHandoff(createInput(round));
          const begun_ns = process.hrtime.bigint();
          const [created] = await store.create([given], creating);
          const woken_ns = await hearOf(receiver, created?.id);
          if (round >= 0) sample_ms.push(Number(woken_ns - begun_ns) / 1e6);
        }
        const idle = (await receiver.ask({ idle_ms })) as IdleCost;
        return [...describeWaking(sample_ms), describeIdle(idle)];
      } finally {
        await receiver.end();
        await store.close();
      }
    }),
};

/** @returns the time at which the receiver was notified of this handoff; it is notified of each, in order. */
async function hearOf(receiver: Participant, id: string | undefined): Promise<bigint> {
  const { handoff_id, at_ns } = (await receiver.hear()) as Woken;
  if (handoff_id !== id) throw new Error(`The receiver heard of ${handoff_id} and not of ${id}.`);
  return BigInt(at_ns);
}

function describeWaking(sample_ms: readonly number[]): Metric[] {
  const note = `n = ${sample_ms.length}, the create included; longest ${Math.max(...sample_ms).toFixed(1)} ms`;
  return [
    { ...wakeTargets.median, value: quantile(sample_ms, 0.5), note },
    { ...wakeTargets.p99, value: quantile(sample_ms, 0.99), note },
  ];
}

function describeIdle({ cpu_ms, waited_ms }: IdleCost): Metric {
  const note = `${cpu_ms.toFixed(1)} ms of the processor in ${(waited_ms / 1_000).toFixed(0)} s`;
  return { ...wakeTargets.idle, value: (cpu_ms / waited_ms) * 100, note };
}
