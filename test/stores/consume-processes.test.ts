import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished } from 'vitest';
import type { Consumed } from '../../packages/batonpass/src/stores/consuming/holdings.ts';
import { callBy, newHandoff, PROJECT, writer } from '../../packages/batonpass/src/stores/contract/bench.ts';
import { openSqliteStore } from '../../packages/batonpass/src/stores/sqlite/store.ts';
import { verifies } from '../verifies.ts';
import { createFolders } from './folders.ts';

const HANDOFFS = 200;
/** What a stuck one holds: two handlers run, and three wait. */
const HELD = 5;
const LEASE_MS = 1_000;
const newFolder = createFolders();

/** Starts a process that consumes; it does not outlive the test. */
function startWorker(file: string, name: string, kind: 'stuck' | 'sound') {
  const script = join(import.meta.dirname, 'consume-worker.ts');
  const words = [script, file, name, PROJECT, String(LEASE_MS), kind];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'close');
  let consumed: Consumed | undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    // The last line of one that was killed may be half a line.
    if (line.endsWith('}')) consumed = JSON.parse(line) as Consumed;
  });
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal);
    await ended;
    return consumed;
  };
  return { end };
}

verifies(
  ['CONSUME.kill', 'CONSUME.stop', 'STORE.exclusive'],
  'of two processes that consume one file one is killed, and all is done once its leases have lapsed',
  async () => {
    const file = join(newFolder(), 'baton.db');
    const store = await openSqliteStore(file);
    const events = store.subscribe({}, AbortSignal.timeout(40_000))[Symbol.asyncIterator]();
    const create = (count: number) =>
      store.create(
        Array.from({ length: count }, () => newHandoff({})),
        callBy(writer, 'handoff.create'),
      );
    const hear = async (name: string, by: string, count: number) => {
      const heard: string[] = [];
      while (heard.length < count) {
        const { value, done } = await events.next();
        if (done === true) throw new Error(`In vain it was waited for ${name} by ${by}.`);
        if (value.name === name && value.actor.name === by) heard.push(value.handoff_id);
      }
      return heard;
    };
    const killed = startWorker(file, 'killed', 'stuck');
    const created = await create(HELD);
    await hear('handoff-claimed', 'killed', HELD);
    const survivor = startWorker(file, 'survivor', 'sound');
    created.push(...(await create(HANDOFFS - HELD)));
    const acknowledged = await hear('handoff-acknowledged', 'survivor', HANDOFFS - HELD);
    await killed.end('SIGKILL');
    acknowledged.push(...(await hear('handoff-acknowledged', 'survivor', HELD)));
    const consumed = await survivor.end('SIGTERM');
    expect(new Set(acknowledged)).toEqual(new Set(created.map(({ id }) => id)));
    expect(consumed).toMatchObject({ acknowledged: HANDOFFS, failed: 0, released: 0 });
    // What the killed one held came back by lapses, and by nothing else.
    for (const { id } of created.slice(0, HELD)) {
      const names = (await store.events({ handoff_id: id, limit: 100 })).map(({ name }) => name);
      expect(names.filter((name) => name === 'handoff-released')).toEqual([]);
      expect(names).toContain('handoff-lapsed');
      expect(names.at(-1)).toBe('handoff-acknowledged');
    }
    await store.close();
  },
  60_000,
);
