import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Handoff } from '../../../packages/batonpass/src/core/handoff.ts';
import type { StoredHandoff } from '../../../packages/batonpass/src/core/store.ts';
import {
  Bench,
  editTo,
  hook,
  receiver,
  reviewer,
  tokenOf,
} from '../../../packages/batonpass/src/stores/contract/bench.ts';
import { type Driver, openDriver } from '../../../packages/batonpass/src/stores/sqlite/driver.ts';
import { openSqliteStore } from '../../../packages/batonpass/src/stores/sqlite/store.ts';
import { type CrashStore, readTables } from './crash-store.ts';
import { createChance } from './power-run.ts';
import { createStillness, LARGE_PAYLOAD, OFFER } from './scene.ts';

/** The files of a database on the real disk, and what Baton had made of them. */
export interface Original {
  database: Buffer;
  log: Buffer;
  /** Every state that was committed to the log, that before the log first. */
  states: string[];
  /** How long the log was at each of them. */
  ends: number[];
}

let openings = 0;

/** Opens a store of the real disk with its connection in reach. No power cut happens here: nothing is synced. */
export async function openReal(file: string): Promise<CrashStore & { bench: Bench }> {
  openings += 1;
  // Each opening gives other ids.
  const { move, ...still } = createStillness();
  const surroundings = { ...still, random: createChance(openings) };
  const opened: Driver[] = [];
  const store = await openSqliteStore(file, {
    ...surroundings,
    openDriver: async (path) => {
      const driver = await openDriver(path);
      opened.push(driver);
      return driver;
    },
  });
  const driver = opened[0] as Driver;
  driver.exec('PRAGMA synchronous = OFF');
  return { store, driver, bench: new Bench(store, { surroundings, move }) };
}

/** A database with a log of one commit a call. */
export async function makeLogged(folder: string): Promise<Original> {
  const file = join(folder, 'baton.db');
  const former = await openReal(file);
  await former.bench.create({ title: 'before the log' });
  await former.store.close();
  const { store, driver, bench } = await openReal(file);
  const [states, ends] = [[readTables(driver)], [0]];
  for await (const _call of work(bench)) {
    states.push(readTables(driver));
    ends.push(statSync(`${file}-wal`).size);
  }
  const original = { database: readFileSync(file), log: readFileSync(`${file}-wal`), states, ends };
  await store.close();
  return original;
}

/** Writes with every verb; yields after each commit. */
async function* work(bench: Bench): AsyncGenerator<Handoff | Handoff[]> {
  yield await bench.create({ title: 'first' }, { title: 'second', body: 'A body. '.repeat(200) });
  const draft = await bench.createOne({ title: 'draft', state: 'draft' });
  yield draft;
  const edited = await bench.step(reviewer, draft, editTo({ title: 'edited' }));
  yield edited;
  const approval = { type: 'approve', content_sha256: edited.content_sha256, rendered_sha256: 'r', budget: 1 } as const;
  yield await bench.step(reviewer, draft, approval);
  const claimed = await bench.claimOne(receiver);
  yield claimed;
  yield await bench.step(receiver, claimed, { type: 'renew', token: tokenOf(claimed), lease_ms: 1_000_000 });
  yield await bench.step(receiver, claimed, { type: 'ask', token: tokenOf(claimed), question: 'Which one?' });
  yield await bench.step(reviewer, claimed, { type: 'answer', answer: 'This.', lease_ms: 1_000_000 });
  const second = await bench.claimOne(receiver);
  yield second;
  yield await bench.step(receiver, second, { type: 'fail', token: tokenOf(second), reason: 'It broke.' });
  yield await bench.claim(hook, { id: draft.id, offer: OFFER });
  const last = await bench.createOne({ title: 'last' });
  yield last;
  yield await bench.step(reviewer, last, { type: 'withdraw', reason: 'Outdated.' });
}

/** A database without a log, and every handoff that is in it. */
export async function makeFilled(folder: string): Promise<{ database: Buffer; handoffs: StoredHandoff[] }> {
  const file = join(folder, 'baton.db');
  const { store, bench } = await openReal(file);
  await bench.create({ title: 'large', payload: LARGE_PAYLOAD });
  for await (const _call of work(bench)) {
    await bench.create(...['a', 'b'].map((title) => ({ title, body: 'What was found. '.repeat(40) })));
  }
  const { handoffs } = await store.export({ limit: 100 });
  await store.close();
  return { database: readFileSync(file), handoffs };
}

/** Puts files where a store of them can be opened; all that was there before is removed. */
export function putFiles(folder: string, { database, log }: Pick<Original, 'database'> & { log?: Buffer }): string {
  const file = join(folder, 'copy.db');
  for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  writeFileSync(file, database);
  if (log !== undefined) writeFileSync(`${file}-wal`, log);
  return file;
}

/** A copy with one bit turned round. */
export function flipBit(bytes: Buffer, bit: number): Buffer {
  const flipped = Buffer.from(bytes);
  const at = Math.floor(bit / 8);
  flipped[at] = (flipped[at] ?? 0) ^ (1 << (bit % 8));
  return flipped;
}
