import { expect, onTestFinished } from 'vitest';
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
import { openPostgresStore } from '../../../packages/batonpass/src/stores/postgres/store.ts';
import { verifies } from '../../verifies.ts';
import { createServer, queryRows } from './server.ts';

const HOUR_MS = 3_600_000;

const server = createServer();

/** Two machines with one store: one clock is an hour behind the server's, the other an hour ahead. */
async function openTwo(): Promise<{ url: string; slow: Store; fast: Store }> {
  const url = await server.newDatabase();
  const open = async (offset_ms: number) => {
    const store = await openPostgresStore(url, { now: () => Date.now() + offset_ms });
    onTestFinished(() => store.close());
    return store;
  };
  return { url, slow: await open(-HOUR_MS), fast: await open(HOUR_MS) };
}

async function serverNow(url: string): Promise<number> {
  const [row] = await queryRows(url, 'SELECT extract(epoch FROM clock_timestamp())::float * 1000 AS now_ms');
  return Number(row?.now_ms);
}

verifies(
  ['PGTEAM.time', 'POSTGRES.time'],
  'a lease taken by a slow clock outlasts a fast one, ends by the server’s, and either can claim it; a stale token is lease_lost',
  async () => {
    const { url, slow, fast } = await openTwo();
    const [created] = await fast.create([newHandoff({})], callBy(writer, 'handoff.create'));
    const before_ms = await serverNow(url);
    const claimed = await fast.claim({ ...claimOf(), lease_ms: 1_000 }, callBy(receiver, 'handoff.claim'));
    const [held] = claimed.handoffs;
    const ends_ms = Date.parse(held?.delivery.lease?.expires_at ?? '');
    expect(ends_ms).toBeGreaterThanOrEqual(Math.floor(before_ms) + 1_000);
    expect(ends_ms).toBeLessThanOrEqual((await serverNow(url)) + 1_000);
    // An hour ahead it is over long ago, an hour behind it is far: both wait for the server.
    const events = slow.subscribe({}, new AbortController().signal)[Symbol.asyncIterator]();
    const next = events.next();
    for (const store of [slow, fast]) {
      const { handoffs } = await store.claim(claimOf(), callBy(rival, 'handoff.claim'));
      // On a machine that is slow enough it is over by now, and rightly taken.
      if ((await serverNow(url)) < ends_ms) expect(handoffs).toEqual([]);
    }
    const lapsed = (await next).value as HandoffEvent;
    expect([lapsed.name, lapsed.handoff_id]).toEqual(['handoff-lapsed', created?.id]);
    expect(Date.parse(lapsed.at)).toBeGreaterThanOrEqual(ends_ms);
    expect(Date.parse(lapsed.at)).toBeLessThanOrEqual(await serverNow(url));
    const { handoffs } = await slow.claim(claimOf(), callBy(rival, 'handoff.claim'));
    expect(handoffs.map(({ id, delivery }) => [id, delivery.fence])).toEqual([[created?.id, 2]]);
    const stale = { type: 'acknowledge', token: held && tokenOf(held) } as const;
    const late = fast.transition(created?.id ?? '', stale, callBy(receiver, 'handoff.acknowledge'));
    await expect(late).rejects.toMatchObject({ code: 'lease_lost' });
    await events.return?.();
  },
);

verifies(
  ['PGTEAM.time', 'POSTGRES.time'],
  'expiries, back-offs and the history follow the server, for two machines whose clocks are two hours apart',
  async () => {
    const { url, slow, fast } = await openTwo();
    const begun_ms = await serverNow(url);
    const expires_at = (minutes: number) => new Date(begun_ms + minutes * 60_000).toISOString();
    // The first expires between the server and the fast clock, the second did between the slow clock and the server.
    const given = [newHandoff({ expires_at: expires_at(30) }), newHandoff({ expires_at: expires_at(-30) })];
    const [soon, gone] = await slow.create(given, callBy(writer, 'handoff.create'));
    const { handoffs } = await fast.claim(claimOf(), callBy(receiver, 'handoff.claim'));
    expect(handoffs.map(({ id }) => id)).toEqual([soon?.id]);
    expect((await slow.get(gone?.id ?? ''))?.delivery.state).toBe('expired');
    // A back-off of some seconds is over for neither.
    const [held] = handoffs;
    const step = { type: 'fail', token: held ? tokenOf(held) : '', reason: 'It broke.' } as const;
    const failed = await slow.transition(soon?.id ?? '', step, callBy(receiver, 'handoff.fail'));
    const away_ms = Date.parse(failed.delivery.available_at) - (await serverNow(url));
    expect(away_ms).toBeGreaterThan(0);
    expect(away_ms).toBeLessThan(HOUR_MS / 2);
    for (const store of [slow, fast])
      expect((await store.claim(claimOf(), callBy(rival, 'handoff.claim'))).handoffs).toEqual([]);
    const times = (await fast.events({ limit: 20 })).map(({ at }) => Date.parse(at));
    expect(times).toEqual([...times].sort((left, right) => left - right));
    expect(times[0]).toBeGreaterThanOrEqual(Math.floor(begun_ms));
    expect(times.at(-1)).toBeLessThanOrEqual(await serverNow(url));
  },
);
