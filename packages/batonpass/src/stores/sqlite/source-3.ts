import { utf8ToBytes } from '@noble/hashes/utils.js';
import { encodeCanonicalJson, type Json, sha256Hex } from '../../core/canonical-json.ts';
import { type CompletedContent, completeContent } from '../../core/complete-content.ts';
import { isHandoffError } from '../../core/errors.ts';
import type { Handoff } from '../../core/handoff.ts';
import { createIdSource } from '../../core/id-source.ts';
import { type Advance, advance } from '../../core/lifecycle.ts';
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
import type { Asked } from './tables.ts';

/**
 * The database that source 3 describes: one table `handoffs` with six columns, and its indexes. It is taken over as it
 * is opened: its rows in their order, in one transaction with the schema. Its own table stays, under another name.
 */

/** Column types of source 3's table. SQLite has no type JSON: a table that declares TEXT means the same. */
const columnTypes: Readonly<Record<string, readonly string[]>> = {
  id: ['TEXT'],
  task_id: ['TEXT'],
  payload: ['JSON', 'TEXT'],
  origin: ['TEXT'],
  created_at: ['INTEGER'],
  consumed: ['INTEGER'],
};

const keptTable = 'handoffs_of_source_3';

/** Rows read at a time. */
const ROWS = 200;

const countOthers = `
SELECT count(*) AS count FROM sqlite_schema
WHERE substr(name, 1, 7) <> 'sqlite_' AND (tbl_name <> 'handoffs' OR type NOT IN ('table', 'index'))`;

const selectTable = `
SELECT count(*) AS count FROM pragma_table_list
WHERE schema = 'main' AND name = 'handoffs' AND type = 'table' AND wr = 0`;

const selectColumns = "SELECT name, upper(type) AS type, pk, hidden FROM pragma_table_xinfo('handoffs')";

const selectIndexes = `
SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = '${keptTable}' AND sql IS NOT NULL`;

/** Positions in the order in which source 3 claims: by time, and rows of equal time as they were written. */
const createOrder = `
CREATE TEMP TABLE source_3_order (place INTEGER PRIMARY KEY, source_rowid INTEGER NOT NULL);
INSERT INTO source_3_order (source_rowid) SELECT rowid FROM ${keptTable} ORDER BY created_at, rowid`;

/** Whether a database is source 3's own: its table, and nothing else but indexes. */
export function isSource3(driver: Asked): boolean {
  const count = (sql: string) => Number(driver.prepare(sql).all()[0]?.count);
  if (count(selectTable) !== 1 || count(countOthers) !== 0) return false;
  const columns = driver.prepare(selectColumns).all();
  return (
    columns.length === Object.keys(columnTypes).length &&
    columns.every(
      ({ name, type, pk, hidden }) =>
        columnTypes[String(name)]?.includes(String(type)) && pk === (name === 'id' ? 1 : 0) && hidden === 0,
    )
  );
}

/** What to do with a database that has a table of that name and is not source 3's. */
export function adviseOnAlike(driver: Asked): string[] {
  if (Number(driver.prepare(selectTable).all()[0]?.count) === 0) return [];
  const columns = Object.keys(columnTypes).join(', ');
  return [
    `To have its table handoffs taken over, copy it into a file of its own with exactly these columns: ${columns}`,
  ];
}

/** Makes room for the schema. Indexes of the old table go: they hold nothing of their own, and their names may be ours. */
export function setSource3Aside(driver: Driver): void {
  driver.exec(`ALTER TABLE handoffs RENAME TO ${keptTable}`);
  for (const { name } of driver.prepare(selectIndexes).all()) {
    driver.exec(`DROP INDEX "${String(name).replaceAll('"', '""')}"`);
  }
}

/** Copies the rows of the table that was set aside into the present schema. To be run in the transaction that made it. */
export function takeOverSource3(driver: Driver, surroundings = createSurroundings()): void {
  const run = createRunner(driver);
  const reader = new Reader(statements);
  const isTaken = (id: string) => run({ sql: selectHandoff, parameters: { id } }).length > 0;
  driver.exec(createOrder);
  const page = driver.prepare(selectSource3Rows(keptTable));
  for (let rows = page.all({ after: 0, limit: ROWS }); rows.length > 0; ) {
    for (const row of rows) {
      const stored = readSource3Row(row, { surroundings, isTaken });
      runNow(importHandoffs(new Changes(statements), [stored], reader), run);
    }
    rows = page.all({ after: rows.at(-1)?.place, limit: ROWS });
  }
  driver.exec('DROP TABLE source_3_order');
}

/** The last millisecond of the year 9999: a record's times have four digits for the year. */
const TIME_MS_MAX = 253_402_300_799_999;

const nameColumns = ['id', 'task_id', 'origin'] as const;

/**
 * A page of rows in their order. SQLite lets any column hold anything: names that are bytes come as their SQL literal in
 * a column of their own, and so does a time that no record can have.
 */
function selectSource3Rows(table: string): string {
  const names = nameColumns.map(
    (name) => `${name}, CASE typeof(${name}) WHEN 'blob' THEN quote(${name}) END AS ${name}_bytes`,
  );
  const isTime = `typeof(created_at) = 'integer' AND created_at BETWEEN 0 AND ${TIME_MS_MAX}`;
  return `
    SELECT place, ${names.join(', ')},
      CASE typeof(payload)
        WHEN 'real' THEN quote(payload)
        WHEN 'blob' THEN iif(json_valid(CAST(payload AS TEXT)), CAST(payload AS TEXT), quote(payload))
        ELSE CAST(payload AS TEXT) END AS payload,
      iif(${isTime}, created_at, NULL) AS created_at,
      iif(${isTime}, NULL, quote(created_at)) AS created_at_written,
      iif(consumed IS NULL OR consumed = 0, 0, 1) AS consumed
    FROM source_3_order JOIN ${table} ON ${table}.rowid = source_rowid
    WHERE place > :after ORDER BY place LIMIT :limit`;
}

/** What a row is made into a handoff with. */
interface Source3Reading {
  surroundings: StoreSurroundings;
  /** Whether another handoff has this id already. */
  isTaken: (id: string) => boolean;
}

/**
 * A handoff from a row of source 3. Nothing of the row is lost: what does not fit the record is stored in
 * `extra.source_3` as it was, and a payload that is no JSON is a text. What was consumed is acknowledged by `unknown`, at
 * the time of this reading, because the row does not record by whom and when.
 */
function readSource3Row(row: Row, { surroundings, isTaken }: Source3Reading): StoredHandoff {
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
  const created = begin(
    { ...completed, project: source3Project, state: 'open' },
    {
      id: id.name ?? createIdSource({ random })(created_ms),
      actor: { name: source_agent, type: 'agent' },
      now_ms: created_ms,
    },
  );
  const steps = row.consumed === 0 ? [created] : [created, consumed(created.handoff, surroundings)];
  return {
    handoff: steps.at(-1)?.handoff ?? created.handoff,
    events: steps.map(({ event }) => ({ ...event, seq: Number(row.place) })),
    ...(completed.payload_json !== undefined && { payload_json: completed.payload_json }),
  };
}

function consumed(handoff: Handoff, { now, random }: StoreSurroundings): Advance {
  const context = { actor: { name: 'unknown', type: 'agent' as const }, now_ms: now(), random };
  const taken = advance(handoff, { type: 'acknowledge' }, context);
  if (taken === null) throw new Error('An open handoff had been acknowledged.');
  const reason = 'It was consumed before its database was taken over from source 3.';
  return { ...taken, event: { ...taken.event, reason } };
}

interface Name {
  /** As the record can have it. */
  name?: string;
  /** As it was, where that is something else. */
  odd?: string;
}

/** An id of any form is kept, so that a person who noted it finds the handoff; an unusable one is replaced by a new one. */
function nameOf(row: Row, column: (typeof nameColumns)[number], isTaken = (_name: string) => false): Name {
  const bytes = row[`${column}_bytes`];
  if (typeof bytes === 'string') return { odd: bytes };
  const given = row[column];
  if (typeof given !== 'string') return {};
  const name = column === 'id' ? given : given.trim();
  if (name === '' || name.length > limits.name_characters_max || isTaken(name)) return { odd: given };
  return name === given ? { name } : { name, odd: given };
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
