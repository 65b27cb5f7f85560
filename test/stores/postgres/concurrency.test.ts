import pg from 'pg';
import { describe, expect, onTestFinished } from 'vitest';
import { copyHandoff } from '../../../bench/copied-handoffs.ts';
import type { HandoffEvent } from '../../../packages/batonpass/src/core/delivery.ts';
import type { Store } from '../../../packages/batonpass/src/core/store.ts';
import {
  callBy,
  claimOf,
  newHandoff,
  receiver,
  rival,
  tokenOf,
  writer,
} from '../../../packages/batonpass/src/stores/contract/bench.ts';
import { lockOldest } from '../../../packages/batonpass/src/stores/postgres/claims.ts';
import type { PostgresStoreOptions } from '../../../packages/batonpass/src/stores/postgres/connection.ts';
import { Connection } from '../../../packages/batonpass/src/stores/postgres/connection.ts';
import { lockHandoffs } from '../../../packages/batonpass/src/stores/postgres/statements.ts';
import { openPostgresStore } from '../../../packages/batonpass/src/stores/postgres/store.ts';
import { ListenWatch } from '../../../packages/batonpass/src/stores/postgres/watch.ts';
import { Bell } from '../../../packages/batonpass/src/stores/subscription.ts';
import { verifies } from '../../verifies.ts';
import { allEnded, createWorkers } from '../race-process.ts';
import { nextRing } from '../wake-process.ts';
import { createServer, queryRows, runSql } from './server.ts';
import { judge } from './stage.ts';

const SHARE = 100;
const PROCESSES = 4;
const HOUR_MS = 3_600_000;

const server = createServer();
const startWorker = createWorkers();

async function open(url: string, options: PostgresStoreOptions = {}): Promise<Store> {
  const store = await openPostgresStore(url, options);
  onTestFinished(() => store.close());
  return store;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

verifies(
  ['POSTGRES.race', 'STORE.exclusive', 'LIFE.fifo'],
  `${PROCESSES} processes create and claim ${SHARE} handoffs each at once: each is claimed once, in order`,
  async () => {
    const url = await server.newDatabase();
    const names = Array.from({ length: PROCESSES }, (_, index) => `sharer-${index}`);
    const workers = names.map((name) => startWorker({ name, role: 'sharer', count: SHARE, file: url }));
    await allEnded(workers.map(({ ended }) => ended));
    const { operations, handoffs } = await judge(url, workers);
    expect(operations.filter(({ came }) => came !== 'ok')).toEqual([]);
    expect(handoffs.length).toBe(PROCESSES * SHARE);
    expect(handoffs.filter(({ delivery }) => delivery.state !== 'acknowledged' || delivery.fence !== 1)).toEqual([]);
  },
);

describe('the order of the history', () => {
  verifies(
    ['POSTGRES.events', 'STORE.subscribe'],
    'a line that is committed late gets its sequence number after those that a reader has passed, and is not lost to it',
    async () => {
      const url = await server.newDatabase();
      const [store, other] = [await open(url), await open(url)];
      const [early, late] = await store.create([newHandoff({}), newHandoff({})], callBy(writer, 'handoff.create'));
      const events = store.subscribe({}, new AbortController().signal)[Symbol.asyncIterator]();
      const first = events.next();
      const gate = await closeGate(url, `events FOR EACH ROW WHEN (NEW.handoff_id = '${late?.id}')`);
      // It has written its line, and waits at the gate before it commits.
      const withdrawing = other.transition(late?.id ?? '', { type: 'withdraw' }, callBy(writer, 'handoff.withdraw'));
      await until(gate, 1);
      await store.transition(early?.id ?? '', { type: 'withdraw' }, callBy(writer, 'handoff.withdraw'));
      const passed = (await first).value as HandoffEvent;
      expect(passed.handoff_id).toBe(early?.id);
      const second = events.next();
      await gate.query(OPEN);
      await withdrawing;
      const came = (await second).value as HandoffEvent;
      expect([came.handoff_id, came.seq]).toEqual([late?.id, passed.seq + 1]);
      await events.return?.();
    },
  );

  verifies(
    ['POSTGRES.race', 'LIFE.fifo'],
    'a create waits for one of the same project that has its number already: sequence numbers are committed in their order',
    async () => {
      const url = await server.newDatabase();
      const [one, other] = [await open(url), await open(url)];
      // The caller that creates the slow one has its sequence number, and waits at the gate before it commits.
      const gate = await closeGate(url, "handoffs FOR EACH ROW WHEN (NEW.task_id = 'slow')");
      const slow = one.create([newHandoff({ task_id: 'slow' })], callBy(writer, 'handoff.create'));
      await until(gate, 1);
      const fast = other.create([newHandoff({ task_id: 'fast' })], callBy(writer, 'handoff.create'));
      const first = await Promise.race([until(gate, 2).then(() => 'it waits'), fast.then(() => 'it was faster')]);
      expect(first).toBe('it waits');
      await gate.query(OPEN);
      await Promise.all([slow, fast]);
      const { handoffs } = await one.claim(claimOf({ max: 2 }), callBy(receiver, 'handoff.claim'));
      expect(handoffs.map(({ content }) => content.task_id)).toEqual(['slow', 'fast']);
    },
  );
});

const OPEN = 'SELECT pg_advisory_unlock(42)';

/** Stops transactions that insert certain rows, before they can commit. */
async function closeGate(url: string, rows: string): Promise<pg.Client> {
  const client = await connect(url);
  await client.query(`
    CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock(42); RETURN NULL; END $$;
    CREATE TRIGGER gate AFTER INSERT ON baton.${rows} EXECUTE FUNCTION wait_at_gate();
    SELECT pg_advisory_lock(42)`);
  return client;
}

/** Until so many transactions wait for a lock. */
async function until(client: pg.Client, waiting: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted',
    );
    if ((rows[0]?.count ?? 0) >= waiting) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('across machines', () => {
  verifies(
    ['POSTGRES.wake', 'STORE.processes'],
    'the notification alone reports what another store commits',
    async () => {
      const url = await server.newDatabase();
      const other = await open(url);
      const connection = await Connection.open(url);
      // It does not poll: without notifications nothing would wake it.
      const watch = new ListenWatch(connection, () => bell.ring());
      const bell = new Bell(watch);
      onTestFinished(async () => {
        await watch.close();
        await connection.close();
      });
      bell.listen(() => {});
      await nextRing(bell);
      for (let round = 0; round < 3; round += 1) {
        const rung = nextRing(bell);
        await other.create([newHandoff({})], callBy(writer, 'handoff.create'));
        await rung;
      }
    },
  );

  verifies(
    ['POSTGRES.wake', 'STORE.processes'],
    'a subscription whose listening connection was ended continues, with every event once',
    async () => {
      const url = await server.newDatabase();
      const [one, other] = [await open(url), await open(url)];
      const events = one.subscribe({}, new AbortController().signal)[Symbol.asyncIterator]();
      // Of a store's own writes it is sure that they come behind the place where its subscription begins.
      const begun = events.next();
      const [own] = await one.create([newHandoff({})], callBy(writer, 'handoff.create'));
      await begun;
      const ids: unknown[] = [own?.id];
      for (let round = 0; round < 3; round += 1) {
        const next = events.next();
        const [created] = await other.create([newHandoff({})], callBy(writer, 'handoff.create'));
        ids.push(created?.id);
        expect(((await next).value as HandoffEvent).handoff_id).toBe(ids.at(-1));
        await runSql(
          url,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND query LIKE '%LISTEN%' AND pid <> pg_backend_pid()`,
        );
      }
      expect((await one.events({ limit: 9 })).map(({ handoff_id }) => handoff_id)).toEqual(ids);
      await events.return?.();
    },
  );

  verifies(
    ['POSTGRES.time'],
    'a lease follows the clock of the server, for two machines whose clocks are an hour apart',
    async () => {
      const url = await server.newDatabase();
      const [slow, fast] = [
        await open(url, { now: () => Date.now() - HOUR_MS }),
        await open(url, { now: () => Date.now() + HOUR_MS }),
      ];
      await slow.create([newHandoff({})], callBy(writer, 'handoff.create'));
      const { handoffs } = await slow.claim(claimOf(), callBy(receiver, 'handoff.claim'));
      const held = handoffs[0];
      expect((await fast.claim(claimOf(), callBy(rival, 'handoff.claim'))).handoffs).toEqual([]);
      const [now] = await queryRows(url, 'SELECT extract(epoch FROM clock_timestamp())::float * 1000 AS now_ms');
      const left_ms = Date.parse(held?.delivery.lease?.expires_at ?? '') - Number(now?.now_ms);
      expect(Math.abs(left_ms - claimOf().lease_ms)).toBeLessThan(HOUR_MS / 2);
      const step = { type: 'acknowledge', token: held && tokenOf(held) } as const;
      await fast.transition(held?.id ?? '', step, callBy(receiver, 'handoff.acknowledge'));
    },
  );
});

verifies(
  ['POSTGRES.plan', 'STORE.indexes'],
  'a claim of one among 3,000 that are open and 20,000 that are done reads no more than some, by its index',
  async () => {
    const url = await server.newDatabase();
    const store = await open(url);
    const [made] = await store.create([newHandoff({ task_id: 'A' })], callBy(writer, 'handoff.create'));
    const client = await connect(url);
    const id = made?.id ?? '';
    await copyHandoff(client, 'baton', { id, as: 'done', count: 20_000, state: 'acknowledged' });
    await copyHandoff(client, 'baton', { id, as: 'open', count: 3_000, state: 'open' });
    await client.query("UPDATE baton.deliveries SET task_id = 'B' WHERE id LIKE 'open-%' AND seq % 30 <> 0");
    await client.query('VACUUM ANALYZE baton.handoffs, baton.deliveries');
    for (const task of [true, false]) {
      const plan = await explain(url, lockOldest(task));
      expect(plan).not.toContain('Seq Scan');
      expect(plan).toContain(task ? 'deliveries_open_by_task' : 'deliveries_open_by_target');
      expect(readRows(plan)).toBeLessThan(200);
    }
  },
);

verifies(
  ['POSTGRES.plan'],
  'an acknowledgement finds its rows by their ids, among 3,000 that are claimed',
  async () => {
    const url = await server.newDatabase();
    const store = await open(url);
    const [made] = await store.create([newHandoff({})], callBy(writer, 'handoff.create'));
    const client = await connect(url);
    const id = made?.id ?? '';
    await copyHandoff(client, 'baton', { id, as: 'held', count: 3_000, state: 'open' });
    // Counted when nothing was claimed: the index of leases looks empty.
    await client.query('VACUUM ANALYZE baton.handoffs, baton.deliveries');
    await client.query(`UPDATE baton.deliveries SET state = 'claimed', lease_token = 'token-' || id,
    lease_expires_at = 4000000000000 + seq, lease_holder = 'receiver', lease_holder_type = 'agent'`);
    const { rows } = await client.query<{ id: string }>(
      "SELECT id FROM baton.deliveries WHERE state = 'claimed' LIMIT 20",
    );
    const ids = rows.map((row) => row.id);
    const plan = await explain(url, lockHandoffs, { ids: `'{${ids.join()}}'` });
    expect(plan).toContain('deliveries_pkey');
    expect(plan).not.toMatch(/Seq Scan on (deliveries|handoffs|events)/);
    expect(readRows(plan)).toBeLessThan(200);
  },
);

/** The plan of a statement that locks, as it ran; undone. */
async function explain(url: string, sql: string, given: Record<string, string> = {}): Promise<string> {
  const { project } = newHandoff({});
  const values: Record<string, string> = {
    project: `'${project}'`,
    holder: `'receiver'`,
    task_id: `'A'`,
    now: '4000000000000',
    backoff_max: '600000',
    watermark: '0',
    max: '1',
    kind: 'NULL',
    scope: 'NULL',
    include_unscoped: '0',
    scope_ancestors: `'{}'`,
    excluded: `'{}'`,
    ...given,
  };
  const filled = sql.replace(/(?<!:):([a-z_]+)/g, (_, name: string) => values[name] ?? name);
  const client = await connect(url);
  await client.query('BEGIN; SET LOCAL search_path = baton');
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE) ${filled}`);
  await client.query('ROLLBACK');
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

/** How many rows any step of a plan has read or thrown away. */
function readRows(plan: string): number {
  const counts = [...plan.matchAll(/(?:actual time=\S+ rows=|Rows Removed by Filter: )(\d+)/g)];
  return Math.max(...counts.map(([, count]) => Number(count)));
}
