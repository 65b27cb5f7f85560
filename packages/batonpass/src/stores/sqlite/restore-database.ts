import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { HandoffError } from '../../core/errors.ts';
import { backupsFolder, placeBackup, unfinishedName } from './backup-place.ts';
import { Connection } from './connection.ts';
import { type CopyOptions, copyDatabase, removeDatabase } from './copy-database.ts';
import { explainFailure, isBusy, isDamage, notWritten } from './failure.ts';
import { moveHistoryBehind, type Replacement, replaceContents } from './replace-contents.ts';
import { listColumns, listTables, quoted } from './tables.ts';
import { untilFree } from './until-free.ts';

/** What came of a restoring. */
export interface Restored {
  handoffs: number;
  /** How many lines of history subscribers are told again. */
  told_again: number;
  /** The copy of what was there before: restoring it takes this back. Absent where nothing was there. */
  undo?: { path: string; complaints: string[] };
}

/** How a backup is put in place of a store's contents. */
export interface RestoreOptions extends CopyOptions {
  /** The name, without an end, of the copy of what is there now. */
  undo_name: string;
}

/**
 * Copies a backup into a folder. The backup itself stays as it is.
 *
 * @returns the copy, to be removed with `removeDatabase`; a crash may leave it. One with complaints is gone already.
 * @throws HandoffError as `copyDatabase`.
 */
export async function stageBackup(file: string, folder: string, options: CopyOptions = {}) {
  const staged = unfinishedName(folder);
  const copy = await copyDatabase(file, staged, options);
  if (copy.complaints.length > 0) {
    removeDatabase(staged);
    return { staged, ...copy };
  }
  return { staged, ...copy };
}

/**
 * Puts a staged backup in place of a database's contents, after a copy of these has been kept in `backups/`, synced.
 *
 * Both happen under one write lock, the second in one transaction: processes that have the database open go on working
 * and see the old contents or the new ones, and whatever was acknowledged before is in the copy. A damaged database is
 * overwritten page by page instead, in one transaction too; the little that others might write to it between the copy
 * and that moment is lost. A crash leaves the old contents, and perhaps the copy.
 *
 * @throws HandoffError `unavailable` where the copy cannot be made, the database stays locked, or nothing can be
 * written to it, and what opening it throws.
 */
export async function restoreDatabase(staged: string, path: string, options: RestoreOptions): Promise<Restored> {
  const wasThere = existsSync(path);
  const isUsable = await prepareTarget(path);
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(path);
  try {
    await untilFree(path, () => database.prepare('ATTACH DATABASE :staged AS restored').run({ staged }));
    await untilFree(path, () => database.exec('BEGIN IMMEDIATE'));
    const undo = wasThere && holdsAnything(database) ? await keepPresent(path, options) : undefined;
    const isSound = isUsable && (undo === undefined || undo.complaints.length === 0);
    if (isSound && isAsMade(database)) {
      const replacement = replaceContents(database);
      database.exec('COMMIT');
      return { ...replacement, ...(undo && { undo }) };
    }
    const last = lastPlace(database);
    database.exec('ROLLBACK; DETACH DATABASE restored');
    return { ...(await overwrite(staged, path, last)), ...(undo && { undo }) };
  } catch (error) {
    throw isDamage(error) ? unusable(path, error) : explainFailure(error, path);
  } finally {
    database.close();
  }
}

/** Makes the file where it is absent, and brings its schema up to date. @returns whether it can be used as it is. */
async function prepareTarget(path: string): Promise<boolean> {
  try {
    (await Connection.open(path)).close();
    return true;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

/** Whether it has the tables and columns of the backup: another program may have taken one away. */
function isAsMade(database: DatabaseSync): boolean {
  const columnsIn = (schema: string, table: string) => listColumns(database, schema, table).sort().join();
  return listTables(database, 'restored').every((table) => columnsIn('main', table) === columnsIn('restored', table));
}

function holdsAnything(database: DatabaseSync): boolean {
  try {
    const hasRow = (table: string) =>
      database.prepare(`SELECT 1 FROM main.${quoted(table)} LIMIT 1`).get() !== undefined;
    return listTables(database).some(hasRow);
  } catch (error) {
    // What cannot be read may hold everything.
    if (isDamage(error)) return true;
    throw error;
  }
}

/** Another connection reads what was committed, while this one holds the lock and has written nothing. */
async function keepPresent(path: string, { undo_name, ...options }: RestoreOptions) {
  const folder = backupsFolder(path);
  const beside = unfinishedName(folder);
  const { complaints } = await copyDatabase(path, beside, { ...options, keepsDamage: true });
  const stem = complaints.length === 0 ? undo_name : `${undo_name}-damaged`;
  try {
    return { path: placeBackup(beside, folder, stem), complaints };
  } catch (error) {
    removeDatabase(beside);
    throw notWritten(folder, error);
  }
}

/** The last place in a damaged history, as far as it can be read. */
function lastPlace(database: DatabaseSync): number {
  try {
    return Number(database.prepare('SELECT coalesce(max(seq), 0) AS last FROM main.events').get()?.last);
  } catch {
    // Whatever keeps it from being read: nobody who followed it could read further either.
    return 0;
  }
}

async function overwrite(staged: string, path: string, last: number): Promise<Replacement> {
  const { backup, DatabaseSync } = await import('node:sqlite');
  const source = new DatabaseSync(staged);
  try {
    source.exec('BEGIN');
    moveHistoryBehind(source, last);
    source.exec('COMMIT');
    await untilFree(path, () => backup(source, path), { isHeld: isHeldTarget });
    const count = (table: string) => Number(source.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);
    return { handoffs: count('handoffs'), told_again: count('events') };
  } finally {
    source.close();
  }
}

/** Where another process holds the lock of the target, Node's copying fails with the code of "not an error". */
function isHeldTarget(error: unknown): boolean {
  return isBusy(error) || (error instanceof Error && 'errcode' in error && error.errcode === 0);
}

/** Damaged at its very beginning: it cannot even be overwritten, and nobody can be working with it. */
function unusable(path: string, cause: unknown): HandoffError {
  return new HandoffError('unavailable', `The store ${path} is too damaged to be restored in its place.`, {
    details: { path },
    cause,
    alternatives: [
      `End what has it open, and move it into another folder with what lies beside it: ${path}, ${path}-wal, ${path}-shm.`,
      'Then run the same command again: it makes the store anew.',
    ],
  });
}
