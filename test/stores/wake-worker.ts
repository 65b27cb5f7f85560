import { once } from 'node:events';
import { openSync, watch, writeSync } from 'node:fs';
import { callBy, newHandoff, writer } from '../../packages/batonpass/src/stores/contract/bench.ts';
import { openSqliteStore } from '../../packages/batonpass/src/stores/sqlite/store.ts';

/**
 * A second process of a test, which sends it commands by lines and gets a report when each is done:
 * `node wake-worker.ts FILE create` creates as many as the line says; `… FILE hear` reports each event, without being
 * able to watch any file.
 */

const [file = '', role = ''] = process.argv.slice(2);
const store = await openSqliteStore(file);
const tell = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`);

async function create(): Promise<void> {
  tell({ ready: true });
  for await (const text of process.stdin.setEncoding('utf8')) {
    const given = Array.from({ length: Number(text) }, (_, index) => newHandoff({ title: `${index}` }));
    const created = await store.create(given, callBy(writer, 'handoff.create'));
    tell({ created: created.map(({ id }) => id) });
  }
}

/** With every file that this process may have open, there is none left for a watcher. */
async function hear(): Promise<void> {
  await once(process.stdin.setEncoding('utf8'), 'data');
  const refusal = exhaustFiles();
  const events = store.subscribe({}, new AbortController().signal)[Symbol.asyncIterator]();
  const first = events.next();
  tell({ refusal });
  for (let heard = await first; heard.done !== true; heard = await events.next())
    tell({ heard: heard.value.handoff_id });
}

/** @returns what a watcher is refused with. */
function exhaustFiles(): string {
  try {
    for (;;) openSync('/dev/null', 'r');
  } catch {
    try {
      watch(`${file}-wal`).close();
      return 'none';
    } catch (error) {
      return String(error);
    }
  }
}

if (role === 'create') await create();
if (role === 'hear') await hear();
await store.close();
