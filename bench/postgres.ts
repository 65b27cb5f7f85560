import { startBenchServer } from './bloat-server.ts';
import { type Contender, contest, ratioOf } from './contest.ts';
import type { Benchmark, Metric } from './frame.ts';
import { bareClaims, storeClaims, storeConsumes, storeCreates } from './postgres-contenders.ts';
import { measurePostgresGrowth } from './postgres-growth.ts';
import { fetchWithBoss, sendWithBoss, workWithGraphile } from './postgres-queues.ts';
import { measurePostgresWake } from './postgres-wake.ts';
import { postgresTargets, type Target } from './targets.ts';

const rounds = Number(process.env.BATON_BENCH_ROUNDS ?? 15);
const sizes = { one: 500, sixteen: 2_000, consumed: 10_000, boss: 300 };
const rows = { many: Number(process.env.BATON_BENCH_ROWS ?? 1_000_000), few: 1_000 };
const wakes = 300;

/** Two contenders for the same work on one server, and the target ratio of their speeds. */
interface PostgresMatch {
  target: Target;
  ours: Contender;
  theirs: Contender;
  how: string;
}

/** How fast the store is on a real server: over its bare statements, and over other queues. */
export const postgres: Benchmark = {
  name: 'postgres',
  what: 'speed on Postgres over the bare statements, graphile-worker and pg-boss; growth, and waking',
  run: async () => {
    const server = await startBenchServer();
    try {
      const metrics: Metric[] = [];
      for (const { target, ours, theirs, how } of matchesOnPostgres(server.url)) {
        metrics.push(ratioOf(target, await contest(ours, theirs, rounds), how));
      }
      metrics.push(await measurePostgresGrowth(server.url, rows));
      metrics.push(await measurePostgresWake(server.url, wakes));
      return metrics;
    } finally {
      await server.stop();
    }
  },
};

/** Every side commits to the disk before it answers. */
export function matchesOnPostgres(url: string, { one, sixteen, consumed, boss } = sizes): PostgresMatch[] {
  const alone = { count: one, workers: 1 };
  const crowd = { count: sixteen, workers: 16 };
  const worked = { count: consumed, workers: 24, ahead: 476 };
  return [
    {
      target: postgresTargets.claimByOne,
      ours: storeClaims(url, alone),
      theirs: bareClaims(url, alone),
      how: 'two transactions each; contents parsed on both sides',
    },
    {
      target: postgresTargets.claimBySixteen,
      ours: storeClaims(url, crowd),
      theirs: bareClaims(url, crowd),
      how: 'two transactions each, and ours shares them; 16 connections against 8',
    },
    {
      target: postgresTargets.consume,
      ours: storeConsumes(url, worked),
      theirs: workWithGraphile(url, consumed),
      how: '500 held ready, 24 handlers, on both sides; theirs keeps no history',
    },
    {
      target: postgresTargets.createOverBoss,
      ours: storeCreates(url, boss),
      theirs: sendWithBoss(url, boss),
      how: 'from the object: ours is completed and hashed within',
    },
    {
      target: postgresTargets.claimOverBoss,
      ours: storeClaims(url, { count: boss, workers: 1 }),
      theirs: fetchWithBoss(url, boss),
      how: 'fetch and complete; theirs keeps no history',
    },
  ];
}
