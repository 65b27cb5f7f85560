import assert from 'node:assert/strict';
import type { Store, StoreCapabilities, StoreSurroundings } from '../../core/store.ts';
import { acknowledgeCases } from './acknowledge.ts';
import { Bench, createClock } from './bench.ts';
import type { ContractCase } from './case.ts';
import { claimCases } from './claim.ts';
import { createCases } from './create.ts';
import { draftCases } from './draft.ts';
import { eventsCases } from './events.ts';
import { idempotencyCases } from './idempotency.ts';
import { injectionCases } from './injection.ts';
import { leaseCases } from './lease.ts';
import { limitsCases } from './limits.ts';
import { listCases } from './list.ts';
import { movingCases } from './moving.ts';
import { naughtyTextCases } from './naughty-text.ts';
import { reopenCases } from './reopen.ts';
import { reportCases } from './report.ts';
import { subscribeCases } from './subscribe.ts';
import { waitingCases } from './waiting.ts';

/** Everything that a store must do, by verb. */
const contractCases: readonly ContractCase[] = [
  createCases,
  draftCases,
  claimCases,
  leaseCases,
  reportCases,
  acknowledgeCases,
  injectionCases,
  waitingCases,
  reopenCases,
  listCases,
  eventsCases,
  idempotencyCases,
  limitsCases,
  naughtyTextCases,
  subscribeCases,
  movingCases,
].flat();

/** A store to be exercised, and the test runner to do it with. */
export interface Exercise {
  /** The store's name, for the group of tests. */
  name: string;
  /** Opens a new, empty store with a case's own time and chance. */
  open: (surroundings: StoreSurroundings) => Promise<Store>;
  /** What the store must say of itself. */
  capabilities: StoreCapabilities;
  /** Cases that the store is known not to meet, each with the reason. Default: none. */
  deviations?: readonly { name: string; reason: string }[];
  runner: {
    describe: (name: string, body: () => void) => void;
    /** Registers one test; it fails where `run` rejects. */
    it: (ids: readonly string[], name: string, run: () => Promise<void>) => void;
  };
}

/**
 * Runs the whole contract against a store: needs no test framework of its own.
 *
 * @throws Error for a deviation that names no case: it would hide nothing, and mislead.
 */
export function exerciseStore({ name, open, capabilities, deviations = [], runner }: Exercise): void {
  const unmet = new Set(deviations.map((deviation) => deviation.name));
  const cases = [...contractCases, capabilitiesCase(capabilities)];
  for (const deviation of unmet) {
    if (!cases.some((each) => each.name === deviation)) throw new Error(`There is no contract case "${deviation}".`);
  }
  runner.describe(`the store contract, ${name}`, () => {
    for (const each of cases) {
      if (unmet.has(each.name)) continue;
      runner.it(each.ids, each.name, async () => {
        const clock = createClock();
        const store = await open(clock.surroundings);
        try {
          await each.run(new Bench(store, clock));
        } finally {
          await store.close();
        }
      });
    }
  });
}

function capabilitiesCase(expected: StoreCapabilities): ContractCase {
  return {
    ids: ['STORE.capabilities'],
    name: 'the store reports its capabilities',
    run: async ({ store }) => assert.deepEqual(store.capabilities, expected),
  };
}
