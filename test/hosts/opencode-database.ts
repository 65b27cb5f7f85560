import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

interface Part {
  id: string;
  [field: string]: unknown;
}

/** A session's facts, or one message of it, as Baton reads them of the database. */
export interface StoredRow {
  info: { id?: string; directory?: string; time?: { created: number }; [field: string]: unknown };
  parts?: readonly Part[];
}

/** The tables of OpenCode's database as far as Baton reads them, with the columns that they have in 1.18. */
const tables = `
  CREATE TABLE IF NOT EXISTS session (id text PRIMARY KEY, project_id text, parent_id text, directory text NOT NULL,
    title text NOT NULL, version text NOT NULL, revert text, time_created integer NOT NULL, time_updated integer NOT NULL);
  CREATE TABLE IF NOT EXISTS message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
    time_updated integer NOT NULL, data text NOT NULL);
  CREATE TABLE IF NOT EXISTS part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);`;

/** Writes rows into a database as OpenCode does; a message that is there already is written again. */
export function storeRows(
  path: string,
  session: string,
  rows: readonly StoredRow[],
  more: { revert?: string } = {},
): void {
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  try {
    database.exec(`PRAGMA journal_mode = WAL; ${tables}`);
    for (const { info, parts } of rows) {
      const at = info.time?.created ?? 0;
      if (parts === undefined) {
        const facts = [session, String(info.parentID ?? '') || null, String(info.directory), 'A session', '1.18.33'];
        database
          .prepare('INSERT OR REPLACE INTO session VALUES (?, NULL, ?, ?, ?, ?, ?, 1795575030311, 1795575040146)')
          .run(...facts, more.revert ?? null);
        continue;
      }
      const { id: message = '', sessionID: _session, ...data } = info;
      database
        .prepare('INSERT OR REPLACE INTO message VALUES (?, ?, ?, ?, ?)')
        .run(message, session, at, at, JSON.stringify(data));
      for (const { id, ...part } of parts)
        database
          .prepare('INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?, ?, ?)')
          .run(id, message, session, at, at, JSON.stringify(part));
    }
  } finally {
    database.close();
  }
}
