import fc from 'fast-check';
import { expect } from 'vitest';
import type { Store } from '../../../packages/batonpass/src/core/store.ts';
import { createMemoryStore } from '../../../packages/batonpass/src/stores/memory/store.ts';
import { openPostgresStore } from '../../../packages/batonpass/src/stores/postgres/store.ts';
import { verifies } from '../../verifies.ts';
import { operationSequence, runSequence } from '../operation-sequence.ts';
import { createServer, EMPTY, runSql } from './server.ts';

/** `npm run soak -- postgres-model` sets more. */
const runs = Number(process.env.BATON_POSTGRES_MODEL_RUNS ?? 10);
const seed = Number(process.env.BATON_MODEL_SEED ?? Date.now() % 2 ** 31);

const server = createServer();

verifies(
  ['STORE.model', 'POSTGRES.contract'],
  `random operation sequences have equal answers on memory and postgres (${runs} runs, seed ${seed})`,
  async () => {
    const url = await server.newDatabase();
    await (await openPostgresStore(url)).close();
    await fc.assert(
      fc.asyncProperty(operationSequence, async (operations) => {
        const expected = await runSequence(operations, async (given) => withoutCursors(createMemoryStore(given)));
        await runSql(url, EMPTY);
        const found = await runSequence(operations, async (given) =>
          withoutCursors(await openPostgresStore(url, { ...given, clock: 'own' })),
        );
        expect(found).toEqual(expected);
      }),
      { numRuns: runs, seed, endOnFailure: process.env.BATON_MODEL_SEED === undefined },
    );
  },
  60_000 + runs * 1_000,
);

/** A cursor means a place, and a refused create leaves a gap in those: equal pages have other cursors. */
function withoutCursors(store: Store): Store {
  const list: Store['list'] = async (request) => {
    const page = await store.list(request);
    return page.cursor === undefined || request.limit === 7 ? page : { ...page, cursor: 'some' };
  };
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'list') return list;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
