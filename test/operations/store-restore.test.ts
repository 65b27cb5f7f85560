import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { HandoffEvent } from '../../packages/batonpass/src/core/delivery.ts';
import type { Baton } from '../../packages/batonpass/src/index.ts';
import { verifies } from '../verifies.ts';
import { digestsOf, fill, withDatabase } from './store-contents.ts';
import { Load } from './store-load.ts';
import { expectSound, newPlace, openOn, refusalOf } from './store-stage.ts';

const HOUR_MS = 3_600_000;

/** A filled store with a backup of it. */
async function backedUp(count = 12) {
  const place = newPlace();
  const baton = await openOn(place.file);
  const ids = await fill(baton, count);
  const { file: backup } = await baton.run('store.backup', {});
  return { ...place, baton, ids, backup, before: await digestsOf(place.file) };
}

const lastPlace = async (baton: Baton) =>
  (await (await baton.context.openStore()).events({ newest: true, limit: 1 }))[0]?.seq ?? 0;

const linesAfter = async (baton: Baton, seq: number): Promise<HandoffEvent[]> =>
  (await baton.context.openStore()).events({ after_seq: seq, limit: 10_000 });

const unfinished = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.new'));

describe('a restore', () => {
  verifies(['STORECMD.restore'], 'puts the backup in place, keeps what was there, and is undone by that', async () => {
    const { folder, file, baton, ids, backup, before } = await backedUp();
    await baton.run('handoff.acknowledge', { id: ids[3] ?? '' });
    await fill(baton, 4);
    const later = await digestsOf(file);
    const done = await baton.run('store.restore', { file: backup });
    expect(done).toMatchObject({ restored: true, backup: { handoffs: 12 }, present: { handoffs: 16 }, faults: 0 });
    expect(await digestsOf(file)).toEqual(before);
    await expectSound(file);
    expect(done.undo).toMatch(/backups\/baton-before-restore-\d{8}-\d{6}\.db$/);
    expect(await digestsOf(done.undo ?? '')).toEqual(later);
    await baton.run('store.restore', { file: done.undo ?? '' });
    expect(await digestsOf(file)).toEqual(later);
    expect(unfinished(folder)).toEqual([]);
  });

  verifies(['STORECMD.restore'], 'only reads in a dry run, and creates a store where there is none', async () => {
    const { folder, file, baton, backup, before } = await backedUp();
    const bytes = readFileSync(backup);
    expect(await baton.run('store.restore', { file: backup, dry_run: true })).toMatchObject({ restored: false });
    expect(await digestsOf(file)).toEqual(before);
    expect(readdirSync(join(folder, 'backups'))).toHaveLength(1);
    const other = join(folder, 'other', 'baton.db');
    mkdirSync(join(folder, 'other'));
    const done = await (await openOn(other)).run('store.restore', { file: backup });
    expect(done.undo).toBeUndefined();
    expect(await digestsOf(other)).toEqual(before);
    expect(readFileSync(backup).equals(bytes)).toBe(true);
  });

  verifies(
    ['STORECMD.told-again'],
    'sends again what changed, and nothing else; sequence numbers never go back',
    async () => {
      const { baton, ids, backup } = await backedUp();
      const [, , , open = '', other = ''] = ids;
      await baton.run('handoff.acknowledge', { id: open });
      await fill(baton, 3);
      const last = await lastPlace(baton);
      const { told_again } = await baton.run('store.restore', { file: backup });
      const told = await linesAfter(baton, last);
      expect(told.map(({ handoff_id, name }) => [handoff_id, name])).toEqual([[open, 'handoff-created']]);
      expect(told_again).toBe(1);
      await baton.run('handoff.withdraw', { id: other });
      expect((await linesAfter(baton, last)).map(({ name }) => name)).toEqual(['handoff-created', 'handoff-withdrawn']);
      expect((await baton.run('handoff.events', { id: open })).events).toHaveLength(1);
    },
  );

  verifies(
    ['STORECMD.told-again'],
    'lets a follower of the history continue, also where nothing is sent again',
    async () => {
      const { file, baton, backup } = await backedUp(4);
      const created = await fill(baton, 2);
      const last = await lastPlace(baton);
      const follower = await (await openOn(file)).context.openStore();
      const stopping = new AbortController();
      const heard: HandoffEvent[] = [];
      const following = (async () => {
        for await (const event of follower.subscribe({}, stopping.signal)) {
          heard.push(event);
          if (event.name === 'handoff-withdrawn') stopping.abort();
        }
      })();
      expect((await baton.run('store.restore', { file: backup })).told_again).toBe(0);
      await refusalOf(baton.run('handoff.get', { id: created[0] ?? '' }));
      const { id } = await baton.run('handoff.create', { content: { summary: 'after it' } });
      await baton.run('handoff.withdraw', { id });
      await following;
      expect(heard.map(({ handoff_id }) => handoff_id)).toEqual([id, id]);
      expect(heard[0]?.seq).toBeGreaterThan(last);
    },
  );

  verifies(['STORECMD.told-again'], 'of another store sends everything', async () => {
    const { baton } = await backedUp(4);
    const other = await backedUp(5);
    const last = await lastPlace(baton);
    await baton.run('store.restore', { file: other.backup });
    const told = await linesAfter(baton, last);
    expect(new Set(told.map(({ handoff_id }) => handoff_id))).toEqual(new Set(other.ids));
    expect(told.map(({ seq }) => seq)).toEqual([...told.keys()].map((index) => last + 1 + index));
  });

  verifies(
    ['STORECMD.told-again', 'STORECMD.restore'],
    'lets no fence come twice, and old leases run out',
    async () => {
      const { file, baton, ids, backup } = await backedUp();
      const [, , held = '', open = ''] = ids;
      await baton.run('handoff.claim', { id: open });
      await baton.run('store.restore', { file: backup });
      const { handoff } = await baton.run('handoff.claim', { id: open });
      expect(handoff?.delivery.fence).toBe(2);
      await expectSound(file);
      const later = await openOn(file, { now: () => Date.now() + 2 * HOUR_MS });
      expect((await later.run('handoff.get', { id: held })).delivery.state).toBe('open');
    },
  );

  verifies(['STORECMD.restore'], 'leaves a lease that still runs to its holder', async () => {
    const { baton, ids } = await backedUp();
    const { handoff } = await baton.run('handoff.claim', { id: ids[3] ?? '', lease_ms: HOUR_MS });
    const { file } = await baton.run('store.backup', {});
    await baton.run('handoff.create', { content: { summary: 'later' } });
    await baton.run('store.restore', { file });
    const { id = '', delivery } = handoff ?? {};
    await baton.run('handoff.acknowledge', { id, token: delivery?.lease?.token });
  });

  verifies(
    ['STORECMD.restore', 'STORECMD.kill'],
    'happens while another process works, which continues to work',
    async () => {
      const { file, baton, backup } = await backedUp();
      const load = new Load(file, 'worker');
      await load.work(30);
      const known = load.known;
      const { undo = '' } = await baton.run('store.restore', { file: backup });
      // Calls in flight have completed by then.
      await load.work(10);
      const from = load.words.length;
      await load.work(30);
      await load.stop();
      const undone = await digestsOf(undo);
      for (const id of known.keys()) expect(undone.has(id)).toBe(true);
      await expectSound(undo);
      const now = await digestsOf(file);
      for (const word of load.words.slice(from)) if ('id' in word) expect(now.has(word.id)).toBe(true);
      const codes = load.words.flatMap((word) => ('refused' in word ? [word.refused] : []));
      expect(codes.filter((code) => !['not_found', 'lease_lost'].includes(code))).toEqual([]);
      await expectSound(file);
    },
  );
});

/** Fills a stretch of a file with what no database holds. */
function damage(file: string, from: number, to: number): void {
  const bytes = readFileSync(file);
  bytes.fill(0x5a, from, to);
  writeFileSync(file, bytes);
}

describe('a restore that is stopped', () => {
  verifies(['STORECMD.progress', 'STORECMD.restore'], 'changes nothing, at any point of interruption', async () => {
    const { folder, file, baton, backup } = await backedUp();
    const payload = { text: 'x'.repeat(3_000_000) };
    await baton.run('handoff.create', { content: { summary: 'large', payload } });
    const { file: large } = await baton.run('store.backup', {});
    await fill(baton, 2);
    const now = await digestsOf(file);
    for (const wanted of ['MiB of the backup read', 'MiB of the current store kept']) {
      const stopping = new AbortController();
      const told: string[] = [];
      const onProgress = ({ what }: { what: string }) => {
        told.push(what);
        if (what === wanted) stopping.abort();
      };
      const call = baton.run('store.restore', { file: large }, { signal: stopping.signal, onProgress });
      expect((await refusalOf(call)).code).toBe('unavailable');
      expect(told).toContain(wanted);
    }
    const call = baton.run('store.restore', { file: backup }, { signal: AbortSignal.abort() });
    expect((await refusalOf(call)).code).toBe('unavailable');
    expect(await digestsOf(file)).toEqual(now);
    expect([...unfinished(folder), ...unfinished(join(folder, 'backups'))]).toEqual([]);
  });
});

describe('a restore of a damaged store', () => {
  verifies(['STORECMD.damaged'], 'still puts the backup in place, and keeps what was left', async () => {
    const { file, baton, backup, before } = await backedUp(40);
    await fill(baton, 5);
    const last = await lastPlace(baton);
    await baton.close();
    damage(file, 4096 * 3, 4096 * 9);
    const again = await openOn(file);
    const done = await again.run('store.restore', { file: backup });
    // What was known cannot be determined any more: all of it is sent again.
    expect(await linesAfter(again, last)).toHaveLength(done.told_again);
    expect(done.told_again).toBeGreaterThan(40);
    expect(done).toMatchObject({ restored: true, undo_is_damaged: true, undo: expect.stringMatching(/-damaged\.db$/) });
    expect(readFileSync(done.undo ?? '').includes(Buffer.alloc(4096, 0x5a))).toBe(true);
    expect(await digestsOf(file)).toEqual(before);
    await expectSound(file);
    await again.run('handoff.create', { content: { summary: 'it goes on' } });
  });

  verifies(['STORECMD.damaged', 'STORECMD.check'], 'works where another program took a table away', async () => {
    const { file, baton, backup, before } = await backedUp();
    await baton.close();
    withDatabase(file, (database) => database.exec('DROP TABLE events; CREATE TABLE notes (a)'));
    const again = await openOn(file);
    expect((await again.run('store.check', {})).findings[0]).toMatchObject({ rule: 'file' });
    await again.run('store.restore', { file: backup });
    expect(await digestsOf(file)).toEqual(before);
    await expectSound(file);
  });

  verifies(['STORECMD.damaged', 'STORECMD.words'], 'says what to do where its beginning is gone', async () => {
    const { folder, file, baton, backup, before } = await backedUp();
    await baton.close();
    damage(file, 0, 100);
    const again = await openOn(file);
    const refused = await refusalOf(again.run('store.restore', { file: backup }));
    expect(refused.alternatives.join(' ')).toContain('move it');
    mkdirSync(join(folder, 'damaged'));
    renameSync(file, join(folder, 'damaged', 'baton.db'));
    await again.run('store.restore', { file: backup });
    expect(await digestsOf(file)).toEqual(before);
  });
});

describe('a restore is refused', () => {
  verifies(
    ['STORECMD.restore', 'STORECMD.words'],
    'of what is no sound backup; the store stays as it was',
    async () => {
      const { folder, file, baton, backup, before } = await backedUp(40);
      const make = (name: string, bytes: Buffer | string = '') => {
        writeFileSync(join(folder, name), bytes);
        return join(folder, name);
      };
      const damaged = make('damaged.db', readFileSync(backup).fill(0x5a, 4096 * 3, 4096 * 9));
      const cut = make('cut.db', readFileSync(backup).subarray(0, 4096 * 5));
      const newer = join(folder, 'newer.db');
      copyFileSync(backup, newer);
      withDatabase(newer, (database) => database.exec('PRAGMA user_version = 99'));
      const foreign = join(folder, 'foreign.db');
      withDatabase(foreign, (database) => database.exec('CREATE TABLE notes (a)'));
      const cases: [string, string][] = [
        [join(folder, 'absent.db'), 'file_not_found'],
        [folder, 'file_not_found'],
        [file, 'invalid_input'],
        [make('text.db', 'not a database, but long enough for one: '.repeat(30)), 'invalid_input'],
        [make('empty.db'), 'invalid_input'],
        [foreign, 'invalid_input'],
        [damaged, 'invalid_structure'],
        [cut, 'invalid_structure'],
        [newer, 'unsupported_version'],
      ];
      for (const [path, code] of cases) {
        const refused = await refusalOf(baton.run('store.restore', { file: path }));
        expect([path, refused.code]).toEqual([path, code]);
        expect(refused.message).toContain(path);
      }
      expect(await digestsOf(file)).toEqual(before);
      expect(readdirSync(join(folder, 'backups'))).toHaveLength(1);
      expect(unfinished(folder)).toEqual([]);
    },
  );

  verifies(['STORECMD.restore'], 'where what is there cannot be kept; nothing unfinished stays', async () => {
    const { folder, file, backup, before } = await backedUp(3);
    const baton = await openOn(file, { now: () => Date.parse('2026-11-22T10:15:00Z') });
    const name = 'baton-before-restore-20261122-101500.db';
    symlinkSync(join(folder, 'nowhere'), join(folder, 'backups', name));
    expect((await refusalOf(baton.run('store.restore', { file: backup }))).code).toBe('unavailable');
    expect(await digestsOf(file)).toEqual(before);
    expect([...unfinished(folder), ...unfinished(join(folder, 'backups'))]).toEqual([]);
  });

  verifies(['STORECMD.words'], 'into what is no store of this Baton', async () => {
    const { folder, backup } = await backedUp();
    const memory = await openOn(join(folder, 'x.db'), { store: 'memory:' });
    expect((await refusalOf(memory.run('store.restore', { file: backup }))).code).toBe('invalid_input');
    const foreign = join(folder, 'foreign.db');
    withDatabase(foreign, (database) => database.exec('CREATE TABLE notes (a); INSERT INTO notes VALUES (1)'));
    const refused = await refusalOf((await openOn(foreign)).run('store.restore', { file: backup }));
    expect(refused.code).toBe('invalid_input');
    expect(withDatabase(foreign, (database) => database.prepare('SELECT a FROM notes').get()?.a)).toBe(1);
  });
});
