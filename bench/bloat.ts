import pg from 'pg';
import { openPostgresStore } from '../packages/batonpass/src/stores/postgres/store.ts';
import { readTableFacts, type TableFacts } from './bloat-facts.ts';
import { type LoadResult, runLoad, type TimedClaim } from './bloat-load.ts';
import { startBenchServer } from './bloat-server.ts';
import { type Benchmark, type Metric, quantile } from './frame.ts';
import { bloatTargets } from './targets.ts';

const rate = Number(process.env.BATON_BLOAT_RATE ?? 500);
const seconds = Number(process.env.BATON_BLOAT_SECONDS ?? 600);
/** A tenth of the whole, and a minute at most, at each end. */
const window_ms = Math.min(60_000, seconds * 100);
const warm_up_seconds = 5;
const workers = 8;

/** What a claim on a Postgres server costs while a forgotten transaction keeps every dead row there. */
export const bloat: Benchmark = {
  name: 'bloat',
  what: 'a claim on Postgres after 10 minutes at 500 handoffs a second, with an idle open transaction',
  run: async () => {
    const server = await startBenchServer();
    try {
      return await measure(server.url);
    } finally {
      await server.stop();
    }
  },
};

async function measure(url: string): Promise<Metric[]> {
  const writer = await openPostgresStore(url);
  const receiver = await openPostgresStore(url);
  const idle = new pg.Client({ connectionString: url });
  const observer = new pg.Client({ connectionString: url });
  try {
    await runLoad({ writer, receiver, rate, seconds: warm_up_seconds, workers });
    await Promise.all([idle.connect(), observer.connect()]);
    // Its snapshot is taken with its first statement, and held.
    await idle.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await idle.query('SELECT count(*) FROM baton.deliveries');
    const result = await runLoad({ writer, receiver, rate, seconds, workers });
    await idle.query('ROLLBACK');
    const facts = await readTableFacts(observer);
    tell(result, facts);
    return describe(result, facts);
  } finally {
    await Promise.all([writer.close(), receiver.close(), idle.end(), observer.end()]);
  }
}

function describe({ claims, acknowledged, took_ms }: LoadResult, facts: readonly TableFacts[]): Metric[] {
  const end_ms = seconds * 1_000;
  const [start, end] = [within(claims, 0, window_ms), within(claims, end_ms - window_ms, Number.POSITIVE_INFINITY)];
  const held = acknowledged / (took_ms / 1_000);
  const ends = (share: number) =>
    `${quantile(end, share).toFixed(1)} ms against ${quantile(start, share).toFixed(1)} ms`;
  const over = (share: number) => quantile(end, share) / quantile(start, share);
  const note = `n = ${start.length} and ${end.length}; ${seconds} s at ${held.toFixed(0)}/s of ${rate}/s`;
  const deliveries = facts.find(({ table }) => table === 'deliveries');
  return [
    { ...bloatTargets.p99, value: over(0.99), note: `${ends(0.99)}; ${note}` },
    { ...bloatTargets.p50, value: over(0.5), note: `${ends(0.5)}; ${note}` },
    {
      ...bloatTargets.rate,
      value: held / rate,
      note: `${acknowledged} acknowledged in ${(took_ms / 1_000).toFixed(0)} s`,
    },
    {
      ...bloatTargets.dead,
      value: (deliveries?.dead_rows ?? Number.NaN) / (deliveries?.live_rows ?? Number.NaN),
      note: `${deliveries?.dead_rows} dead rows of deliveries, ${deliveries?.live_rows} live ones`,
    },
  ];
}

function within(claims: readonly TimedClaim[], from_ms: number, to_ms: number): number[] {
  return claims.filter(({ at_ms }) => at_ms >= from_ms && at_ms < to_ms).map(({ took_ms }) => took_ms);
}

/** Prints the course of the load and the size of the tables while it runs. */
function tell({ claims }: LoadResult, facts: readonly TableFacts[]): void {
  const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
  const step_ms = (seconds * 1_000) / 10;
  for (let part = 0; part < 10; part += 1) {
    const sample = within(claims, part * step_ms, (part + 1) * step_ms);
    const figures = [0.5, 0.99, 1].map((share) => `${quantile(sample, share).toFixed(1)} ms`).join(', ');
    process.stderr.write(`from ${((part * step_ms) / 1_000).toFixed(0)} s: claim p50, p99, longest ${figures}\n`);
  }
  for (const { table, live_rows, dead_rows, updates, hot_updates, table_bytes, index_bytes } of facts) {
    const hot = updates === 0 ? '' : `, ${((100 * hot_updates) / updates).toFixed(0)} % of ${updates} updates HOT`;
    const sizes = `${mib(table_bytes)} and ${mib(index_bytes)} of indexes`;
    process.stderr.write(`${table}: ${live_rows} live and ${dead_rows} dead rows${hot}; ${sizes}\n`);
  }
}
