import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { listColumns, listTables, quoted } from './tables.ts';

/** What a database holds, by number and by hash: equal for equal rows, wherever in the file they lie. */
export interface Fingerprint {
  /** Rows by table. */
  rows: Record<string, number>;
  /** SHA-256 over every stored column of every row, table by table in the order of their places. */
  sha256: string;
}

/**
 * Reads everything of a database, of whatever schema. To be exact beside other processes' writes it wants a read
 * transaction around it.
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
