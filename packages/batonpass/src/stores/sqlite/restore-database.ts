import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { HandoffError } from '../../core/errors.ts';
import { storeError } from '../sql/failure.ts';
import { backupsFolder, placeBackup } from './backup-place.ts';
import { Connection } from './connection.ts';
import { type CopyOptions, copyDatabase, removeDatabase } from './copy-database.ts';
import { loadSqlite } from './driver.ts';
import { explainFailure, isBusy, isDamage, notWritten, untilFree } from './failure.ts';
import { firstNumber, holdsRows, listColumns, listTables, quoted } from './tables.ts';

interface Restored {
  handoffs: number;
  /** How many history lines subscribers receive again, because their handoffs have changed. */
  told_again: number;
  /** The copy of the former contents: restoring it undoes this restore. Absent where there were none. */
  undo?: { path: string; complaints: string[] } | undefined;
}

/** @param undo_name - the name, without an end, of the copy of what is there now. */
type RestoreOptions = CopyOptions & { undo_name: string };

/**
 * Replaces a database's contents by a staged backup, after a synced copy of them has been written to `backups/`: both under
 * one write lock, the second in one transaction. Processes that have the database open see the old contents or the new
 * ones, and everything acknowledged before is in the copy. A damaged database is overwritten page by page instead; what
 * others write to it between the copy and that moment is lost. A crash leaves the old contents, and perhaps the copy.
 *
 * @throws HandoffError `unavailable` where the copy cannot be made or the database not be written, and as opening it does.
 */
export async function restoreDatabase(staged: string, path: string, options: RestoreOptions): Promise<Restored> {
  const wasThere = existsSync(path);
  const isUsable = await prepareTarget(path);
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(path);
  try {
    await untilFree(path, () => database.prepare('ATTACH DATABASE :staged AS restored').run({ staged }));
    await untilFree(path, () => database.exec('BEGIN IMMEDIATE'));
    const undo = wasThere && ifReadable(() => holdsRows(database), true) ? await keepPresent(path, options) : undefined;
    const isSound = isUsable && (undo === undefined || undo.complaints.length === 0);
    if (isSound && isAsMade(database)) {
      const replacement = replaceContents(database);
      database.exec('COMMIT');
      return { ...replacement, undo };
    }
    const last = ifReadable(() => firstNumber(database, selectLast), 0);
    database.exec('ROLLBACK; DETACH DATABASE restored');
    return { ...(await overwrite(staged, path, last)), undo };
  } catch (error) {
    throw isDamage(error) ? unusable(path, error) : explainFailure(error, path);
  } finally {
    database.close();
  }
}

/** Makes the file where it is absent, and brings its schema up to date. @returns whether it can be used as it is. */
async function prepareTarget(path: string): Promise<boolean> {
  const opened = await Connection.open(path).catch((error: unknown) => {
    if (!isDamage(error)) throw error;
  });
  opened?.close();
  return opened !== undefined;
}

/** Whether it has the tables and columns of the backup: another program may have taken one away. */
function isAsMade(database: DatabaseSync): boolean {
  const isSame = (table: string) => listColumns(database, 'main', table) === listColumns(database, 'restored', table);
  return listTables(database, 'restored').every(isSame);
}

function ifReadable<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    // A damaged table may hold anything, and no subscriber could read further in it either.
    return otherwise;
  }
}

/** Another connection reads what was committed, while this one holds the lock and has written nothing. */
async function keepPresent(path: string, { undo_name, ...options }: RestoreOptions) {
  const folder = backupsFolder(path);
  const { path: copy, complaints } = await copyDatabase(path, folder, options);
  const stem = complaints.length === 0 ? undo_name : `${undo_name}-damaged`;
  try {
    return { path: placeBackup(copy, folder, stem), complaints };
  } catch (error) {
    removeDatabase(copy);
    throw notWritten(folder, error);
  }
}

const selectLast = 'SELECT coalesce(max(seq), 0) FROM main.events';
const countHandoffs = 'SELECT count(*) FROM main.handoffs';

/** Page by page, with a history behind the last number that is known. */
async function overwrite(staged: string, path: string, last: number): Promise<Restored> {
  const { backup, DatabaseSync } = await loadSqlite();
  const source = new DatabaseSync(staged);
  try {
    source.exec('BEGIN');
    const told_again = moveHistoryBehind(source, 'main.events', last, 'true');
    source.exec('COMMIT');
    await untilFree(path, () => backup(source, path), { isHeld: isHeldTarget });
    return { handoffs: firstNumber(source, countHandoffs), told_again };
  } finally {
    source.close();
  }
}

/** Where another process holds the lock of the target, Node's copying fails with the code of "not an error". */
function isHeldTarget(error: unknown): boolean {
  return isBusy(error) || (error instanceof Error && 'errcode' in error && error.errcode === 0);
}

/** Damaged at its very beginning: it cannot even be overwritten, and no process can be using it. */
function unusable(path: string, cause: unknown): HandoffError {
  const move = `End what has it open, and move it into another folder with the files next to it: ${path}, ${path}-wal, ${path}-shm.`;
  const again = 'Then run the same command again: it creates the store again.';
  return storeError(path, ['is too damaged to be restored in its place', move, again], { details: { path }, cause });
}

/**
 * Gives a database, within a write transaction, the contents of another one of the same schema, attached as `restored`: a
 * copy, for it is changed first. Tokens of the HTTP door stay: a backup would bring back those that were revoked since.
 *
 * Sequence numbers of the history never go back, because subscribers continue from one of them: all lines of a handoff that
 * has changed get numbers above the last. Fences never go back either: what a later holder wrote elsewhere stays the later.
 */
export function replaceContents(database: DatabaseSync): Restored {
  const last = firstNumber(database, selectLast);
  const columnsOf = (table: string) => listColumns(database, 'main', table);
  const lines = columnsOf('events');
  const linesBut = (schema: string, other: string) =>
    `SELECT handoff_id FROM (SELECT ${lines} FROM ${schema}.events EXCEPT SELECT ${lines} FROM ${other}.events)`;
  const changed = `${linesBut('restored', 'main')} UNION ${linesBut('main', 'restored')}`;
  const told_again = moveHistoryBehind(database, 'restored.events', last, `handoff_id IN (${changed})`);
  // Where nothing came behind it, the newest line of all stays, as it does when handoffs are removed.
  database.exec(`INSERT INTO restored.events (${lines}) SELECT ${lines} FROM main.events
    WHERE seq = ${last} AND seq > (SELECT coalesce(max(seq), 0) FROM restored.events)`);
  database.exec(keepFences);
  for (const table of listTables(database, 'restored').filter((each) => each !== 'tokens')) {
    const [name, columns] = [quoted(table), columnsOf(table)];
    database.exec(`DELETE FROM main.${name};
      INSERT INTO main.${name} (${columns}) SELECT ${columns} FROM restored.${name} ORDER BY rowid`);
  }
  return { handoffs: firstNumber(database, countHandoffs), told_again };
}

/** An offer belongs to the present claim while both have one fence. The trigger keeps other programs from doing this. */
const keepFences = `
DROP TRIGGER IF EXISTS restored.handoffs_are_moved_by_baton;
UPDATE restored.handoffs AS former SET fence = present.fence,
  offered = iif(offered ->> '$.fence' = former.fence, json_set(offered, '$.fence', present.fence), offered)
FROM (SELECT id AS known, fence FROM main.handoffs) AS present
WHERE present.known = former.id AND present.fence > former.fence`;

/** Gives lines of a history numbers above a last one, in their order. @returns how many. */
function moveHistoryBehind(database: DatabaseSync, history: string, last: number, where: string): number {
  // By negative numbers first, which no line has: so no line gets a number that is still in use.
  database.exec(`UPDATE ${history} SET seq = -seq WHERE ${where}`);
  return Number(database.prepare(`UPDATE ${history} SET seq = ${last} - seq WHERE seq < 0`).run().changes);
}
