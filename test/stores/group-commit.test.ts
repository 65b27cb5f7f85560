import { statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { createSurroundings } from '../../packages/batonpass/src/core/surroundings.ts';
import { callBy, claimOf, newHandoff, receiver, writer } from '../../packages/batonpass/src/stores/contract/bench.ts';
import { Connection } from '../../packages/batonpass/src/stores/sqlite/connection.ts';
import { type Driver, openDriver } from '../../packages/batonpass/src/stores/sqlite/driver.ts';
import { capLog } from '../../packages/batonpass/src/stores/sqlite/opened-file.ts';
import { openSqliteStore, SqliteStore } from '../../packages/batonpass/src/stores/sqlite/store.ts';
import { verifies } from '../verifies.ts';
import { createFolders } from './folders.ts';

const newFolder = createFolders();
const newFile = () => join(newFolder(), 'baton.db');

/** A connection that counts its commits and can be set to fail the next one. */
async function openCounted(file: string) {
  const counted = { commits: 0, failsNextCommit: false, passed_ms: 0 };
  const connection = await Connection.open(file, {
    // Only a test lets time pass: on a slow machine a group would end before all of its writes.
    passed: () => counted.passed_ms,
    openDriver: async (path) => {
      const driver = await openDriver(path);
      const exec = (sql: string) => {
        if (sql === 'COMMIT') counted.commits += 1;
        if (sql === 'COMMIT' && counted.failsNextCommit) {
          counted.failsNextCommit = false;
          throw Object.assign(new Error('disk I/O error'), { errcode: 10 });
        }
        driver.exec(sql);
      };
      return { ...driver, exec } satisfies Driver;
    },
  });
  counted.commits = 0;
  return { connection, counted, store: new SqliteStore(connection, createSurroundings()) };
}

const create = (store: SqliteStore, title: string) =>
  store.create([newHandoff({ title })], callBy(writer, 'handoff.create'));

verifies(['STORE.group'], 'writes of one turn share a commit, in the order in which they were called', async () => {
  const { counted, store } = await openCounted(newFile());
  await create(store, 'alone');
  expect(counted.commits).toBe(1);
  const titles = Array.from({ length: 40 }, (_, index) => `${index}`);
  await Promise.all(titles.map((title) => create(store, title)));
  expect(counted.commits).toBe(2);
  await Promise.all(titles.map((title) => create(store, title)));
  expect(counted.commits).toBe(3);
  const listed = (await store.list({ filter: {}, limit: 100 })).handoffs.map(({ content }) => content.title);
  expect(listed.reverse()).toEqual(['alone', ...titles, ...titles]);
  await store.close();
});

verifies(['STORE.group'], 'a transaction takes up calls for ten milliseconds, the next one the rest', async () => {
  const { connection, counted, store } = await openCounted(newFile());
  const slow = () => {
    counted.passed_ms += 5;
    return { answer: counted.commits };
  };
  const commitsBefore = await Promise.all(Array.from({ length: 5 }, () => connection.write(slow)));
  expect(commitsBefore).toEqual([0, 0, 1, 1, 2]);
  await store.close();
});

verifies(['STORE.group'], 'a write that is alone waits for nothing that the event loop may bring', async () => {
  const file = newFile();
  const { counted, store } = await openCounted(file);
  // Opening wrote the schema, in this very turn.
  await new Promise((resolve) => setImmediate(resolve));
  let turns = 0;
  setImmediate(() => {
    turns += 1;
  });
  await create(store, 'alone');
  expect({ turns, commits: counted.commits }).toEqual({ turns: 0, commits: 1 });
  await store.close();
});

verifies(['STORE.group', 'STORE.durable'], 'no promise resolves before its commit can be read by others', async () => {
  const file = newFile();
  const { store } = await openCounted(file);
  const other = new DatabaseSync(file, { readOnly: true });
  const isThere = other.prepare('SELECT count(*) AS count FROM handoffs WHERE id = ?');
  const seen = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const [created] = await create(store, `${index}`);
      return isThere.get(created?.id ?? '')?.count;
    }),
  );
  expect(seen).toEqual(seen.map(() => 1));
  other.close();
  await store.close();
});

verifies(
  ['STORE.group', 'STORE.atomic'],
  'a refusal or a broken constraint within a group meets its caller alone',
  async () => {
    const { connection, counted, store } = await openCounted(newFile());
    await Promise.all([create(store, 'first'), create(store, 'second')]);
    const before = counted.commits;
    const insert = (sha256: string) =>
      connection.driver
        .prepare('INSERT INTO payloads (sha256, json) VALUES (:sha256, :json)')
        .run({ sha256, json: '1' });
    const outcomes = await Promise.allSettled([
      create(store, 'third'),
      store.claim(claimOf({ id: 'NOBODY' }), callBy(receiver, 'handoff.claim')),
      connection.write(() => ({ answer: insert('a') })),
      // Its first insert is undone with the second, which is there already.
      connection.write(() => ({ answer: insert('b') + insert('a') })),
      connection.write(() => {
        insert('c');
        throw new TypeError('a defect');
      }),
      create(store, 'fourth'),
    ]);
    expect(counted.commits).toBe(before + 1);
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    const kept = connection.driver.prepare('SELECT sha256 FROM payloads').all();
    expect(kept.map(({ sha256 }) => sha256)).toEqual(['a']);
    const { handoffs } = await store.list({ filter: {}, limit: 9 });
    expect(handoffs.map(({ content }) => content.title)).toEqual(['fourth', 'third', 'second', 'first']);
    await store.close();
  },
);

verifies(
  ['SPEED.group-repeated', 'STORE.group'],
  'a group of which one failed while it wrote is written again, also where another process takes the lock between',
  async () => {
    const file = newFile();
    const other = new DatabaseSync(file);
    let undone = 0;
    const connection = await Connection.open(file, {
      passed: () => 0,
      openDriver: async (path) => {
        const driver = await openDriver(path);
        const exec = (sql: string) => {
          driver.exec(sql);
          if (sql !== 'ROLLBACK') return;
          undone += 1;
          other.exec("BEGIN IMMEDIATE; INSERT INTO payloads (sha256, json) VALUES ('other', '1')");
          setTimeout(() => other.exec('COMMIT'), 5);
        };
        return { ...driver, exec } satisfies Driver;
      },
    });
    const store = new SqliteStore(connection, createSurroundings());
    await Promise.all([create(store, 'first'), create(store, 'second')]);
    const replacing = newHandoff({ title: 'in place of nothing', supersedes_id: 'NOBODY' });
    const failing = () => {
      connection.driver.exec("INSERT INTO payloads (sha256, json) VALUES ('undone', '1')");
      throw new TypeError('a defect');
    };
    const outcomes = await Promise.allSettled([
      create(store, 'third'),
      store.create([replacing], callBy(writer, 'handoff.create')),
      connection.write(failing),
      create(store, 'fourth'),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { code: 'not_found' } });
    expect(undone).toBe(1);
    const { handoffs } = await store.list({ filter: {}, limit: 9 });
    expect(handoffs.map(({ content }) => content.title)).toEqual(['fourth', 'third', 'second', 'first']);
    expect((await store.events({ limit: 9 })).length).toBe(4);
    expect(other.prepare('SELECT sha256 FROM payloads').all().length).toBe(1);
    other.close();
    await store.close();
  },
);

verifies(
  ['STORE.group', 'STORE.atomic'],
  'a commit that fails is unavailable to the whole group, and the next one works',
  async () => {
    const { counted, store } = await openCounted(newFile());
    await Promise.all([create(store, 'kept'), create(store, 'kept too')]);
    counted.failsNextCommit = true;
    const outcomes = await Promise.allSettled([create(store, 'lost'), create(store, 'lost too')]);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    }
    await create(store, 'later');
    const { handoffs } = await store.list({ filter: {}, limit: 9 });
    expect(handoffs.map(({ content }) => content.title)).toEqual(['later', 'kept too', 'kept']);
    await store.close();
  },
);

verifies(
  ['STORE.group', 'STORE.locked'],
  'while another process holds the lock, writes gather and go together',
  async () => {
    const file = newFile();
    const { counted, store } = await openCounted(file);
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    const first = create(store, 'first');
    await new Promise((resolve) => setImmediate(resolve));
    const second = create(store, 'second');
    expect(counted.commits).toBe(0);
    other.exec('ROLLBACK');
    other.close();
    await Promise.all([first, second]);
    expect(counted.commits).toBe(1);
    await store.close();
  },
);

verifies(
  ['STORE.group', 'STORE.close'],
  'closing writes what was called before, and refuses what comes after',
  async () => {
    const file = newFile();
    const { store } = await openCounted(file);
    const pending = Promise.all(['a', 'b', 'c'].map((title) => create(store, title)));
    await store.close();
    expect((await pending).length).toBe(3);
    await expect(create(store, 'late')).rejects.toMatchObject({ code: 'unavailable' });
    const again = await openSqliteStore(file);
    expect((await again.list({ filter: {}, limit: 9 })).handoffs.length).toBe(3);
    await again.close();
  },
);

verifies(['STORE.durability'], 'the durability asked for is the one that SQLite keeps', async () => {
  const levels = await Promise.all(
    ([undefined, 'full', 'normal'] as const).map(async (durability) => {
      const connection = await Connection.open(newFile(), durability === undefined ? {} : { durability });
      const level = connection.driver.prepare('PRAGMA synchronous').get()?.synchronous;
      connection.close();
      return level;
    }),
  );
  expect(levels).toEqual([2, 2, 1]);
});

verifies(
  ['STORE.log-cap'],
  'the log is cut off when it is long, and again once a reader that held it is gone',
  async () => {
    const file = newFile();
    const store = await openSqliteStore(file, { durability: 'normal' });
    const fill = async (megabytes: number) => {
      for (let written = 0; written < megabytes; written += 1) {
        await store.create([newHandoff({ body: 'x'.repeat(1024 * 1024) })], callBy(writer, 'handoff.create'));
      }
    };
    const logged = () => statSync(`${file}-wal`).size / 1024 / 1024;
    await fill(50);
    expect(logged()).toBeLessThan(40);
    const reader = new DatabaseSync(file);
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM handoffs').get();
    await fill(50);
    expect(logged()).toBeGreaterThan(45);
    reader.close();
    await fill(34);
    expect(logged()).toBeLessThan(40);
    await store.close();
  },
);

verifies(['STORE.log-cap'], 'a log is written back by the process that finds it too long, and by none before', () => {
  const path = newFile();
  const [log, page] = [`${path}-wal`, 4096];
  const told: string[] = [];
  let answer: () => object = () => ({ busy: 1 });
  const prepare = (sql: string) => ({ get: () => told.push(sql) && answer() });
  const committed = capLog(path, { exec: (sql: string) => told.push(sql), prepare } as unknown as Driver);
  const byItself = 'PRAGMA wal_autocheckpoint = 4000';
  const cut = [
    'PRAGMA wal_autocheckpoint = 0; PRAGMA busy_timeout = 100',
    'PRAGMA wal_checkpoint(TRUNCATE)',
    'PRAGMA busy_timeout = 0',
  ];
  expect(told.splice(0)).toEqual([byItself]);
  /** What one look does, of so many megabytes and pages; there is one in sixteen commits. */
  const look = (megabytes: number, pages = 0) => {
    truncateSync(log, megabytes * 1024 * 1024 + pages * page);
    committed();
    const done = told.splice(0);
    for (let commit = 1; commit < 16; commit += 1) committed();
    expect(told).toEqual([]);
    return done;
  };
  for (let commit = 0; commit < 16; commit += 1) committed();
  expect(told).toEqual([]);
  writeFileSync(log, '');
  expect(look(32)).toEqual([]);
  expect(look(32, 1)).toEqual(cut);
  expect(look(48, 1)).toEqual([]);
  answer = () => {
    throw new Error('disk I/O error');
  };
  expect(look(48, 2)).toEqual(cut);
  answer = () => ({ busy: 0 });
  expect(look(80)).toEqual([...cut, byItself]);
  answer = () => ({ busy: 1 });
  expect(look(33)).toEqual(cut);
  // Somebody else has cut it off meanwhile.
  expect(look(32)).toEqual([byItself]);
  expect(look(32, 1)).toEqual(cut);
});
