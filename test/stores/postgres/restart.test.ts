import { describe, expect, onTestFinished } from 'vitest';
import type { Handoff } from '../../../packages/batonpass/src/core/handoff.ts';
import { withoutToken } from '../../../packages/batonpass/src/core/without-token.ts';
import {
  callBy,
  claimOf,
  newHandoff,
  receiver,
  tokenOf,
  writer,
} from '../../../packages/batonpass/src/stores/contract/bench.ts';
import { openPostgresStore } from '../../../packages/batonpass/src/stores/postgres/store.ts';
import { verifies } from '../../verifies.ts';
import { createFolders } from '../folders.ts';
import { allEnded, createWorkers } from '../race-process.ts';
import { createServer } from './server.ts';
import { judge } from './stage.ts';
import { createWay } from './way.ts';

/** `npm run soak -- postgres` sets more, and so does `postgres-restart`. */
const SHARE = Number(process.env.BATON_POSTGRES_SHARE ?? 15);
const RESTARTS = Number(process.env.BATON_POSTGRES_RESTARTS ?? 1);
const WORKERS = Number(process.env.BATON_POSTGRES_WORKERS ?? 8);

const server = createServer({ isDurable: true });
const startWorker = createWorkers();
const newFolder = createFolders();

verifies(
  ['POSTGRES.restart', 'RELIABLE.kill'],
  `a server that is restarted at once under ${WORKERS} workers loses nothing and duplicates nothing (${RESTARTS} times)`,
  async () => {
    const url = await server.newDatabase();
    await (await openPostgresStore(url)).close();
    const total = 4 * WORKERS * SHARE;
    let lines = 0;
    let restarts = 0;
    let restarting = Promise.resolve();
    const begun = new Set<string>();
    const onLine = (name: string) => {
      lines += 1;
      begun.add(name);
      // A store that is only being opened says that its server is away.
      if (begun.size < WORKERS || restarts >= RESTARTS || lines < (total * (restarts + 1)) / (RESTARTS + 2)) return;
      restarts += 1;
      restarting = restarting.then(() => server.restart());
    };
    const workers = Array.from({ length: WORKERS }, (_, index) =>
      startWorker({ name: `sharer-${index}`, role: 'sharer', count: SHARE, file: url }, () => onLine(`${index}`)),
    );
    try {
      await allEnded(workers.map(({ ended }) => ended));
    } finally {
      await restarting;
    }
    expect(restarts).toBe(RESTARTS);
    const { handoffs, operations } = await judge(url, workers, { hasRestarted: true });
    expect(operations.filter(({ came }) => came !== 'ok')).toEqual([]);
    expect(handoffs.length).toBe(WORKERS * SHARE);
    expect(handoffs.filter(({ delivery }) => delivery.state !== 'acknowledged' || delivery.fence !== 1)).toEqual([]);
    if (process.env.BATON_POSTGRES_SHARE === undefined) return;
    console.info(`${handoffs.length} handoffs, ${operations.length} calls, ${restarts} restarts: all done once.`);
  },
  60_000 + SHARE * WORKERS * 100,
);

describe.each(['before', 'after'] as const)('a connection that is lost at the commit, %s it is done', (when) => {
  verifies(
    ['POSTGRES.ambiguous'],
    'is replaced, and create, claim and step happen once and answer as ever, with a key and without',
    async () => {
      if (!server.isOwn) return;
      const way = await createWay(await server.newDatabase(), newFolder());
      const store = await openPostgresStore(way.url);
      onTestFinished(() => store.close());
      for (const key of [undefined, 'key']) {
        way.cutNextCommit(when);
        const [created] = await store.create([newHandoff({})], callBy(writer, 'handoff.create', key));
        way.cutNextCommit(when);
        const { handoffs } = await store.claim(claimOf(), callBy(receiver, 'handoff.claim', key));
        expect(handoffs.map(({ id }) => id)).toEqual([created?.id]);
        const [held] = handoffs as [Handoff];
        const { id } = held;
        const token = tokenOf(held);
        expect(await store.get(id, token)).toEqual(withoutToken(held));
        way.cutNextCommit(when);
        const call = callBy(receiver, 'handoff.acknowledge', key);
        await store.transition(id, { type: 'acknowledge', token }, call);
        const events = await store.events({ handoff_id: id, limit: 10 });
        expect(events.map(({ to }) => to)).toEqual(['open', 'claimed', 'acknowledged']);
      }
      expect((await store.list({ filter: {}, limit: 10 })).handoffs).toHaveLength(2);
      expect(way.cuts()).toBe(6);
    },
  );
});

describe.each([undefined, 'key'])('of a claim with the key %s a message', (key) => {
  verifies(
    ['POSTGRES.ambiguous'],
    'that arrives after its repetition was answered claims for no receiver, with any of its messages',
    async () => {
      if (!server.isOwn) return;
      const way = await createWay(await server.newDatabase(), newFolder());
      const store = await openPostgresStore(`${way.url}&wait_ms=1000`);
      onTestFinished(() => store.close());
      let pieces = 0;
      for (let isHeld = true; isHeld; pieces += 1) {
        const task_id = `task-${pieces}`;
        await store.create([newHandoff({ task_id }), newHandoff({ task_id })], callBy(writer, 'handoff.create'));
        way.holdPiece(pieces + 1);
        const call = callBy(receiver, 'handoff.claim', key && `${key}-${pieces}`);
        const { handoffs } = await store.claim(claimOf({ task_id }), call);
        isHeld = await way.deliver();
        const claimed = await store.list({ filter: { task_id, state: ['claimed'] }, limit: 10 });
        expect(claimed.handoffs.map(({ id }) => id)).toEqual(handoffs.map(({ id }) => id));
        expect(handoffs.map(({ delivery }) => delivery.fence)).toEqual([1]);
      }
      // The beginning, the choice, and the commit.
      expect(pieces).toBeGreaterThan(3);
    },
  );
});

verifies(
  ['POSTGRES.restart'],
  'a store that is opened while its server restarts waits for it',
  async () => {
    const url = `${await server.newDatabase()}&wait_ms=60000`;
    await (await openPostgresStore(url)).close();
    const restarting = server.restart();
    const store = await openPostgresStore(url);
    expect((await store.list({ filter: {}, limit: 1 })).handoffs).toEqual([]);
    await store.close();
    await restarting;
  },
  120_000,
);
