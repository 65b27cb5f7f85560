import { writeSync } from 'node:fs';
import { consume } from '../../packages/batonpass/src/stores/consume.ts';
import { openSqliteStore } from '../../packages/batonpass/src/stores/sqlite/store.ts';

/**
 * One process that consumes: `node consume-worker.ts FILE NAME PROJECT LEASE_MS KIND`. On the command to stop, it reports
 * the outcome of everything. One that is `stuck` never ends what it started.
 */

const [file = '', name = '', project = '', lease_ms = '', kind = ''] = process.argv.slice(2);
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());

const store = await openSqliteStore(file);
const actor = { name, type: 'agent' } as const;
const options = { project, actor, lease_ms: Number(lease_ms), concurrency: 2, prefetch: 3, signal: stopping.signal };
const consumed = await consume(store, options, async () => {
  if (kind === 'stuck') await new Promise(() => {});
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
});
writeSync(1, `${JSON.stringify(consumed)}\n`);
await store.close();
