import { array, assert, asyncProperty, constantFrom, integer, nat, type Parameters, record } from 'fast-check';
import { describe, expect } from 'vitest';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import type { Consumed } from '../../packages/batonpass/src/stores/consuming/holdings.ts';
import { verifies } from '../verifies.ts';
import { ConsumeStage, LEASE_MS, settle, storeNames } from './consume-stage.ts';
import { createFolders } from './folders.ts';

const RUNS = Number(process.env.BATON_CONSUME_RUNS ?? 25);
const MAX_ATTEMPTS = 3;
const newFolder = createFolders();

/** What one handler does: after so many iterations of the event loop it ends in this way. */
const deed = record({
  turns: nat({ max: 6 }),
  /** `pauses`: time passes for longer than a lease, as on a laptop that sleeps. */
  end: constantFrom('resolves', 'resolves', 'resolves', 'throws', 'waits for its signal', 'pauses'),
});

const scenario = record({
  handoffs: integer({ min: 1, max: 20 }),
  concurrency: integer({ min: 1, max: 4 }),
  prefetch: nat({ max: 4 }),
  deeds: array(deed, { minLength: 1, maxLength: 40 }),
  /** Turns of the event loop until the loop is stopped; then another one begins. */
  stops: array(nat({ max: 60 }), { minLength: 1, maxLength: 4 }),
});

const settings: Parameters<unknown> = {
  numRuns: RUNS,
  ...(process.env.BATON_CONSUME_SEED && { seed: Number(process.env.BATON_CONSUME_SEED) }),
};

for (const name of storeNames) {
  describe(`random handlers and stops on the ${name} store`, () => {
    verifies(
      ['CONSUME.model', 'CONSUME.lost', 'CONSUME.bounds'],
      'the counts add up, nothing is handled twice at once, and everything ends acknowledged, open or dead',
      async () => {
        await assert(
          asyncProperty(scenario, async ({ handoffs, deeds, stops, ...options }) => {
            const stage = await ConsumeStage.open(name, newFolder());
            const ids = await stage.createMany(handoffs, { max_attempts: MAX_ATTEMPTS });
            const running = new Set<string>();
            let begun = 0;
            const totals: Consumed = { acknowledged: 0, failed: 0, released: 0, lost: 0 };
            for (const turns of stops) {
              const stopping = new AbortController();
              const consuming = stage.consume(
                async ({ id }, { signal }) => {
                  expect(running.has(id)).toBe(false);
                  running.add(id);
                  expect(running.size).toBeLessThanOrEqual(options.concurrency);
                  const { turns, end } = deeds[begun % deeds.length] as (typeof deeds)[number];
                  begun += 1;
                  try {
                    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
                    if (end === 'throws') throw new Error('As it was told.');
                    if (end === 'pauses') stage.clock.move(LEASE_MS);
                    if (end === 'waits for its signal' && !signal.aborted) {
                      await new Promise((resolve) => signal.addEventListener('abort', resolve));
                    }
                  } finally {
                    running.delete(id);
                  }
                },
                { ...options, signal: stopping.signal, grace_ms: 1_000 },
              );
              for (let turn = 0; turn < turns; turn += 1) {
                await new Promise((resolve) => setImmediate(resolve));
                if (turn % 7 === 0) stage.move(LEASE_MS / 12);
              }
              stopping.abort();
              await settle();
              stage.move(1_000);
              const consumed = await consuming;
              for (const outcome of Object.keys(totals) as (keyof Consumed)[]) totals[outcome] += consumed[outcome];
              expect(stage.timing.pending).toEqual([]);
              expect(running.size).toBe(0);
              stage.clock.move(limits.backoff_ms_max);
            }
            // The loops accounted for everything that they claimed.
            const events = (await Promise.all(ids.map((id) => stage.history({ id })))).flat();
            const count = (name: string) => events.filter((event) => event === `handoff-${name}`).length;
            const { acknowledged, failed, released, lost } = totals;
            expect(acknowledged + failed + released + lost).toBe(count('claimed'));
            expect([count('acknowledged'), count('failed'), count('released')]).toEqual([
              acknowledged,
              failed,
              released,
            ]);
            stage.clock.move(LEASE_MS);
            const states = await Promise.all(ids.map((id) => stage.stateOf({ id })));
            expect(states.filter((state) => !['acknowledged', 'open', 'dead'].includes(state))).toEqual([]);
            expect(states.filter((state) => state === 'acknowledged').length).toBe(acknowledged);
            await stage.store.close();
          }),
          settings,
        );
      },
      60_000 + RUNS * 500,
    );
  });
}
