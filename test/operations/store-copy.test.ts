import { existsSync, linkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { digestsOf, fill, fillMany, readAll, withDatabase } from './store-contents.ts';
import { Load } from './store-load.ts';
import { expectSound, newPlace, openOn, refusalOf } from './store-stage.ts';

/** A filled store, and the file of another one that is not there yet. */
async function filled(many = 0) {
  const { folder, file } = newPlace();
  const baton = await openOn(file);
  const ids = await fill(baton);
  if (many > 0) await fillMany(baton, many);
  const other = join(folder, 'other.db');
  return { folder, file, ids, baton, other, to: `sqlite:${other}` };
}

describe('a copy into another store', () => {
  verifies(
    ['STORECMD.copy'],
    'takes everything in its order, with leases and payloads, and compares both',
    async () => {
      const { file, baton, other, to } = await filled(438);
      const copied = await baton.run('store.copy', { to });
      expect(copied).toMatchObject({ added: 450, updated: 0, unchanged: 0, differences: 0, complete: true });
      expect(copied.verified.to).toEqual(copied.verified.from);
      expect(copied.verified.from.handoffs).toBe(450);
      expect(await digestsOf(other)).toEqual(await digestsOf(file));
      const [here, there] = [await readAll(file), await readAll(other)];
      expect(there.map(({ handoff }) => handoff)).toEqual(here.map(({ handoff }) => handoff));
      await expectSound(other);
      expect(await baton.run('store.copy', { to })).toMatchObject({
        added: 0,
        unchanged: 450,
        verified: copied.verified,
      });
    },
  );

  verifies(['STORECMD.copy', 'STORECMD.progress'], 'continues where it was stopped', async () => {
    const { file, baton, other, to } = await filled(438);
    const stopping = new AbortController();
    const told: number[] = [];
    const onProgress = ({ done }: { done: number }) => {
      told.push(done);
      stopping.abort();
    };
    const stopped = await baton.run('store.copy', { to }, { signal: stopping.signal, onProgress });
    expect(stopped).toMatchObject({ complete: false, added: 200 });
    expect(told[0]).toBe(200);
    const rest = await baton.run('store.copy', { to });
    expect(rest).toMatchObject({ complete: true, added: 250, unchanged: 200, differences: 0 });
    expect(await digestsOf(other)).toEqual(await digestsOf(file));
  });

  verifies(['STORECMD.copy'], 'names what went on in both, and leaves it in the target as it is', async () => {
    const { baton, ids, other, to } = await filled();
    const [, , , parted = '', ahead = '', behind = ''] = [...ids.slice(0, 4), ids[9] ?? '', ids[4] ?? ''];
    await baton.run('store.copy', { to });
    const target = await openOn(other);
    await target.run('handoff.withdraw', { id: parted, reason: 'there' });
    await target.run('handoff.withdraw', { id: ahead });
    await baton.run('handoff.withdraw', { id: parted, reason: 'here' });
    await baton.run('handoff.acknowledge', { id: behind });
    const before = await digestsOf(other);
    const copied = await baton.run('store.copy', { to });
    expect(copied).toMatchObject({
      updated: 1,
      ahead: 1,
      differences: 1,
      differing: [{ id: parted, how: 'conflict' }],
    });
    expect(copied.verified.to.sha256).not.toBe(copied.verified.from.sha256);
    const after = await digestsOf(other);
    for (const id of [parted, ahead]) expect(after.get(id)).toBe(before.get(id));
    expect(after.get(behind)).not.toBe(before.get(behind));
  });

  verifies(['STORECMD.copy'], 'names what is damaged in the source, and takes the others', async () => {
    const { file, baton, ids, to, other } = await filled();
    withDatabase(file, (database) => {
      database.exec('DROP TRIGGER handoffs_are_moved_by_baton');
      database
        .prepare(`UPDATE handoffs SET content = json_set(content, '$.title', 'x') WHERE id = ?`)
        .run(ids[4] ?? '');
    });
    const copied = await baton.run('store.copy', { to });
    expect(copied).toMatchObject({ added: 11, differences: 1, differing: [{ id: ids[4], how: 'unfit' }] });
    expect((await digestsOf(other)).has(ids[4] ?? '')).toBe(false);
  });

  verifies(['STORECMD.copy-live'], 'includes changes made meanwhile, while both stores are in use', async () => {
    const { file, baton, other, to } = await filled(50);
    const [here, there] = [new Load(file, 'here'), new Load(other, 'there')];
    await Promise.all([here.work(30), there.work(30)]);
    const known = here.known;
    const copied = await baton.run('store.copy', { to });
    await Promise.all([here.work(3), there.work(3)]);
    await Promise.all([here.stop(), there.stop()]);
    // Handoffs that both stores offer are claimed in both: those part, and everything else is there.
    const rest = await baton.run('store.copy', { to });
    expect(copied.added).toBeGreaterThanOrEqual(62);
    expect(rest.differing.filter(({ how }) => how !== 'conflict')).toEqual([]);
    const target = await digestsOf(other);
    for (const id of [...known.keys(), ...(await digestsOf(file)).keys()]) expect(target.has(id)).toBe(true);
    await expectSound(file);
    await expectSound(other);
  });

  verifies(['STORECMD.copy-live'], 'catches up with a source that continues while the target is idle', async () => {
    const { file, baton, other, to } = await filled(438);
    let moved = 0;
    const rival = await openOn(file);
    const pending: Promise<unknown>[] = [];
    const onProgress = () => {
      moved += 1;
      if (moved > 3) return;
      pending.push(rival.run('handoff.create', { content: { summary: `meanwhile ${moved}` } }));
      pending.push(rival.run('handoff.claim', { task_id: 'task-0' }));
    };
    const copied = await baton.run('store.copy', { to }, { onProgress });
    await Promise.all(pending);
    expect(copied).toMatchObject({ complete: true, differences: 0 });
    expect(copied.added).toBeGreaterThan(450);
    expect(await digestsOf(other)).toEqual(await digestsOf(file));
  });

  verifies(
    ['STORECMD.copy', 'STORECMD.words'],
    'is refused where it makes no sense, and shows no password',
    async () => {
      const { folder, file, baton, to, other } = await filled();
      symlinkSync(file, join(folder, 'symbolic.db'));
      linkSync(file, join(folder, 'hard.db'));
      writeFileSync(join(folder, 'text.db'), 'not a database, but long enough for one: '.repeat(30));
      const secret = 'mysql://baton:hunter2@db/x?password=hunter2';
      const cases: [{ from?: string; to: string }, string][] = [
        [{ to: `sqlite:${file}` }, 'invalid_input'],
        [{ to: `sqlite:${folder}/../${folder.split('/').at(-1)}/baton.db` }, 'invalid_input'],
        [{ to: `sqlite:${folder}/symbolic.db` }, 'invalid_input'],
        [{ to: `sqlite:${folder}/hard.db` }, 'invalid_input'],
        [{ to: 'memory:' }, 'invalid_input'],
        [{ from: 'memory:', to }, 'invalid_input'],
        [{ from: `sqlite:${folder}/absent.db`, to }, 'file_not_found'],
        [{ from: `sqlite:${folder}/text.db`, to }, 'invalid_input'],
        [{ to: `sqlite:${folder}/text.db` }, 'invalid_input'],
        [{ to: 'sqlite:/proc/baton/x.db' }, 'unavailable'],
        [{ from: secret, to }, 'invalid_input'],
        [{ to: secret }, 'invalid_input'],
      ];
      for (const [input, code] of cases) {
        const refused = await refusalOf(baton.run('store.copy', input));
        expect([input, refused.code]).toEqual([input, code]);
        expect(`${refused.message} ${JSON.stringify(refused.details)} ${refused.alternatives}`).not.toContain(
          'hunter2',
        );
      }
      expect([existsSync(other), existsSync(join(folder, 'absent.db'))]).toEqual([false, false]);
    },
  );
});
