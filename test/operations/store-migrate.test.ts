import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { openStore } from '../../packages/batonpass/src/index.ts';
import { SCHEMA_VERSION } from '../../packages/batonpass/src/stores/sqlite/schema.ts';
import { verifies } from '../verifies.ts';
import { makeSource3, rowsOfSource3, withDatabase } from './store-contents.ts';
import { expectSound, newPlace, openOn, refusalOf } from './store-stage.ts';

const schemaOf = (file: string) =>
  withDatabase(file, (database) => database.prepare('PRAGMA user_version').get()?.user_version);

/** A database as a program of source 3 left it, and what it holds. */
function former(count = 12) {
  const folder = join(newPlace().folder, 'former');
  mkdirSync(folder);
  const file = join(folder, 'baton.db');
  makeSource3(file, count);
  return { file, backups: join(folder, 'backups'), before: rowsOfSource3(file) };
}

/** Opens a store as every command does. */
async function open(file: string): Promise<void> {
  await (await openStore(`sqlite:${file}`)).close();
}

const nameOf = (number = 1) => `baton-before-schema-${SCHEMA_VERSION}${number === 1 ? '' : `-${number}`}.db`;

describe("taking over source 3's database", () => {
  verifies(['STORECMD.migrate', 'STORECMD.backup-first'], 'keeps a copy and everything', async () => {
    const { file, backups, before } = former();
    const done = await (await openOn(file)).run('store.migrate', {});
    const backup = join(backups, nameOf());
    expect(done).toEqual({ store: file, from: 0, to: SCHEMA_VERSION, migrated: true, backup });
    expect([schemaOf(backup), schemaOf(file)]).toEqual([0, SCHEMA_VERSION]);
    expect(rowsOfSource3(backup)).toEqual(before);
    expect(rowsOfSource3(file)).toEqual(before);
    await expectSound(file);
    expect(await (await openOn(file)).run('store.migrate', {})).toMatchObject({
      migrated: false,
      from: SCHEMA_VERSION,
    });
  });

  verifies(
    ['STORECMD.backup-first'],
    'keeps the copy, once for the same contents, and never writes over another',
    async () => {
      const { file, backups } = former();
      const bytes = readFileSync(file);
      await open(file);
      expect(readdirSync(backups)).toEqual([nameOf()]);
      const copy = readFileSync(join(backups, nameOf()));
      writeFileSync(file, bytes);
      await open(file);
      expect(readdirSync(backups)).toEqual([nameOf()]);
      writeFileSync(file, bytes);
      withDatabase(file, (database) => database.exec("DELETE FROM handoffs WHERE id = 'id-1'"));
      await open(file);
      expect(readdirSync(backups).sort()).toEqual([nameOf(2), nameOf()].sort());
      expect(readFileSync(join(backups, nameOf())).equals(copy)).toBe(true);
    },
  );

  verifies(
    ['STORECMD.backup-first'],
    'of many that open at once makes one copy, and all of them continue',
    async () => {
      const { file, backups, before } = former();
      const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(`sqlite:${file}`)));
      expect(readdirSync(backups)).toEqual([nameOf()]);
      for (const store of stores) expect((await store.list({ filter: {}, limit: 50 })).handoffs).toHaveLength(12);
      await Promise.all(stores.map((store) => store.close()));
      expect(rowsOfSource3(file)).toEqual(before);
    },
  );

  verifies(['STORECMD.backup-first', 'STORECMD.words'], 'does not begin where no copy can be made', async () => {
    const { file, backups, before } = former();
    writeFileSync(backups, 'a file in the place of the folder');
    const refused = await refusalOf(open(file));
    expect(refused.code).toBe('unavailable');
    expect(refused.message).toContain('was not brought up to date');
    expect(schemaOf(file)).toBe(0);
    rmSync(backups);
    await open(file);
    expect(rowsOfSource3(file)).toEqual(before);
  });

  verifies(['STORECMD.backup-first'], 'of a new or empty store makes no copy', async () => {
    const { folder, file } = newPlace();
    await (await openOn(file)).run('handoff.list', {});
    const empty = former(0);
    expect(await (await openOn(empty.file)).run('store.migrate', {})).toEqual({
      store: empty.file,
      from: 0,
      to: SCHEMA_VERSION,
      migrated: true,
    });
    expect([existsSync(join(folder, 'backups')), existsSync(empty.backups)]).toEqual([false, false]);
  });

  verifies(['STORECMD.migrate', 'STORECMD.words'], 'is refused of another version, foreign or not there', async () => {
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
