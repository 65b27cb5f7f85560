import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { HandoffError } from '../../core/errors.ts';
import { backupsFolder, placeBackup, unfinishedName } from './backup-place.ts';
import { Connection } from './connection.ts';
import { type CopyOptions, copyDatabase, removeDatabase } from './copy-database.ts';
import { loadSqlite } from './driver.ts';
import { explainFailure, isBusy, isDamage, notWritten, untilFree } from './failure.ts';
import { holdsRows, listColumns, listTables, quoted } from './tables.ts';

/** What a store holds after its contents were replaced. */
interface Replacement {
  handoffs: number;
  /** How many history lines subscribers receive again, because their handoffs have changed. */
  told_again: number;
}

/** The result of a restore. */
export interface Restored extends Replacement {
  /** The copy of the former contents: restoring it undoes this restore. Absent where there were none. */
  undo?: { path: string; complaints: string[] };
}

/** How a backup replaces a store's contents. */
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
  if (copy.complaints.length > 0) removeDatabase(staged);
  return { staged, ...copy };
}

/**
 * Replaces a database's contents by a staged backup, after a synced copy of them has been written to `backups/`.
 *
 * Both happen under one write lock, the second in one transaction: processes that have the database open continue
 * and see the old contents or the new ones, and everything acknowledged before is in the copy. A damaged database is
 * overwritten page by page instead, in one transaction too; the little that others might write to it between the copy
 * and that moment is lost. A crash leaves the old contents, and perhaps the copy.
 *
 * @throws HandoffError `unavailable` where the copy cannot be made, the database stays locked, or nothing can be
 * written to it, and what opening it throws.
 */
export async function restoreDatabase(staged: string, path: string, options: RestoreOptions): Promise<Restored> {
  const wasThere = existsSync(path);
  const isUsable = await prepareTarget(path);
  const { DatabaseSync } = await loadSqlite();
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
    return holdsRows(database);
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

/** The last sequence number in a damaged history, as far as it can be read. */
function lastPlace(database: DatabaseSync): number {
  try {
    return Number(database.prepare('SELECT coalesce(max(seq), 0) AS last FROM main.events').get()?.last);
  } catch {
    // Whatever the reason it cannot be read: no subscriber could read further either.
    return 0;
  }
}

async function overwrite(staged: string, path: string, last: number): Promise<Replacement> {
  const { backup, DatabaseSync } = await loadSqlite();
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

/** Damaged at its very beginning: it cannot even be overwritten, and no process can be using it. */
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

/**
 * Gives a database the contents of another one of the same schema, attached as `restored`. To be run inside one write
 * transaction: every other process sees the old contents or the new ones.
 *
 * Tokens of the HTTP door stay as they are: a backup would bring back those that were revoked since.
 *
 * Sequence numbers of the history never go back, because subscribers continue from one of them: a handoff that has changed
 * gets new numbers above the last for all of its lines, so that subscribers receive it again; the lines of all others keep
 * their numbers. Fences never go back either: what a later holder wrote elsewhere stays the later.
 */
export function replaceContents(database: DatabaseSync): Replacement {
  const count = (sql: string) => Number(Object.values(database.prepare(sql).get() ?? {})[0]);
  const last = count('SELECT coalesce(max(seq), 0) FROM main.events');
  noteDifferences(database);
  const tables = listTables(database, 'restored').filter((table) => table !== 'tokens');
  for (const table of tables) database.exec(`DELETE FROM main.${quoted(table)}`);
  for (const table of tables.filter((each) => each !== 'events')) insertAll(database, table);
  const told_again = insertEvents(database, last);
  const wanted = count('SELECT count(*) FROM restored.handoffs');
  const handoffs = count('SELECT count(*) FROM main.handoffs');
  if (handoffs !== wanted) throw new Error(`Of ${wanted} handoffs ${handoffs} were restored.`);
  database.exec('DROP TABLE temp.differing; DROP TABLE temp.newest; DROP TABLE temp.later_fences');
  return { handoffs, told_again };
}

/** Renumbers all of a database's history above a number, for when it is unknown what subscribers have received. */
function moveHistoryBehind(database: DatabaseSync, last: number): void {
  // By negative numbers first, which no line has: so no line gets a number that is still in use.
  database.exec(`UPDATE events SET seq = -seq; UPDATE events SET seq = ${last} - seq`);
}

function noteDifferences(database: DatabaseSync): void {
  const lines = listColumns(database, 'main', 'events').map(quoted).join(', ');
  const linesOf = (schema: string) => `SELECT ${lines} FROM ${schema}.events`;
  database.exec(`
    CREATE TEMP TABLE differing AS
      SELECT handoff_id FROM (${linesOf('restored')} EXCEPT ${linesOf('main')})
      UNION SELECT handoff_id FROM (${linesOf('main')} EXCEPT ${linesOf('restored')});
    CREATE TEMP TABLE newest AS SELECT ${lines} FROM main.events ORDER BY seq DESC LIMIT 1;
    CREATE TEMP TABLE later_fences AS
      SELECT present.id AS id, present.fence AS fence, former.fence AS former
      FROM main.handoffs AS present JOIN restored.handoffs AS former ON former.id = present.id
      WHERE present.fence > former.fence;`);
}

function insertAll(database: DatabaseSync, table: string): void {
  const columns = listColumns(database, 'main', table);
  const values = table === 'handoffs' ? columns.map(valueOfHandoff) : columns.map((name) => `each.${quoted(name)}`);
  database.exec(
    `INSERT INTO main.${quoted(table)} (${columns.map(quoted).join(', ')})
     SELECT ${values.join(', ')} FROM restored.${quoted(table)} AS each ORDER BY each.rowid`,
  );
}

const laterFence = '(SELECT fence FROM temp.later_fences AS later WHERE later.id = each.id)';

function valueOfHandoff(column: string): string {
  if (column === 'fence') return `coalesce(${laterFence}, each.fence)`;
  // An offer belongs to the present claim while both have one fence.
  if (column === 'offered') {
    return `CASE WHEN each.offered ->> '$.fence' = each.fence AND ${laterFence} IS NOT NULL
      THEN json_set(each.offered, '$.fence', ${laterFence}) ELSE each.offered END`;
  }
  return `each.${quoted(column)}`;
}

/** @returns how many lines got numbers above the last one. */
function insertEvents(database: DatabaseSync, last: number): number {
  const columns = listColumns(database, 'main', 'events');
  const others = columns.filter((name) => name !== 'seq').map(quoted);
  const insert = `INSERT INTO main.events (seq, ${others.join(', ')})`;
  const isDiffering = 'each.handoff_id IN (SELECT handoff_id FROM temp.differing)';
  const rest = others.map((name) => `each.${name}`).join(', ');
  database.exec(
    `${insert} SELECT each.seq, ${rest} FROM restored.events AS each WHERE NOT ${isDiffering} ORDER BY each.seq`,
  );
  const told = database
    .prepare(
      `${insert} SELECT :last + row_number() OVER (ORDER BY each.seq), ${rest}
       FROM restored.events AS each WHERE ${isDiffering} ORDER BY each.seq`,
    )
    .run({ last });
  // Where nothing came behind it, the newest line of all stays, as it does when handoffs are removed.
  database.exec(`${insert} SELECT each.seq, ${rest} FROM temp.newest AS each
    WHERE each.seq > (SELECT coalesce(max(seq), 0) FROM main.events)`);
  return Number(told.changes);
}
