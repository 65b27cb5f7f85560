import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer as createListener } from 'node:net';
import { join } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import pg from 'pg';
import { describe, expect, onTestFinished } from 'vitest';
import { isHandoffError } from '../../../packages/batonpass/src/core/errors.ts';
import { callBy, newHandoff, writer } from '../../../packages/batonpass/src/stores/contract/bench.ts';
import { openStore } from '../../../packages/batonpass/src/stores/open.ts';
import { readPlace } from '../../../packages/batonpass/src/stores/postgres/place.ts';
import { verifies } from '../../verifies.ts';
import { createFolders } from '../folders.ts';
import { createServer, queryRows } from './server.ts';

const server = createServer();
const newFolder = createFolders();
const SECRET = 'hunter2';

/** What a call is refused with and what to do next, without the password anywhere in it. */
async function refusalOf(call: Promise<unknown>): Promise<string> {
  const refused: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isHandoffError(refused)) throw new Error('It was not refused with a code.', { cause: refused });
  const { code, message, details, alternatives } = refused;
  const said = `${code}: ${message} → ${alternatives.join(' ')}`;
  expect(alternatives.length).toBeGreaterThan(0);
  expect(`${said} ${JSON.stringify(details)}`).not.toContain(SECRET);
  return said;
}

async function reach(url: string): Promise<void> {
  await (await openStore(url)).close();
}

verifies(
  ['PGTEAM.replica', 'POSTGRES.refusals'],
  'a standby is refused as read-only: a store that is there and one that is not, with the primary as next step',
  async () => {
    if (!server.isOwn) return;
    const url = await server.newDatabase();
    await reach(url);
    const replica = await server.newReplica(url);
    expect(await queryRows(replica, 'SELECT pg_is_in_recovery() AS is_replica')).toEqual([{ is_replica: true }]);
    expect(await queryRows(replica, 'SHOW default_transaction_read_only')).toEqual([
      { default_transaction_read_only: 'off' },
    ]);
    for (const name of [replica, `${replica}&schema=absent`])
      expect(await refusalOf(reach(name))).toMatch(/^unavailable: .*is read-only: a replica.* → Name the primary/);
    await reach(url);
  },
);

describe('a login that fails', () => {
  verifies(['POSTGRES.refusals'], 'for want of a password, or because no connection is left for the user', async () => {
    if (!server.isOwn) return;
    const url = await server.newDatabase();
    await server.sql("CREATE ROLE locked LOGIN PASSWORD 'right'; CREATE ROLE crowd LOGIN CONNECTION LIMIT 0");
    onTestFinished(() => server.sql('DROP ROLE locked; DROP ROLE crowd'));
    expect(await refusalOf(reach(url.replace('//baton@', '//locked@')))).toMatch(
      /^invalid_input: .*refuses the user or the password.* → .*PGPASSWORD/,
    );
    expect(await refusalOf(reach(`${url.replace('//baton@', `//crowd:${SECRET}@`)}&wait_ms=500`))).toMatch(
      /^unavailable: .*has no connection left.* → .*pooler/,
    );
  });
});

describe('encryption', () => {
  verifies(['PGTEAM.url', 'POSTGRES.refusals'], 'that the URL requires and the server lacks, is reported', async () => {
    const plain = await listen((socket) => socket.once('data', () => socket.end('N')));
    expect(await refusalOf(reach(`postgres://ada:${SECRET}@127.0.0.1:${plain}/db?sslmode=verify-full`))).toMatch(
      /^invalid_input: .*does not encrypt.* → .*sslmode=disable/,
    );
  });

  verifies(['PGTEAM.url', 'POSTGRES.refusals'], 'with an untrusted certificate, is refused', async () => {
    const certificate = makeCertificate(newFolder());
    // Where there is no openssl on the machine there is no such certificate either.
    if (certificate === undefined) return;
    const port = await listen((socket) =>
      socket.once('data', () => {
        socket.write('S');
        const tls = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(certificate) });
        tls.on('error', () => {});
      }),
    );
    expect(await refusalOf(reach(`postgres://ada:${SECRET}@127.0.0.1:${port}/db?sslmode=verify-full`))).toMatch(
      /^unavailable: .*a certificate that cannot be verified.* → .*sslrootcert/,
    );
  });
});

describe('the URL of a store', () => {
  verifies(['PGTEAM.url'], 'bounds the connections of a process, and many calls share one', async () => {
    const url = await server.newDatabase();
    const store = await openStore(`${url}&connections_max=1`);
    onTestFinished(() => store.close());
    const create = () => store.create([newHandoff({})], callBy(writer, 'handoff.create'));
    await Promise.all([create(), create(), create(), create(), store.list({ filter: {}, limit: 5 })]);
    expect((await store.list({ filter: {}, limit: 9 })).handoffs).toHaveLength(4);
    const connected = `SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'baton'`;
    expect(await queryRows(url, connected)).toEqual([{ count: 1 }]);
  });

  verifies(['PGTEAM.url'], 'bounds how long a call waits for another program’s lock', async () => {
    const url = await server.newDatabase();
    const store = await openStore(`${url}&wait_ms=400`);
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    onTestFinished(async () => {
      await other.end();
      await store.close();
    });
    const [made] = await store.create([newHandoff({})], callBy(writer, 'handoff.create'));
    const withdraw = () => store.transition(made?.id ?? '', { type: 'withdraw' }, callBy(writer, 'handoff.withdraw'));
    await other.query('BEGIN; SELECT 1 FROM baton.deliveries FOR UPDATE');
    expect(await refusalOf(withdraw())).toMatch(/^unavailable: .*is busy.* → Try again/);
    // Where even the tables are held, not even a poll is answered, and no call keeps waiting at the server.
    await other.query('LOCK TABLE baton.deliveries');
    expect(await refusalOf(withdraw())).toMatch(/^unavailable: .*is busy.* → Try again/);
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    expect((await other.query(waiting)).rows).toEqual([]);
    await other.query('ROLLBACK');
    expect((await withdraw()).delivery.state).toBe('withdrawn');
  });

  verifies(['PGTEAM.url'], 'is refused where a number is invalid or out of bounds', async () => {
    for (const [name, wrong] of [
      ['connections_max', '0'],
      ['connections_max', '101'],
      ['connections_max', 'many'],
      ['wait_ms', '99'],
      ['wait_ms', '1e9'],
      ['wait_ms', ''],
    ])
      expect(await refusalOf(reach(`postgres://ada:${SECRET}@127.0.0.1:1/db?${name}=${wrong}`))).toMatch(
        new RegExp(`^invalid_input: The ${name} of the store's URL is not a number from \\d+ to \\d+`),
      );
    for (const bounds of ['connections_max=1&wait_ms=100', 'connections_max=100&wait_ms=600000'])
      expect(readPlace(`postgres://127.0.0.1:1/db?${bounds}`)).toMatchObject({
        connectionString: 'postgres://127.0.0.1:1/db',
        ...Object.fromEntries([...new URLSearchParams(bounds)].map(([name, value]) => [name, Number(value)])),
      });
    expect(await refusalOf(reach(`postgres://ada:${SECRET}@127.0.0.1:1/db?sslrootcert=/nowhere/ca.pem`))).toMatch(
      /^file_not_found: .*\/nowhere\/ca\.pem/,
    );
  });
});

/** Something that is no Postgres. */
async function listen(onConnection: (socket: import('node:net').Socket) => void): Promise<number> {
  const listener = createListener((socket) => {
    socket.on('error', () => {});
    onConnection(socket);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    listener.close();
  });
  const address = listener.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Self-signed. */
function makeCertificate(folder: string): { key: Buffer; cert: Buffer } | undefined {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const words = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=127.0.0.1',
    '-keyout',
    key,
    '-out',
    cert,
  ];
  try {
    execFileSync('openssl', words, { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return { key: readFileSync(key), cert: readFileSync(cert) };
}
