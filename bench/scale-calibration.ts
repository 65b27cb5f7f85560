import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { Handoff } from '../packages/batonpass/src/core/handoff.ts';
import type { Store } from '../packages/batonpass/src/core/store.ts';
import { openPostgresStore } from '../packages/batonpass/src/stores/postgres/store.ts';
import { readServerFacts, readTableFacts } from './bloat-facts.ts';
import { type BenchServer, processorTime, startBenchServer } from './bloat-server.ts';
import { summarize } from './frame.ts';
import { acknowledging, claiming, createInput, createNewHandoff, creating, requestOf } from './sample-work.ts';
import type { Costs } from './scale-model.ts';

/** Longer than a server keeps counts to itself. */
const settle_ms = 1_500;

/** How much is done to measure it. */
export interface CalibrationSize {
  handoffs: number;
  /** Callers in one process at one time: their calls share transactions. One caller has a transaction for each call. */
  workers: number;
}

/**
 * Measures on a separate server what one handoff of about 1 KB costs, by what server and system count, not by the clock:
 * other work on the machine makes it slower and hardly dearer. Only `create_us` is a time.
 */
export async function measureCosts(size: CalibrationSize): Promise<Costs> {
  const server = await startBenchServer();
  try {
    return await measureOn(server, size);
  } finally {
    await server.stop();
  }
}

async function measureOn(server: BenchServer, { handoffs, workers }: CalibrationSize): Promise<Costs> {
  const store = await openPostgresStore(server.url);
  const observer = new pg.Client({ connectionString: server.url });
  await observer.connect();
  try {
    await doInTurn(store, server, { handoffs: Math.ceil(handoffs / 10), workers });
    await observer.query('CHECKPOINT');
    await setTimeout(settle_ms);
    const [before, own_before] = [await readServerFacts(observer), process.cpuUsage()];
    const cpu_us = await doInTurn(store, server, { handoffs, workers });
    const own = process.cpuUsage(own_before);
    await setTimeout(settle_ms);
    const after = await readServerFacts(observer);
    const create_us = await measureCreate(store, workers);
    const each = (total: number) => Math.round((total / handoffs) * 100) / 100;
    const [create = 0, claim = 0, acknowledge = 0] = cpu_us.map(each);
    return {
      server_cpu_us: Math.round(create + claim + acknowledge),
      call_cpu_us: [create, claim, acknowledge],
      client_cpu_us: each(own.user + own.system),
      wal_bytes: each(after.wal_bytes - before.wal_bytes),
      wal_syncs: each((after.wal_syncs ?? Number.NaN) - (before.wal_syncs ?? Number.NaN)),
      commits: each(after.commits - before.commits),
      kept_bytes: await measureKept(observer),
      create_us: Math.round(create_us),
    };
  } finally {
    await Promise.all([store.close(), observer.end()]);
  }
}

/** Creates all, claims all, acknowledges all; @returns the server's processor time of each, in microseconds. */
async function doInTurn(store: Store, server: BenchServer, { handoffs, workers }: CalibrationSize): Promise<number[]> {
  const claimed: Handoff[] = [];
  const calls = [
    (number: number) => store.create([createNewHandoff(createInput(number))], creating),
    async () => {
      claimed.push(...(await store.claim(requestOf(1), claiming)).handoffs);
    },
    (number: number) => {
      const { id = '', delivery } = claimed[number] ?? {};
      return store.transition(id, { type: 'acknowledge', token: delivery?.lease?.token }, acknowledging);
    },
  ];
  const spent: number[] = [];
  for (const call of calls) {
    const before_ms = processorTime(server) ?? Number.NaN;
    let next = 0;
    const work = async () => {
      while (next < handoffs) {
        const number = next;
        next += 1;
        await call(number);
      }
    };
    await Promise.all(Array.from({ length: workers }, work));
    spent.push(((processorTime(server) ?? Number.NaN) - before_ms) * 1_000);
  }
  if (claimed.length !== handoffs) throw new Error(`${claimed.length} of ${handoffs} handoffs were claimed.`);
  return spent;
}

/** Of tables and indexes as they are when nothing dead is in them. */
async function measureKept(observer: pg.Client): Promise<number> {
  await observer.query('VACUUM FULL');
  const facts = await readTableFacts(observer);
  const bytes = facts.reduce((sum, { table_bytes, index_bytes }) => sum + table_bytes + index_bytes, 0);
  const { rows } = await observer.query<{ count: number }>('SELECT count(*)::int AS count FROM baton.handoffs');
  return Math.round(bytes / (rows[0]?.count ?? 1));
}

/** Creates of one project wait for each other's commit: those of one moment share it. @returns microseconds for each. */
async function measureCreate(store: Store, workers: number): Promise<number> {
  const sample: number[] = [];
  for (let round = 0; round < 100; round += 1) {
    const given = Array.from({ length: workers }, (_, index) => createNewHandoff(createInput(index)));
    const start_ms = performance.now();
    await Promise.all(given.map((handoff) => store.create([handoff], creating)));
    sample.push(((performance.now() - start_ms) * 1_000) / workers);
  }
  return summarize(sample).median;
}
