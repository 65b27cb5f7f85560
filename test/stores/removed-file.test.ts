import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Store } from '../../packages/batonpass/src/core/store.ts';
import { callBy, newHandoff, writer } from '../../packages/batonpass/src/stores/contract/bench.ts';
import { openSqliteStore } from '../../packages/batonpass/src/stores/sqlite/store.ts';
import { openHttp } from '../doors/http/http-stage.ts';
import { verifies } from '../verifies.ts';
import { createFolders } from './folders.ts';

const newFolder = createFolders();

async function openIn(file: string): Promise<Store> {
  const store = await openSqliteStore(file);
  onTestFinished(() => store.close());
  return store;
}

const create = (store: Store, title: string) => store.create([newHandoff({ title })], callBy(writer, 'handoff.create'));

const titles = async (store: Store) =>
  (await store.list({ filter: {}, limit: 10 })).handoffs.map(({ content }) => content.title);

const refusalOf = async (call: Promise<unknown>) => {
  const error = await call.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'HandoffError', code: 'unavailable' });
  return error as Error & { details: { rescue: string } };
};

const removals: Record<string, (file: string) => void> = {
  removed: (file) => rmSync(file),
  'removed with its log': (file) => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`);
  },
  'removed with its folder': (file) => rmSync(dirname(file), { recursive: true }),
  'replaced with its folder by another': (file) => {
    renameSync(dirname(file), `${dirname(file)}-former`);
    mkdirSync(dirname(file));
  },
};

for (const [how, remove] of Object.entries(removals)) {
  verifies(['RELIABLE.removed'], `a database that is ${how} acknowledges nothing more, and is rescued`, async () => {
    const file = join(newFolder(), 'place', 'baton.db');
    const store = await openIn(file);
    await create(store, 'kept');
    remove(file);
    const { details } = await refusalOf(create(store, 'late'));
    expect((await refusalOf(store.list({ filter: {}, limit: 1 }))).details).toEqual(details);
    expect((await refusalOf(create(store, 'later'))).details).toEqual(details);
    expect(existsSync(dirname(file))).toBe(how !== 'removed with its folder');
    expect(statSync(details.rescue).mode & 0o777).toBe(0o600);
    expect(await titles(await openIn(details.rescue))).toEqual(['kept']);
    if (!details.rescue.startsWith(dirname(file))) rmSync(dirname(details.rescue), { recursive: true });
  });
}

verifies(
  ['RELIABLE.removed'],
  'another store at the same path gets nothing of the calls for the former one',
  async () => {
    const file = join(newFolder(), 'baton.db');
    const former = await openIn(file);
    await create(former, 'former');
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`);
    const present = await openIn(file);
    await create(present, 'present');
    const { details } = await refusalOf(former.list({ filter: {}, limit: 10 }));
    expect(await titles(await openIn(details.rescue))).toEqual(['former']);
    expect(await titles(present)).toEqual(['present']);
    await create(present, 'next');
    expect(await titles(present)).toEqual(['next', 'present']);
  },
);

verifies(
  ['RELIABLE.removed', 'HTTP.probes'],
  'a server whose database was removed is alive and not ready',
  async () => {
    const { folder, ask, call } = await openHttp();
    expect((await call('handoff.create', { content: { title: 'kept' } })).status).toBe(200);
    expect((await ask('/ready')).status).toBe(200);
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder, `baton.db${suffix}`));
    expect((await ask('/ready')).status).toBe(503);
    const refused = await call('handoff.create', { content: { title: 'late' } });
    expect([refused.status, refused.body.code]).toEqual([503, 'unavailable']);
    expect((await ask('/health')).status).toBe(200);
    const rescued = await openIn(String(refused.body.details?.rescue));
    expect(await titles(rescued)).toEqual(['kept']);
  },
);
