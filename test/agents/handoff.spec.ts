import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect } from 'vitest';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { HandOffService } from '../../packages/batonpass/src/queue.ts';
import { createClock } from '../../packages/batonpass/src/stores/contract/bench.ts';
import { createFolders } from '../stores/folders.ts';
import { verifies } from '../verifies.ts';
import { runAgent } from './agent-process.ts';

const newFolder = createFolders();
const newFile = () => join(newFolder(), 'handoffs.db');
const quiet = { logLevel: 'silent' } as const;

/** Two agents of one process on one database in memory, as the source's tests have it. */
function openPair() {
  const database = new DatabaseSync(':memory:');
  const agentA = new HandOffService(database, { ...quiet, agent: 'agent-a' });
  const agentB = new HandOffService(database, { ...quiet, agent: 'agent-b' });
  return { database, agentA, agentB };
}

/** A database that records the statements it was given. */
function openRecorded() {
  const texts: string[] = [];
  class Recorded extends DatabaseSync {
    override prepare(sql: string, ...rest: never[]) {
      texts.push(sql);
      return super.prepare(sql, ...rest);
    }
    override exec(sql: string) {
      texts.push(sql);
      super.exec(sql);
    }
  }
  return { texts, database: new Recorded(':memory:') };
}

const consumedOf = (database: DatabaseSync, id: string | undefined) =>
  database.prepare('SELECT consumed FROM handoffs WHERE id = ?').get(id ?? '')?.consumed;

describe('HandOffService [TAS-039]', () => {
  verifies(
    [
      'TAS-039.test-a.arrange',
      'TAS-039.test-a.payload',
      'TAS-039.test-a.consumed',
      'TAS-039.automated.create-claim',
      'TAS-039.create',
      'TAS-039.claim',
      'TAS-039.claim-empty',
    ],
    'A: Agent A writes a handoff message; Agent B claims and consumes it',
    async () => {
      const { database, agentA, agentB } = openPair();
      expect(await agentA.listUnclaimed('task-1')).toEqual([]);
      expect(database.prepare('SELECT count(*) AS count FROM handoffs').get()?.count).toBe(0);
      const payload = { summary: 'Parser done', files: ['src/parser.ts'], nested: { left: [1, 2.5, null, true] } };
      const handoffId = await agentA.createHandoff('task-1', payload, 'agent-a');
      expect(consumedOf(database, handoffId)).toBe(0);
      expect(await agentB.claimHandoff('task-1')).toEqual({ handoffId, payload, originAgent: 'agent-a' });
      expect(consumedOf(database, handoffId)).toBe(1);
      expect(await agentB.claimHandoff('task-1')).toBeNull();
      expect(await agentA.claimHandoff('a task that nobody ever named')).toBeNull();
    },
  );

  verifies(
    ['TAS-039.test-b.fifo', 'TAS-039.test-b.second', 'TAS-039.automated.fifo', 'TAS-039.review.fifo'],
    'B: Multiple handoffs are ordered; claiming returns oldest unconsumed',
    async () => {
      const { agentA, agentB } = openPair();
      const ids: string[] = [];
      for (const step of [1, 2, 3]) ids.push(await agentA.createHandoff('task-1', { step }, 'agent-a'));
      expect(await agentB.claimHandoff('task-1')).toMatchObject({ handoffId: ids[0], payload: { step: 1 } });
      expect(await agentB.claimHandoff('task-1')).toMatchObject({ handoffId: ids[1], payload: { step: 2 } });
      expect((await agentA.listUnclaimed('task-1')).map(({ handoffId }) => handoffId)).toEqual([ids[2]]);
    },
  );

  verifies(
    ['TAS-039.service', 'TAS-039.list-unclaimed'],
    'a list has only the unclaimed handoffs of its task and project, oldest first, for any number of them',
    async () => {
      const { surroundings } = createClock();
      await using service = new HandOffService(':memory:', { ...quiet, surroundings });
      const count = limits.list_max + 5;
      const created = await Promise.all(
        Array.from({ length: count }, (_, index) => service.createHandoff('many', { index }, 'a')),
      );
      await service.createHandoff('another', {}, 'a');
      await service.claimHandoff('many');
      const listed = await service.listUnclaimed('many');
      expect(listed.map(({ handoffId }) => handoffId)).toEqual(created.slice(1));
      const [oldest] = listed;
      const createdAt = surroundings.now();
      expect(oldest).toEqual({ handoffId: created[1], payload: { index: 1 }, originAgent: 'a', createdAt });
    },
  );
});

describe('the table', () => {
  verifies(
    ['TAS-039.table', 'TAS-039.held.unique-id', 'TAS-039.held.memory', 'TAS-039.payload-json'],
    'handoffs has the columns of the source, with their types and meanings, and ids are unique',
    async () => {
      const { database, agentA } = openPair();
      const id = await agentA.createHandoff('task-1', { b: 1, a: ['ü'] }, 'agent-a');
      const columns =
        "SELECT name, type FROM pragma_table_xinfo('handoffs') WHERE name IN (SELECT value FROM json_each(?))";
      const named = ['id', 'task_id', 'payload', 'origin', 'created_at', 'consumed'];
      const types = database.prepare(columns).all(JSON.stringify(named));
      expect(Object.fromEntries(types.map(({ name, type }) => [name, type]))).toEqual({
        id: 'TEXT',
        task_id: 'TEXT',
        payload: 'TEXT',
        origin: 'TEXT',
        created_at: 'INTEGER',
        consumed: 'INTEGER',
      });
      const row = database.prepare('SELECT id, task_id, payload, origin, consumed FROM handoffs').get();
      expect({ ...row }).toEqual({
        id,
        task_id: 'task-1',
        payload: '{"a":["ü"],"b":1}',
        origin: 'agent-a',
        consumed: 0,
      });
      expect(database.prepare("SELECT payload ->> '$.a[0]' AS text FROM handoffs").get()?.text).toBe('ü');
      const unique = `SELECT count(*) AS count FROM pragma_index_list('handoffs') JOIN pragma_index_info(pragma_index_list.name) AS part
        WHERE "unique" = 1 AND part.name = 'id'`;
      expect(database.prepare(unique).get()?.count).toBe(1);
    },
  );

  verifies(
    ['TAS-039.payload-pointer', 'TAS-039.held.payload-resolved'],
    'a large payload is stored once and pointed to, and is returned whole by a list and by a claim',
    async () => {
      const { database, agentA, agentB } = openPair();
      const payload = { text: 'ä'.repeat(40_000), list: Array.from({ length: 100 }, (_, index) => ({ index })) };
      for (const origin of ['one', 'two']) await agentA.createHandoff('task-1', payload, origin);
      expect(database.prepare('SELECT count(*) AS count FROM payloads').get()?.count).toBe(1);
      const row = database.prepare('SELECT payload, length(content) AS length FROM handoffs').get();
      expect(JSON.parse(String(row?.payload))).toMatchObject({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
      expect(Number(row?.length)).toBeLessThan(1_000);
      expect((await agentB.listUnclaimed('task-1')).map((each) => each.payload)).toEqual([payload, payload]);
      expect(await agentB.claimHandoff('task-1')).toMatchObject({ payload, originAgent: 'one' });
      expect((await agentB.listUnclaimed('task-1'))[0]).toMatchObject({ payload, originAgent: 'two' });
    },
  );

  verifies(
    ['TAS-039.held.wal'],
    'a file works in write-ahead mode, a given database with another mode too',
    async () => {
      const file = newFile();
      const database = new DatabaseSync(file);
      database.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF');
      const service = new HandOffService(database, quiet);
      await service.createHandoff('task-1', {}, 'a');
      expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
      expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
      await service.close();
      database.close();
    },
  );
});

describe('the review section', () => {
  verifies(
    ['TAS-039.review.atomic', 'TAS-039.review.stateless', 'TAS-039.held.claim-once'],
    'what one process created others claim: each once, all of them, in order',
    async () => {
      const file = newFile();
      const created = await runAgent({ file, name: 'writer', role: 'creates', count: 40 });
      await using here = new HandOffService(file, quiet);
      const claimHere = async () => {
        const ids: string[] = [];
        for (let next = await here.claimHandoff('shared'); next !== null; next = await here.claimHandoff('shared')) {
          ids.push(next.handoffId);
        }
        return ids;
      };
      const others = ['one', 'two', 'three'].map((name) => runAgent({ file, name, role: 'claims', count: 8 }));
      // What they leave is claimed here, after them and without knowledge of them.
      const taken = [...(await Promise.all(others)), await claimHere()];
      expect(taken.map(({ length }) => length)).toEqual([8, 8, 8, 16]);
      expect(taken.flat().sort()).toEqual([...created].sort());
      for (const ids of taken) expect(ids).toEqual(created.filter((id) => ids.includes(id)));
    },
  );

  verifies(['TAS-039.review.atomic'], 'claimers of one process never get the same handoff', async () => {
    const { agentA, agentB } = openPair();
    const created = await Promise.all([1, 2, 3, 4, 5, 6].map((step) => agentA.createHandoff('task-1', { step }, 'a')));
    const claims = await Promise.all(
      created.flatMap(() => [agentA.claimHandoff('task-1'), agentB.claimHandoff('task-1')]),
    );
    const ids = claims.flatMap((claim) => claim?.handoffId ?? []);
    expect(ids.sort()).toEqual(created.sort());
  });

  verifies(
    ['TAS-039.create-transaction', 'TAS-039.claim-atomic'],
    'where a step of a call fails, nothing of the call is kept',
    async () => {
      const { database, agentA } = openPair();
      const id = await agentA.createHandoff('task-1', { text: 'x'.repeat(100_000) }, 'a');
      const refuseEvents = "CREATE TRIGGER refuse BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'no event'); END";
      database.exec(refuseEvents);
      await expect(agentA.createHandoff('task-1', { text: 'y'.repeat(100_000) }, 'a')).rejects.toThrow('no event');
      await expect(agentA.claimHandoff('task-1')).rejects.toThrow('no event');
      database.exec('DROP TRIGGER refuse');
      const counts = 'SELECT (SELECT count(*) FROM handoffs) AS rows, (SELECT count(*) FROM payloads) AS payloads';
      expect({ ...database.prepare(counts).get() }).toEqual({ rows: 1, payloads: 1 });
      expect(consumedOf(database, id)).toBe(0);
      expect((await agentA.claimHandoff('task-1'))?.handoffId).toBe(id);
    },
  );

  verifies(
    ['TAS-039.held.acid'],
    'what a killed process had acknowledged is there whole, and nothing is there in part',
    async () => {
      const file = newFile();
      const reported = await runAgent({
        file,
        name: 'writer',
        role: 'creates',
        count: 10_000,
        reports_before_kill: 12,
      });
      await using service = new HandOffService(file, quiet);
      const found = await service.listUnclaimed('shared');
      expect(found.map(({ handoffId }) => handoffId).slice(0, reported.length)).toEqual(reported);
      const whole = found.map((_, index) => ({ by: 'writer', index, text: 'x'.repeat(1_000) }));
      expect(found.map(({ payload }) => payload)).toEqual(whole);
    },
  );

  verifies(['TAS-039.held.sequence'], 'clocks that stop or go back do not change the order', async () => {
    const clock = createClock();
    await using service = new HandOffService(':memory:', { ...quiet, surroundings: clock.surroundings });
    const created: string[] = [];
    for (const ms of [0, 0, -60_000, 30_000]) {
      clock.move(ms);
      created.push(await service.createHandoff('task-1', {}, 'a'));
    }
    expect((await service.listUnclaimed('task-1')).map(({ handoffId }) => handoffId)).toEqual(created);
    for (const id of created) expect((await service.claimHandoff('task-1'))?.handoffId).toBe(id);
  });

  verifies(
    ['TAS-039.review.parameters', 'SERVICE.names'],
    'a hostile task id is an ordinary name, and is part of no statement',
    async () => {
      const { texts, database } = openRecorded();
      const service = new HandOffService(database, quiet);
      const hostile = [
        "'; DROP TABLE handoffs; --",
        "x' OR '1'='1",
        '%',
        '_',
        ':project',
        '?1',
        '\u0000',
        'a\u0000b',
        '🙂"',
      ];
      for (const name of hostile) await service.createHandoff(name, { name }, name);
      for (const name of hostile) {
        expect((await service.listUnclaimed(name)).map(({ payload }) => payload)).toEqual([{ name }]);
        expect(await service.claimHandoff(name)).toMatchObject({ payload: { name }, originAgent: name });
        expect(await service.claimHandoff(name)).toBeNull();
      }
      expect(texts.length).toBeGreaterThan(10);
      const quoted = hostile.filter((name) => name.length > 8 && texts.some((sql) => sql.includes(name)));
      expect(quoted).toEqual([]);
      // White space around a name is not part of it, in every call.
      await service.createHandoff(' T ', {}, ' ada\n');
      expect(await service.claimHandoff('T\t')).toMatchObject({ originAgent: 'ada' });
    },
  );

  verifies(
    ['TAS-039.review.index', 'SERVICE.foreign-index'],
    'an index on task and consumed serves the claim, and statements that were written for the source',
    async () => {
      const { texts, database } = openRecorded();
      const service = new HandOffService(database, quiet);
      await service.createHandoff('task-1', {}, 'a');
      texts.length = 0;
      await service.claimHandoff('task-1');
      const planOf = (sql: string) =>
        database
          .prepare(`EXPLAIN QUERY PLAN ${sql}`)
          .all()
          .map(({ detail }) => String(detail));
      const claim = texts.filter((sql) => /^\s*(?:SELECT|UPDATE)/.test(sql)).flatMap(planOf);
      expect(claim.filter((line) => line.includes('SCAN handoffs'))).toEqual([]);
      const byTask = 'SEARCH handoffs USING INDEX handoffs_open_by_task (task_id=?';
      const found = claim.filter((line) => line.includes('handoffs_open_by_task'));
      expect(found).toEqual(Array(2).fill(`${byTask} AND project=? AND target_agent=?)`));
      const select = 'SELECT id, payload, origin FROM handoffs WHERE task_id = ? AND consumed = 0 ORDER BY created_at';
      for (const sql of [select, `${select} LIMIT 1`, `${select}, rowid LIMIT 1`]) {
        expect(planOf(sql)[0]).toBe(`${byTask})`);
      }
    },
  );
});
