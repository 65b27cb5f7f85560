import assert from 'node:assert/strict';
import { type Bench, callBy, claimOf, receiver } from './bench.ts';
import type { ContractCase } from './case.ts';

const scopes = ['src', 'src/auth', 'src/auth/token.ts', 'src/authz', 'src/auth0', 'src/auth.ts', 'docs', '100%_a/b'];

async function listed(bench: Bench, scope: string): Promise<string[]> {
  const { handoffs } = await bench.store.list({ filter: { scope }, limit: 100 });
  return handoffs.flatMap(({ content }) => content.scope ?? []).reverse();
}

/** Scopes, compared by segment. */
export const scopeCases: readonly ContractCase[] = [
  {
    ids: ['STORE.scope'],
    name: 'a scope matches itself, paths below and above it, and no neighbour with the same prefix',
    run: async (bench) => {
      await bench.create(...scopes.map((scope) => ({ scope })));
      assert.deepEqual(await listed(bench, 'src/auth'), ['src', 'src/auth', 'src/auth/token.ts']);
      assert.deepEqual(await listed(bench, './src/auth/'), ['src', 'src/auth', 'src/auth/token.ts']);
      assert.deepEqual(await listed(bench, 'src/auth/token.ts'), ['src', 'src/auth', 'src/auth/token.ts']);
      assert.deepEqual(await listed(bench, 'src/auth/other.ts'), ['src', 'src/auth']);
      assert.deepEqual(await listed(bench, 'src'), scopes.slice(0, 6));
      assert.deepEqual(await listed(bench, 'sr'), []);
      assert.deepEqual(await listed(bench, '100%_a'), ['100%_a/b']);
      assert.deepEqual(await listed(bench, './/'), scopes);
      assert.deepEqual(await listed(bench, 'Src'), []);
    },
  },
  {
    ids: ['STORE.scope', 'LIFE.fifo'],
    name: 'a scoped claim takes the oldest in its scope and reports how many without a scope it left out',
    run: async (bench) => {
      const [, , match, unscoped] = await bench.create({ scope: 'docs' }, {}, { scope: 'src/auth/token.ts' }, {});
      const answer = await bench.store.claim(claimOf({ scope: 'src/auth', max: 5 }), callBy(receiver, 'handoff.claim'));
      assert.deepEqual(
        answer.handoffs.map(({ id }) => id),
        [match?.id],
      );
      assert.equal(answer.unscoped_left_out, 2);
      const rest = await bench.claim(receiver, { scope: 'src/auth', include_unscoped: true, max: 5 });
      assert.equal(rest.length, 2);
      assert.equal(rest[1]?.id, unscoped?.id);
    },
  },
  {
    ids: ['STORE.scope'],
    name: 'an empty claim also reports what it left out, and counts only what the claimer could claim',
    run: async (bench) => {
      await bench.create({}, { target_agent: 'rival' }, { state: 'draft' }, { kind: 'plan' });
      const call = callBy(receiver, 'handoff.claim');
      const request = claimOf({ scope: 'src' });
      assert.deepEqual(await bench.store.claim(request, call), { handoffs: [], unscoped_left_out: 2 });
      const plans = await bench.store.claim({ ...request, kind: 'plan' }, call);
      assert.deepEqual(plans, { handoffs: [], unscoped_left_out: 1 });
    },
  },
];
