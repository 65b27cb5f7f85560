import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { isDamage } from './failure.ts';

/** Anything that answers SQL: a driver, or a database of the library itself. */
export interface Asked {
  prepare: (sql: string) => { all: () => readonly Readonly<Record<string, unknown>>[] };
}

/** The tables of a database, or of one that is attached to it, by name. */
export function listTables(database: Asked, schema = 'main'): string[] {
  const sql = `SELECT name FROM ${quoted(schema)}.sqlite_schema
    WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name`;
  return namesIn(database.prepare(sql).all());
}

/** The columns of a table that are stored; those that are computed follow from them. */
export function listColumns(database: DatabaseSync, schema: string, table: string): string[] {
  const sql = 'SELECT name FROM pragma_table_xinfo(:table, :schema) WHERE hidden = 0 ORDER BY cid';
  return namesIn(database.prepare(sql).all({ table, schema }));
}

/** Whether any table has a row. */
export function holdsRows(database: Asked): boolean {
  const hasRow = (name: string) => database.prepare(`SELECT 1 FROM main.${quoted(name)} LIMIT 1`).all().length > 0;
  return listTables(database).some(hasRow);
}

/** A name quoted for SQL, with any characters in it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function namesIn(rows: readonly object[]): string[] {
  return rows.map((row) => String(Object.values(row)[0]));
}

/** What a database holds, by number and by hash: equal for equal rows, wherever in the file they are. */
export interface Fingerprint {
  /** Rows by table. */
  rows: Record<string, number>;
  /** SHA-256 over every stored column of every row, table by table in the order of their row numbers. */
  sha256: string;
}

/**
 * Reads everything of a database, of any schema. To be exact while other processes write, it needs a read transaction
 * around it.
 */
export function fingerprintOf(database: DatabaseSync): Fingerprint {
  const hash = createHash('sha256');
  const rows: Record<string, number> = {};
  for (const table of listTables(database)) {
    const columns = listColumns(database, 'main', table).map(quoted);
    const sql = `SELECT json_array(${columns.join(', ')}) AS row FROM ${quoted(table)} ORDER BY rowid`;
    let count = 0;
    hash.update(`${table}\n`);
    for (const { row } of database.prepare(sql).iterate()) {
      hash.update(`${row}\n`);
      count += 1;
    }
    rows[table] = count;
  }
  return { rows, sha256: hash.digest('hex') };
}

/** Enough to show what is wrong; a broken file has thousands. */
const COMPLAINTS_MAX = 20;

/** What SQLite finds wrong with a database, read through whole; empty for a sound one. */
export function integrityComplaints(database: Asked): string[] {
  try {
    return complaintsOf(database, 'integrity_check', COMPLAINTS_MAX);
  } catch (error) {
    // Too damaged even to be checked.
    if (!isDamage(error) || !(error instanceof Error)) throw error;
    return [error.message];
  }
}

/** What one of SQLite's checks complains of, at most so often. */
export function complaintsOf(database: Asked, check: 'integrity_check' | 'quick_check', most: number): string[] {
  return namesIn(database.prepare(`PRAGMA ${check}(${most})`).all()).filter((answer) => answer !== 'ok');
}

/** A setting or fact of a database that is a number. */
export function readPragma(database: Asked, pragma: string): number {
  return Number(namesIn(database.prepare(`PRAGMA ${pragma}`).all())[0]);
}
