import { expect } from 'vitest';
import { openStore } from '../../../packages/batonpass/src/stores/open.ts';
import { verifies } from '../../verifies.ts';
import { allEnded, createWorkers } from '../race-process.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { createServer } from './server.ts';
import { judge } from './stage.ts';

/** `npm run soak -- postgres` sets more. */
const SHARE = Number(process.env.BATON_POSTGRES_POOLED_SHARE ?? 15);
const RESTARTS = Number(process.env.BATON_POSTGRES_POOLED_RESTARTS ?? 2);
const WORKERS = Number(process.env.BATON_POSTGRES_WORKERS ?? 3);

const server = createServer({ isDurable: true });
const startWorker = createWorkers();

verifies(
  ['PGTEAM.pooler', 'POSTGRES.restart'],
  `behind a PgBouncer in transaction mode that is restarted in turn with its server, ${WORKERS} workers lose and duplicate nothing (${RESTARTS} restarts)`,
  async () => {
    if (!server.isOwn) return;
    const url = await server.newDatabase();
    const bouncer = await startPgBouncer(url);
    if (bouncer === undefined) return;
    const pooled = `${bouncer.url}&wait_ms=60000`;
    await (await openStore(pooled)).close();
    const total = 4 * WORKERS * SHARE;
    let [lines, begun] = [0, 0];
    let restarting = Promise.resolve();
    const onLine = () => {
      lines += 1;
      if (begun >= RESTARTS || lines < (total * (begun + 1)) / (RESTARTS + 2)) return;
      const isServers = begun % 2 === 0;
      begun += 1;
      restarting = restarting.then(() => (isServers ? server.restart() : bouncer.restart()));
    };
    const workers = Array.from({ length: WORKERS }, (_, index) =>
      startWorker({ name: `sharer-${index}`, role: 'sharer', count: SHARE, file: pooled }, onLine),
    );
    try {
      await allEnded(workers.map(({ ended }) => ended));
    } finally {
      await restarting;
    }
    expect(begun).toBe(RESTARTS);
    const { handoffs, operations } = await judge(url, workers, { hasRestarted: true });
    expect(operations.filter(({ came }) => came !== 'ok')).toEqual([]);
    expect(handoffs.length).toBe(WORKERS * SHARE);
    expect(handoffs.filter(({ delivery }) => delivery.state !== 'acknowledged' || delivery.fence !== 1)).toEqual([]);
  },
  120_000 + SHARE * WORKERS * 100,
);
