import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import type { Handoff } from '../../../packages/batonpass/src/core/handoff.ts';
import type { Store, StoredHandoff } from '../../../packages/batonpass/src/core/store.ts';
import type { Step } from '../../../packages/batonpass/src/core/transitions.ts';
import {
  callBy,
  claimOf,
  createClock,
  hook,
  LEASE_MS,
  MINUTE_MS,
  newHandoff,
  receiver,
  reviewer,
  START_MS,
  tokenOf,
  writer,
} from '../../../packages/batonpass/src/stores/contract/bench.ts';
import { createLocks } from '../../../packages/batonpass/src/stores/postgres/locks.ts';
import { migrate } from '../../../packages/batonpass/src/stores/postgres/migrations/migrate.ts';
import { migrations } from '../../../packages/batonpass/src/stores/postgres/migrations/migrations.ts';
import { byColumn, encodeHandoff } from '../../../packages/batonpass/src/stores/postgres/row.ts';
import { Session, Wire } from '../../../packages/batonpass/src/stores/postgres/session.ts';
import { openPostgresStore } from '../../../packages/batonpass/src/stores/postgres/store.ts';
import { verifies } from '../../verifies.ts';
import { createServer } from './server.ts';

const server = createServer();

/** A name with two characters that no column keeps. */
const NAME = 'bo \u0000 c \u00010 d \\u0000';

/** The same, and what looks like one of them. */
const UNRULY = 'a \u0000 b \u0001 c \\u0000';

/** Handoffs on every way that they can be on, and what the clock stands at then. */
async function fill(store: Store, move: (ms: number) => void): Promise<void> {
  const take = (handoff: Handoff, step: Step, actor = receiver) =>
    store.transition(handoff.id, step, callBy(actor, `handoff.${step.type}`));
  const claimNext = async (actor = receiver): Promise<Handoff> => {
    const { handoffs } = await store.claim(claimOf(), callBy(actor, 'handoff.claim'));
    return handoffs[0] as Handoff;
  };
  const titles = ['acknowledged', 'waiting', 'failed', 'dead', 'claimed', 'offered', 'open', 'withdrawn'];
  const created = await store.create(
    titles.map((title) => newHandoff({ title, task_id: 'A', ...(title === 'dead' ? { max_attempts: 1 } : {}) })),
    callBy(writer, 'handoff.create'),
  );
  const named = (title: string) => created[titles.indexOf(title)] as Handoff;
  const first = await claimNext({ name: NAME, type: 'agent' });
  await take(first, { type: 'acknowledge', token: tokenOf(first) }, { name: NAME, type: 'agent' });
  const second = await claimNext();
  await take(second, { type: 'ask', token: tokenOf(second), question: UNRULY });
  for (let each = 0; each < 2; each += 1) {
    const failing = await claimNext();
    await take(failing, { type: 'fail', token: tokenOf(failing), reason: UNRULY });
  }
  await claimNext({ name: NAME, type: 'person' });
  const offer = { host: 'claude-code', session: 's', rendered_sha256: 'a'.repeat(64), from_byte: 3 };
  await store.claim(claimOf({ id: named('offered').id, offer }), callBy(hook, 'handoff.claim'));
  await take(named('withdrawn'), { type: 'withdraw', reason: 'not needed' }, writer);
  const [draft] = await store.create(
    [newHandoff({ title: 'approved', state: 'draft' }), newHandoff({ title: 'draft', state: 'draft' })],
    callBy(writer, 'handoff.create'),
  );
  const { id = '', content_sha256 = '' } = draft ?? {};
  const approval = { content_sha256, rendered_sha256: content_sha256, budget: 2_000 };
  await store.transition(id, { type: 'approve', ...approval }, callBy(reviewer, 'handoff.approve'));
  const expires_at = new Date(START_MS + MINUTE_MS).toISOString();
  await store.create([newHandoff({ title: 'expired', expires_at })], callBy(writer, 'handoff.create'));
  move(2 * MINUTE_MS);
}

async function exportAll(store: Store): Promise<StoredHandoff[]> {
  const { handoffs } = await store.export({ limit: 100 });
  return [...handoffs];
}

/** A schema as the second form had it, with these handoffs in their order. */
async function makeSecondForm(url: string, stored: readonly StoredHandoff[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await migrate(client, { schema: 'baton', lock: '1', name: url }, migrations.slice(0, 2));
  await client.query('SET search_path = baton');
  const session = new Session(new Wire(client, { isPossible: false }), { now_ms: 0, is_due: false });
  const former = ['id', 'project', 'created_at', 'idempotency_key', 'state', 'version', 'available_at', 'expires_at']
    .concat('lease_expires_at', 'kind', 'task_id', 'source_agent', 'target_agent', 'scope', 'phase', 'session')
    .concat('branch', 'content_sha256', 'content', 'payload_sha256');
  for (const { handoff, events } of stored) {
    const columns = encodeHandoff(handoff, JSON.stringify(handoff.content));
    const values = Object.fromEntries(former.map((name) => [name, columns[name]]));
    const more = { delivery: JSON.stringify(handoff.delivery), is_offered: handoff.delivery.offered !== undefined };
    const names = [...former, 'delivery', 'is_offered'];
    await session.run(
      `INSERT INTO handoffs (${names.join(', ')}, has_moved) VALUES (${names.map((name) => `:${name}`).join(', ')},
         ${handoff.delivery.version > 1})`,
      { ...values, ...more },
    );
    for (const { handoff_id, name, at, actor, from, to, reason, details, seq } of events) {
      const line = { handoff_id, project: handoff.project, name, at: Date.parse(at), to_state: to, reason, seq };
      const who = {
        actor_name: actor.name,
        actor_type: actor.type,
        from_state: from,
        details: JSON.stringify(details),
      };
      const row = byColumn([{ ...line, ...who }]);
      const keys = Object.keys(row);
      await session.run(
        `INSERT INTO events (${keys.join(', ')}) VALUES (${keys.map((key) => `:${key}`).join(', ')})`,
        Object.fromEntries(keys.map((key) => [key, row[key]?.[0]])),
      );
    }
  }
  await client.end();
}

verifies(
  ['STORE.migration', 'POSTGRES.deliveries'],
  'a store of the second form is brought up to date with every handoff as it was, and goes on from there',
  async () => {
    const clock = createClock();
    const options = { ...clock.surroundings, clock: 'own' } as const;
    const open = async (url: string) => {
      const store = await openPostgresStore(url, options);
      onTestFinished(() => store.close());
      return store;
    };
    const present = await open(await server.newDatabase());
    await fill(present, clock.move);
    const before = await exportAll(present);
    const states = before.map(({ handoff }) => handoff.delivery.state);
    expect(new Set(states)).toEqual(
      new Set(['acknowledged', 'waiting', 'open', 'dead', 'claimed', 'withdrawn', 'draft', 'expired']),
    );
    const url = await server.newDatabase();
    await makeSecondForm(url, before);
    const former = await open(url);
    expect(await exportAll(former)).toEqual(before);
    const next = (store: Store) => store.claim(claimOf({ task_id: 'A' }), callBy(receiver, 'handoff.claim'));
    for (const ms of [0, LEASE_MS, 10 * LEASE_MS]) {
      clock.move(ms);
      const [one, other] = [await next(present), await next(former)];
      expect(one.handoffs.length).toBe(1);
      const facts = ({ handoffs }: typeof one) =>
        handoffs.map(({ id, delivery }) => [id, delivery.state, delivery.fence]);
      expect(facts(other)).toEqual(facts(one));
    }
  },
);

verifies(['PGTEAM.unhurried'], 'a schema that takes longer than an answer may is brought up to date', async () => {
  const url = await server.newDatabase();
  const first = new pg.Client({ connectionString: url });
  await first.connect();
  onTestFinished(() => first.end());
  const { migration } = createLocks('baton');
  await first.query(`SELECT pg_advisory_lock(${BigInt(migration)})`);
  const opening = openPostgresStore(`${url}${url.includes('?') ? '&' : '?'}wait_ms=100`);
  // Twice the wait, and some more, by the server's clock.
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'
    AND clock_timestamp() - query_start > interval '400 ms'`;
  await expect.poll(async () => (await first.query(waiting)).rowCount).toBe(1);
  await first.query(`SELECT pg_advisory_unlock(${BigInt(migration)})`);
  const store = await opening;
  expect((await store.list({ filter: {}, limit: 1 })).handoffs).toEqual([]);
  await store.close();
});
