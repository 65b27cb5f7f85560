import { expect, onTestFinished } from 'vitest';
import type { Store } from '../../../packages/batonpass/src/core/store.ts';
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
import { allEnded, createWorkers } from '../race-process.ts';
import { createServer, queryRows } from './server.ts';
import { judge } from './stage.ts';

/** `npm run soak -- postgres` sets more. */
const SHARE = Number(process.env.BATON_POSTGRES_FAILOVER_SHARE ?? 15);
const FAILOVERS = Number(process.env.BATON_POSTGRES_FAILOVERS ?? 1);
const WORKERS = Number(process.env.BATON_POSTGRES_WORKERS ?? 3);

const server = createServer({ isDurable: true });
const startWorker = createWorkers();

async function open(url: string): Promise<Store> {
  const store = await openPostgresStore(url);
  onTestFinished(() => store.close());
  return store;
}

verifies(
  ['PGTEAM.failover', 'POSTGRES.ambiguous'],
  `a standby that commits wait for replaces the server under ${WORKERS} workers, and nothing is lost or duplicated (${FAILOVERS} times)`,
  async () => {
    if (!server.isOwn) return;
    const url = `${await server.newDatabase()}&wait_ms=60000`;
    await (await openPostgresStore(url)).close();
    const total = 4 * WORKERS * SHARE;
    let [lines, begun] = [0, 0];
    let changing = server.follow();
    const onLine = () => {
      lines += 1;
      if (begun >= FAILOVERS || lines < (total * (begun + 1)) / (FAILOVERS + 2)) return;
      begun += 1;
      const isLast = begun === FAILOVERS;
      changing = changing.then(() => server.failOver()).then(() => (isLast ? undefined : server.follow()));
    };
    const workers = Array.from({ length: WORKERS }, (_, index) =>
      startWorker({ name: `sharer-${index}`, role: 'sharer', count: SHARE, file: url }, onLine),
    );
    try {
      await allEnded(workers.map(({ ended }) => ended));
    } finally {
      await changing;
    }
    expect(begun).toBe(FAILOVERS);
    const { handoffs, operations } = await judge(url, workers, { hasRestarted: true });
    expect(operations.filter(({ came }) => came !== 'ok')).toEqual([]);
    expect(handoffs.length).toBe(WORKERS * SHARE);
    expect(handoffs.filter(({ delivery }) => delivery.state !== 'acknowledged' || delivery.fence !== 1)).toEqual([]);
  },
  120_000 + SHARE * WORKERS * 100,
);

verifies(
  ['PGTEAM.failover'],
  'a standby that was behind undoes the last calls as a whole: what was not replicated is not found, and a token is lease_lost',
  async () => {
    if (!server.isOwn) return;
    const url = await server.newDatabase();
    const before = await open(url);
    const create = (title: string) => before.create([newHandoff({ title })], callBy(writer, 'handoff.create'));
    const claim = async (store: Store) => {
      const { handoffs } = await store.claim(claimOf(), callBy(receiver, 'handoff.claim'));
      return { id: handoffs[0]?.id ?? '', token: handoffs[0] && tokenOf(handoffs[0]) };
    };
    const end = (store: Store, id: string, step: Parameters<Store['transition']>[1]) =>
      store.transition(id, step, callBy(receiver, 'handoff.acknowledge'));
    await create('kept');
    await create('claimed again');
    const [kept, again] = [await claim(before), await claim(before)];
    const replica = await server.newReplica(url);
    await end(before, kept.id, { type: 'acknowledge', token: kept.token ?? '' });
    await end(before, again.id, { type: 'release', token: again.token ?? '' });
    const lost = await claim(before);
    const [unseen] = await create('unseen');
    await queryRows(replica, 'SELECT pg_promote()');
    const after = await open(replica);
    expect(await after.get(unseen?.id ?? '')).toBeNull();
    expect(lost.id).toBe(again.id);
    const stale = end(after, lost.id, { type: 'acknowledge', token: lost.token ?? '' });
    await expect(stale).rejects.toMatchObject({ code: 'lease_lost' });
    for (const { id, token } of [kept, again]) {
      const ended = await end(after, id, { type: 'acknowledge', token: token ?? '' });
      expect(ended.delivery.state).toBe('acknowledged');
    }
  },
);
