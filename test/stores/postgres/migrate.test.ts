import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { openPostgresStore } from '../../../packages/batonpass/src/stores/postgres/store.ts';
import { verifies } from '../../verifies.ts';
import { createServer } from './server.ts';

const server = createServer();

verifies(['PGTEAM.unhurried'], 'a schema that takes longer than an answer may is made', async () => {
  const url = await server.newDatabase();
  const first = new pg.Client({ connectionString: url });
  await first.connect();
  onTestFinished(() => first.end());
  const lock = "hashtextextended('baton:migration', 0)";
  await first.query(`SELECT pg_advisory_lock(${lock})`);
  const opening = openPostgresStore(`${url}${url.includes('?') ? '&' : '?'}wait_ms=100`);
  // So long that a connection that is cut after twice the wait, and the one after it, would be, by the server's clock.
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'
    AND clock_timestamp() - query_start > interval '700 ms'`;
  await expect.poll(async () => (await first.query(waiting)).rowCount).toBe(1);
  await first.query(`SELECT pg_advisory_unlock(${lock})`);
  const store = await opening;
  expect((await store.list({ filter: {}, limit: 1 })).handoffs).toEqual([]);
  await store.close();
});
