import { utf8ToBytes } from '@noble/hashes/utils.js';
import { encodeCanonicalJson, type Json, sha256Hex } from '../../../core/canonical-json.ts';
import { type CompletedContent, completeContent } from '../../../core/complete-content.ts';
import { isHandoffError } from '../../../core/errors.ts';
import type { Handoff } from '../../../core/handoff.ts';
import { createIdSource } from '../../../core/id-source.ts';
import { type Advance, advance } from '../../../core/lifecycle.ts';
import { begin } from '../../../core/lifecycle-begin.ts';
import { limits } from '../../../core/limits.ts';
import type { StoredHandoff, StoreSurroundings } from '../../../core/store.ts';
import { source3Project } from '../../source-3-project.ts';
import type { Row } from '../driver.ts';

/** The last millisecond of the year 9999: a record's times have four digits for the year. */
const TIME_MS_MAX = 253_402_300_799_999;

const nameColumns = ['id', 'task_id', 'origin'] as const;

/**
 * A page of rows in their order. SQLite lets any column hold anything: names that are bytes come as their SQL literal in
 * a column of their own, and so does a time that no record can have.
 */
export function selectSource3Rows(table: string): string {
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
export interface Source3Reading {
  surroundings: StoreSurroundings;
  /** Whether another handoff has this id already. */
  isTaken: (id: string) => boolean;
}

/**
 * A handoff as source 3's row tells it. Nothing of the row is lost: what does not fit the record stands in
 * `extra.source_3` as it was, and a payload that is no JSON is a text. What was consumed is acknowledged by `unknown`, at
 * the time of this reading, for the row does not tell by whom and when.
 */
export function readSource3Row(row: Row, { surroundings, isTaken }: Source3Reading): StoredHandoff {
  const { random } = surroundings;
  const now_ms = surroundings.now();
  const task = nameOf(row, 'task_id');
  const origin = nameOf(row, 'origin');
  const id = idOf(row, isTaken);
  const created_ms = Number(row.created_at ?? now_ms);
  const odd = withoutAbsent({
    id: id.odd,
    task_id: task.odd,
    origin: origin.odd,
    created_at: row.created_at_written,
  });
  const source_agent = origin.name ?? 'unknown';
  const completed = contentOf(
    { task_id: task.name, source_agent, extra: Object.keys(odd).length === 0 ? undefined : { source_3: odd } },
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

function nameOf(row: Row, column: 'task_id' | 'origin'): Name {
  const bytes = row[`${column}_bytes`];
  if (typeof bytes === 'string') return { odd: bytes };
  const given = row[column];
  if (typeof given !== 'string') return {};
  const name = given.trim();
  if (name === '' || name.length > limits.name_characters_max) return { odd: given };
  return name === given ? { name } : { name, odd: given };
}

/** An id is kept whatever its form, so that who noted it finds the handoff; without a usable one it gets a new one. */
function idOf(row: Row, isTaken: (id: string) => boolean): Name {
  if (typeof row.id_bytes === 'string') return { odd: row.id_bytes };
  if (typeof row.id !== 'string') return {};
  const isUsable = row.id !== '' && row.id.length <= limits.name_characters_max && !isTaken(row.id);
  return isUsable ? { name: row.id } : { odd: row.id };
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

function withoutAbsent(values: Record<string, Json | undefined>): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, Json] => entry[1] !== undefined && entry[1] !== null),
  );
}
