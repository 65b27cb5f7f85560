import { utf8ToBytes } from '@noble/hashes/utils.js';
import { encodeCanonicalJson, type Json, sha256Hex } from '../../core/canonical-json.ts';
import { type CompletedContent, completeContent } from '../../core/complete-content.ts';
import { isHandoffError } from '../../core/errors.ts';
import { createIdSource } from '../../core/id-source.ts';
import { advance } from '../../core/lifecycle.ts';
import { begin } from '../../core/lifecycle-begin.ts';
import { limits } from '../../core/limits.ts';
import type { StoredHandoff, StoreSurroundings } from '../../core/store.ts';
import { createSurroundings } from '../../core/surroundings.ts';
import { source3Project } from '../source-3-project.ts';
import { Changes } from '../sql/changes.ts';
import { importHandoffs } from '../sql/moving.ts';
import { Reader } from '../sql/reader.ts';
import { runNow } from '../sql/work.ts';
import { createRunner, type Driver, type Row } from './driver.ts';
import { selectHandoff, sqliteStatements as statements } from './statements.ts';
import { firstNumber, quoted, type SqlReader } from './tables.ts';

/**
 * The columns of the one table `handoffs` of source 3. A database of it is taken over as it is opened, in one transaction
 * with the schema; its own table stays, under another name.
 */
const columns = ['consumed INTEGER', 'created_at INTEGER', 'id TEXT', 'origin TEXT', 'payload TEXT', 'task_id TEXT'];

const keptTable = 'handoffs_of_source_3';

const countOthers = `
SELECT count(*) FROM sqlite_schema
WHERE substr(name, 1, 7) <> 'sqlite_' AND (tbl_name <> 'handoffs' OR type NOT IN ('table', 'index'))`;

const countTable = `
SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND name = 'handoffs' AND type = 'table' AND wr = 0`;

/** SQLite has no type JSON: TEXT means the same. */
const selectColumns = `
SELECT iif(hidden = 0 AND pk = (name = 'id'), name || ' ' || replace(upper(type), 'JSON', 'TEXT'), NULL) AS stored
FROM pragma_table_xinfo('handoffs') ORDER BY name`;

const selectIndexes = `
SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = '${keptTable}' AND sql IS NOT NULL`;

/** The order in which source 3 claims: by time, and rows of equal time as they were written. */
const selectPlaces = `SELECT rowid FROM ${keptTable} ORDER BY created_at, rowid`;

/** Whether a database is source 3's own: its table, and nothing else but indexes. */
export function isSource3(database: SqlReader): boolean {
  if (firstNumber(database, countTable) !== 1 || firstNumber(database, countOthers) !== 0) return false;
  const found = database.prepare(selectColumns).all();
  return found.map(({ stored }) => stored).join() === columns.join();
}

/** What to do with a database that has a table of that name and is not source 3's. */
export function adviseOnAlike(database: SqlReader): string[] {
  if (firstNumber(database, countTable) === 0) return [];
  const named = 'id, task_id, payload, origin, created_at, consumed';
  return [`To have its table handoffs taken over, copy it into a file of its own with exactly these columns: ${named}`];
}

/** Makes room for the schema. Indexes of the old table go: their names may be ours. */
export function setSource3Aside(driver: Driver): void {
  driver.exec(`ALTER TABLE handoffs RENAME TO ${keptTable}`);
  for (const { name } of driver.prepare(selectIndexes).all()) driver.exec(`DROP INDEX ${quoted(String(name))}`);
}

/** Copies the rows of the table that was set aside into the present schema. To be run in the transaction that made it. */
export function takeOverSource3(driver: Driver, surroundings = createSurroundings()): void {
  const run = createRunner(driver);
  const reader = new Reader(statements);
  const isTaken = (id: string) => run({ sql: selectHandoff, parameters: { id } }).length > 0;
  for (const { rowid } of driver.prepare(selectPlaces).all()) {
    const [row = {}] = run({ sql: selectRow, parameters: { rowid } });
    const stored = readSource3Row(row, surroundings, isTaken);
    runNow(importHandoffs(new Changes(statements), [stored], reader), run);
  }
}

const selectName = (name: string) =>
  `${name}, CASE typeof(${name}) WHEN 'blob' THEN quote(${name}) END AS ${name}_bytes`;

/** To the last millisecond of the year 9999: a record's times have four digits for the year. */
const isTime = "typeof(created_at) = 'integer' AND created_at BETWEEN 0 AND 253402300799999";

/** SQLite lets any column hold anything: what no record can have comes as its SQL literal. */
const selectRow = `
SELECT ${['id', 'task_id', 'origin'].map(selectName).join(', ')},
  CASE typeof(payload)
    WHEN 'real' THEN quote(payload)
    WHEN 'blob' THEN iif(json_valid(CAST(payload AS TEXT)), CAST(payload AS TEXT), quote(payload))
    ELSE CAST(payload AS TEXT) END AS payload,
  iif(${isTime}, created_at, NULL) AS created_at, iif(${isTime}, NULL, quote(created_at)) AS created_at_written,
  coalesce(consumed, 0) <> 0 AS consumed
FROM ${keptTable} WHERE rowid = :rowid`;

/**
 * A handoff from a row of source 3. What does not fit the record is stored in `extra.source_3` as it was, and a payload
 * that is no JSON is a text. What was consumed is acknowledged by `unknown`, now: the row does not record by whom and when.
 */
function readSource3Row(row: Row, surroundings: StoreSurroundings, isTaken: (id: string) => boolean): StoredHandoff {
  const { random } = surroundings;
  const now_ms = surroundings.now();
  const task = nameOf(row, 'task_id');
  const origin = nameOf(row, 'origin');
  const id = nameOf(row, 'id', isTaken);
  const created_ms = Number(row.created_at ?? now_ms);
  const given = { id: id.odd, task_id: task.odd, origin: origin.odd, created_at: row.created_at_written ?? undefined };
  const odd = Object.entries(given).filter(([, value]) => value !== undefined);
  const source_agent = origin.name ?? 'unknown';
  const completed = contentOf(
    { task_id: task.name, source_agent, extra: odd.length === 0 ? undefined : { source_3: Object.fromEntries(odd) } },
    payloadOf(row),
  );
  const actor = { name: source_agent, type: 'agent' as const };
  const own_id = id.name ?? createIdSource({ random })(created_ms);
  const beginning = { id: own_id, actor, now_ms: created_ms };
  const created = begin({ ...completed, project: source3Project, state: 'open' }, beginning);
  const acknowledging = { actor: { ...actor, name: 'unknown' }, now_ms, random };
  const taken = row.consumed === 0 ? null : advance(created.handoff, { type: 'acknowledge' }, acknowledging);
  if (taken) taken.event.reason = 'It was consumed before its database was taken over from source 3.';
  return {
    handoff: (taken ?? created).handoff,
    events: [created, ...(taken ? [taken] : [])].map(({ event }) => ({ ...event, seq: 0 })),
    ...(completed.payload_json !== undefined && { payload_json: completed.payload_json }),
  };
}

/**
 * A name as the record can have it, and as it was where that is something else. An id of any form is kept, so that a person
 * who noted it finds the handoff; an unusable one is replaced by a new one.
 */
function nameOf(row: Row, column: 'id' | 'task_id' | 'origin', isTaken = (_name: string) => false) {
  const bytes = row[`${column}_bytes`];
  if (typeof bytes === 'string') return { name: undefined, odd: bytes };
  const given = row[column];
  if (typeof given !== 'string') return {};
  const name = column === 'id' ? given : given.trim();
  if (name === '' || name.length > limits.name_characters_max || isTaken(name)) return { name: undefined, odd: given };
  return { name, odd: name === given ? undefined : given };
}

/** The value of a JSON text; another text is its own value. */
function payloadOf({ payload }: Row): Json {
  if (typeof payload !== 'string') return null;
  try {
    const value = JSON.parse(payload) as Json;
    // Also what JSON allows and no record does: lone surrogates, nesting without bounds, numbers too large.
    encodeCanonicalJson(value);
    return typeof value === 'number' && String(value) !== payload && !Number.isSafeInteger(value) ? payload : value;
  } catch {
    return payload;
  }
}

/** Source 3 had no bound: a payload above that of a record is pointed to all the same. */
function contentOf(
  given: { task_id?: string; source_agent: string; extra?: { source_3: object } },
  payload: Json,
): CompletedContent {
  const { source_agent } = given;
  try {
    return completeContent({ ...given, payload }, { source_agent });
  } catch (error) {
    if (!isHandoffError(error) || error.code !== 'too_large') throw error;
    const payload_json = encodeCanonicalJson(payload);
    const bytes = utf8ToBytes(payload_json).byteLength;
    const payload_ref = { sha256: sha256Hex(payload_json), bytes, media_type: 'application/json' as const };
    const content = { ...completeContent(given, { source_agent }).content, payload_ref };
    const content_json = encodeCanonicalJson(content);
    return { content, content_json, content_sha256: sha256Hex(content_json), payload_json };
  }
}
