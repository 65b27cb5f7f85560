import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { openStore, states } from '../../packages/batonpass/src/index.ts';
import { HandOffService } from '../../packages/batonpass/src/queue.ts';
import {
  Bench,
  callBy,
  claimOf,
  createClock,
  PROJECT,
  receiver,
  tokenOf,
  writer,
} from '../../packages/batonpass/src/stores/contract/bench.ts';
import { checkDatabase } from '../../packages/batonpass/src/stores/sqlite/check-database.ts';
import { createFolders } from '../stores/folders.ts';
import { verifies } from '../verifies.ts';
import { literalStatements, literalTable, rowsOf, withDatabase } from './source-3-database.ts';

const newFolder = createFolders();
const newFile = () => join(newFolder(), 'handoffs.db');
const quiet = { logLevel: 'silent' } as const;

describe("SQL that was written for source 3's table", () => {
  verifies(['TAS-039.held.foreign-read'], 'reads what the service wrote as it would read its own', async () => {
    const file = newFile();
    const clock = createClock();
    await using service = new HandOffService(file, { ...quiet, surroundings: clock.surroundings });
    const ids: string[] = [];
    for (const step of [1, 2, 3]) {
      ids.push(await service.createHandoff('t', { step }, `agent-${step}`));
      clock.move(1_000);
    }
    await service.createHandoff('u', {}, 'other');
    await service.claimHandoff('t');
    const own = newFile();
    withDatabase(own, (database) => {
      database.exec(literalTable);
      const insert = database.prepare(literalStatements.insert);
      const start_ms = clock.surroundings.now() - 3_000;
      for (const [index, id] of ids.entries()) {
        insert.run(id, 't', JSON.stringify({ step: index + 1 }), `agent-${index + 1}`, start_ms + index * 1_000);
      }
      database.prepare(literalStatements.consume).run(ids[0] ?? '');
    });
    const questions: [string, ...string[]][] = [
      [literalStatements.oldest, 't'],
      [
        'SELECT id, task_id, payload, origin, created_at, consumed FROM handoffs WHERE task_id = ? AND consumed = 0',
        't',
      ],
      ['SELECT id, consumed FROM handoffs WHERE task_id = ? ORDER BY created_at', 't'],
      ["SELECT json_extract(payload, '$.step') AS step FROM handoffs WHERE task_id = ? AND NOT consumed", 't'],
      [
        'SELECT typeof(id) AS a, typeof(payload) AS b, typeof(origin) AS c, typeof(created_at) AS d, typeof(consumed) AS e FROM handoffs WHERE task_id = ?',
        't',
      ],
      ["SELECT count(*) AS count FROM handoffs WHERE origin = 'agent-2' AND consumed IN (0, 1) AND task_id = ?", 't'],
    ];
    for (const [sql, ...parameters] of questions) {
      const ask = (path: string) => withDatabase(path, (database) => rowsOf(database, sql, ...parameters));
      expect([sql, ask(file)]).toEqual([sql, ask(own)]);
    }
  });

  verifies(
    ['TAS-039.held.consumed-open'],
    'finds consumed 0 exactly while a handoff is open, after every kind of step',
    async () => {
      const file = newFile();
      const clock = createClock();
      const store = await openStore(`sqlite:${file}`, clock.surroundings);
      const bench = new Bench(store, clock);
      const claim = async (given: Parameters<Bench['createOne']>[0] = {}) => {
        const { id } = await bench.createOne(given);
        return bench.claimOne(receiver, { id });
      };
      await bench.create(
        { state: 'draft' },
        {},
        { expires_at: new Date(clock.surroundings.now() + 1_000).toISOString() },
      );
      await claim();
      const [asked, done, failed, returned] = [
        await claim(),
        await claim(),
        await claim({ max_attempts: 1 }),
        await claim(),
      ];
      await bench.step(receiver, asked, { type: 'ask', token: tokenOf(asked), question: 'Which?' });
      await bench.step(receiver, done, { type: 'acknowledge', token: tokenOf(done) });
      await bench.step(receiver, failed, { type: 'fail', token: tokenOf(failed), reason: 'broken' });
      await bench.step(receiver, returned, { type: 'release', token: tokenOf(returned) });
      await bench.step(writer, await bench.createOne(), { type: 'withdraw' });
      clock.move(2_000);
      await store.list({ filter: {}, limit: 1 });
      await store.close();
      const rows = withDatabase(file, (database) => rowsOf(database, 'SELECT state, consumed FROM handoffs'));
      expect([...new Set(rows.map(({ state }) => state))].sort()).toEqual([...states].sort());
      for (const { state, consumed } of rows) expect([state, consumed]).toEqual([state, state === 'open' ? 0 : 1]);
    },
  );

  verifies(
    ['TAS-039.held.foreign-delete', 'SERVICE.dropped-rows'],
    'deletes rows, also one that somebody holds: the queue continues, and a check reports what is missing',
    async () => {
      const file = newFile();
      await using service = new HandOffService(file, { ...quiet, project: PROJECT });
      const ids: string[] = [];
      for (const step of [1, 2, 3, 4]) ids.push(await service.createHandoff('t', { step }, 'a'));
      const store = await openStore(`sqlite:${file}`);
      await service.claimHandoff('t');
      const { handoffs } = await store.claim(claimOf({ task_id: 't' }), callBy(receiver, 'handoff.claim'));
      expect(handoffs[0]?.id).toBe(ids[1]);
      withDatabase(file, (database) => {
        expect(database.prepare(literalStatements.remove).run(Date.now() + 1).changes).toBe(2);
      });
      const [held] = handoffs;
      const step = { type: 'acknowledge', token: held && tokenOf(held) } as const;
      const acknowledging = store.transition(ids[1] ?? '', step, callBy(receiver, 'handoff.acknowledge'));
      await expect(acknowledging).rejects.toMatchObject({ code: 'not_found' });
      expect(await store.get(ids[0] ?? '')).toBeNull();
      expect((await service.claimHandoff('t'))?.handoffId).toBe(ids[2]);
      const next = await service.createHandoff('t', { step: 5 }, 'a');
      expect((await service.listUnclaimed('t')).map(({ handoffId }) => handoffId)).toEqual([ids[3], next]);
      const { contents, faults } = await checkDatabase(file);
      expect([contents?.dropped.handoffs, faults]).toEqual([2, []]);
      withDatabase(file, (database) => database.exec('DELETE FROM handoffs'));
      expect(await service.claimHandoff('t')).toBeNull();
      expect((await service.createHandoff('t', {}, 'a')).length).toBe(26);
      await store.close();
    },
  );

  /** The errors that a foreign writer gets, statement by statement. `docs/agents/handoff.md` repeats these. */
  const refusals: readonly [string, string][] = [
    [literalStatements.consume.replaceAll('?', "'x'"), 'cannot UPDATE generated column "consumed"'],
    ["UPDATE handoffs SET payload = '{}'", 'cannot UPDATE generated column "payload"'],
    [
      "UPDATE handoffs SET task_id = 'u'",
      'A handoff is moved by Baton alone (SELECT and DELETE are free): use the baton command or its library.',
    ],
    ["UPDATE handoffs SET state = 'acknowledged'", 'A handoff is moved by Baton alone'],
    ['UPDATE handoffs SET created_at = 0', 'A handoff is moved by Baton alone'],
    [
      literalStatements.insert.replace('(?, ?, ?, ?, ?)', "('x', 't', '{}', 'a', 1)"),
      'cannot INSERT into generated column "payload"',
    ],
    [
      `REPLACE ${literalStatements.insert.slice('INSERT '.length).replace('(?, ?, ?, ?, ?)', "('x', 't', '{}', 'a', 1)")}`,
      'cannot INSERT into generated column "payload"',
    ],
    [
      "INSERT INTO handoffs (id, task_id, created_at) VALUES ('x', 't', 1)",
      'NOT NULL constraint failed: handoffs.project',
    ],
    ["INSERT INTO handoffs VALUES ('x', 't', '{}', 'a', 1, 0)", 'table handoffs has'],
  ];

  verifies(
    ['TAS-039.held.foreign-write-refused'],
    'writes nothing: each other statement is refused, and changes nothing',
    async () => {
      const file = newFile();
      await using service = new HandOffService(file, quiet);
      await service.createHandoff('t', { step: 1 }, 'a');
      withDatabase(file, (database) => {
        const before = rowsOf(database, 'SELECT *, payload, origin, consumed FROM handoffs');
        for (const [sql, said] of refusals) {
          expect(() => database.exec(sql), sql).toThrow(said);
          expect(rowsOf(database, 'SELECT *, payload, origin, consumed FROM handoffs')).toEqual(before);
        }
      });
      expect(await service.claimHandoff('t')).toMatchObject({ payload: { step: 1 } });
    },
  );
});
