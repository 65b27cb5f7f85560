import fc from 'fast-check';
import { expect } from 'vitest';
import { createMemoryStore } from '../../packages/batonpass/src/stores/memory/store.ts';
import { openSqliteStore } from '../../packages/batonpass/src/stores/sqlite/store.ts';
import { verifies } from '../verifies.ts';
import { operationSequence, runSequence } from './operation-sequence.ts';

/** `npm run soak -- model` sets more. */
const runs = Number(process.env.BATON_MODEL_RUNS ?? 250);
const seed = Number(process.env.BATON_MODEL_SEED ?? Date.now() % 2 ** 31);

verifies(
  ['STORE.model'],
  `random operation sequences have equal answers on memory and sqlite (${runs} runs, seed ${seed})`,
  async () => {
    await fc.assert(
      fc.asyncProperty(operationSequence, async (operations) => {
        const expected = await runSequence(operations, async (surroundings) => createMemoryStore(surroundings));
        const found = await runSequence(operations, (surroundings) => openSqliteStore(':memory:', surroundings));
        expect(found).toEqual(expected);
      }),
      // Shrinking takes minutes: a failure names its seed at once, and is made small when that seed is given.
      { numRuns: runs, seed, endOnFailure: process.env.BATON_MODEL_SEED === undefined },
    );
  },
  60_000 + runs * 100,
);
