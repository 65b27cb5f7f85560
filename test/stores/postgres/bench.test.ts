import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import type { Contender } from '../../../bench/contest.ts';
import { matchesOnPostgres } from '../../../bench/postgres.ts';
import { postgresTargets } from '../../../bench/targets.ts';
import { verifies } from '../../verifies.ts';
import { createServer } from './server.ts';

const server = createServer();

const sizes = { one: 6, sixteen: 32, consumed: 40, boss: 3 };

/** What work leaves behind, under any name that the program gives it. */
const leftBy = {
  store: (schema: string) => `
    SELECT state, attempts, count(*)::int AS count, sum(lines)::int AS lines FROM (
      SELECT state, attempts::int AS attempts,
        (SELECT count(*) FROM ${schema}.events WHERE handoff_id = deliveries.id) AS lines
      FROM ${schema}.deliveries) AS each GROUP BY state, attempts ORDER BY state`,
  graphile: 'SELECT count(*)::int AS count FROM graphile_worker.jobs',
  boss: 'SELECT state::text, count(*)::int AS count FROM pgboss.job GROUP BY state',
};

verifies(
  ['BENCH.same-work', 'BENCH.same-rows'],
  'on a server both sides of a comparison do all of the work, and the bare loop leaves what the store leaves',
  async () => {
    const url = await server.newDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    const read = async (sql: string) => (await client.query<Record<string, unknown>>(sql)).rows;
    const run = async <T>({ prepare }: Contender, look: () => Promise<T>) => {
      const { operations, work, close } = await prepare('');
      await work();
      const left = await look();
      await close();
      return { operations, left };
    };
    const leftInStore = async () => {
      const [{ schema } = { schema: '' }] = await read(`
        SELECT nspname AS schema FROM pg_namespace WHERE nspname LIKE 'bench\\_%'
        ORDER BY substr(nspname, 7)::int DESC LIMIT 1`);
      return read(leftBy.store(String(schema)));
    };
    for (const { target, ours, theirs } of matchesOnPostgres(url, sizes)) {
      const { operations, left } = await run(ours, leftInStore);
      const isBare = target === postgresTargets.claimByOne || target === postgresTargets.claimBySixteen;
      const isConsume = target === postgresTargets.consume;
      const lookAtTheirs = () => read(isConsume ? leftBy.graphile : leftBy.boss);
      const other = await run(theirs, isBare ? leftInStore : lookAtTheirs);
      expect(other.operations, target.name).toBe(operations);
      if (isBare) {
        expect(other.left, target.name).toEqual(left);
      } else if (isConsume) {
        expect(left.find(({ state }) => state === 'acknowledged')).toMatchObject({ count: operations });
        expect(other.left).toEqual([{ count: 0 }]);
      } else {
        const state = target === postgresTargets.claimOverBoss ? 'completed' : 'created';
        expect(other.left).toEqual([{ state, count: operations }]);
      }
    }
    const schemas = await read("SELECT nspname FROM pg_namespace WHERE nspname ~ '^(bench_|graphile_worker|pgboss)'");
    expect(schemas, 'A heat leaves nothing to the next.').toEqual([]);
  },
  120_000,
);
