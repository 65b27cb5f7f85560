import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { callBy, newHandoff, writer } from '../../packages/batonpass/src/stores/contract/bench.ts';
import { openSqliteStore } from '../../packages/batonpass/src/stores/sqlite/store.ts';
import { fingerprintOf } from '../../packages/batonpass/src/stores/sqlite/tables.ts';
import { verifies } from '../verifies.ts';
import { createFolders } from './folders.ts';

const newFolder = createFolders();

verifies(['STORE.answers-end'], 'remembered answers are removed once their time is over', async () => {
  const file = join(newFolder(), 'baton.db');
  let now_ms = Date.now();
  const store = await openSqliteStore(file, { now: () => now_ms });
  const createKeyed = (count: number, round: string) =>
    Promise.all(
      Array.from({ length: count }, (_, place) =>
        store.create([newHandoff({ title: 'x' })], {
          ...callBy(writer, 'handoff.create'),
          idempotency_key: `${round}-${place}`,
        }),
      ),
    );
  const kept = () => {
    const database = new DatabaseSync(file, { readOnly: true });
    const { count } = database.prepare('SELECT count(*) AS count FROM answers').get() ?? {};
    database.close();
    return count;
  };
  await createKeyed(40, 'first');
  expect(kept()).toBe(40);
  now_ms += limits.idempotency_ms + 1;
  await createKeyed(10, 'second');
  expect(kept()).toBe(10);
  await store.close();
});

verifies(['STORECMD.backup'], 'a copy that differs in one value, or the name of a table, is not the same', () => {
  const [one, same, other, named] = [
    ['notes', 'a'],
    ['notes', 'a'],
    ['notes', 'b'],
    ['words', 'a'],
  ].map(([table, value]) => {
    const database = new DatabaseSync(':memory:');
    database.exec(`CREATE TABLE ${table} (text TEXT); INSERT INTO ${table} VALUES ('first'), ('${value}')`);
    const fingerprint = fingerprintOf(database);
    database.close();
    return fingerprint;
  });
  expect(one).toEqual(same);
  expect([one?.rows, other?.rows]).toEqual([{ notes: 2 }, { notes: 2 }]);
  expect(new Set([one, other, named].map((each) => each?.sha256)).size).toBe(3);
});
