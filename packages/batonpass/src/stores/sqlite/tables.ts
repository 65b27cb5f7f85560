import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { isDamage } from './failure.ts';

/** Anything that answers SQL: a driver, or a database of the library itself. */
export interface SqlReader {
  prepare: (sql: string) => { all: () => readonly Readonly<Record<string, unknown>>[] };
}

/** The tables of a database, or of one that is attached to it, by name. */
export function listTables(database: SqlReader, schema = 'main'): string[] {
  const sql = `SELECT name FROM ${quoted(schema)}.sqlite_schema
    WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name`;
  return firstColumn(database, sql).map(String);
}

/** The stored columns of a table, quoted, as a list for SQL; those that are computed follow from them. */
export function listColumns(database: SqlReader, schema: string, table: string): string {
  const sql = `SELECT name FROM pragma_table_xinfo('${table.replaceAll("'", "''")}', '${schema}') WHERE hidden = 0 ORDER BY cid`;
  const names = firstColumn(database, sql).map((name) => quoted(String(name)));
  return names.join(', ');
}

/** Whether any table has a row. */
export function holdsRows(database: SqlReader): boolean {
  const hasRow = (table: string) => firstColumn(database, `SELECT 1 FROM main.${quoted(table)} LIMIT 1`).length > 0;
  return listTables(database).some(hasRow);
}

/** A name quoted for SQL, with any characters in it. */
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** The number that a statement gives first. */
export const firstNumber = (database: SqlReader, sql: string) => Number(firstColumn(database, sql)[0]);

function firstColumn(database: SqlReader, sql: string): unknown[] {
  const rows = database.prepare(sql).all();
  return rows.map((row) => Object.values(row)[0]);
}

/**
 * What a database holds, equal for equal rows, wherever in the file they are: rows by table, and SHA-256 over every stored
 * column of every row. To be exact while other processes write, it needs a read transaction around it.
 */
export function fingerprintOf(database: DatabaseSync): { rows: Record<string, number>; sha256: string } {
  const hash = createHash('sha256');
  const rows: Record<string, number> = {};
  for (const table of listTables(database)) {
    const columns = listColumns(database, 'main', table);
    rows[table] = 0;
    hash.update(`${table}\n`);
    const select = database.prepare(`SELECT json_array(${columns}) AS row FROM ${quoted(table)} ORDER BY rowid`);
    for (const { row } of select.iterate()) {
      hash.update(`${row}\n`);
      rows[table] += 1;
    }
  }
  return { rows, sha256: hash.digest('hex') };
}

/** What one of SQLite's checks finds wrong with a database, of what may be thousands; empty for a sound one. */
export function listComplaints(database: SqlReader, check: 'integrity_check' | 'quick_check', most = 20): string[] {
  try {
    const answers = firstColumn(database, `PRAGMA ${check}(${most})`).map(String);
    return answers.filter((answer) => answer !== 'ok');
  } catch (error) {
    if (!isDamage(error) || !(error instanceof Error)) throw error;
    return [error.message];
  }
}
