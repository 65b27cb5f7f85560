import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import type { Store } from '../../../packages/batonpass/src/core/store.ts';
import {
  callBy,
  claimOf,
  newHandoff,
  receiver,
  reviewer,
  tokenOf,
  writer,
} from '../../../packages/batonpass/src/stores/contract/bench.ts';
import { LapseWatermark, lockOldest, Watermarks } from '../../../packages/batonpass/src/stores/postgres/claims.ts';
import type { PostgresStoreOptions } from '../../../packages/batonpass/src/stores/postgres/connection.ts';
import { beginningsOf } from '../../../packages/batonpass/src/stores/postgres/connection.ts';
import { type Session, work } from '../../../packages/batonpass/src/stores/postgres/session.ts';
import { openPostgresStore } from '../../../packages/batonpass/src/stores/postgres/store.ts';
import { verifies } from '../../verifies.ts';
import { createServer } from './server.ts';

const CLAIMED = 1_000;
const HOUR_MS = 3_600_000;

const server = createServer();

const creating = callBy(writer, 'handoff.create');
const claiming = callBy(receiver, 'handoff.claim');
const releasing = callBy(receiver, 'handoff.release');

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

/** Creates and claims many, so that each leaves a dead row in the indexes of what is open. */
async function claimMany(store: Store): Promise<void> {
  const handoffs = Array.from({ length: CLAIMED }, () => newHandoff({ task_id: 'A' }));
  await store.create(handoffs, creating);
  expect((await store.claim(claimOf({ task_id: 'A', max: CLAIMED }), claiming)).handoffs).toHaveLength(CLAIMED);
}

verifies(
  ['POSTGRES.bloat', 'POSTGRES.plan'],
  'a claim next to an old transaction does not read what was claimed before, with a task and without',
  async () => {
    const url = await server.newDatabase();
    const store = await open(url);
    // Its snapshot is older than all that follows: none of it can be cleared away.
    const idle = await connect(url);
    await idle.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await idle.query('SELECT count(*) FROM baton.deliveries');
    await claimMany(store);
    await store.create([newHandoff({ task_id: 'A' })], creating);
    const client = await connect(url);
    await client.query('VACUUM ANALYZE baton.deliveries');
    await client.query('BEGIN; SET LOCAL search_path = baton');
    const session: Session = { client, now_ms: 0, is_due: false, xid: '', ahead: new Map(), isPrepared: false };
    for (const task_id of ['A', undefined]) {
      const { task_id: _of, ...ofAny } = claimOf();
      const request = task_id === undefined ? ofAny : { ...ofAny, task_id };
      const watermark = await work(session, new Watermarks().find(request, { holder: receiver.name }));
      const claim = lockOldest(task_id !== undefined);
      expect(await readPages(client, claim, { watermark: String(watermark) })).toBeLessThan(30);
      // So much it would be from the bottom on: the dead rows are there.
      expect(await readPages(client, claim)).toBeGreaterThan(45);
    }
    // Each call checks what has come due, also where the planner knows how little is open; here nothing has.
    const { read, write } = beginningsOf({ schema: 'baton', wait_ms: 10_000 });
    for (const { setUp } of [read, write]) expect(await readPages(client, setUp, { now: '1' })).toBeLessThan(40);
  },
);

verifies(['POSTGRES.bloat'], 'claims of one queue in quick succession ask for its watermark once', () => {
  const watermarks = new Watermarks();
  const find = (task_id: string) => watermarks.find(claimOf({ task_id }), { holder: receiver.name });
  const ahead = (task_id: string) => watermarks.ahead(claimOf({ task_id }), { holder: receiver.name });
  const asking = find('A');
  expect(asking.next().value).toMatchObject({ sql: expect.stringContaining('AS watermark') });
  expect(asking.next([{ watermark: '7' }])).toEqual({ done: true, value: 7 });
  expect(find('A').next()).toEqual({ done: true, value: 7 });
  expect(ahead('A')).toMatchObject([{ parameters: { task_id: 'A', watermark: 7 } }]);
  // Another queue has its own.
  expect(find('B').next().done).toBe(false);
  expect(ahead('B')).toMatchObject([{ sql: expect.stringContaining('AS watermark'), parameters: { watermark: 0 } }]);
});

/** What the statements of this file are given. */
const values: Readonly<Record<string, string>> = {
  project: `'${newHandoff({}).project}'`,
  holder: `'${receiver.name}'`,
  task_id: `'A'`,
  now: '4000000000000',
  backoff_max: '600000',
  max: '1',
  kind: 'NULL',
  scope: 'NULL',
  include_unscoped: '0',
  scope_ancestors: `'{}'`,
  excluded: `'{}'`,
  key: `'1'`,
  from: '0',
  watermark: '0',
  holder_type: `'${receiver.type}'`,
  tokens: `'{token}'`,
  counted: '1',
  lease_ms: '1000',
};

/** How many pages a statement of one row reads, by the plan that is made once for any values; it is undone. */
async function readPages(client: pg.Client, sql: string, more: Record<string, string> = {}): Promise<number> {
  const names: string[] = [];
  const numbered = sql.replace(/(?<!:):([a-z_]+)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  const given = names.map((name) => more[name] ?? values[name] ?? name).join(', ');
  // As the store's own transactions begin.
  await client.query(
    'SAVEPOINT before; SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off',
  );
  await client.query(`PREPARE claim AS ${numbered}`);
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, unknown> }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE claim(${given})`,
  );
  await client.query('ROLLBACK TO before; DEALLOCATE claim');
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  expect(JSON.stringify(plan)).toContain('$');
  expect(plan?.['Actual Rows']).toBe(1);
  return Number(plan?.['Shared Hit Blocks']) + Number(plan?.['Shared Read Blocks']);
}

verifies(
  ['POSTGRES.returned', 'LIFE.fifo'],
  'what another process releases, lets lapse or opens late is claimed before what came after it',
  async () => {
    const url = await server.newDatabase();
    let now_ms = Date.UTC(2026, 10, 22);
    const surroundings = { clock: 'own', now: () => now_ms } as const;
    const [one, other] = [await open(url, surroundings), await open(url, surroundings)];
    const [draft] = await one.create([newHandoff({ state: 'draft' })], creating);
    const created = await one.create([newHandoff({}), newHandoff({}), newHandoff({})], creating);
    const [given, lapsed, never] = created.map(({ id }) => id);
    // Both have claimed, so that both know a floor above these.
    const mine = (await one.claim(claimOf({ max: 1 }), claiming)).handoffs[0];
    await other.claim(claimOf({ max: 1 }), claiming);
    expect(mine?.id).toBe(given);
    await one.transition(given ?? '', { type: 'release', token: mine && tokenOf(mine) }, releasing);
    const { id = '', content_sha256 = '' } = draft ?? {};
    const approval = { content_sha256, rendered_sha256: content_sha256, budget: 2_000 };
    await one.transition(id, { type: 'approve', ...approval }, callBy(reviewer, 'handoff.approve'));
    now_ms += HOUR_MS;
    const next = async () => (await other.claim(claimOf({ max: 1 }), claiming)).handoffs[0]?.id;
    expect([await next(), await next(), await next(), await next()]).toEqual([id, given, lapsed, never]);
  },
);

verifies(
  ['POSTGRES.lapses', 'STORE.processes'],
  'a lapse is seen by a process that has looked before, also of a lease that came from another store, and after the clock went back',
  async () => {
    let now_ms = Date.UTC(2026, 10, 22);
    const surroundings = { clock: 'own', now: () => now_ms } as const;
    const [there, url] = [await open(await server.newDatabase(), surroundings), await server.newDatabase()];
    const [one, other] = [await open(url, surroundings), await open(url, surroundings)];
    const stateOf = async (id = '') => (await one.get(id))?.delivery.state;
    const claimOne = async (store: Store) => {
      await store.create([newHandoff({})], creating);
      return (await store.claim(claimOf({ max: 1 }), claiming)).handoffs[0]?.id;
    };
    const long_ago = await claimOne(there);
    const { handoffs: held } = await there.export({ limit: 10 });
    now_ms += HOUR_MS;
    expect(await stateOf('none')).toBeUndefined();
    const first = await claimOne(other);
    expect(await stateOf(first)).toBe('claimed');
    now_ms += HOUR_MS;
    expect(await stateOf(first)).toBe('open');
    // The clock of the server was set back, and a lease was given that ends before what has been looked at.
    now_ms -= 3 * HOUR_MS;
    expect(await stateOf('none')).toBeUndefined();
    const before = await claimOne(other);
    now_ms += HOUR_MS;
    expect(await stateOf(before)).toBe('open');
    now_ms += 2 * HOUR_MS;
    expect(await stateOf('none')).toBeUndefined();
    await one.import(held);
    expect(await stateOf(long_ago)).toBe('open');
  },
);

verifies(
  ['POSTGRES.lapses'],
  'a look passes over the leases that the last one settled, until all are looked at again',
  () => {
    const lapses = new LapseWatermark();
    const looks = [1_000, 2_000, 3_000].map((now_ms) => {
      const from = lapses.from();
      lapses.settle(now_ms, from);
      return from;
    });
    expect(looks).toEqual([0, 1_000, 2_000]);
    lapses.forget();
    expect(lapses.from()).toBe(0);
  },
);
