import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { isHandoffError } from '../../../packages/batonpass/src/core/errors.ts';
import type { Store } from '../../../packages/batonpass/src/core/store.ts';
import {
  callBy,
  claimOf,
  newHandoff,
  receiver,
  writer,
} from '../../../packages/batonpass/src/stores/contract/bench.ts';
import { openStore } from '../../../packages/batonpass/src/stores/open.ts';
import { verifies } from '../../verifies.ts';
import { createFolders } from '../folders.ts';
import { allEnded, createWorkers } from '../race-process.ts';
import { createServer, queryRows, runSql } from './server.ts';
import { judge } from './stage.ts';
import { createUnrulyWay } from './unruly-way.ts';
import { createWay } from './way.ts';

/** `npm run soak -- postgres` sets more. */
const SHARE = Number(process.env.BATON_POSTGRES_WAY_SHARE ?? 10);
const WORKERS = Number(process.env.BATON_POSTGRES_WORKERS ?? 3);
const seed = Number(process.env.BATON_POSTGRES_SEED ?? Date.now() % 2 ** 31);

/** Some pieces of each call: every other call meets something. */
const manners = { mute: 0.05, delayed: 0.03, dropped: 0.012, stalled: 0.006 };

const selectListeners = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
  AND query LIKE 'UNLISTEN%' AND state = 'idle' AND pid <> pg_backend_pid()`;

/** Longer than anything that is waited for here, on the slowest machine. */
const DEADLINE_MS = 30_000;

const server = createServer();
const startWorker = createWorkers();
const newFolder = createFolders();

async function open(url: string): Promise<Store> {
  const store = await openStore(url);
  onTestFinished(() => store.close());
  return store;
}

/** A program that subscribes until its input ends, and closes its store. @returns what ends it, and reports how it ended. */
function startSubscriber(url: string): () => Promise<number | null> {
  const program = `
    const { openStore } = await import('./packages/batonpass/src/stores/open.ts');
    const store = await openStore(process.argv[1]);
    store.subscribe({}, new AbortController().signal)[Symbol.asyncIterator]().next();
    process.stdin.resume().once('end', () => store.close());`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, url], {
    cwd: join(import.meta.dirname, '../../..'),
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return () => {
    child.stdin.end();
    return ended;
  };
}

/** What a call is refused with. */
async function refusalOf(call: Promise<unknown>) {
  const refused: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isHandoffError(refused)) throw new Error('It was not refused.', { cause: refused });
  return refused;
}

verifies(
  ['PGTEAM.way', 'POSTGRES.ambiguous', 'RELIABLE.kill'],
  `behind a network that delays, drops and stalls, ${WORKERS} workers lose nothing and duplicate nothing (seed ${seed})`,
  async () => {
    if (!server.isOwn) return;
    const url = await server.newDatabase();
    await (await openStore(url)).close();
    const way = await createUnrulyWay(url, { ...manners, seed });
    const workers = Array.from({ length: WORKERS }, (_, index) =>
      startWorker({ name: `sharer-${index}`, role: 'stubborn', count: SHARE, file: `${way.url}&wait_ms=500` }),
    );
    await allEnded(workers.map(({ ended }) => ended));
    const { handoffs, operations } = await judge(url, workers, { hasRestarted: true });
    expect(handoffs.length).toBe(WORKERS * SHARE);
    expect(handoffs.filter(({ delivery }) => delivery.state !== 'acknowledged' || delivery.fence !== 1)).toEqual([]);
    expect(operations.filter(({ came, code }) => came !== 'ok' && code !== 'unavailable')).toEqual([]);
    const { connections, ...troubles } = way.tally;
    expect(connections).toBeGreaterThan(WORKERS);
    if (process.env.BATON_POSTGRES_WAY_SHARE === undefined) return;
    for (const [, count] of Object.entries(troubles)) expect(count).toBeGreaterThan(0);
    const refused = operations.filter(({ code }) => code === 'unavailable');
    const unknown = operations.filter(({ came }) => came === 'unknown');
    console.info(
      `${handoffs.length} handoffs, ${operations.length} calls; ${JSON.stringify(way.tally)}; ${refused.length} calls were unavailable, ${unknown.length} of them in doubt.`,
    );
  },
  60_000 + SHARE * WORKERS * 2_000,
);

describe('a server that has fallen silent', () => {
  verifies(['PGTEAM.silence'], 'is an error of a time, and not a wait without end: as it opens and later', async () => {
    if (!server.isOwn) return;
    const url = await server.newDatabase();
    const direct = await open(url);
    const [created] = await direct.create([newHandoff({})], callBy(writer, 'handoff.create'));
    const way = await createUnrulyWay(url);
    const store = await open(`${way.url}&wait_ms=400`);
    way.stall(true);
    expect(await refusalOf(openStore(`${way.url}&wait_ms=400`))).toMatchObject({ code: 'unavailable' });
    const reading = await refusalOf(store.get(created?.id ?? ''));
    expect([reading.code, reading.message]).toEqual([
      'unavailable',
      expect.stringMatching(/did not answer in time|cannot be reached/),
    ]);
    expect(await refusalOf(store.claim(claimOf(), callBy(receiver, 'handoff.claim')))).toMatchObject({
      code: 'unavailable',
    });
    way.stall(false);
    const { handoffs } = await store.claim(claimOf(), callBy(receiver, 'handoff.claim'));
    expect(handoffs.map(({ id }) => id)).toEqual([created?.id]);
  });

  verifies(['PGTEAM.silence'], 'on one connection: the call is answered by another', async () => {
    if (!server.isOwn) return;
    const way = await createUnrulyWay(await server.newDatabase());
    const store = await open(`${way.url}&wait_ms=1000`);
    way.stall(true);
    const creating = store.create([newHandoff({})], callBy(writer, 'handoff.create'));
    await expect.poll(() => way.tally.stalled, { timeout: DEADLINE_MS }).toBeGreaterThan(0);
    way.stall(false);
    const [created] = await creating;
    expect((await store.list({ filter: {}, limit: 5 })).handoffs.map(({ id }) => id)).toEqual([created?.id]);
  });

  verifies(['PGTEAM.silence'], 'keeps no program from ending that has closed its store', async () => {
    if (!server.isOwn) return;
    const url = await server.newDatabase();
    const way = await createUnrulyWay(url);
    const end = startSubscriber(`${way.url}&wait_ms=1000`);
    // It has received its own notification, and waits for others.
    await expect.poll(() => queryRows(url, selectListeners), { timeout: DEADLINE_MS }).toHaveLength(1);
    way.stall(true);
    expect(await end()).toBe(0);
  });
});

verifies(
  ['PGTEAM.doubt', 'POSTGRES.ambiguous'],
  'a commit that still runs when its caller gives up is in doubt, not undone: the key then finds what it made',
  async () => {
    if (!server.isOwn) return;
    const url = await server.newDatabase();
    const direct = await open(url);
    const way = await createWay(url, newFolder());
    const store = await open(`${way.url}&wait_ms=500`);
    // A commit of a handoff waits at the gate, as one does whose disk or whose standby is slow.
    await runSql(
      url,
      `CREATE TABLE public.gate (is_open boolean); INSERT INTO public.gate VALUES (false);
       CREATE FUNCTION public.wait_at_gate() RETURNS trigger LANGUAGE plpgsql SET statement_timeout = 0 AS
         $$ BEGIN WHILE NOT (SELECT is_open FROM public.gate) LOOP PERFORM pg_sleep(0.01); END LOOP; RETURN NULL; END $$;
       CREATE CONSTRAINT TRIGGER gate AFTER INSERT ON baton.handoffs DEFERRABLE INITIALLY DEFERRED
         FOR EACH ROW EXECUTE FUNCTION public.wait_at_gate()`,
    );
    const create = () => store.create([newHandoff({})], callBy(writer, 'handoff.create', 'key'));
    way.cutNextCommit('during');
    const refused = await refusalOf(create());
    expect(refused).toMatchObject({ code: 'unavailable', details: { is_ambiguous: true } });
    expect(refused.alternatives[0]).toContain('same idempotency key');
    await runSql(url, 'UPDATE public.gate SET is_open = true');
    const [created] = await create();
    const { handoffs } = await direct.list({ filter: {}, limit: 5 });
    expect(handoffs.map(({ id }) => id)).toEqual([created?.id]);
    expect(await queryRows(url, 'SELECT count(*)::int AS lines FROM baton.events')).toEqual([{ lines: 1 }]);
  },
);
