import pg from 'pg';
import type { Store } from '../packages/batonpass/src/core/store.ts';
import { openPostgresStore } from '../packages/batonpass/src/stores/postgres/store.ts';
import { copyHandoff } from './copied-handoffs.ts';
import { type Metric, quantile } from './frame.ts';
import { atSchema } from './postgres-contenders.ts';
import { claiming, createInput, createNewHandoff, creating, requestOf } from './sample-work.ts';
import { postgresTargets } from './targets.ts';

const claims = 1_000;
const warm_up = 100;
/** Of a store that has been in use for long, nine of ten are history. */
const acknowledged_share = 0.9;

/** What a claim costs at many rows over what it costs at few. */
export async function measurePostgresGrowth(
  url: string,
  { many, few }: { many: number; few: number },
): Promise<Metric> {
  const places = [atSchema(url, 'bench_many'), atSchema(url, 'bench_few')];
  const stores = await Promise.all(places.map((place) => openPostgresStore(place)));
  await fill(stores[0] as Store, { url, schema: 'bench_many', rows: many });
  await fill(stores[1] as Store, { url, schema: 'bench_few', rows: few });
  const [atMany = [], atFew = []] = await interleaveClaims(stores);
  await Promise.all(stores.map((store) => store.close()));
  const [mine, base] = [quantile(atMany, 0.5), quantile(atFew, 0.5)];
  const p99 = `p99 ${quantile(atMany, 0.99).toFixed(1)} ms against ${quantile(atFew, 0.99).toFixed(1)} ms`;
  const note = `n = ${claims}; ${mine.toFixed(2)} ms against ${base.toFixed(2)} ms; ${p99}`;
  return { ...postgresTargets.rows, value: mine / base, note };
}

/** Copies of one handoff and of its lines, the oldest nine tenths acknowledged, written by the server itself. */
async function fill(store: Store, { url, schema, rows }: { url: string; schema: string; rows: number }): Promise<void> {
  const [first] = await store.create([createNewHandoff(createInput(1))], creating);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`SET search_path = ${schema}`);
    const done = Math.round(rows * acknowledged_share);
    const id = first?.id ?? '';
    await copyHandoff(client, schema, { id, as: 'done', count: done, state: 'acknowledged' });
    await copyHandoff(client, schema, { id, as: 'open', count: rows - done, state: 'open' });
    await client.query(
      `INSERT INTO events (seq, handoff_id, project, name, at, actor_name, actor_type, to_state)
       SELECT n + 1, 'done-' || n, project, name, at, actor_name, actor_type, to_state
       FROM events, generate_series(1, $1::int) AS n`,
      [rows],
    );
    await client.query('VACUUM ANALYZE handoffs, deliveries, events');
    // Pages that the fill left for the disk must not be written during the claims.
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}

/** Claims one after another, with one more handoff each time; only the claim is timed. @returns durations in milliseconds. */
async function interleaveClaims(stores: readonly Store[]): Promise<number[][]> {
  const samples: number[][] = stores.map(() => []);
  for (let round = -warm_up; round < claims; round += 1) {
    for (const [index, store] of stores.entries()) {
      await store.create([createNewHandoff(createInput(round))], creating);
      const start_ms = performance.now();
      const { handoffs } = await store.claim(requestOf(1), claiming);
      const took_ms = performance.now() - start_ms;
      if (handoffs.length === 0) throw new Error('Nothing was claimed.');
      if (round >= 0) samples[index]?.push(took_ms);
    }
  }
  return samples;
}
