import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { HandoffError } from '../../../core/errors.ts';
import { backupsFolder, placeBackup, unfinishedName } from '../backup-place.ts';
import { type Driver, openDriver } from '../driver.ts';
import { explainFailure } from '../failure.ts';
import { listTables, quoted } from '../schema.ts';
import { untilFree } from '../until-free.ts';
import { migrate, needsMigration } from './migrate.ts';
import { migrations } from './migrations.ts';

/** A schema that was brought up to date. */
export interface Migration {
  from: number;
  to: number;
  /** The copy of what was there before; absent where there was nothing. */
  backup?: string;
}

/** The database that is migrated. */
export interface MigratedDatabase {
  driver: Driver;
  path: string;
  /** Runs a body in a write transaction. */
  write: <T>(body: () => T) => Promise<T>;
}

/**
 * Brings an outdated schema up to date, after a copy of the database has been written beside it and synced:
 * `backups/baton-before-schema-N.db`. Copy and migration happen under one write lock: the copy holds everything that was
 * ever acknowledged under the old schema, and of two processes that open at once the second finds the work done.
 *
 * @returns what was done; undefined where another process had done it.
 * @throws HandoffError `unavailable` where the copy cannot be made. A failure or a crash leaves the old schema whole,
 * and the copy where it was finished.
 */
export async function migrateSafely(database: MigratedDatabase): Promise<Migration | undefined> {
  const { driver, path } = database;
  // A database in memory, or on a disk that only its driver knows, has no place beside it.
  const isFile = existsSync(path) && (await untilFree(path, () => listTables(driver).length > 0));
  // Opened before the transaction, whose body cannot wait.
  const reader = isFile ? await openDriver(path) : undefined;
  try {
    return await database.write(() => {
      if (!needsMigration(driver, path)) return undefined;
      const [from, to] = [schemaOf(driver), migrations.length];
      const backup = reader && holdsAnything(driver) ? backUp(reader, path, to) : undefined;
      migrate(driver, path);
      return { from, to, ...(backup && { backup }) };
    });
  } finally {
    reader?.close();
  }
}

function schemaOf(driver: Driver): number {
  return Number(driver.prepare('PRAGMA user_version').get()?.user_version);
}

/** Whether any table has a row, in whatever schema. */
function holdsAnything(driver: Driver): boolean {
  return listTables(driver).some((name) => driver.prepare(`SELECT 1 FROM ${quoted(name)} LIMIT 1`).get() !== undefined);
}

/** By a connection of its own: SQLite copies no database from within a transaction. Equal contents make equal bytes. */
function backUp(reader: Driver, path: string, to: number): string {
  const folder = backupsFolder(path);
  let beside: string | undefined;
  try {
    beside = unfinishedName(folder);
    closeSync(openSync(beside, 'wx', 0o600));
    reader.prepare('VACUUM INTO :beside').run({ beside });
    return placeBackup(beside, folder, `baton-before-schema-${to}`);
  } catch (error) {
    if (beside !== undefined) rmSync(beside, { force: true });
    throw notBackedUp(path, folder, explainFailure(error, folder));
  }
}

function notBackedUp(path: string, folder: string, cause: unknown): HandoffError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new HandoffError(
    'unavailable',
    `The store ${path} is of an older form and was not brought up to date, because no backup of it could be made first: ${reason}`,
    {
      details: { path, folder },
      cause,
      alternatives: [
        `Make room in ${folder}, or make it writable, and run the command again; the store is as it was.`,
        'Go on with the former version of Baton meanwhile.',
      ],
    },
  );
}
