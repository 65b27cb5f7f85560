import { afterEach, beforeEach, expect, vi } from 'vitest';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import type { Baton } from '../../packages/batonpass/src/index.ts';
import { verifies } from '../verifies.ts';
import { A, B, SessionBench } from './session-bench.ts';

let bench: SessionBench;
let baton: Baton;

beforeEach(async () => {
  bench = new SessionBench();
  baton = await bench.open();
});

afterEach(() => bench.close());

/** The results of session A are put into session B, whose host is then killed and whose lease lapses. */
async function offerToKilled({ shows }: { shows: boolean }): Promise<string | null> {
  bench.work(A);
  await bench.end(baton, A);
  const host = bench.startHost();
  const { text, handoff_id } = await bench.start(await bench.open(host), B);
  if (shows) bench.show(B, text);
  await bench.kill(host);
  bench.now_ms += limits.lease_ms_default + 1;
  return handoff_id;
}

verifies(['LIFE.unproved', 'LIFE.injected'], 'a claim never takes what a killed session has shown', async () => {
  const id = await offerToKilled({ shows: true });
  expect((await baton.run('handoff.claim', {})).handoff).toBeNull();
  const { events } = await baton.run('handoff.events', { id: id ?? '' });
  expect(events.at(-1)?.name).toBe('handoff-injected');
});

verifies(
  ['LIFE.unproved'],
  'a claim takes what a killed session has not shown, though the proof is still awaited',
  async () => {
    const id = await offerToKilled({ shows: false });
    const { handoff, context } = await baton.run('handoff.claim', { wait_ms: 1 });
    expect([handoff?.id, handoff?.delivery.state]).toEqual([id, 'claimed']);
    expect(context?.text).toMatch(/Postgres/);
  },
);

verifies(['LIFE.unproved', 'LIFE.injected'], 'a claim that waits looks for proofs at each look', async () => {
  bench.work(A);
  await bench.end(baton, A);
  const host = bench.startHost();
  const { text, handoff_id } = await bench.start(await bench.open(host), B);
  const store = await baton.context.openStore();
  const looks = vi.spyOn(store, 'claim');
  const stop = new AbortController();
  const waiting = baton.run('handoff.claim', { wait_ms: 60_000 }, { signal: stop.signal });
  // After the notice that a proof is awaited, it looked for one and asked again, without success.
  await expect.poll(() => looks.mock.settledResults.length).toBe(2);
  bench.show(B, text);
  await bench.kill(host);
  bench.now_ms += limits.lease_ms_default + 1;
  const names = async () => (await store.events({ handoff_id: handoff_id ?? '', limit: 100 })).map(({ name }) => name);
  await expect.poll(names).toContain('handoff-injected');
  stop.abort();
  expect((await waiting).handoff).toBeNull();
});

verifies(
  ['LIFE.text'],
  'a claim answers the text for a model, or where that is not wanted the handoff alone',
  async () => {
    await baton.run('handoff.create', { content: { summary: 'Cookies are signed.' } });
    await baton.run('handoff.create', { content: { summary: 'Sessions lie in Postgres.' } });
    const told = await baton.run('handoff.claim', {});
    expect(told.context?.text).toContain('Cookies are signed.');
    const bare = await baton.run('handoff.claim', { render: false });
    expect(bare.context).toBeNull();
    expect(bare.handoff).toMatchObject({
      content: { summary: 'Sessions lie in Postgres.' },
      delivery: { state: 'claimed', lease: { token: expect.any(String) } },
    });
  },
);
