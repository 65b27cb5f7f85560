import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import type { HandoffEvent } from '../../../packages/batonpass/src/core/delivery.ts';
import { isHandoffError } from '../../../packages/batonpass/src/core/errors.ts';
import { openBaton } from '../../../packages/batonpass/src/operations/baton.ts';
import { callBy, newHandoff, writer } from '../../../packages/batonpass/src/stores/contract/bench.ts';
import { openStore } from '../../../packages/batonpass/src/stores/open.ts';
import { SCHEMA_VERSION } from '../../../packages/batonpass/src/stores/postgres/schema.ts';
import { verifies } from '../../verifies.ts';
import { createFolders } from '../folders.ts';
import { createServer, queryRows, runSql } from './server.ts';
import { createWay } from './way.ts';

const server = createServer();
const newFolder = createFolders();
const SECRET = 'hunter2';

/** What opening a store is refused with: code and message, without the password anywhere in it. */
async function refusalOf(url: string): Promise<string> {
  try {
    await (await openStore(url)).close();
  } catch (error) {
    if (!isHandoffError(error)) throw error;
    const { code, message, details, alternatives } = error;
    expect(`${message} ${JSON.stringify(details)} ${alternatives}`).not.toContain(SECRET);
    expect(alternatives.length).toBeGreaterThan(0);
    return `${code}: ${message}`;
  }
  throw new Error('The store was opened.');
}

/** The URL as another user, who shows a password. */
function asUser(url: string, user: string): string {
  return url.replace('//baton@', `//${user}:${SECRET}@`);
}

describe('a server that cannot serve is refused', () => {
  verifies(['POSTGRES.refusals'], 'without the package pg, which is to be installed', () => {
    const program = `
      import { registerHooks } from 'node:module';
      registerHooks({ resolve: (name, context, next) => next(name === 'pg' ? 'pg-that-is-not-installed' : name, context) });
      const { openStore } = await import('./packages/batonpass/src/stores/open.ts');
      await openStore('postgres://ada:${SECRET}@localhost/x').catch(({ code, message, alternatives }) =>
        console.log(code, message, alternatives[0]));`;
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: join(import.meta.dirname, '../../..'),
      encoding: 'utf8',
    });
    expect(said).toMatch(/^unavailable The package pg.* is not installed\. .*npm install pg/);
  });

  verifies(['POSTGRES.refusals', 'STORE.url'], 'where no server listens, and where the URL is invalid', async () => {
    expect(await refusalOf(`postgres://ada:${SECRET}@127.0.0.1:1/db?wait_ms=500`)).toMatch(
      /^unavailable: .*cannot be reached/,
    );
    expect(await refusalOf(`postgresql://ada:${SECRET}@[::bad/db`)).toMatch(/^invalid_input: /);
    for (const schema of ['pg_catalog', 'Baton', 'a"b', '']) {
      const url = `postgres://ada:${SECRET}@127.0.0.1:1/db?schema=${encodeURIComponent(schema)}`;
      expect(await refusalOf(url)).toMatch(/^invalid_input: The schema/);
    }
  });

  verifies(['POSTGRES.refusals'], 'for a wrong password, a wrong database, and a user without privileges', async () => {
    const url = await server.newDatabase();
    await server.sql("CREATE ROLE locked LOGIN PASSWORD 'right'; CREATE ROLE poor LOGIN");
    onTestFinished(() => server.sql('DROP ROLE locked; DROP ROLE poor'));
    if (server.isOwn) expect(await refusalOf(asUser(url, 'locked'))).toMatch(/^invalid_input: .*the password/);
    const absent = asUser(url, 'baton').replace(/\/baton_test[^?]*/, '/baton_absent');
    expect(await refusalOf(absent)).toMatch(/^invalid_input: .*no such database/);
    if (server.isOwn) expect(await refusalOf(asUser(url, 'poor'))).toMatch(/^unavailable: .*may not make it/);
  });

  verifies(['POSTGRES.refusals'], 'where it is too old, only reads, or cannot keep every text', async () => {
    const old = await server.newDatabase();
    await runSql(
      old,
      `CREATE SCHEMA older; CREATE FUNCTION older.current_setting(name text) RETURNS text LANGUAGE sql AS
         $$ SELECT CASE name WHEN 'server_version_num' THEN '130011' ELSE pg_catalog.current_setting(name) END $$;
       ALTER ROLE CURRENT_USER IN DATABASE ${nameOf(old)} SET search_path = older, pg_catalog`,
    );
    expect(await refusalOf(old)).toMatch(/^unsupported_version: .*Postgres 13; Baton needs 14/);
    const replica = await server.newDatabase();
    await (await openStore(replica)).close();
    await server.sql(`ALTER DATABASE ${nameOf(replica)} SET default_transaction_read_only = on`);
    expect(await refusalOf(replica)).toMatch(/^unavailable: .*is read-only/);
    expect(await refusalOf(await server.newDatabase({ encoding: 'SQL_ASCII' }))).toMatch(/^invalid_input: .*UTF8/);
  });
});

verifies(
  ['POSTGRES.schema', 'STORE.newer-schema', 'STORE.migration'],
  'a schema is created once by many processes that open it at once, next to others; one of another version and a foreign one stay as they are',
  async () => {
    const url = await server.newDatabase();
    const stores = await Promise.all(Array.from({ length: 4 }, () => openStore(url)));
    await stores[0]?.create([newHandoff({})], callBy(writer, 'handoff.create'));
    for (const store of stores) {
      expect((await store.list({ filter: {}, limit: 5 })).handoffs).toHaveLength(1);
      await store.close();
    }
    const other = await openStore(`${url}&schema=other`);
    expect((await other.list({ filter: {}, limit: 5 })).handoffs).toEqual([]);
    await other.close();
    expect(await queryRows(url, 'SELECT version FROM baton.baton_schema')).toEqual([{ version: SCHEMA_VERSION }]);
    await runSql(
      url,
      'UPDATE other.baton_schema SET version = 99; CREATE SCHEMA theirs; CREATE TABLE theirs.notes (a int)',
    );
    expect(await refusalOf(`${url}&schema=other`)).toMatch(
      /^unsupported_version: .*another version of Baton: its schema is 99/,
    );
    expect(await refusalOf(`${url}&schema=theirs`)).toMatch(/^invalid_input: .*another program/);
    expect(await queryRows(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'theirs'")).toHaveLength(1);
  },
);

verifies(['POSTGRES.refusals'], 'a password in the URL of the store is shown by no answer and no error', async () => {
  const folder = newFolder();
  const store = asUser(await server.newDatabase(), 'baton');
  const baton = await openBaton({ cwd: folder, environment: { HOME: folder }, store, project: 'p' });
  onTestFinished(() => baton.close());
  const status = await baton.run('handoff.status', {});
  expect(status.store).toMatch(/^postgres:\/\/…@/);
  expect(JSON.stringify(status)).not.toContain(SECRET);
  const refused: unknown = await baton.run('handoff.get', { id: 'ABSENT' }).catch((error: unknown) => error);
  if (!isHandoffError(refused)) throw new Error('It was found.');
  const { code, message, details, alternatives } = refused;
  expect(code).toBe('not_found');
  expect(`${message} ${JSON.stringify(details)} ${alternatives}`).not.toContain(SECRET);
});

verifies(
  ['POSTGRES.wake'],
  'where notifications do not arrive, that is reported once and polling finds what is new',
  async () => {
    if (!server.isOwn) return;
    const url = await server.newDatabase();
    const way = await createWay(url, newFolder(), { isDeaf: true });
    const [deaf, other] = [await openStore(way.url), await openStore(url)];
    onTestFinished(async () => {
      await deaf.close();
      await other.close();
    });
    const warned = new Promise<Error>((resolve) => {
      const listen = (warning: Error & { code?: string }) => {
        if (warning.code === 'BATON_NO_NOTIFICATIONS') resolve(warning);
      };
      process.on('warning', listen);
      onTestFinished(() => {
        process.off('warning', listen);
      });
    });
    const events = deaf.subscribe({}, new AbortController().signal)[Symbol.asyncIterator]();
    const first = events.next();
    expect((await warned).message).toContain('pooler');
    const [created] = await other.create([newHandoff({})], callBy(writer, 'handoff.create'));
    expect(((await first).value as HandoffEvent).handoff_id).toBe(created?.id);
    await events.return?.();
  },
);

function nameOf(url: string): string {
  return /\/(baton_test[^?]*)/.exec(url)?.[1] ?? '';
}
