import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect } from 'vitest';
import { openBaton, openStore } from '../../packages/batonpass/src/index.ts';
import { HandOffService } from '../../packages/batonpass/src/queue.ts';
import { createClock } from '../../packages/batonpass/src/stores/contract/bench.ts';
import { checkDatabase } from '../../packages/batonpass/src/stores/sqlite/check-database.ts';
import { openDriver } from '../../packages/batonpass/src/stores/sqlite/driver.ts';
import { schema } from '../../packages/batonpass/src/stores/sqlite/schema.ts';
import { setSource3Aside, takeOverSource3 } from '../../packages/batonpass/src/stores/sqlite/source-3.ts';
import { createFolders } from '../stores/folders.ts';
import { verifies } from '../verifies.ts';
import { literalStatements, literalTable, rowsOf, withDatabase } from './source-3-database.ts';

const newFolder = createFolders();
const newFile = () => join(newFolder(), 'handoffs.db');
const quiet = { logLevel: 'silent' } as const;

/** A database as an implementation of source 3 leaves it: two tasks, one row consumed, times that are equal. */
function fill(database: DatabaseSync): void {
  database.exec(`${literalTable}; CREATE INDEX handoffs_by_project ON handoffs (task_id, consumed)`);
  const insert = database.prepare(literalStatements.insert);
  insert.run('third', 't', '{"step":3}', 'ada', 2_000);
  insert.run('b-first', 't', '{"step":1}', 'ada', 1_000);
  insert.run('a-second', 't', '{"step":2,"list":[1,{"a":null}]}', 'bob', 1_000);
  insert.run('other', 'u', '[1]', 'bob', 1_500);
  insert.run('gone', 't', '{"step":0}', 'ada', 500);
  database.prepare(literalStatements.consume).run('gone');
}

describe('a database of source 3', () => {
  verifies(
    ['TAS-039.held.migrates', 'TAS-039.held.consumed-open'],
    'is taken over with its rows in order: what waited waits, what was consumed is acknowledged',
    async () => {
      const file = newFile();
      withDatabase(file, fill);
      const { surroundings } = createClock();
      await using service = new HandOffService(file, { ...quiet, surroundings });
      expect(await service.listUnclaimed('t')).toEqual([
        { handoffId: 'b-first', payload: { step: 1 }, originAgent: 'ada', createdAt: 1_000 },
        { handoffId: 'a-second', payload: { step: 2, list: [1, { a: null }] }, originAgent: 'bob', createdAt: 1_000 },
        { handoffId: 'third', payload: { step: 3 }, originAgent: 'ada', createdAt: 2_000 },
      ]);
      for (const id of ['b-first', 'a-second', 'third']) expect((await service.claimHandoff('t'))?.handoffId).toBe(id);
      expect(await service.claimHandoff('t')).toBeNull();
      expect(await service.claimHandoff('u')).toMatchObject({ handoffId: 'other', payload: [1] });
      const store = await openStore(`sqlite:${file}`);
      const { delivery, project } = (await store.get('gone')) ?? {};
      expect([project, delivery]).toEqual([
        'default',
        expect.objectContaining({ state: 'acknowledged', acknowledged_by: 'unknown', consumed: 1, version: 2 }),
      ]);
      const history = await store.events({ handoff_id: 'gone', limit: 5 });
      expect(history.map(({ name, reason }) => [name, reason !== undefined])).toEqual([
        ['handoff-created', false],
        ['handoff-acknowledged', true],
      ]);
      // All that belongs to a handoff fits together, so that it can move on to another store.
      const memory = await openStore('memory:');
      expect(await memory.import((await store.export({ limit: 10 })).handoffs)).toMatchObject({ added: 5 });
      await memory.close();
      await store.close();
    },
  );

  verifies(['SERVICE.takeover.nothing-lost'], 'keeps its own table, as it was, under another name', async () => {
    const file = newFile();
    const before = withDatabase(file, (database) => {
      fill(database);
      return rowsOf(database, 'SELECT rowid, * FROM handoffs');
    });
    await using service = new HandOffService(file, quiet);
    await service.claimHandoff('t');
    withDatabase(file, (database) => {
      expect(rowsOf(database, 'SELECT rowid, * FROM handoffs_of_source_3')).toEqual(before);
      const row = "SELECT id, task_id, payload, origin, created_at, consumed FROM handoffs WHERE id = 'third'";
      expect(rowsOf(database, row)).toEqual([
        { id: 'third', task_id: 't', payload: '{"step":3}', origin: 'ada', created_at: 2_000, consumed: 0 },
      ]);
      expect(rowsOf(database, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    });
  });

  verifies(
    ['SERVICE.takeover.any-door'],
    'is recognised by every door, in memory too, and by two concurrently',
    async () => {
      const file = newFile();
      withDatabase(file, fill);
      const cwd = newFolder();
      const baton = await openBaton({ cwd, store: `sqlite:${file}`, project: 'default', agent: 'carol' });
      const service = new HandOffService(file, quiet);
      const [{ handoffs }, listed] = await Promise.all([baton.run('handoff.list', {}), service.listUnclaimed('t')]);
      expect([handoffs.length, listed.length]).toEqual([5, 3]);
      await baton.close();
      await service.close();
      const database = new DatabaseSync(':memory:');
      fill(database);
      await using inMemory = new HandOffService(database, quiet);
      expect((await inMemory.claimHandoff('t'))?.handoffId).toBe('b-first');
      expect(rowsOf(database, 'SELECT name FROM sqlite_temp_schema')).toEqual([]);
    },
  );

  verifies(
    ['SERVICE.takeover.odd-rows', 'SERVICE.takeover.nothing-lost'],
    'may hold anything in any column: each row becomes a handoff, and what does not fit is kept in it unchanged',
    async () => {
      const file = newFile();
      const large = JSON.stringify({ text: 'x'.repeat(5_000_000) });
      withDatabase(file, (database) => {
        database.exec(literalTable);
        const insert = database.prepare(literalStatements.insert);
        insert.run(null, ' t ', 'no JSON', 'ada', 1);
        insert.run(null, 't', null, null, 2);
        insert.run('', 't', '12', '', 3);
        insert.run(Buffer.from([1, 255]), 't', Buffer.from('{"bytes":true}'), Buffer.from([2]), 4);
        insert.run('id with spaces, and ü', 't', Buffer.from([255, 0]), 'ada', 5);
        insert.run('deep', 't', '['.repeat(500) + ']'.repeat(500), 'ada', 6);
        insert.run('large', 't', large, 'ada', 7);
        insert.run('huge number', 't', '9007199254740993', 'ada', 8);
        insert.run('late', 't', '{}', 'ada', '2026-01-01 10:00:00');
        insert.run('nanoseconds', 't', '{}', 'ada', 1_700_000_000_000_000_000n);
        insert.run('no task', null, '{}', 'ada', 0);
        insert.run('long task', 'x'.repeat(501), '{}', 'ada', 0);
        database.exec("INSERT INTO handoffs VALUES ('unknown', 't', '\"text\"', 'ada', NULL, NULL)");
      });
      await using service = new HandOffService(file, quiet);
      const found = await service.listUnclaimed('t');
      const payloads = ['text', 'no JSON', null, 12, { bytes: true }, "X'FF00'", '['.repeat(500) + ']'.repeat(500)];
      const last = [JSON.parse(large), '9007199254740993', {}, {}];
      expect(found.map(({ payload }) => payload)).toEqual([...payloads, ...last]);
      const ulid = expect.stringMatching(/^[0-9A-Z]{26}$/);
      const ids = ['unknown', ulid, ulid, ulid, ulid, 'id with spaces, and ü', 'deep', 'large', 'huge number'];
      expect(found.map(({ handoffId }) => handoffId)).toEqual([...ids, 'nanoseconds', 'late']);
      expect(found.map(({ originAgent }) => originAgent).slice(1, 5)).toEqual(['ada', 'unknown', 'unknown', 'unknown']);
      const store = await openStore(`sqlite:${file}`);
      const oddOf = async (id: string | undefined) => (await store.get(id ?? ''))?.content.extra?.source_3;
      expect(await oddOf(found[1]?.handoffId)).toEqual({ task_id: ' t ' });
      expect(await oddOf(found[3]?.handoffId)).toEqual({ id: '', origin: '' });
      expect(await oddOf(found[4]?.handoffId)).toEqual({ id: "X'01FF'", origin: "X'02'" });
      expect(await oddOf('nanoseconds')).toEqual({ created_at: '1700000000000000000' });
      expect(await oddOf('late')).toEqual({ created_at: "'2026-01-01 10:00:00'" });
      expect(await oddOf('long task')).toEqual({ task_id: 'x'.repeat(501) });
      const taskless = await store.list({ filter: { project: 'default', state: ['open'] }, first: 'oldest', limit: 3 });
      expect(taskless.handoffs.map(({ id, content }) => [id, content.task_id])).toEqual([
        ['unknown', 't'],
        ['no task', undefined],
        ['long task', undefined],
      ]);
      expect((await checkDatabase(file)).faults).toEqual([]);
      expect(await oddOf('unknown')).toEqual({ created_at: 'NULL' });
      await store.close();
    },
  );

  verifies(['SERVICE.takeover.odd-rows'], 'may have ids that read alike: the second gets another', async () => {
    const database = new DatabaseSync(':memory:');
    database.exec(`${literalTable};
      INSERT INTO handoffs VALUES (CAST(x'FF' AS TEXT), 't', '1', 'ada', 1, 0), (CAST(x'FE' AS TEXT), 't', '2', 'ada', 2, 0)`);
    await using service = new HandOffService(database, quiet);
    const found = await service.listUnclaimed('t');
    expect(found.map(({ handoffId, payload }) => [handoffId, payload])).toEqual([
      ['\ufffd', 1],
      [expect.stringMatching(/^[0-9A-Z]{26}$/), 2],
    ]);
  });

  verifies(['SERVICE.takeover.whole'], 'stays whole where the takeover breaks off in the middle', async () => {
    const file = newFile();
    withDatabase(file, fill);
    const before = withDatabase(file, (database) => rowsOf(database, 'SELECT * FROM sqlite_schema'));
    const driver = await openDriver(file);
    driver.exec('BEGIN IMMEDIATE');
    setSource3Aside(driver);
    driver.exec(schema);
    // A connection that ends with its transaction open is what a crash leaves.
    let rows = 0;
    const surroundings = { ...createClock().surroundings, now: () => (rows += 1) };
    takeOverSource3(driver, surroundings);
    expect(rows).toBeGreaterThan(3);
    expect(
      driver.prepare("SELECT acknowledged_at FROM handoffs WHERE id = 'gone'").get()?.acknowledged_at,
    ).toBeLessThan(9);
    driver.close();
    expect(withDatabase(file, (database) => rowsOf(database, 'SELECT * FROM sqlite_schema'))).toEqual(before);
    await using service = new HandOffService(file, quiet);
    expect((await service.listUnclaimed('t')).length).toBe(3);
  });

  verifies(['SERVICE.takeover.whole'], 'is taken over only once, and an empty one too', async () => {
    const file = newFile();
    withDatabase(file, (database) => database.exec(literalTable));
    for (const count of [1, 2]) {
      await using service = new HandOffService(file, quiet);
      await service.createHandoff('t', {}, 'a');
      expect((await service.listUnclaimed('t')).length).toBe(count);
    }
  });

  verifies(
    ['SERVICE.takeover.alike', 'SERVICE.bad-input'],
    'is no database that has another column, type, table, trigger or mark: that one is refused and not written to',
    async () => {
      const others = [
        literalTable.replace('consumed INTEGER DEFAULT 0', 'consumed INTEGER DEFAULT 0, priority INTEGER'),
        literalTable.replace(', origin TEXT', ''),
        literalTable.replace('created_at INTEGER', 'created_at TEXT'),
        literalTable.replace('id TEXT PRIMARY KEY', 'id TEXT'),
        literalTable.replace('DEFAULT 0)', 'DEFAULT 0) WITHOUT ROWID'),
        `${literalTable}; CREATE TABLE tasks (id)`,
        `${literalTable}; CREATE VIEW waiting AS SELECT * FROM handoffs`,
        `${literalTable}; CREATE TRIGGER note AFTER INSERT ON handoffs BEGIN SELECT 1; END`,
        `${literalTable}; PRAGMA user_version = 1`,
        `${literalTable}; PRAGMA application_id = 7`,
        'CREATE VIEW handoffs AS SELECT 1 AS id',
      ];
      for (const sql of others) {
        const file = newFile();
        withDatabase(file, (database) => database.exec(sql));
        const before = readFileSync(file);
        const error = await new HandOffService(file, quiet).claimHandoff('t').catch((reason: unknown) => reason);
        expect([sql, error]).toEqual([sql, expect.objectContaining({ name: 'HandoffError', code: 'invalid_input' })]);
        const isAlike = !sql.startsWith('CREATE VIEW') && !sql.includes('WITHOUT');
        const advice = isAlike
          ? [expect.anything(), expect.stringContaining('task_id, payload, origin')]
          : [expect.anything()];
        expect(error).toMatchObject({ alternatives: advice });
        expect(readFileSync(file).equals(before)).toBe(true);
        expect(existsSync(`${file}-wal`)).toBe(false);
      }
    },
  );

  verifies(['TAS-039.held.migrates'], 'may have been declared with NOT NULL, and its payload as TEXT', async () => {
    const file = newFile();
    const declared = literalTable
      .replace('payload JSON', 'payload TEXT NOT NULL')
      .replace('task_id TEXT', 'task_id text NOT NULL');
    withDatabase(file, (database) => {
      database.exec(declared);
      database.prepare(literalStatements.insert).run('one', 't', '{"a":1}', 'ada', 1);
    });
    await using service = new HandOffService(file, quiet);
    expect(await service.claimHandoff('t')).toEqual({ handoffId: 'one', payload: { a: 1 }, originAgent: 'ada' });
  });
});
