import { existsSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { asObject, asText, type JsonObject, parseLine } from './json-value.ts';

/** A session in OpenCode's database. */
interface StoredSession {
  database: string;
  session: string;
}

/**
 * The session that a path names within OpenCode's database: `…/opencode.db/ses_…`, which is no file of its own; nothing for
 * every other path.
 */
export function storedSession(path: string): StoredSession | undefined {
  const { database, session } =
    /^(?<database>.*[\\/]opencode[\w-]*\.db)[\\/](?<session>ses_\w+)$/.exec(path)?.groups ?? {};
  return database === undefined || session === undefined ? undefined : { database, session };
}

/** Whether a session is there. */
export async function isStored({ database, session }: StoredSession): Promise<boolean> {
  return (
    (await withDatabase(database, (open) => open.prepare('SELECT 1 FROM session WHERE id = ?').get(session))) !==
    undefined
  );
}

/** When a session's database was written last, in milliseconds since 1970; 0 where it is not there. */
export function changedAt({ database }: StoredSession): number {
  const times = [database, `${database}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return Math.max(...times);
}

/**
 * A session as lines of JSON, as `opencode export` prints it: its facts, then its messages with their parts. What the person
 * has undone is left out. The database is only read.
 */
export async function readStoredRows({ database, session }: StoredSession): Promise<string> {
  const lines = await withDatabase(database, (open) => {
    const facts = open
      .prepare('SELECT id, directory, title, version, parent_id, revert FROM session WHERE id = ?')
      .get(session);
    if (facts === undefined) return [];
    const { id, directory, title, version, parent_id: parentID } = facts;
    const undone = asText(asObject(parseLine(asText(facts.revert) ?? ''))?.messageID);
    const messages = open
      .prepare('SELECT id, data, time_created AS at FROM message WHERE session_id = ? ORDER BY id')
      .all(session);
    const parts = open.prepare('SELECT id, data FROM part WHERE message_id = ? ORDER BY id');
    const kept = messages.filter((message) => undone === undefined || String(message.id) < undone);
    return [
      { info: { id, directory, title, version, parentID } },
      ...kept.map((message) => ({
        info: { ...dataOf(message), sessionID: id },
        timestamp: new Date(Number(message.at)).toISOString(),
        parts: parts.all(String(message.id)).map(dataOf),
      })),
    ];
  });
  return (lines ?? []).map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** A session of the list. */
export interface ListedSession {
  id: string;
  directory: string;
  created_ms: number;
  updated_ms: number;
  bytes: number;
  /** The person's first message. */
  first: string;
}

/** The sessions of a database that no helper agent held. */
export async function listStored(database: string): Promise<ListedSession[]> {
  const said = `SELECT json_extract(part.data, '$.text') FROM part JOIN message ON message.id = part.message_id
    WHERE part.session_id = session.id AND json_extract(message.data, '$.role') = 'user'
    AND json_extract(part.data, '$.type') = 'text' AND json_extract(part.data, '$.synthetic') IS NULL
    ORDER BY part.message_id, part.id LIMIT 1`;
  const size = 'SELECT sum(length(part.data)) FROM part WHERE part.session_id = session.id';
  const statement = `SELECT id, directory, time_created, time_updated, (${said}) AS first, (${size}) AS bytes
    FROM session WHERE parent_id IS NULL`;
  const rows = await withDatabase(database, (open) => open.prepare(statement).all());
  return (rows ?? []).map((row) => ({
    id: String(row.id),
    directory: String(row.directory),
    created_ms: Number(row.time_created),
    updated_ms: Number(row.time_updated),
    bytes: Number(row.bytes ?? 0),
    first: asText(row.first) ?? '',
  }));
}

function dataOf(row: Record<string, unknown>): JsonObject {
  return { ...asObject(parseLine(String(row.data))), id: row.id };
}

/** @returns nothing where there is no database, or none that this version's statements fit. */
async function withDatabase<T>(path: string, read: (open: DatabaseSync) => T): Promise<T | undefined> {
  if (!existsSync(path)) return undefined;
  const { DatabaseSync } = await import('node:sqlite');
  let open: DatabaseSync | undefined;
  try {
    open = new DatabaseSync(path, { readOnly: true, timeout: wait_ms });
    return read(open);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR') return undefined;
    throw error;
  } finally {
    open?.close();
  }
}

/** The host writes now and then; a reader of a database with a log does not wait for it but at its start. */
const wait_ms = 2_000;
