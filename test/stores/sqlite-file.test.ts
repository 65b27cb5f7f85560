import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect } from 'vitest';
import type { Store } from '../../packages/batonpass/src/core/store.ts';
import { createSurroundings } from '../../packages/batonpass/src/core/surroundings.ts';
import {
  callBy,
  claimOf,
  createClock,
  newHandoff,
  receiver,
  rival,
  tokenOf,
  writer,
} from '../../packages/batonpass/src/stores/contract/bench.ts';
import { Connection } from '../../packages/batonpass/src/stores/sqlite/connection.ts';
import { assertSqliteVersion } from '../../packages/batonpass/src/stores/sqlite/driver.ts';
import { assertLocal, withReadable } from '../../packages/batonpass/src/stores/sqlite/place.ts';
import * as statements from '../../packages/batonpass/src/stores/sqlite/statements.ts';
import { openSqliteStore, SqliteStore } from '../../packages/batonpass/src/stores/sqlite/store.ts';
import { verifies } from '../verifies.ts';
import { createFolders } from './folders.ts';
import { runWorker } from './race-process.ts';

const newFolder = createFolders();
const newFile = () => join(newFolder(), 'baton.db');

const create = (store: Store, ...titles: string[]) =>
  store.create(
    titles.map((title) => newHandoff({ title })),
    callBy(writer, 'handoff.create'),
  );

const claim = async (store: Store, actor = receiver) =>
  (await store.claim(claimOf(), callBy(actor, 'handoff.claim'))).handoffs;

/** Runs a body on the file's own database, past the store. */
function withDatabase<T>(file: string, body: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file);
  try {
    return body(database);
  } finally {
    database.close();
  }
}

const refused = async (open: Promise<Store>, code: string) => {
  const error = await open.then(
    async (store) => store.close(),
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: 'HandoffError', code });
  return error as Error & { alternatives: readonly string[] };
};

describe('what outlives a process', () => {
  verifies(
    ['STORE.durable', 'LIFE.idempotency'],
    'handoffs, leases, history and keys are there after a reopening',
    async () => {
      const file = newFile();
      const { surroundings } = createClock();
      const before = await openSqliteStore(file, surroundings);
      const key = callBy(writer, 'handoff.create', 'key-1');
      const created = await before.create([newHandoff({ title: 'once' })], key);
      const [claimed] = await claim(before);
      const events = await before.events({ limit: 10 });
      await before.close();
      const after = await openSqliteStore(file, surroundings);
      expect(await after.create([newHandoff({ title: 'once' })], key)).toEqual(created);
      expect(await after.events({ limit: 10 })).toEqual(events);
      const id = claimed?.id ?? '';
      const step = { type: 'acknowledge', token: claimed && tokenOf(claimed) } as const;
      const done = await after.transition(id, step, callBy(receiver, 'handoff.acknowledge'));
      expect(done.delivery.acknowledged_by).toBe('receiver');
      await after.close();
    },
  );

  verifies(
    ['STORE.exclusive', 'STORE.processes'],
    'two connections that claim at once never get one handoff',
    async () => {
      const file = newFile();
      const stores = await Promise.all([openSqliteStore(file), openSqliteStore(file)]);
      const [first, second] = stores;
      await create(first, ...Array.from({ length: 40 }, (_, index) => `${index}`));
      const claims = await Promise.all(
        Array.from({ length: 50 }, (_, index) => claim(index % 2 ? first : second, index % 2 ? receiver : rival)),
      );
      const ids = claims.flat().map(({ id }) => id);
      expect(ids.length).toBe(40);
      expect(new Set(ids).size).toBe(40);
      await Promise.all(stores.map((store) => store.close()));
    },
  );

  verifies(
    ['STORE.processes', 'STORE.subscribe'],
    'a subscription is woken by what another process commits',
    async () => {
      const file = newFile();
      const store = await openSqliteStore(file);
      const events = store.subscribe({}, new AbortController().signal);
      const running = runWorker({ file, name: 'other', role: 'writer', count: 3 });
      const seen: string[] = [];
      for await (const { handoff_id } of events) if (seen.push(handoff_id) === 3) break;
      const created = await running;
      expect(seen).toEqual(created.map(({ id }) => id));
      expect((await store.list({ filter: {}, limit: 10 })).handoffs.length).toBe(3);
      await store.close();
    },
  );
});

describe('schemas', () => {
  verifies(['STORE.migration'], 'processes that open a new file at once all find the same schema', async () => {
    const file = newFile();
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(names.map((name) => runWorker({ file, name, role: 'writer', count: 2 })));
    const store = await openSqliteStore(file);
    expect((await store.list({ filter: {}, limit: 100 })).handoffs.length).toBe(8);
    await store.close();
  });

  verifies(['STORE.newer-schema'], 'a database of another version is refused and not written to', async () => {
    const file = newFile();
    await (await openSqliteStore(file)).close();
    withDatabase(file, (database) => database.exec('PRAGMA user_version = 99'));
    const before = readFileSync(file);
    const error = await refused(openSqliteStore(file), 'unsupported_version');
    expect(error.message).toContain(file);
    expect(error.message).toContain('99');
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  verifies(
    ['STORE.foreign'],
    "another program's database, and a file that is not a database, are refused and not written to",
    async () => {
      const database = newFile();
      withDatabase(database, (each) => each.exec('CREATE TABLE notes (a)'));
      const text = newFile();
      writeFileSync(text, 'not a database, but long enough to be read as the header of one: '.repeat(20));
      const versioned = newFile();
      withDatabase(versioned, (each) => each.exec('PRAGMA user_version = 1'));
      for (const file of [database, text, versioned]) {
        const before = readFileSync(file);
        expect((await refused(openSqliteStore(file), 'invalid_input')).message).toContain(file);
        expect(readFileSync(file).equals(before)).toBe(true);
        expect(existsSync(`${file}-wal`)).toBe(false);
      }
    },
  );

  verifies(['STORE.sqlite-version'], 'SQLite 3.7.0 to 3.51.2 is refused, its two repaired lines are not', () => {
    const affected = ['3.7.0', '3.40.1', '3.44.5', '3.45.0', '3.50.6', '3.51.0', '3.51.2', '3.49.9'];
    for (const version of affected) {
      expect(() => assertSqliteVersion(version)).toThrow(expect.objectContaining({ code: 'unsupported_version' }));
    }
    for (const version of ['3.44.6', '3.50.7', '3.51.3', '3.53.4', '4.0.0']) assertSqliteVersion(version);
  });

  verifies(['STORE.foreign-reads', 'LIFE.consumed'], "SQL written for source 3's table reads and deletes", async () => {
    const file = newFile();
    const { surroundings } = createClock();
    const store = await openSqliteStore(file, surroundings);
    const given = { ...newHandoff({ task_id: 'T', payload: { summary: 'S', n: [1] }, source_agent: 'a' }) };
    const [open] = await store.create([given, newHandoff({})], callBy(writer, 'handoff.create'));
    await claim(store);
    const row = 'SELECT id, task_id, payload, origin, created_at, consumed FROM handoffs WHERE id = ?';
    const found = withDatabase(file, (database) => ({ ...database.prepare(row).get(open?.id ?? '') }));
    expect(found).toEqual({
      id: open?.id,
      task_id: 'T',
      payload: '{"n":[1],"summary":"S"}',
      origin: 'a',
      created_at: surroundings.now(),
      consumed: 1,
    });
    const unconsumed = 'SELECT payload FROM handoffs WHERE consumed = 0';
    expect(withDatabase(file, (database) => database.prepare(unconsumed).all().length)).toBe(1);
    withDatabase(file, (database) => database.exec('DELETE FROM handoffs WHERE consumed = 1'));
    expect(await store.get(open?.id ?? '')).toBeNull();
    await store.close();
  });

  verifies(
    ['STORE.indexes'],
    'no write of the queue builds a table to judge by whether an index wants its row',
    async () => {
      const connection = await Connection.open(':memory:');
      const { insertHandoffs, updateDeliveries, insertEvents } = statements.sqliteStatements.dialect;
      const writes = [insertHandoffs, updateDeliveries(['state', 'version', 'lease_expires_at']), insertEvents];
      const opcodesOf = (sql: string) =>
        connection.driver
          .prepare(`EXPLAIN ${sql}`)
          .all()
          .map(({ opcode }) => opcode);
      for (const write of writes) {
        expect(opcodesOf(write)).toContain('MakeRecord');
        expect(opcodesOf(write)).not.toContain('OpenEphemeral');
      }
      connection.close();
    },
  );

  verifies(
    ['STORE.indexes', 'LIFE.fifo'],
    'the claim walks only what its claimer may have, and lists use their index',
    async () => {
      const connection = await Connection.open(':memory:');
      const planOf = (sql: string) =>
        connection.driver
          .prepare(`EXPLAIN QUERY PLAN ${sql}`)
          .all()
          .map(({ detail }) => String(detail));
      const branches = (plan: string[]) => plan.filter((line) => line.includes('USING INDEX'));
      const byTask = 'SEARCH handoffs USING INDEX handoffs_open_by_task (task_id=? AND project=? AND target_agent=?)';
      const byTarget = 'SEARCH handoffs USING INDEX handoffs_open_by_target (project=? AND target_agent=?)';
      // How many of a project are in each final state: a handful of groups.
      const { dialect, countStates: _groups, ...shared } = statements.sqliteStatements;
      const list = (rows: Parameters<typeof shared.listHandoffs>[0]) => planOf(shared.listHandoffs(rows, 'DESC'));
      expect(branches(planOf(statements.selectOldest(true, true)))).toEqual([byTask, byTask]);
      expect(branches(planOf(statements.selectOldest(false, true)))).toEqual([byTarget, byTarget]);
      expect(list('open')[0]).toContain('handoffs_open (project=? AND seq>? AND seq<?)');
      expect(list('claimed')[0]).toContain('handoffs USING INDEX handoffs_leased');
      expect(list('draft')[0]).toContain('handoffs_unfinished (project=? AND state=? AND seq>? AND seq<?)');
      expect(list('suffix').join('\n')).toContain('COVERING INDEX sqlite_autoindex_handoffs_1');
      expect(list('project')[0]).toContain('handoffs_by_project (project=? AND seq>? AND seq<?)');
      const made = [statements.selectOldest(true, false), shared.countLeftOut(true)];
      const texts = [statements, shared, dialect].flatMap((each) => Object.values(each));
      const all = [...texts.filter((text) => /^\s*(SELECT|INSERT|UPDATE|DELETE)/.test(String(text))), ...made].flatMap(
        (text) => planOf(String(text)),
      );
      expect(all.filter((line) => line.includes('TEMP B-TREE'))).toEqual([]);
      connection.close();
    },
  );
});

describe('places and disks', () => {
  verifies(['STORE.private'], 'the file, its log and its folder belong to their owner alone', async () => {
    const file = join(newFolder(), 'deeper', 'still', 'baton.db');
    const store = await openSqliteStore(file);
    await create(store, 'secret');
    const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
    expect([file, `${file}-wal`, `${file}-shm`].map(modeOf)).toEqual(['600', '600', '600']);
    expect([join(file, '..'), join(file, '../..')].map(modeOf)).toEqual(['700', '700']);
    await store.close();
  });

  verifies(['STORE.private'], 'the mode of a folder that is there already is left alone', async () => {
    const folder = newFolder();
    chmodSync(folder, 0o755);
    await (await openSqliteStore(join(folder, 'baton.db'))).close();
    expect((statSync(folder).mode & 0o777).toString(8)).toBe('755');
  });

  verifies(['STORECMD.check'], 'what only reads a store cannot write into it, by no defect', async () => {
    const file = newFile();
    await (await openSqliteStore(file)).close();
    const writing = withReadable(file, async (database) => database.exec('DELETE FROM handoffs'));
    await expect(writing).rejects.toThrow();
    expect(await withReadable(file, async (database) => database.prepare('SELECT 1 AS one').get()?.one)).toBe(1);
  });

  verifies(['STORE.unwritable'], 'a place that cannot be written is unavailable and names the remedies', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'file'), '');
    mkdirSync(join(folder, 'folder.db'));
    for (const file of [join(folder, 'file', 'baton.db'), '/proc/baton/baton.db', join(folder, 'folder.db')]) {
      const error = await refused(openSqliteStore(file), 'unavailable');
      expect(error.message).toContain(file);
      expect(error.alternatives.join()).toMatch(/BATON_STORE[\s\S]*MCP tools/);
    }
  });

  verifies(
    ['STORE.full', 'STORE.atomic'],
    'a full disk is unavailable, keeps nothing of the call, and heals with room',
    async () => {
      const file = newFile();
      const connection = await Connection.open(file);
      const store = new SqliteStore(connection, createSurroundings());
      const [kept] = await create(store, 'kept');
      const pages = Number(connection.driver.prepare('PRAGMA page_count').get()?.page_count);
      connection.driver.exec(`PRAGMA max_page_count = ${pages + 2}`);
      const large = [newHandoff({ title: 'small' }), newHandoff({ body: 'x'.repeat(100_000) })];
      const creating = store.create(large, callBy(writer, 'handoff.create'));
      await expect(creating).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('full') });
      expect((await store.list({ filter: {}, limit: 10 })).handoffs.map(({ id }) => id)).toEqual([kept?.id]);
      expect((await store.events({ limit: 10 })).length).toBe(1);
      connection.driver.exec('PRAGMA max_page_count = 100000');
      expect((await store.create(large, callBy(writer, 'handoff.create'))).length).toBe(2);
      await store.close();
    },
  );

  verifies(['STORE.damaged'], 'a damaged database is unavailable and names its file', async () => {
    const file = newFile();
    const store = await openSqliteStore(file);
    await create(store, ...Array.from({ length: 100 }, (_, index) => `${index}`));
    await store.close();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xff, 4_096));
    const reading = (async () => {
      const damaged = await openSqliteStore(file);
      try {
        await damaged.list({ filter: {}, limit: 1_000 });
      } finally {
        await damaged.close();
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining(file) });
  });

  verifies(
    ['STORE.locked'],
    'a write waits for another process, and after the longest wait is unavailable',
    async () => {
      const file = newFile();
      const store = await openSqliteStore(file);
      const other = new DatabaseSync(file);
      other.exec('BEGIN IMMEDIATE');
      const patient = create(store, 'patient');
      other.exec('ROLLBACK');
      expect((await patient).length).toBe(1);
      other.exec('BEGIN IMMEDIATE');
      const impatient = new SqliteStore(await Connection.open(file, { write_wait_ms: 20 }), createSurroundings());
      await expect(create(impatient, 'too late')).rejects.toMatchObject({ code: 'unavailable' });
      await impatient.close();
      // A reader does not wait for a writer.
      expect((await store.list({ filter: {}, limit: 10 })).handoffs.length).toBe(1);
      other.close();
      expect((await store.list({ filter: {}, limit: 10 })).handoffs.length).toBe(1);
      await store.close();
    },
  );

  verifies(['STORE.network'], 'network file systems are refused with advice, others are not', () => {
    for (const type of [0x6969, 0x517b, 0xff534d42, 0xff534d42 | 0, 0xfe534d42]) {
      expect(() => assertLocal('/net/baton.db', type)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    }
    for (const type of [0xef53, 0x01021994, 0x9123683e]) assertLocal('/disk/baton.db', type);
  });
});
