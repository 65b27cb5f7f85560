import { expect, onTestFinished } from 'vitest';
import { openBaton } from '../../../packages/batonpass/src/operations/baton.ts';
import { openPostgresStore, postgresCapabilities } from '../../../packages/batonpass/src/stores/postgres/store.ts';
import { verifies } from '../../verifies.ts';
import { exercise } from '../exercise.ts';
import { createFolders } from '../folders.ts';
import { createServer, EMPTY, runSql } from './server.ts';

const server = createServer();
const newFolder = createFolders();

let made: Promise<string> | undefined;

/** One schema for all cases, which run one after the other: it is made once, and emptied for each. */
async function emptySchema(): Promise<string> {
  made ??= server.newDatabase().then(async (url) => {
    await (await openPostgresStore(url)).close();
    return url;
  });
  const url = await made;
  await runSql(url, EMPTY);
  return url;
}

exercise({
  name: 'postgres',
  open: async (surroundings) => openPostgresStore(await emptySchema(), { ...surroundings, clock: 'own' }),
  capabilities: postgresCapabilities,
});

verifies(
  ['POSTGRES.contract', 'STORECMD.copy'],
  'a store is copied from a file to a server and on into another file, each time whole',
  async () => {
    const folder = newFolder();
    const options = { cwd: folder, environment: { HOME: folder }, project: 'p' };
    const baton = await openBaton({ ...options, store: `sqlite:${folder}/first.db` });
    onTestFinished(() => baton.close());
    const payload = { text: 'y'.repeat(70_000) };
    for (const title of ['one', 'two', 'three']) await baton.run('handoff.create', { content: { title, payload } });
    await baton.run('handoff.claim', {});
    const to = await server.newDatabase();
    const there = await baton.run('store.copy', { to });
    const back = await baton.run('store.copy', { from: to, to: `sqlite:${folder}/second.db` });
    for (const copied of [there, back]) expect(copied).toMatchObject({ complete: true, added: 3, differences: 0 });
    expect(back.verified.to).toEqual(there.verified.from);
  },
);
