import { describe, expect, onTestFinished } from 'vitest';
import { claimOf, receiver } from '../../../packages/batonpass/src/stores/contract/bench.ts';
import { Connection } from '../../../packages/batonpass/src/stores/postgres/connection.ts';
import { Floors, queueOf } from '../../../packages/batonpass/src/stores/postgres/floors.ts';
import type { Row } from '../../../packages/batonpass/src/stores/postgres/session.ts';
import { verifies } from '../../verifies.ts';
import { createServer, queryRows } from './server.ts';

const server = createServer();

/** As the store's own: a row that says the time, and that nothing is due. */
const statement = { sql: 'SELECT 1 AS now_ms, false AS is_due, pg_backend_pid() AS pid' };

describe('a look that nobody waits for', () => {
  verifies(['POSTGRES.floors'], 'goes behind its statement on the same connection', async () => {
    const url = await server.newDatabase();
    const connection = await Connection.open(url);
    onTestFinished(() => connection.close());
    let tell = (_rows: Row[]) => {};
    const looked = new Promise<Row[]>((resolve) => {
      tell = resolve;
    });
    const look = { sql: 'SELECT pg_backend_pid() AS pid, count(*) AS waited FROM pg_sleep(0)' };
    const { rows } = await connection.send(statement, { statement: look, onRows: tell });
    expect((await looked)[0]?.pid).toBe(rows[0]?.pid);
    const connections = await queryRows(url, `SELECT 1 FROM pg_stat_activity WHERE application_name = 'baton'`);
    expect(connections).toHaveLength(1);
  });

  verifies(['POSTGRES.floors'], 'that fails is told to nobody, and keeps nobody', async () => {
    const connection = await Connection.open(await server.newDatabase());
    onTestFinished(() => connection.close());
    const look = { statement: { sql: 'SELECT 1 / 0 AS floor' }, onRows: () => expect.unreachable() };
    expect((await connection.send(statement, look)).rows).toHaveLength(1);
    expect((await connection.send(statement)).rows).toHaveLength(1);
  });
});

verifies(
  ['POSTGRES.floors'],
  'a floor is the bottom at first, and found again when a while has passed, once each time',
  () => {
    let now_ms = 0;
    const floors = new Floors(() => now_ms);
    const request = claimOf({ task_id: 'A' });
    const queue = queueOf(request, receiver.name);
    expect(floors.whenDue(queue, request, receiver.name)).toBeUndefined();
    expect(floors.known(queue)).toBe(0);
    expect(floors.whenDue(queue, request, receiver.name)).toBeUndefined();
    now_ms = 250;
    const look = floors.whenDue(queue, request, receiver.name);
    expect(look).toMatchObject({ mayTakeLong: false, statement: { parameters: { floor: 0, holder: receiver.name } } });
    // It was asked for: an answer that never comes is not asked for with each claim.
    expect(floors.whenDue(queue, request, receiver.name)).toBeUndefined();
    look?.onRows([{ floor: 7 }]);
    expect(floors.known(queue)).toBe(7);
    now_ms = 500;
    expect(floors.whenDue(queue, request, receiver.name)?.statement.parameters).toMatchObject({ floor: 7 });
    now_ms = 60_000;
    // From the bottom again: a server whose places went back makes a claim late, and does not lose it.
    const anew = floors.whenDue(queue, request, receiver.name);
    expect(anew).toMatchObject({ mayTakeLong: true, statement: { parameters: { floor: 0 } } });
  },
);
