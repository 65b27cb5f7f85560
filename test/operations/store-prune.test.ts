import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { archiveUrl } from '../../packages/batonpass/src/stores/postgres/place.ts';
import { writeTrusted } from '../trust/trusted-settings.ts';
import { verifies } from '../verifies.ts';
import { digestsOf, fill, withDatabase } from './store-contents.ts';
import { expectSound, newPlace, openOn, refusalOf } from './store-stage.ts';

const DAY_MS = 24 * 3_600_000;

/** A filled store whose clock the test sets. */
async function filled(count = 12, environment: NodeJS.ProcessEnv = {}) {
  const { folder, file } = newPlace();
  const clock = { now_ms: Date.now() };
  const baton = await openOn(file, { now: () => clock.now_ms, environment });
  const ids = await fill(baton, count);
  return { folder, file, ids, baton, clock, archive: join(folder, 'baton.archive.db') };
}

describe('a pruning', () => {
  verifies(
    ['STORECMD.prune'],
    'moves old finished handoffs into a store next to it, with history and payload',
    async () => {
      const { file, baton, clock, archive } = await filled(24);
      const before = await digestsOf(file);
      clock.now_ms += 91 * DAY_MS;
      const pruned = await baton.run('store.prune', {});
      expect(pruned).toMatchObject({ archive, looked_at: 24, archived: 8, kept: 0, complete: true });
      expect(pruned.due).toEqual({ acknowledged: 4, withdrawn: 4 });
      const [here, there] = [await digestsOf(file), await digestsOf(archive)];
      expect(there.size).toBe(8);
      for (const [id, digest] of there) expect(digest).toBe(before.get(id));
      // What was claimed lapsed meanwhile; nothing else changed, and nothing is in both.
      expect(new Set([...here.keys(), ...there.keys()])).toEqual(new Set(before.keys()));
      expect(here.size).toBe(16);
      await expectSound(file);
      await expectSound(archive);
      const archived = await openOn(archive);
      expect((await archived.run('handoff.list', { limit: 50 })).handoffs).toHaveLength(8);
      expect(await baton.run('store.prune', {})).toMatchObject({ archived: 0, due: {} });
    },
  );

  verifies(['STORECMD.retention'], 'goes by the age of the state and not of the handoff', async () => {
    const { baton, ids, clock } = await filled();
    clock.now_ms += 80 * DAY_MS;
    await baton.run('handoff.acknowledge', { id: ids[3] ?? '' });
    clock.now_ms += 20 * DAY_MS;
    expect((await baton.run('store.prune', { dry_run: true })).due).toEqual({ acknowledged: 2, withdrawn: 2 });
    expect((await baton.run('store.prune', { dry_run: true, older_than_ms: 0 })).due).toMatchObject({
      acknowledged: 3,
    });
    expect((await baton.run('store.prune', { dry_run: true, older_than_ms: 101 * DAY_MS })).due).toEqual({});
  });

  verifies(['STORECMD.retention'], 'takes its age from the settings, and only the states that are named', async () => {
    const { folder, baton, ids, clock, file } = await filled(12, { BATON_RETENTION: '10d' });
    const { handoff } = await baton.run('handoff.claim', { id: ids[3] ?? '' });
    await baton.run('handoff.release', { id: ids[3] ?? '', token: handoff?.delivery.lease?.token ?? '' });
    clock.now_ms += 11 * DAY_MS;
    expect((await baton.run('store.prune', { dry_run: true })).due).toEqual({ acknowledged: 2, withdrawn: 2 });
    const named = await baton.run('store.prune', { dry_run: true, state: ['withdrawn', 'dead'] });
    expect(named.due).toEqual({ withdrawn: 2 });
    expect((await refusalOf(baton.run('store.prune', { state: ['open' as never] }))).code).toBe('invalid_input');
    await writeTrusted({ folder, environment: { HOME: folder } }, { retention: '12d' });
    const configured = await openOn(file, { now: () => clock.now_ms });
    expect((await configured.run('store.prune', { dry_run: true })).due).toEqual({});
    const wrong = openOn(file, { environment: { BATON_RETENTION: 'a while' } });
    expect((await refusalOf(wrong)).message).toContain('retention');
  });

  verifies(['STORECMD.retention', 'STORECMD.prune'], 'changes nothing where it only counts', async () => {
    const { file, baton, archive } = await filled();
    const before = await digestsOf(file);
    expect(await baton.run('store.prune', { older_than_ms: 0, dry_run: true })).toMatchObject({ archived: 0 });
    expect(await digestsOf(file)).toEqual(before);
    expect(existsSync(archive)).toBe(false);
  });

  verifies(['STORECMD.prune', 'STORECMD.kill'], 'continues where a crash left handoffs in both stores', async () => {
    const { file, baton, archive } = await filled();
    const before = await digestsOf(file);
    await baton.run('store.copy', { to: `sqlite:${archive}` });
    expect(await baton.run('store.prune', { older_than_ms: 0 })).toMatchObject({ archived: 4, kept: 0 });
    expect((await digestsOf(file)).size).toBe(8);
    expect(await digestsOf(archive)).toEqual(before);
  });

  verifies(['STORECMD.prune'], 'keeps what diverged in the archive, and names it', async () => {
    const { file, baton, ids, archive } = await filled();
    const [done = '', withdrawn = ''] = ids;
    await baton.run('store.copy', { to: `sqlite:${archive}` });
    const other = await openOn(archive);
    await other.run('handoff.reopen', { id: withdrawn });
    await baton.run('handoff.reopen', { id: withdrawn, reason: 'here too' });
    await baton.run('handoff.withdraw', { id: withdrawn });
    const pruned = await baton.run('store.prune', { older_than_ms: 0 });
    expect(pruned).toMatchObject({ archived: 3, kept: 1, kept_handoffs: [{ id: withdrawn }] });
    const here = await digestsOf(file);
    expect([here.has(withdrawn), here.has(done)]).toEqual([true, false]);
  });

  verifies(['STORECMD.prune'], 'keeps what has the same history in the archive and differs there', async () => {
    const { file, baton, ids, archive } = await filled();
    await baton.run('store.copy', { to: `sqlite:${archive}` });
    withDatabase(archive, (database) => {
      database.exec('DROP TRIGGER handoffs_are_moved_by_baton');
      database.prepare(`UPDATE handoffs SET attempts = attempts + 1 WHERE id = ?`).run(ids[0] ?? '');
    });
    const pruned = await baton.run('store.prune', { older_than_ms: 0 });
    const reason = 'It diverged in the archive.';
    expect(pruned).toMatchObject({ archived: 3, kept: 1, kept_handoffs: [{ id: ids[0], reason }] });
    expect((await digestsOf(file)).has(ids[0] ?? '')).toBe(true);
  });

  verifies(['STORECMD.prune'], 'keeps what is damaged, and takes the others', async () => {
    const { file, baton, ids } = await filled();
    withDatabase(file, (database) => {
      database.exec('DROP TRIGGER handoffs_are_moved_by_baton');
      database
        .prepare(`UPDATE handoffs SET content = json_set(content, '$.title', 'x') WHERE id = ?`)
        .run(ids[0] ?? '');
    });
    const pruned = await baton.run('store.prune', { older_than_ms: 0 });
    expect(pruned).toMatchObject({ archived: 3, kept: 1, kept_handoffs: [{ id: ids[0] }] });
    expect((await digestsOf(file)).has(ids[0] ?? '')).toBe(true);
  });

  verifies(['STORECMD.prune'], 'reports the space that it freed, and returns it to the disk on request', async () => {
    const { file, baton } = await filled(120);
    const { size = { bytes: 0, free_bytes: 0 } } = await baton.run('store.prune', { older_than_ms: 0 });
    expect(size.free_bytes).toBeGreaterThan(100_000);
    const given = await baton.run('store.prune', { older_than_ms: 0, give_back_space: true });
    expect(given.size?.free_bytes).toBe(0);
    expect(given.size?.bytes).toBeLessThan(size.bytes);
    expect(statSync(file).size).toBe(given.size?.bytes);
    await expectSound(file);
  });

  verifies(['STORECMD.prune', 'STORECMD.words'], 'is refused where there is nothing to prune from', async () => {
    const { folder, file } = newPlace();
    expect((await refusalOf((await openOn(file)).run('store.prune', {}))).code).toBe('file_not_found');
    const memory = await openOn(file, { store: 'memory:' });
    expect((await refusalOf(memory.run('store.prune', {}))).code).toBe('invalid_input');
    const { baton, archive, file: other } = await filled();
    writeFileSync(archive, 'not a database, but long enough for one: '.repeat(30));
    const before = await digestsOf(other);
    expect((await refusalOf(baton.run('store.prune', { older_than_ms: 0 }))).code).toBe('invalid_input');
    expect(await digestsOf(other)).toEqual(before);
    expect(readFileSync(archive, 'utf8')).toContain('not a database');
    expect(existsSync(join(folder, 'baton.archive.db'))).toBe(false);
  });
});

verifies(['PGTEAM.url'], 'the archive of a schema is next to it, and its name must fit', () => {
  expect(archiveUrl('postgres://ada@host/work')).toBe('postgres://ada@host/work?schema=baton_archive');
  const longest = 'a'.repeat(43);
  expect(archiveUrl(`postgres:///work?schema=${longest}&wait_ms=100`)).toBe(
    `postgres:///work?schema=${longest}_archive&wait_ms=100`,
  );
  const refused = expect.objectContaining({ code: 'invalid_input', details: { schema: `${longest}b_archive` } });
  expect(() => archiveUrl(`postgres:///work?schema=${longest}b`)).toThrowError(refused);
});
