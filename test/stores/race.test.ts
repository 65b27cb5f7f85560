import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import type { Operation } from './history/history.ts';
import { allEnded } from './race-process.ts';
import { createStages } from './race-stage.ts';

/** `npm run soak -- scale` sets more. */
const SHARE = Number(process.env.BATON_SCALE_SHARE ?? 100);
const PROCESSES = 8;

const openStage = createStages();

verifies(
  ['STORE.race', 'STORE.exclusive', 'LIFE.fifo', 'RELIABLE.scale'],
  `eight processes create and claim ${SHARE} handoffs each at once: each is claimed once, in order, and no process gets a busy error`,
  async () => {
    const { start, judge } = openStage();
    const names = Array.from({ length: PROCESSES }, (_, index) => `sharer-${index}`);
    const begun_ms = performance.now();
    await allEnded(names.map((name) => start({ name, role: 'sharer', count: SHARE }).ended));
    const took_ms = performance.now() - begun_ms;
    const { operations, handoffs } = await judge();
    expect(operations.filter(({ came }) => came !== 'ok')).toEqual([]);
    expect(handoffs.length).toBe(PROCESSES * SHARE);
    expect(handoffs.filter(({ delivery }) => delivery.state !== 'acknowledged' || delivery.fence !== 1)).toEqual([]);
    if (process.env.BATON_SCALE_SHARE !== undefined) console.info(describeWaits(operations, took_ms));
  },
  60_000 + SHARE * 300,
);

/** How long claims waited, the turn for the lock and the commit included. */
function describeWaits(operations: readonly Operation[], took_ms: number): string {
  const waits_ms = operations
    .flatMap(({ verb, begun_us, ended_us }) => (verb === 'claim' ? [(ended_us - begun_us) / 1_000] : []))
    .sort((left, right) => left - right);
  const at = (share: number) => `${(waits_ms[Math.ceil(waits_ms.length * share) - 1] ?? 0).toFixed(1)} ms`;
  const seconds = (took_ms / 1_000).toFixed(0);
  return `${waits_ms.length} claims in ${seconds} s: half within ${at(0.5)}, 99 of 100 within ${at(0.99)}, the longest ${at(1)}`;
}
