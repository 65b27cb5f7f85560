import { expect, onTestFinished } from 'vitest';
import type { HandoffEvent } from '../../../packages/batonpass/src/core/delivery.ts';
import type { Store } from '../../../packages/batonpass/src/core/store.ts';
import {
  callBy,
  claimOf,
  newHandoff,
  receiver,
  tokenOf,
  writer,
} from '../../../packages/batonpass/src/stores/contract/bench.ts';
import { openStore } from '../../../packages/batonpass/src/stores/open.ts';
import { verifies } from '../../verifies.ts';
import { createFolders } from '../folders.ts';
import { allEnded, createWorkers } from '../race-process.ts';
import { createPooler } from './pooler.ts';
import { createServer } from './server.ts';
import { judge } from './stage.ts';

const WORKERS = 3;
const SHARE = 10;

const server = createServer();
const newFolder = createFolders();
const startWorker = createWorkers();

async function open(url: string): Promise<Store> {
  const store = await openStore(url);
  onTestFinished(() => store.close());
  return store;
}

verifies(
  ['PGTEAM.pooler', 'POSTGRES.race'],
  `behind a pooler that gives each transaction another backend, ${WORKERS} processes share the work, each handoff once`,
  async () => {
    if (!server.isOwn) return;
    const url = await server.newDatabase();
    const pooler = await createPooler(url, newFolder());
    const workers = Array.from({ length: WORKERS }, (_, index) =>
      startWorker({ name: `sharer-${index}`, role: 'sharer', count: SHARE, file: pooler.url }),
    );
    await allEnded(workers.map(({ ended }) => ended));
    const { handoffs, operations } = await judge(url, workers);
    expect(operations.filter(({ came }) => came !== 'ok')).toEqual([]);
    expect(handoffs.length).toBe(WORKERS * SHARE);
    expect(handoffs.filter(({ delivery }) => delivery.state !== 'acknowledged' || delivery.fence !== 1)).toEqual([]);
    expect(pooler.moves()).toBeGreaterThan(WORKERS);
  },
);

verifies(
  ['PGTEAM.pooler', 'POSTGRES.wake'],
  'behind it notifications are lost: that is reported once, and a subscription finds new events by polling, each once',
  async () => {
    if (!server.isOwn) return;
    const url = await server.newDatabase();
    const pooler = await createPooler(url, newFolder());
    const [pooled, direct] = [await open(pooler.url), await open(url)];
    const warnings: string[] = [];
    const warned = new Promise<void>((resolve) => {
      const listen = (warning: Error & { code?: string }) => {
        if (warning.code !== 'BATON_NO_NOTIFICATIONS') return;
        warnings.push(warning.message);
        resolve();
      };
      process.on('warning', listen);
      onTestFinished(() => {
        process.off('warning', listen);
      });
    });
    const events = pooled.subscribe({}, new AbortController().signal)[Symbol.asyncIterator]();
    const seen: unknown[] = [];
    const created: unknown[] = [];
    for (let round = 0; round < 2; round += 1) {
      const next = events.next();
      if (round === 0) await warned;
      const [made] = await direct.create([newHandoff({})], callBy(writer, 'handoff.create'));
      created.push(made?.id);
      seen.push(((await next).value as HandoffEvent).handoff_id);
    }
    expect(seen).toEqual(created);
    expect(warnings).toEqual([expect.stringMatching(/pooler in transaction mode.*name the server itself/)]);
    await events.return?.();
    const key = callBy(receiver, 'handoff.claim', 'key');
    const [one, two] = [await pooled.claim(claimOf(), key), await pooled.claim(claimOf(), key)];
    expect(two).toEqual(one);
    const [held] = one.handoffs;
    const step = { type: 'acknowledge', token: held && tokenOf(held) } as const;
    await pooled.transition(held?.id ?? '', step, callBy(receiver, 'handoff.acknowledge'));
  },
);
