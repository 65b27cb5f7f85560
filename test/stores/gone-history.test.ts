import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import type { Store } from '../../packages/batonpass/src/core/store.ts';
import { callBy, claimOf, newHandoff, receiver, writer } from '../../packages/batonpass/src/stores/contract/bench.ts';
import { checkDatabase } from '../../packages/batonpass/src/stores/sqlite/check-database.ts';
import { replaceContents } from '../../packages/batonpass/src/stores/sqlite/restore-database.ts';
import { openSqliteStore } from '../../packages/batonpass/src/stores/sqlite/store.ts';
import { verifies } from '../verifies.ts';
import { createFolders } from './folders.ts';

const newFolder = createFolders();

const create = async (store: Store, title: string) => {
  const [created] = await store.create([newHandoff({ title })], callBy(writer, 'handoff.create'));
  return created?.id ?? '';
};
const claim = async (store: Store, id: string) => {
  const { handoffs } = await store.claim(claimOf({ id }), callBy(receiver, 'handoff.claim'));
  return { id, token: handoffs[0]?.delivery.lease?.token ?? '' };
};
const namesOf = async (store: Store, handoff_id: string) =>
  (await store.events({ handoff_id, limit: 10 })).map(({ name }) => name);
const faultsIn = async (file: string) => (await checkDatabase(file)).faults;

verifies(['HISTORY.gone'], 'the history of a row that foreign SQL deletes stays its own', async () => {
  const file = join(newFolder(), 'baton.db');
  const store = await openSqliteStore(file);
  const [kept, gone] = [await create(store, 'kept'), await create(store, 'gone')];
  await claim(store, gone);
  const { handoffs: exported } = await store.export({ limit: 10 });
  const foreign = new DatabaseSync(file);
  foreign.prepare('DELETE FROM handoffs WHERE id = ?').run(gone);
  foreign.close();
  expect(await namesOf(store, gone)).toEqual(['handoff-created', 'handoff-claimed']);
  // The next one gets the place that became free.
  const next = await create(store, 'next');
  expect(await namesOf(store, next)).toEqual(['handoff-created']);
  expect(await namesOf(store, gone)).toEqual(['handoff-created', 'handoff-claimed']);
  expect(await namesOf(store, kept)).toEqual(['handoff-created']);
  expect(await faultsIn(file)).toEqual([]);
  // It comes again, with its whole history.
  await store.import(exported);
  expect(await namesOf(store, gone)).toEqual(['handoff-created', 'handoff-claimed']);
  expect(await faultsIn(file)).toEqual([]);
  await store.close();
});

verifies(['HISTORY.gone'], 'a line that outlives a restore belongs to no handoff of the backup', async () => {
  const folder = newFolder();
  const [file, backup] = [join(folder, 'baton.db'), join(folder, 'backup.db')];
  const store = await openSqliteStore(file);
  const kept = await create(store, 'kept');
  const database = new DatabaseSync(file);
  database.exec(`VACUUM INTO '${backup}'`);
  const later = await create(store, 'later');
  database.exec(`ATTACH DATABASE '${backup}' AS restored; BEGIN IMMEDIATE`);
  replaceContents(database);
  database.exec('COMMIT');
  database.close();
  expect(await namesOf(store, later)).toEqual(['handoff-created']);
  const next = await create(store, 'next');
  for (const id of [kept, later, next]) expect(await namesOf(store, id)).toEqual(['handoff-created']);
  expect(await faultsIn(file)).toEqual([]);
  await store.close();
});
