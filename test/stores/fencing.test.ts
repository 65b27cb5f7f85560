import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import type { Held } from './history/recorder.ts';
import type { WorkerProcess } from './race-process.ts';
import { createStages } from './race-stage.ts';
import type { Command } from './race-worker.ts';

/** `npm run soak -- fence` sets more. */
const ROUNDS = Number(process.env.BATON_FENCE_ROUNDS ?? 25);
const REAL_ROUNDS = Number(process.env.BATON_FENCE_REAL_ROUNDS ?? 1);
const LEASE_MS = 60_000;
const REAL_LEASE_MS = 1_000;

const openStage = createStages();

/** What the stopped holder is about to do. */
const lateWrites: readonly ((held: Held, task_id: string) => Command)[] = [
  (held) => ({ do: 'renew', held, lease_ms: LEASE_MS }),
  (held) => ({ do: 'acknowledge', held }),
  (held) => ({ do: 'release', held }),
  (held) => ({ do: 'fail', held }),
  (held, task_id) => ({ do: 'claim', wanted: { task_id, acknowledges: held } }),
];

/** What another process does while the holder is stopped and its lease is over. */
const meanwhile: readonly ((other: WorkerProcess, task_id: string) => Promise<void>)[] = [
  async (other, task_id) => void (await claimOf(other, task_id)),
  async (other, task_id) => {
    const held = await claimOf(other, task_id);
    expect((await other.tell({ do: 'acknowledge', held })).came).toBe('ok');
  },
  async (other, task_id) => {
    const held = await claimOf(other, task_id);
    expect((await other.tell({ do: 'release', held })).came).toBe('ok');
  },
  async (other, task_id) => {
    const held = await claimOf(other, task_id);
    expect((await other.tell({ do: 'renew', held, lease_ms: LEASE_MS })).came).toBe('ok');
  },
  // No caller noticed the lapse: the holder itself is the first to call.
  async () => {},
];

async function claimOf(worker: WorkerProcess, task_id: string, lease_ms = LEASE_MS): Promise<Held> {
  const { held } = await worker.tell({ do: 'claim', wanted: { task_id, lease_ms } });
  expect(held.length).toBe(1);
  return held[0] as Held;
}

/** Asks again and again, as a receiver does that waits for the lapse. */
async function claimOnceLapsed(worker: WorkerProcess, task_id: string): Promise<void> {
  const deadline_ms = performance.now() + 60_000;
  for (;;) {
    const { held } = await worker.tell({ do: 'claim', wanted: { task_id } });
    if (held.length === 1) return;
    if (performance.now() > deadline_ms) throw new Error('The lease of a stopped holder does not lapse.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

verifies(
  ['RELIABLE.fencing', 'LIFE.lease'],
  `a holder stopped past its lease and continued is refused, ${ROUNDS} of ${ROUNDS} times`,
  async () => {
    const { startTold, setClock, judge } = openStage();
    const [holder, other] = [startTold('holder'), startTold('other')];
    for (let round = 0; round < ROUNDS; round += 1) {
      const task_id = `round-${round}`;
      await other.tell({ do: 'create', works: [{ key: task_id, task_id }] });
      const held = await claimOf(holder, task_id);
      await holder.pause();
      const lines = holder.lines.length;
      holder.send(at(lateWrites, round)(held, task_id));
      setClock((round + 1) * (LEASE_MS + 1));
      await at(meanwhile, Math.floor(round / lateWrites.length))(other, task_id);
      expect(holder.lines.length).toBe(lines);
      holder.resume();
      expect(await holder.hear()).toEqual({ came: 'refused', code: 'lease_lost', held: [] });
    }
    await judge();
  },
  120_000,
);

verifies(
  ['RELIABLE.fencing'],
  `a holder that renews in time and is stopped for longer by the real clock is refused, ${REAL_ROUNDS} times`,
  async () => {
    const { startTold, judge } = openStage();
    const [holder, other] = [startTold('holder'), startTold('other')];
    for (let round = 0; round < REAL_ROUNDS; round += 1) {
      const task_id = `round-${round}`;
      await other.tell({ do: 'create', works: [{ key: task_id, task_id }] });
      const held = await claimOf(holder, task_id, REAL_LEASE_MS);
      holder.send({ do: 'hold', held, lease_ms: REAL_LEASE_MS });
      const lines = holder.lines.length;
      await holder.until(() => holder.lines.length >= lines + 2, 'its first renewal');
      await holder.pause();
      await claimOnceLapsed(other, task_id);
      holder.resume();
      expect(await holder.hear()).toEqual({ came: 'refused', code: 'lease_lost', held: [] });
    }
    await judge();
  },
  120_000 + REAL_ROUNDS * 10_000,
);

function at<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T;
}
