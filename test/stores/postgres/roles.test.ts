import { describe, expect, onTestFinished } from 'vitest';
import { isHandoffError } from '../../../packages/batonpass/src/core/errors.ts';
import type { Store } from '../../../packages/batonpass/src/core/store.ts';
import { openBaton } from '../../../packages/batonpass/src/operations/baton.ts';
import {
  callBy,
  claimOf,
  newHandoff,
  receiver,
  tokenOf,
  writer,
} from '../../../packages/batonpass/src/stores/contract/bench.ts';
import { openStore } from '../../../packages/batonpass/src/stores/open.ts';
import { verifies } from '../../verifies.ts';
import { createFolders } from '../folders.ts';
import { createServer, queryRows, runSql } from './server.ts';

const server = createServer();
const newFolder = createFolders();

const USERS = ['team_deploy', 'team_ada', 'team_grafana', 'team_nobody'] as const;
type User = (typeof USERS)[number];

async function open(url: string): Promise<Store> {
  const store = await openStore(url);
  onTestFinished(() => store.close());
  return store;
}

/** Users of the server, each a member of what its name says; removed with their roles when the test is done. */
async function makeUsers(url: string, schema: string, sql: string): Promise<(user: User) => string> {
  const roles = ['owner', 'agent', 'monitor'].map((name) => `${schema}_${name}`);
  onTestFinished(async () => {
    await runSql(url, `DROP SCHEMA ${schema} CASCADE; DROP OWNED BY ${[...USERS, ...roles].join(', ')}`);
    await server.sql(`DROP ROLE ${[...USERS, ...roles].join(', ')}`);
  });
  await runSql(url, sql);
  await runSql(url, USERS.map((user) => `CREATE ROLE ${user} LOGIN`).join('; '));
  for (const [index, role] of roles.entries()) await runSql(url, `GRANT ${role} TO ${USERS[index]}`);
  return (user) => url.replace('//baton@', `//${user}@`);
}

/** The command's SQL, as the library gives it. */
async function writeRoles(store: string): Promise<{ sql: string; schema: string }> {
  const folder = newFolder();
  const baton = await openBaton({ cwd: folder, environment: { HOME: folder }, store, project: 'p' });
  onTestFinished(() => baton.close());
  return baton.run('store.roles', {});
}

/** What a call is refused with, by Baton or by the server. */
async function refusalOf(call: Promise<unknown>): Promise<string> {
  const refused: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (refused === undefined) throw new Error('It was not refused.');
  if (isHandoffError(refused)) {
    expect(refused.alternatives.length).toBeGreaterThan(0);
    return `${refused.code}: ${refused.message}`;
  }
  return (refused as Error).message;
}

describe('the roles of a store on a server', () => {
  verifies(['PGTEAM.roles'], 'are written for a schema that Baton can use, and for no other text', async () => {
    const folder = newFolder();
    const baton = await openBaton({ cwd: folder, environment: { HOME: folder }, store: 'memory:', project: 'p' });
    onTestFinished(() => baton.close());
    expect((await baton.run('store.roles', {})).roles.owner).toBe('baton_owner');
    const roles = { owner: 'team_owner', agent: 'team_agent', monitor: 'team_monitor' };
    expect(await baton.run('store.roles', { schema: 'team' })).toMatchObject({ schema: 'team', roles });
    for (const schema of ['team; DROP ROLE postgres', "team'", 'Team', 'pg_team', '1team', 't'.repeat(52), '']) {
      expect(await refusalOf(baton.run('store.roles', { schema })), schema).toContain('invalid_input: The schema');
    }
  });

  verifies(
    ['PGTEAM.roles'],
    'an agent does all the work of a queue, and removes nothing, rewrites no history and changes no table',
    async () => {
      if (!server.isOwn) return;
      const url = `${await server.newDatabase()}&schema=team`;
      const boss = await open(url);
      const { sql, schema } = await writeRoles(url);
      expect(schema).toBe('team');
      const as = await makeUsers(url.replace('&schema=team', ''), schema, sql);
      const store = await open(`${as('team_ada')}&schema=team`);
      await work(store);
      const done = (await store.list({ filter: { state: ['acknowledged'] }, limit: 5 })).handoffs;
      const given = done.map(({ id, delivery }) => ({ id, version: delivery.version }));
      expect(given.length).toBe(2);
      expect(await refusalOf(store.remove(given))).toMatch(/^unavailable: .*does not allow this user/);
      for (const forbidden of [
        'DELETE FROM team.handoffs',
        'DELETE FROM team.deliveries',
        'DELETE FROM team.events',
        "UPDATE team.events SET actor_name = 'eve'",
        'TRUNCATE team.events',
        'UPDATE team.baton_schema SET version = 99',
        'DROP TABLE team.answers',
        'CREATE TABLE team.mine (a int)',
        'SELECT * FROM team.monitor_queues()',
      ])
        expect([forbidden, await refusalOf(runSql(as('team_ada'), forbidden))]).toEqual([
          forbidden,
          expect.stringMatching(/^(permission denied|must be owner)/),
        ]);
      expect(await boss.remove(given)).toBe(2);
      // Again, as after an update: nothing is lost by it.
      await runSql(url.replace('&schema=team', ''), sql);
      await work(store);
    },
  );

  verifies(
    ['PGTEAM.roles'],
    'the monitor reads counts and ages, and no text of a handoff; a user without a role reads nothing',
    async () => {
      if (!server.isOwn) return;
      const url = await server.newDatabase();
      const boss = await open(url);
      await boss.create([newHandoff({}), newHandoff({}), newHandoff({})], callBy(writer, 'handoff.create'));
      await boss.claim(claimOf(), callBy(receiver, 'handoff.claim'));
      const { sql } = await writeRoles(url);
      const as = await makeUsers(url, 'baton', sql);
      const { project } = newHandoff({});
      expect(await queryRows(as('team_grafana'), 'SELECT * FROM baton.monitor_queues()')).toEqual([
        { project, state: 'claimed', handoffs: '1', oldest_s: expect.any(String) },
        { project, state: 'open', handoffs: '2', oldest_s: expect.any(String) },
      ]);
      const [facts] = await queryRows(as('team_grafana'), 'SELECT * FROM baton.monitor_store()');
      expect(facts).toMatchObject({ form: expect.any(Number), leases_overdue: '0' });
      expect(Number(facts?.bytes)).toBeGreaterThan(0);
      for (const table of ['handoffs', 'deliveries', 'events', 'payloads', 'answers', 'baton_schema'])
        expect(await refusalOf(runSql(as('team_grafana'), `SELECT * FROM baton.${table}`))).toMatch(
          /^permission denied/,
        );
      for (const user of ['team_grafana', 'team_nobody'] as const)
        expect(await refusalOf(openStore(as(user)))).toMatch(/^unavailable: .*does not allow this user/);
      const nobody = refusalOf(runSql(as('team_nobody'), 'SELECT * FROM baton.monitor_store()'));
      expect(await nobody).toMatch(/^permission denied/);
    },
  );

  verifies(
    ['PGTEAM.roles', 'PGTEAM.migrate'],
    'the owner creates the store, after any attempt by an agent; no roles are created where no store is',
    async () => {
      if (!server.isOwn) return;
      const url = await server.newDatabase();
      const { sql } = await writeRoles(url);
      expect(await refusalOf(runSql(url, sql))).toContain('There is no store in the schema baton yet');
      await (await openStore(url)).close();
      const as = await makeUsers(url, 'baton', sql);
      const [now] = await queryRows(url, 'SELECT version FROM baton.baton_schema');
      // An empty schema, as before the first call.
      await runSql(
        url,
        `DO $$ DECLARE name text; BEGIN
           FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'baton' LOOP
             EXECUTE format('DROP TABLE IF EXISTS baton.%I CASCADE', name);
           END LOOP;
         END $$`,
      );
      expect(await refusalOf(openStore(as('team_ada')))).toMatch(
        /^unavailable: .*not there yet, and this user may not/,
      );
      const folder = newFolder();
      const options = { cwd: folder, environment: { HOME: folder }, project: 'p' };
      const owner = await openBaton({ ...options, store: as('team_deploy') });
      onTestFinished(() => owner.close());
      const { version } = now ?? {};
      expect(await owner.run('store.migrate', {})).toMatchObject({ from: 0, to: version, migrated: true });
      expect(await owner.run('store.migrate', {})).toMatchObject({ from: version, to: version, migrated: false });
      await runSql(url, sql);
      await work(await open(as('team_ada')));
    },
  );

  verifies(
    ['PGTEAM.migrate'],
    'a user who was given an empty schema creates a store in it without further privileges',
    async () => {
      if (!server.isOwn) return;
      const url = await server.newDatabase();
      await runSql(url, 'CREATE ROLE team_deploy LOGIN; CREATE SCHEMA given AUTHORIZATION team_deploy');
      onTestFinished(async () => {
        await runSql(url, 'DROP OWNED BY team_deploy CASCADE');
        await server.sql('DROP ROLE team_deploy');
      });
      const mine = url.replace('//baton@', '//team_deploy@');
      await work(await open(`${mine}&schema=given`));
      expect(await refusalOf(openStore(`${mine}&schema=other`))).toMatch(/^unavailable: .*not there yet.*may not/);
    },
  );
});

/** A little of everything that agents do. */
async function work(store: Store): Promise<void> {
  const payload = { text: 'x'.repeat(70_000) };
  const call = (operation: string) => callBy(writer, operation, `${operation}-${Math.random()}`);
  await store.create([newHandoff({}), newHandoff({}), newHandoff({ payload })], call('handoff.create'));
  const { handoffs } = await store.claim(claimOf({ max: 3 }), call('handoff.claim'));
  const [first, second, third] = handoffs.map((held) => ({ id: held.id, token: tokenOf(held) }));
  if (first === undefined || second === undefined || third === undefined) throw new Error('There was less to claim.');
  await store.transition(first.id, { type: 'renew', token: first.token, lease_ms: 60_000 }, call('handoff.renew'));
  await store.transition(first.id, { type: 'acknowledge', token: first.token }, call('handoff.acknowledge'));
  await store.transition(second.id, { type: 'release', token: second.token }, call('handoff.release'));
  await store.transition(third.id, { type: 'acknowledge', token: third.token }, call('handoff.acknowledge'));
  await store.transition(second.id, { type: 'withdraw' }, call('handoff.withdraw'));
  expect((await store.events({ handoff_id: second.id, limit: 9 })).map(({ to }) => to)).toEqual([
    'open',
    'claimed',
    'open',
    'withdrawn',
  ]);
  expect((await store.readPayload(third.id))?.length).toBeGreaterThan(70_000);
  await store.export({ limit: 10 });
}
