import { DatabaseSync } from 'node:sqlite';

/** The table that source 3 asks for, in its own words. */
export const literalTable = `CREATE TABLE handoffs(id TEXT PRIMARY KEY, task_id TEXT, payload JSON, origin TEXT,
  created_at INTEGER, consumed INTEGER DEFAULT 0)`;

/** The statements that an implementation of source 3 would run. */
export const literalStatements = {
  insert: 'INSERT INTO handoffs (id, task_id, payload, origin, created_at) VALUES (?, ?, ?, ?, ?)',
  oldest: `SELECT id, payload, origin FROM handoffs WHERE task_id = ? AND consumed = 0
    ORDER BY created_at ASC, rowid ASC LIMIT 1`,
  unclaimed: 'SELECT * FROM handoffs WHERE task_id = ? AND consumed = 0 ORDER BY created_at',
  consume: 'UPDATE handoffs SET consumed = 1 WHERE id = ? AND consumed = 0',
  remove: 'DELETE FROM handoffs WHERE consumed = 1 AND created_at < ?',
};

/** Runs a body on the file's own database, past every door of Baton. */
export function withDatabase<T>(file: string, body: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  try {
    return body(database);
  } finally {
    database.close();
  }
}

/** All rows of a statement, as plain objects. */
export function rowsOf(database: DatabaseSync, sql: string, ...parameters: (string | number)[]) {
  return database
    .prepare(sql)
    .all(...parameters)
    .map((row) => ({ ...row }));
}
