import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import type { Store } from '../../packages/batonpass/src/core/store.ts';
import {
  callBy,
  claimOf,
  newHandoff,
  receiver,
  reviewer,
  writer,
} from '../../packages/batonpass/src/stores/contract/bench.ts';
import { checkDatabase } from '../../packages/batonpass/src/stores/sqlite/check-database.ts';
import { openDriver } from '../../packages/batonpass/src/stores/sqlite/driver.ts';
import { replaceContents } from '../../packages/batonpass/src/stores/sqlite/replace-contents.ts';
import { openSqliteStore } from '../../packages/batonpass/src/stores/sqlite/store.ts';
import { makeFormer } from '../operations/store-contents.ts';
import { verifies } from '../verifies.ts';
import { createFolders } from './folders.ts';

const newFolder = createFolders();

/** As the schema before wrote a line. */
const formerLine = `
INSERT INTO events (handoff_id, project, name, at, actor_name, actor_type, from_state, to_state, reason, details)
VALUES (:handoff_id, :project, :name, :at, :actor_name, :actor_type, :from_state, :to_state, :reason, :details)`;

const create = async (store: Store, title: string) => {
  const [created] = await store.create([newHandoff({ title })], callBy(writer, 'handoff.create'));
  return created?.id ?? '';
};
const claim = async (store: Store, id: string) => {
  const { handoffs } = await store.claim(claimOf({ id }), callBy(receiver, 'handoff.claim'));
  return { id, token: handoffs[0]?.delivery.lease?.token ?? '' };
};
const withdraw = (store: Store, id: string) =>
  store.transition(id, { type: 'withdraw', reason: 'not needed' }, callBy(reviewer, 'handoff.withdraw'));
const namesOf = async (store: Store, handoff_id: string, newest = false) =>
  (await store.events({ handoff_id, newest, limit: 10 })).map(({ name }) => name);
const faultsIn = async (file: string) => (await checkDatabase(file)).faults;

verifies(['HISTORY.place'], 'every line has the place of its handoff, whichever way the step went', async () => {
  const file = join(newFolder(), 'baton.db');
  const store = await openSqliteStore(file);
  const [first, second, third] = [await create(store, '1'), await create(store, '2'), await create(store, '3')];
  const held = await claim(store, first);
  const acknowledging = callBy(receiver, 'handoff.acknowledge');
  await store.transition(held.id, { type: 'acknowledge', token: held.token }, acknowledging);
  const { id, token } = await claim(store, second);
  await store.transition(id, { type: 'acknowledge', token }, callBy(receiver, 'handoff.acknowledge'));
  await withdraw(store, third);
  const database = new DatabaseSync(file, { readOnly: true });
  const lines = database.prepare('SELECT handoff_seq AS place, name FROM events ORDER BY handoff_seq, seq').all();
  database.close();
  const taken = ['handoff-created', 'handoff-claimed', 'handoff-acknowledged'];
  expect(lines.map(({ place, name }) => `${place} ${name}`)).toEqual([
    ...taken.map((name) => `1 ${name}`),
    ...taken.map((name) => `2 ${name}`),
    '3 handoff-created',
    '3 handoff-withdrawn',
  ]);
  await store.close();
});

verifies(
  ['HISTORY.place-former'],
  'a former file has its histories, and what an older Baton still writes',
  async () => {
    const folder = newFolder();
    const [present, file] = [join(folder, 'present.db'), join(folder, 'baton.db')];
    const filled = await openSqliteStore(present);
    const id = await create(filled, 'in a former file');
    await claim(filled, id);
    await filled.close();
    await makeFormer(file, 5, present);
    // An older Baton has it open, and has prepared its statements.
    const older = await openDriver(file);
    const writeLine = older.prepare(formerLine);
    const line = { handoff_id: id, project: claimOf().project, at: 1, actor_name: 'ada', actor_type: 'agent' };
    writeLine.run({ ...line, name: 'handoff-renewed', from_state: 'claimed', to_state: 'claimed' });

    const store = await openSqliteStore(file);
    const placed = older.prepare('SELECT count(*) AS count FROM events WHERE handoff_seq = 1');
    expect(placed.get()?.count).toBe(3);
    writeLine.run({ ...line, name: 'handoff-released', from_state: 'claimed', to_state: 'open' });
    older.exec(`UPDATE handoffs SET state = 'open', version = version + 1, lease_holder = NULL, lease_token = NULL,
    lease_holder_type = NULL, lease_expires_at = NULL`);
    older.exec('DROP TRIGGER handoffs_are_moved_by_baton; UPDATE handoffs SET version = 4');
    older.close();
    await withdraw(store, id);
    const all = ['handoff-created', 'handoff-claimed', 'handoff-renewed', 'handoff-released', 'handoff-withdrawn'];
    expect(await namesOf(store, id)).toEqual(all);
    expect(await namesOf(store, id, true)).toEqual(all);
    expect((await store.events({ handoff_id: id, newest: true, limit: 2 })).map(({ name }) => name)).toEqual(
      all.slice(3),
    );
    expect((await store.events({ handoff_id: id, after_seq: 2, limit: 2 })).map(({ name }) => name)).toEqual(
      all.slice(2, 4),
    );
    expect(await faultsIn(file)).toEqual([]);
    // They go with the handoff as well: only the newest line of all stays.
    expect(await store.remove([{ id, version: 5 }])).toBe(1);
    expect(await namesOf(store, id)).toEqual(['handoff-withdrawn']);
    await store.close();
  },
);

verifies(['HISTORY.place-gone'], 'the history of a row that foreign SQL deletes stays its own', async () => {
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

verifies(['HISTORY.place-gone'], 'a line that outlives a restore belongs to no handoff of the backup', async () => {
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

verifies(['HISTORY.place-checked'], 'a line with the place of another handoff is found', async () => {
  const file = join(newFolder(), 'baton.db');
  const store = await openSqliteStore(file);
  const [first, second] = [await create(store, 'first'), await create(store, 'second')];
  const foreign = new DatabaseSync(file);
  foreign.prepare('UPDATE events SET handoff_seq = 1 WHERE handoff_id = ?').run(second);
  foreign.close();
  expect(await namesOf(store, first)).toEqual(['handoff-created']);
  expect(await faultsIn(file)).toContainEqual({
    rule: 'columns',
    id: second,
    says: 'a line of its history has the place of another handoff',
  });
  await store.close();
});
