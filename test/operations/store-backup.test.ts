import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { digestsOf, fill, withDatabase } from './store-contents.ts';
import { Load } from './store-load.ts';
import { expectSound, newPlace, openOn, refusalOf } from './store-stage.ts';

const COPIES = Number(process.env.BATON_BACKUP_COPIES ?? 10);

const linesOf = (file: string) =>
  withDatabase(file, (database) => database.prepare('SELECT * FROM events ORDER BY seq').all());

describe('a backup', () => {
  verifies(['STORECMD.backup'], 'is one private file next to the store, with all that it holds', async () => {
    const { folder, file } = newPlace();
    const now_ms = Date.parse('2026-11-22T10:15:00Z');
    const baton = await openOn(file, { now: () => now_ms });
    await fill(baton);
    const backup = await baton.run('store.backup', {});
    expect(backup).toMatchObject({ store: file, handoffs: 12, file: join(folder, 'backups/baton-20261122-101500.db') });
    expect(backup.bytes).toBe(statSync(backup.file).size);
    expect(statSync(backup.file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'backups')).mode & 0o777).toBe(0o700);
    // Nothing unfinished stays, and no log next to it.
    expect(readdirSync(join(folder, 'backups'))).toEqual(['baton-20261122-101500.db']);
    expect(await digestsOf(backup.file)).toEqual(await digestsOf(file));
    await expectSound(backup.file);
  });

  verifies(['STORECMD.backup'], 'never replaces another file unasked', async () => {
    const { folder, file } = newPlace();
    const baton = await openOn(file, { now: () => Date.parse('2026-11-22T10:15:00Z') });
    await fill(baton, 3);
    const [first, again] = [await baton.run('store.backup', {}), await baton.run('store.backup', {})];
    // The very same contents need no second file.
    expect(again.file).toBe(first.file);
    await fill(baton, 1);
    expect((await baton.run('store.backup', {})).file).toMatch(/-101500-2\.db$/);
    const named = join(folder, 'named.db');
    writeFileSync(named, 'precious');
    expect((await refusalOf(baton.run('store.backup', { file: named }))).code).toBe('conflict');
    expect(readFileSync(named, 'utf8')).toBe('precious');
    expect((await baton.run('store.backup', { file: named, replace: true })).handoffs).toBe(4);
    expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  verifies(['STORECMD.backup'], 'never replaces a file that appears while it copies', async () => {
    const { folder, file } = newPlace();
    const baton = await openOn(file);
    await baton.run('handoff.create', { content: { summary: 'large', payload: { text: 'x'.repeat(3_000_000) } } });
    const named = join(folder, 'named.db');
    const onProgress = () => writeFileSync(named, 'precious');
    expect((await refusalOf(baton.run('store.backup', { file: named }, { onProgress }))).code).toBe('conflict');
    expect(readFileSync(named, 'utf8')).toBe('precious');
    expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  verifies(
    ['STORECMD.load', 'STORECMD.backup'],
    `${COPIES} copies made while another process writes each open and are a prefix`,
    async () => {
      const { folder, file } = newPlace();
      const baton = await openOn(file);
      await baton.context.openStore();
      const load = new Load(file, 'writer');
      await load.work(20);
      const copies: { copy: string; known: Map<string, number> }[] = [];
      for (let number = 0; number < COPIES; number += 1) {
        const known = load.known;
        const { file: copy } = await baton.run('store.backup', { file: join(folder, `copy-${number}.db`) });
        copies.push({ copy, known });
        await load.work(2);
      }
      await load.stop();
      const all = linesOf(file);
      for (const { copy, known } of copies) {
        const lines = linesOf(copy);
        expect(lines).toEqual(all.slice(0, lines.length));
        const versions = new Map<unknown, number>();
        for (const { handoff_id } of lines) versions.set(handoff_id, (versions.get(handoff_id) ?? 0) + 1);
        for (const [id, version] of known) expect(versions.get(id)).toBeGreaterThanOrEqual(version);
        const { problems, complete } = await (await openOn(copy)).run('store.check', {});
        expect({ problems, complete }).toEqual({ problems: 0, complete: true });
      }
      // The load was there: every copy has more than the one before it.
      const lengths = copies.map(({ copy }) => linesOf(copy).length);
      expect(lengths).toEqual([...lengths].sort((left, right) => left - right));
      expect(new Set(lengths).size).toBe(COPIES);
    },
    600_000,
  );

  verifies(['STORECMD.progress'], 'reports its progress, and leaves nothing where it is stopped', async () => {
    const { folder, file } = newPlace();
    const baton = await openOn(file);
    const payload = { text: 'x'.repeat(3_000_000) };
    for (const summary of ['one', 'two']) await baton.run('handoff.create', { content: { summary, payload } });
    const told: { what: string; done: number; total?: number }[] = [];
    await baton.run('store.backup', {}, { onProgress: (progress) => told.push({ ...progress }) });
    expect(told.length).toBeGreaterThan(0);
    expect(told[0]).toMatchObject({ what: 'MiB copied', total: expect.any(Number) });
    const stopping = new AbortController();
    const stopped = baton.run(
      'store.backup',
      { file: join(folder, 'stopped.db') },
      { signal: stopping.signal, onProgress: () => stopping.abort() },
    );
    expect((await refusalOf(stopped)).code).toBe('unavailable');
    expect(readdirSync(folder).filter((name) => /stopped|\.new/.test(name))).toEqual([]);
  });

  verifies(['STORECMD.backup', 'STORECMD.words'], 'is refused where it cannot be one, with the next step', async () => {
    const { folder, file } = newPlace();
    const baton = await openOn(file);
    await fill(baton, 3);
    const codeOf = async (target: string, replace = true) =>
      (await refusalOf(baton.run('store.backup', { file: target, replace }))).code;
    expect(await codeOf(file)).toBe('invalid_input');
    symlinkSync(file, join(folder, 'link.db'));
    expect(await codeOf(join(folder, 'link.db'))).toBe('invalid_input');
    const other = await openOn(join(folder, 'other.db'));
    await fill(other, 1);
    expect(await codeOf(join(folder, 'other.db'))).toBe('invalid_input');
    expect(await codeOf(join(folder, 'absent/copy.db'))).toBe('file_not_found');
    expect(await codeOf('/proc/copy.db')).toBe('unavailable');
    mkdirSync(join(folder, 'folder.db'));
    expect(await codeOf(join(folder, 'folder.db'))).toBe('unavailable');
    const memory = await openOn(file, { store: 'memory:' });
    expect((await refusalOf(memory.run('store.backup', {}))).code).toBe('invalid_input');
    expect((await refusalOf((await openOn(join(folder, 'none.db'))).run('store.backup', {}))).code).toBe(
      'file_not_found',
    );
    expect(existsSync(join(folder, 'none.db'))).toBe(false);
  });

  verifies(['STORECMD.backup', 'STORECMD.damaged'], 'of a damaged store is none, and is not kept as one', async () => {
    const { folder, file } = newPlace();
    const baton = await openOn(file);
    await fill(baton, 40);
    await baton.close();
    const bytes = readFileSync(file);
    bytes.fill(0x5a, 4096 * 3, 4096 * 9);
    writeFileSync(file, bytes);
    const refused = await refusalOf((await openOn(file)).run('store.backup', {}));
    expect(refused.code).toBe('unavailable');
    expect(refused.message).toContain('damaged');
    expect(readdirSync(join(folder, 'backups'))).toEqual([]);
  });

  verifies(
    ['STORECMD.backup', 'STORECMD.damaged'],
    'of a store whose rows can be read but not found is none',
    async () => {
      const { folder, file } = newPlace();
      const baton = await openOn(file);
      await fill(baton, 6);
      await baton.close();
      // One index is recorded at the position of another one.
      withDatabase(file, (database) => {
        const root = `(SELECT rootpage FROM sqlite_schema WHERE name = 'events_by_place')`;
        // Older lines of Node have no such guard.
        (database as { enableDefensive?: (isOn: boolean) => void }).enableDefensive?.(false);
        database.exec(`PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET rootpage = ${root} WHERE name = 'handoffs_by_project'`);
      });
      const refused = await refusalOf((await openOn(file)).run('store.backup', {}));
      expect(refused.message).toContain('damaged');
      expect(readdirSync(join(folder, 'backups'))).toEqual([]);
    },
  );
});
