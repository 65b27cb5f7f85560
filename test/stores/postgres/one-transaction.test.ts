import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
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
import { createServer, queryRows, runSql } from './server.ts';

const COUNT = 40;

const server = createServer();
const numbers = Array.from({ length: COUNT }, (_, index) => index);

async function open(url: string): Promise<Store> {
  const store = await openPostgresStore(url);
  onTestFinished(() => store.close());
  return store;
}

/** How many transactions wrote the lines of one kind. */
async function countTransactions(url: string, to: string): Promise<number> {
  const [row] = await queryRows(
    url,
    `SELECT count(DISTINCT xmin::text)::int AS count FROM baton.events WHERE to_state = '${to}'`,
  );
  return Number(row?.count);
}

verifies(
  ['POSTGRES.shared', 'LIFE.fifo', 'LIFE.lease'],
  `${COUNT} concurrent creates, claims and acknowledgements take one transaction of each kind; one with a stale token is refused alone`,
  async () => {
    const url = await server.newDatabase();
    const store = await open(url);
    const created = await Promise.all(
      numbers.map((number) => store.create([newHandoff({ title: `${number}` })], callBy(writer, 'handoff.create'))),
    );
    const claims = await Promise.all(numbers.map(() => store.claim(claimOf(), callBy(receiver, 'handoff.claim'))));
    const held = claims.flatMap(({ handoffs }) => handoffs);
    expect(held.map(({ id }) => id)).toEqual(created.map(([each]) => each?.id));
    const steps = held.map((each, index) => {
      const token = index === 7 ? 'stale' : tokenOf(each);
      return store.transition(each.id, { type: 'acknowledge', token }, callBy(receiver, 'handoff.acknowledge'));
    });
    const settled = await Promise.allSettled(steps);
    expect(settled.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([7]);
    const states = await Promise.all(held.map(async ({ id }) => (await store.get(id))?.delivery.state));
    expect(states).toEqual(numbers.map((number) => (number === 7 ? 'claimed' : 'acknowledged')));
    for (const state of ['open', 'claimed', 'acknowledged']) expect(await countTransactions(url, state)).toBe(1);
  },
);

verifies(
  ['POSTGRES.shared', 'LIFE.fifo'],
  'concurrent claims for more than one transaction takes each get all that they asked for',
  async () => {
    const store = await open(await server.newDatabase());
    const created = [];
    for (let batch = 0; batch < 3; batch += 1) {
      const given = Array.from({ length: 400 }, (_, index) => newHandoff({ title: `${batch}/${index}` }));
      created.push(await store.create(given, callBy(writer, 'handoff.create')));
    }
    const claim = () => store.claim(claimOf({ max: 400 }), callBy(receiver, 'handoff.claim'));
    const claims = await Promise.all([claim(), claim(), claim()]);
    const idsOf = (handoffs: readonly { id: string }[]) => handoffs.map(({ id }) => id);
    expect(claims.map(({ handoffs }) => idsOf(handoffs))).toEqual(created.map(idsOf));
  },
);

verifies(
  ['POSTGRES.shared', 'LIFE.fifo'],
  'a claim that arrives while another from its queue is in flight waits for that one, and takes no second connection',
  async () => {
    const url = await server.newDatabase();
    const store = await open(url);
    const [first] = await store.create([newHandoff({ title: 'first' })], callBy(writer, 'handoff.create'));
    const [second] = await store.create([newHandoff({ title: 'second' })], callBy(writer, 'handoff.create'));
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    onTestFinished(() => other.end());
    await other.query('BEGIN; LOCK TABLE baton.deliveries IN EXCLUSIVE MODE');
    const connections = () =>
      queryRows(url, "SELECT wait_event_type FROM pg_stat_activity WHERE application_name = 'baton'");
    const claim = () => store.claim(claimOf(), callBy(receiver, 'handoff.claim'));
    const claims = [claim()];
    await expect.poll(connections).toEqual([{ wait_event_type: 'Lock' }]);
    claims.push(claim());
    await nextTurn();
    await nextTurn();
    await other.query('ROLLBACK');
    const given = (await Promise.all(claims)).flatMap(({ handoffs }) => handoffs);
    expect(given.map(({ id }) => id)).toEqual([first?.id, second?.id]);
    expect(await connections()).toHaveLength(1);
  },
);

verifies(
  ['POSTGRES.shared'],
  'a call that is refused in the middle leaves nothing of itself in the transaction that it shares',
  async () => {
    const url = await server.newDatabase();
    const store = await open(url);
    const create = (handoffs: ReturnType<typeof newHandoff>[]) =>
      store.create(handoffs, callBy(writer, 'handoff.create'));
    const [sound, refused] = await Promise.allSettled([
      create([newHandoff({ title: 'sound' })]),
      create([newHandoff({ title: 'first of two' }), newHandoff({ supersedes_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' })]),
    ]);
    expect([sound.status, refused.status]).toEqual(['fulfilled', 'rejected']);
    const { handoffs } = await store.list({ filter: {}, limit: 10 });
    expect(handoffs.map(({ content }) => content.title)).toEqual(['sound']);
    expect(await store.events({ limit: 10 })).toHaveLength(1);
  },
);

verifies(['POSTGRES.shared'], 'a store that is closed first does what it was asked for before', async () => {
  const url = await server.newDatabase();
  const store = await openPostgresStore(url);
  const creating = numbers.map(() => store.create([newHandoff({})], callBy(writer, 'handoff.create')));
  await store.close();
  expect((await Promise.allSettled(creating)).map(({ status }) => status)).toEqual(numbers.map(() => 'fulfilled'));
  expect(await queryRows(url, 'SELECT count(*)::int AS count FROM baton.handoffs')).toEqual([{ count: COUNT }]);
});

verifies(
  ['POSTGRES.prepared'],
  'calls continue where the server forgets what was prepared, as behind a pooler',
  async () => {
    const url = await server.newDatabase();
    // Every transaction begins with a server that knows nothing of the last one's statements.
    const store = await open(`${url}&connections_max=1`);
    await store.create([newHandoff({})], callBy(writer, 'handoff.create'));
    await runSql(
      url,
      `CREATE FUNCTION baton.forget() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN EXECUTE 'DEALLOCATE ALL'; RETURN NULL; END $$;
       CREATE TRIGGER forget AFTER INSERT ON baton.events EXECUTE FUNCTION baton.forget()`,
    );
    for (let round = 0; round < 3; round += 1) {
      const [created] = await store.create([newHandoff({})], callBy(writer, 'handoff.create'));
      expect(await store.get(created?.id ?? '')).toMatchObject({ id: created?.id });
    }
    expect((await store.list({ filter: {}, limit: 10 })).handoffs).toHaveLength(4);
  },
);
