import type { DatabaseSync } from 'node:sqlite';

/** Whatever answers SQL: a driver, or a database of the library itself. */
export interface Asked {
  prepare: (sql: string) => { all: () => readonly object[] };
}

/** The tables of a database, or of one that is attached to it, by name. */
export function listTables(database: Asked, schema = 'main'): string[] {
  return namesIn(
    database
      .prepare(
        `SELECT name FROM ${quoted(schema)}.sqlite_schema
       WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name`,
      )
      .all(),
  );
}

/** The columns of a table that are stored; those that are computed follow from them. */
export function listColumns(database: DatabaseSync, schema: string, table: string): string[] {
  const sql = 'SELECT name FROM pragma_table_xinfo(:table, :schema) WHERE hidden = 0 ORDER BY cid';
  return namesIn(database.prepare(sql).all({ table, schema }));
}

/** A name as SQL reads it, whatever is in it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function namesIn(rows: readonly object[]): string[] {
  return rows.map((row) => String(Object.values(row)[0]));
}
