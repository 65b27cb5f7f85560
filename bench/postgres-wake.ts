import { setTimeout } from 'node:timers/promises';
import { openPostgresStore } from '../packages/batonpass/src/stores/postgres/store.ts';
import { type Metric, quantile } from './frame.ts';
import { atSchema } from './postgres-contenders.ts';
import { startParticipant } from './processes.ts';
import { createInput, createNewHandoff, creating } from './sample-work.ts';
import { postgresTargets } from './targets.ts';
import type { Woken } from './wake-process.ts';

const warm_up = 50;

/** The time from the commit until a receiver in another process is notified of a handoff. */
export async function measurePostgresWake(url: string, handoffs: number): Promise<Metric> {
  const place = atSchema(url, 'bench_wake');
  const store = await openPostgresStore(place);
  const receiver = await startParticipant('wake-process.ts', [place]);
  try {
    const after_ms: number[] = [];
    const whole_ms: number[] = [];
    for (let round = -warm_up; round < handoffs; round += 1) {
      // After a silence, at a moment that is independent of the receiver's own polls.
      await setTimeout(25 + 50 * Math.random());
      const given = createNewHandoff(createInput(round));
      const begun_ns = process.hrtime.bigint();
      const [created] = await store.create([given], creating);
      const committed_ns = process.hrtime.bigint();
      const { handoff_id, at_ns } = (await receiver.hear()) as Woken;
      if (handoff_id !== created?.id) throw new Error(`The receiver heard of ${handoff_id}, not of ${created?.id}.`);
      if (round < 0) continue;
      after_ms.push(Number(BigInt(at_ns) - committed_ns) / 1e6);
      whole_ms.push(Number(BigInt(at_ns) - begun_ns) / 1e6);
    }
    const note = `n = ${handoffs}; p99 ${quantile(after_ms, 0.99).toFixed(1)} ms; with the create ${quantile(whole_ms, 0.5).toFixed(1)} ms`;
    return { ...postgresTargets.wake, value: quantile(after_ms, 0.5), note };
  } finally {
    await receiver.end();
    await store.close();
  }
}
