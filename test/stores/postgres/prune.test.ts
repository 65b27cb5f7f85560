import { expect, onTestFinished } from 'vitest';
import { type Baton, openBaton } from '../../../packages/batonpass/src/operations/baton.ts';
import { verifies } from '../../verifies.ts';
import { createFolders } from '../folders.ts';
import { createServer } from './server.ts';

const server = createServer();
const newFolder = createFolders();

async function openOn(store: string): Promise<Baton> {
  const folder = newFolder();
  const baton = await openBaton({ cwd: folder, environment: { HOME: folder }, store, project: 'p' });
  onTestFinished(() => baton.close());
  return baton;
}

verifies(
  ['PGTEAM.prune'],
  'old finished handoffs move into a schema next to the store, with their history, and nothing else does',
  async () => {
    const url = await server.newDatabase();
    const baton = await openOn(url);
    const ids: string[] = [];
    for (const summary of ['one', 'two', 'three', 'four']) {
      ids.push((await baton.run('handoff.create', { content: { summary } })).id);
    }
    for (const id of ids.slice(0, 2)) {
      const { handoff } = await baton.run('handoff.claim', { id });
      await baton.run('handoff.acknowledge', { id, token: handoff?.delivery.lease?.token ?? '' });
    }
    const before = await baton.run('handoff.events', { id: ids[0] ?? '' });
    await expect(baton.run('store.prune', { older_than_ms: 0, give_back_space: true })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    const counted = await baton.run('store.prune', { older_than_ms: 0, dry_run: true });
    expect(counted).toMatchObject({ due: { acknowledged: 2 }, archived: 0 });
    const pruned = await baton.run('store.prune', { older_than_ms: 0 });
    expect(pruned).toMatchObject({ archived: 2, kept: 0, complete: true });
    expect(pruned.archive).toContain('schema=baton_archive');
    expect(pruned.archive).not.toContain('baton@');
    expect(pruned.size).toBeUndefined();
    expect((await baton.run('handoff.list', {})).handoffs.map(({ id }) => id)).toEqual([ids[3], ids[2]]);
    const archive = await openOn(`${url}&schema=baton_archive`);
    expect((await archive.run('handoff.list', {})).handoffs.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
    const named = ({ events }: typeof before) => events.map(({ name, at, actor }) => [name, at, actor]);
    expect(named(await archive.run('handoff.events', { id: ids[0] ?? '' }))).toEqual(named(before));
    expect(await baton.run('store.prune', { older_than_ms: 0 })).toMatchObject({ archived: 0, due: {} });
  },
);
