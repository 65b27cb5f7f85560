import { afterEach, beforeEach, expect } from 'vitest';
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

/** What session A came to is put into session B, whose host is then killed and whose lease lapses. */
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
