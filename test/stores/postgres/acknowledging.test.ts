import { expect, onTestFinished } from 'vitest';
import type { Handoff } from '../../../packages/batonpass/src/core/handoff.ts';
import type { Store } from '../../../packages/batonpass/src/core/store.ts';
import {
  callBy,
  claimOf,
  createClock,
  LEASE_MS,
  newHandoff,
  receiver,
  rival,
  tokenOf,
  writer,
} from '../../../packages/batonpass/src/stores/contract/bench.ts';
import type { PostgresStoreOptions } from '../../../packages/batonpass/src/stores/postgres/connection.ts';
import { openPostgresStore } from '../../../packages/batonpass/src/stores/postgres/store.ts';
import { verifies } from '../../verifies.ts';
import { createServer, queryRows, runSql } from './server.ts';

const server = createServer();

/** Two processes' stores of one database, and what the first of them claimed. */
async function openWithClaims(
  count: number,
  options: PostgresStoreOptions = {},
): Promise<{ mine: Store; other: Store; held: Handoff[] }> {
  const url = await server.newDatabase();
  const stores = [await openPostgresStore(url, options), await openPostgresStore(url, options)] as const;
  onTestFinished(async () => {
    for (const store of stores) await store.close();
  });
  const [mine, other] = stores;
  const given = Array.from({ length: count }, (_, index) => newHandoff({ title: `${index}` }));
  await mine.create(given, callBy(writer, 'handoff.create'));
  const { handoffs } = await mine.claim(claimOf({ max: count }), callBy(receiver, 'handoff.claim'));
  return { mine, other, held: handoffs };
}

function acknowledge(store: Store, handoff: Handoff): Promise<Handoff> {
  const step = { type: 'acknowledge', token: tokenOf(handoff) } as const;
  return store.transition(handoff.id, step, callBy(receiver, 'handoff.acknowledge'));
}

verifies(
  ['POSTGRES.remembered', 'STORE.atomic', 'LIFE.lease'],
  'of claims that end together, only those that another process released or claimed again are refused',
  async () => {
    const { mine, other, held } = await openWithClaims(4);
    const [first, second, third, fourth] = held as [Handoff, Handoff, Handoff, Handoff];
    for (const each of [second, third]) {
      const step = { type: 'release', token: tokenOf(each) } as const;
      await other.transition(each.id, step, callBy(receiver, 'handoff.release'));
    }
    await other.claim(claimOf({ id: third.id }), callBy(rival, 'handoff.claim'));
    const settled = await Promise.allSettled(held.map((each) => acknowledge(mine, each)));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    const states = await Promise.all(held.map(async ({ id }) => (await mine.get(id))?.delivery.state));
    expect(states).toEqual(['acknowledged', 'open', 'claimed', 'acknowledged']);
    for (const { id } of [first, fourth]) {
      const lines = await other.events({ handoff_id: id, limit: 10 });
      expect(lines.map(({ to }) => to)).toEqual(['open', 'claimed', 'acknowledged']);
    }
  },
);

verifies(
  ['POSTGRES.remembered', 'LIFE.lease'],
  "a lease that another process renewed is still its token's, after the end that it had at first too",
  async () => {
    const clock = createClock();
    const { mine, other, held } = await openWithClaims(2, { clock: 'own', now: clock.surroundings.now });
    const [handoff, late] = held as [Handoff, Handoff];
    const renew = { type: 'renew', token: tokenOf(handoff), lease_ms: 2 * LEASE_MS } as const;
    const renewed = await other.transition(handoff.id, renew, callBy(receiver, 'handoff.renew'));
    await other.transition(late.id, { ...renew, token: tokenOf(late) }, callBy(receiver, 'handoff.renew'));
    const { delivery } = await acknowledge(mine, handoff);
    expect([delivery.state, delivery.version]).toEqual(['acknowledged', renewed.delivery.version + 1]);
    clock.move(1.5 * LEASE_MS);
    expect((await acknowledge(mine, late)).delivery.state).toBe('acknowledged');
  },
);

verifies(
  ['POSTGRES.remembered'],
  'a receiver’s change to its handoff changes nothing of what is kept and returned',
  async () => {
    const { mine, other, held } = await openWithClaims(1);
    const [handoff] = held as [Handoff];
    const kept = await other.get(handoff.id);
    const given = structuredClone(handoff);
    Object.assign(handoff.content, { title: 'changed' });
    Object.assign(handoff.delivery, { attempts: 99, fence: 99 });
    const answer = await acknowledge(mine, given);
    expect(answer.content).toEqual(kept?.content);
    expect(answer).toEqual(await other.get(handoff.id));
    expect([answer.delivery.attempts, answer.delivery.fence]).toEqual([1, 1]);
  },
);

verifies(
  ['POSTGRES.remembered', 'STORE.damaged'],
  'a claim passes a damaged content over and leaves no trace of it; named by its id it claims nothing',
  async () => {
    const url = await server.newDatabase();
    const store = await openPostgresStore(url);
    onTestFinished(() => store.close());
    const create = (title: string) => store.create([newHandoff({ title })], callBy(writer, 'handoff.create'));
    const claim = (max = 5) => store.claim(claimOf({ max }), callBy(receiver, 'handoff.claim'));
    // One claim before, so that the queue is known.
    await create('first');
    await claim(1);
    const [[sound], [damaged]] = [await create('sound'), await create('damaged')];
    await runSql(url, `UPDATE baton.handoffs SET content = content || ' ' WHERE id = '${damaged?.id}'`);
    const named = claimOf({ id: damaged?.id });
    for (const _round of [1, 2]) {
      const refused = store.claim(named, callBy(receiver, 'handoff.claim'));
      await expect(refused).rejects.toThrow(/^Handoff .* is damaged in the store/);
    }
    for (const id of [sound?.id, damaged?.id]) {
      const [{ state } = {}] = await queryRows(url, `SELECT state FROM baton.deliveries WHERE id = '${id}'`);
      expect(state).toBe('open');
      const lines = await store.events({ handoff_id: id, limit: 10 });
      expect(lines.map(({ to }) => to)).toEqual(['open']);
    }
    expect((await claim()).handoffs.map(({ id }) => id)).toEqual([sound?.id]);
  },
);

verifies(
  ['POSTGRES.remembered', 'LIFE.lease'],
  'a caller that asks no content back acknowledges all the same, and a draft that it reopens is a draft again',
  async () => {
    const { mine, held } = await openWithClaims(1);
    const [handoff] = held as [Handoff];
    const step = { type: 'acknowledge', token: tokenOf(handoff) } as const;
    const bare = (actor: typeof writer, operation: string) => ({ ...callBy(actor, operation), omits_content: true });
    const { content, delivery } = await mine.transition(handoff.id, step, bare(receiver, 'handoff.acknowledge'));
    expect({ content, state: delivery.state }).toEqual({ content: {}, state: 'acknowledged' });
    expect((await mine.get(handoff.id))?.content.title).toBe('0');
    const [draft] = await mine.create([newHandoff({ state: 'draft' })], callBy(writer, 'handoff.create'));
    await mine.transition(draft?.id ?? '', { type: 'withdraw' }, bare(writer, 'handoff.withdraw'));
    const reopened = await mine.transition(draft?.id ?? '', { type: 'reopen' }, bare(writer, 'handoff.reopen'));
    expect(reopened.delivery.state).toBe('draft');
  },
);
