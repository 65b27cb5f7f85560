import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { createChance } from './history/chance.ts';
import type { Evidence } from './history/check-history.ts';
import { type Operation, readHistory } from './history/history.ts';
import { allEnded } from './race-process.ts';
import { createStages, type Stage } from './race-stage.ts';
import type { WorkerOrder } from './race-worker.ts';

/** `npm run soak -- kill` sets more. */
const KILLS = Number(process.env.BATON_KILLS ?? 15);
const seed = Number(process.env.BATON_KILL_SEED ?? Date.now() % 2 ** 31);

const LANES = 4;
const LINES_MAX = 80;
const HOUR_MS = 3_600_000;

const openStage = createStages();

verifies(
  ['STORE.kill', 'STORE.durable', 'STORE.exclusive', 'RELIABLE.kill'],
  `${KILLS} killed processes lose nothing that was answered and duplicate nothing (seed ${seed})`,
  async () => {
    const stage = openStage();
    await killMany(stage);
    // Every lease has lapsed: all that was not acknowledged can be claimed.
    stage.setClock(KILLS * HOUR_MS);
    const { file, verdict, ...evidence } = await stage.judge({ drains: true });
    expect(evidence.handoffs.filter(({ delivery }) => delivery.state !== 'acknowledged')).toEqual([]);
    expect(evidence.operations.filter(({ code }) => code === 'unavailable')).toEqual([]);
    const database = new DatabaseSync(file);
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    database.close();
    if (process.env.BATON_KILLS !== undefined) console.info(describeRun(evidence, verdict.recovered.length));
  },
  60_000 + KILLS * 2_000,
);

/**
 * Lanes of workers, each killed at a random moment; the next of its lane has its name and ends what it started. The
 * clock advances with the work, so that leases of living workers lapse too.
 */
async function killMany({ start, setClock }: Stage): Promise<void> {
  const chance = createChance(seed);
  let begun = 0;
  let lines = 0;
  const runLane = async (lane: number) => {
    let unfinished: WorkerOrder['unfinished'];
    while (begun < KILLS) {
      begun += 1;
      const name = `worker-${begun}`;
      const lines_before_kill = 1 + Math.floor(chance() * LINES_MAX);
      const order = { name, actor: `lane-${lane}`, role: 'mixed', seed: Math.floor(chance() * 2 ** 31) } as const;
      const onLine = (count: number) => {
        lines += 1;
        if (lines % 20 === 0) setClock(lines * 50);
        if (count >= lines_before_kill) worker.kill();
      };
      const worker = start({ ...order, unfinished }, { onLine });
      expect(await worker.ended).toEqual({ wasKilled: true });
      unfinished = listUnfinished(readHistory(worker.lines));
    }
  };
  await allEnded(Array.from({ length: LANES }, (_, lane) => runLane(lane)));
}

function listUnfinished(operations: readonly Operation[]): NonNullable<WorkerOrder['unfinished']> {
  const keysOf = (wanted: Operation['verb']) =>
    operations.flatMap(({ verb, came, key }) => (verb === wanted && came === 'unknown' ? (key ?? []) : []));
  return { creates: keysOf('create'), claims: keysOf('claim') };
}

function describeRun({ operations, handoffs, events }: Evidence, recovered: number): string {
  const unanswered = operations.filter(({ came }) => came === 'unknown').length;
  const late = operations.filter(({ code }) => code === 'lease_lost').length;
  const lapsed = events.filter(({ name }) => name === 'handoff-lapsed').length;
  return `${operations.length} operations on ${handoffs.length} handoffs: ${unanswered} without an answer, ${recovered} of them happened; ${lapsed} leases lapsed, ${late} late writes were refused`;
}
