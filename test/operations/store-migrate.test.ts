import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { openStore } from '../../packages/batonpass/src/index.ts';
import { migrations } from '../../packages/batonpass/src/stores/sqlite/migrations/migrations.ts';
import { verifies } from '../verifies.ts';
import { digestsOf, fill, makeFormer, withDatabase } from './store-contents.ts';
import { expectSound, newPlace, openOn, refusalOf } from './store-stage.ts';

const known = migrations.length;

const schemaOf = (file: string) =>
  withDatabase(file, (database) => database.prepare('PRAGMA user_version').get()?.user_version);

/** A store as an earlier Baton left it, and what it holds. */
async function former(schema: number) {
  const { folder, file: present } = newPlace();
  const baton = await openOn(present);
  await fill(baton, 12, schema > 2);
  await baton.close();
  const file = join(folder, 'former', 'baton.db');
  mkdirSync(join(folder, 'former'));
  await makeFormer(file, schema, present);
  return { file, backups: join(folder, 'former', 'backups'), before: await digestsOf(present) };
}

/** Opens a store as every command does. */
async function open(file: string): Promise<void> {
  await (await openStore(`sqlite:${file}`)).close();
}

const nameOf = (number = 1) => `baton-before-schema-${known}${number === 1 ? '' : `-${number}`}.db`;

describe('a migration', () => {
  for (const schema of migrations.keys()) {
    if (schema === 0) continue;
    verifies(
      ['STORECMD.migrate', 'STORECMD.backup-first'],
      `from form ${schema} keeps a copy and everything`,
      async () => {
        const { file, backups, before } = await former(schema);
        const done = await (await openOn(file)).run('store.migrate', {});
        expect(done).toEqual({ store: file, from: schema, to: known, migrated: true, backup: join(backups, nameOf()) });
        expect(schemaOf(done.backup ?? '')).toBe(schema);
        expect(schemaOf(file)).toBe(known);
        expect(await digestsOf(file)).toEqual(before);
        await expectSound(file);
        expect(await (await openOn(file)).run('store.migrate', {})).toMatchObject({ migrated: false, from: known });
        // The copy is a backup like any other.
        await (await openOn(file)).run('store.restore', { file: done.backup ?? '' });
        expect(await digestsOf(file)).toEqual(before);
      },
    );
  }

  verifies(
    ['STORECMD.backup-first'],
    'keeps the copy, once for the same contents, and never writes over another',
    async () => {
      const { file, backups } = await former(known - 1);
      const bytes = readFileSync(file);
      await open(file);
      expect(readdirSync(backups)).toEqual([nameOf()]);
      const copy = readFileSync(join(backups, nameOf()));
      writeFileSync(file, bytes);
      await open(file);
      expect(readdirSync(backups)).toEqual([nameOf()]);
      writeFileSync(file, bytes);
      withDatabase(file, (database) => database.exec('DELETE FROM handoffs WHERE seq = 1'));
      await open(file);
      expect(readdirSync(backups).sort()).toEqual([nameOf(2), nameOf()].sort());
      expect(readFileSync(join(backups, nameOf())).equals(copy)).toBe(true);
    },
  );

  verifies(['STORECMD.backup-first'], 'of many that open at once makes one copy, and all of them go on', async () => {
    const { file, backups, before } = await former(1);
    const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(`sqlite:${file}`)));
    expect(readdirSync(backups)).toEqual([nameOf()]);
    for (const store of stores) expect((await store.list({ filter: {}, limit: 50 })).handoffs).toHaveLength(12);
    await Promise.all(stores.map((store) => store.close()));
    expect(await digestsOf(file)).toEqual(before);
  });

  verifies(['STORECMD.backup-first', 'STORECMD.words'], 'does not begin where no copy can be made', async () => {
    const { file, backups, before } = await former(known - 1);
    writeFileSync(backups, 'a file in the place of the folder');
    const refused = await refusalOf(open(file));
    expect(refused.code).toBe('unavailable');
    expect(refused.message).toContain('was not brought up to date');
    expect(schemaOf(file)).toBe(known - 1);
    rmSync(backups);
    await open(file);
    expect(await digestsOf(file)).toEqual(before);
  });

  verifies(['STORECMD.backup-first'], 'of a new or empty store makes no copy', async () => {
    const { folder, file } = newPlace();
    await (await openOn(file)).run('handoff.list', {});
    const empty = join(folder, 'empty.db');
    await makeFormer(empty, 1, file);
    expect(await (await openOn(empty)).run('store.migrate', {})).toEqual({
      store: empty,
      from: 1,
      to: known,
      migrated: true,
    });
    expect(existsSync(join(folder, 'backups'))).toBe(false);
  });

  verifies(['STORECMD.migrate', 'STORECMD.words'], 'is refused of what is newer, foreign or not there', async () => {
    const { folder, file } = newPlace();
    expect((await refusalOf((await openOn(file)).run('store.migrate', {}))).code).toBe('file_not_found');
    await (await openOn(file)).run('handoff.list', {});
    withDatabase(file, (database) => database.exec('PRAGMA user_version = 99'));
    const bytes = readFileSync(file);
    expect((await refusalOf((await openOn(file)).run('store.migrate', {}))).code).toBe('unsupported_version');
    expect(readFileSync(file).equals(bytes)).toBe(true);
    const foreign = join(folder, 'foreign.db');
    withDatabase(foreign, (database) => database.exec('CREATE TABLE notes (a)'));
    expect((await refusalOf((await openOn(foreign)).run('store.migrate', {}))).code).toBe('invalid_input');
    const memory = await openOn(file, { store: 'memory:' });
    expect((await refusalOf(memory.run('store.migrate', {}))).code).toBe('invalid_input');
  });
});
