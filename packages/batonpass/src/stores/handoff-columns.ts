import { hash } from 'node:crypto';
import type { CompletedContent } from '../core/complete-content.ts';
import type { Content } from '../core/content.ts';
import type { Delivery } from '../core/delivery.ts';
import type { Handoff } from '../core/handoff.ts';
import { toInstant } from '../core/instant.ts';
import { normalizeScope } from '../core/scope.ts';
import type { State } from '../core/state.ts';
import { damagedRow, isDamagedRow } from './damaged-row.ts';

/**
 * Handoffs as every SQL store keeps them: instants are integers of milliseconds in columns and ISO 8601 in data; absent is
 * NULL.
 */

/** A row as it was read, by column. */
export type ReadRow = Readonly<Record<string, unknown>>;

/** The columns of a row that is written. `undefined` is NULL. */
export type Columns = Record<string, string | number | null | undefined>;

/** @throws HandoffError `unavailable` for a row that is damaged so that it cannot be read. */
export function decodeHandoff(row: ReadRow): Handoff {
  return readable(`Handoff ${row.id}`, () => decode(row, JSON.parse(text(row, 'content')) as Content));
}

/**
 * A handoff that is given to somebody to work with: its content must be the one that was frozen. Asked where one row is
 * given, not where many are listed; a microsecond or two for a usual content.
 *
 * @throws HandoffError `unavailable` for a row that is damaged.
 */
export function decodeIntactHandoff(row: ReadRow): Handoff {
  const handoff = decodeHandoff(row);
  if (hash('sha256', text(row, 'content')) === handoff.content_sha256) return handoff;
  throw damagedRow(`Handoff ${handoff.id}`, 'its content is not the one that its hash names');
}

/**
 * A handoff that is shown among others, or set aside: a damaged one has a content of the kind `damaged` that says so, so
 * that it neither hides its neighbours nor stays for ever.
 *
 * @throws HandoffError `unavailable` for a row of which not even state and times can be read.
 */
export function decodeListed(row: ReadRow): Handoff {
  try {
    return decodeIntactHandoff(row);
  } catch (error) {
    if (!isDamagedRow(error)) throw error;
    const nothing = { approval: null, offered: null, injected: null, failure: null, waiting_on: null };
    const content = damagedContent((error as Error).message);
    return readable(`Handoff ${row.id}`, () => decode({ ...row, ...nothing }, content));
  }
}

function damagedContent(summary: string): Content {
  const lists = { decisions: [], files: [], risks: [], tried: [], next_steps: [], open_questions: [] };
  const title = 'Damaged in the store';
  return { kind: 'damaged', title, summary, source_agent: 'unknown', ...lists, results: [], references: [] };
}

/** A handoff that the clock moves, which never looks at its content: that may be damaged without stopping the clock. */
export function decodeForClock(row: ReadRow): Handoff {
  return readable(`Handoff ${row.id}`, () => decode(row, {} as Content));
}

function decode(row: ReadRow, content: Content): Handoff {
  return {
    id: text(row, 'id'),
    schema: 1,
    created_at: toInstant(integer(row, 'created_at')),
    project: text(row, 'project'),
    ...(row.idempotency_key === null ? undefined : { idempotency_key: text(row, 'idempotency_key') }),
    content_sha256: text(row, 'content_sha256'),
    content,
    delivery: decodeDelivery(row),
  };
}

/** Member by member, in the order in which they are shown: most are absent, and to spread what is absent takes its time. */
function decodeDelivery(row: ReadRow): Delivery {
  const state = text(row, 'state') as State;
  const delivery: Record<string, unknown> = {
    state,
    version: integer(row, 'version'),
    content_revision: integer(row, 'content_revision'),
    available_at: toInstant(integer(row, 'available_at')),
  };
  if (row.begun_as_draft === 1) delivery.begun_as_draft = true;
  if (typeof row.expires_at === 'number') delivery.expires_at = toInstant(row.expires_at);
  delivery.attempts = integer(row, 'attempts');
  delivery.max_attempts = integer(row, 'max_attempts');
  delivery.fence = integer(row, 'fence');
  if (row.lease_token !== null) delivery.lease = decodeLease(row);
  if (typeof row.approval === 'string') delivery.approval = JSON.parse(row.approval);
  if (row.acknowledged_by !== null) delivery.acknowledged_by = row.acknowledged_by;
  if (typeof row.acknowledged_at === 'number') delivery.acknowledged_at = toInstant(row.acknowledged_at);
  if (typeof row.offered === 'string') delivery.offered = JSON.parse(row.offered);
  if (typeof row.injected === 'string') delivery.injected = JSON.parse(row.injected);
  if (typeof row.failure === 'string') delivery.failure = JSON.parse(row.failure);
  if (typeof row.waiting_on === 'string') delivery.waiting_on = JSON.parse(row.waiting_on);
  delivery.consumed = state === 'open' ? 0 : 1;
  return delivery as Delivery;
}

/** A lease's fence is the last claim's: there is no other while it lasts. */
function decodeLease(row: ReadRow): object {
  const { lease_token: token, fence, lease_holder: holder, lease_holder_type: holder_type, lease_expires_at } = row;
  if (typeof lease_expires_at !== 'number') return { holder, holder_type, token, fence };
  return { holder, holder_type, token, fence, expires_at: toInstant(lease_expires_at) };
}

/** The columns that a step can move. */
export function encodeDelivery(delivery: Delivery): Columns {
  const { state, version, content_revision, attempts, max_attempts, fence, lease, acknowledged_by } = delivery;
  return {
    state,
    version,
    content_revision,
    available_at: Date.parse(delivery.available_at),
    expires_at: milliseconds(delivery.expires_at),
    attempts,
    max_attempts,
    fence,
    lease_holder: lease?.holder,
    lease_holder_type: lease?.holder_type,
    lease_token: lease?.token,
    lease_expires_at: milliseconds(lease?.expires_at),
    acknowledged_by,
    acknowledged_at: milliseconds(delivery.acknowledged_at),
    approval: encodeJson(delivery.approval),
    offered: encodeJson(delivery.offered),
    injected: encodeJson(delivery.injected),
    failure: encodeJson(delivery.failure),
    waiting_on: encodeJson(delivery.waiting_on),
  };
}

/** The content, as the bytes that its hash is of, and the columns that repeat parts of it. */
export function encodeContent({ content, content_json, content_sha256 }: CompletedContent) {
  const { kind, task_id, source_agent, target_agent, scope, phase, origin, payload_ref } = content;
  return {
    kind,
    task_id,
    source_agent,
    target_agent,
    scope: scope === undefined ? undefined : normalizeScope(scope),
    phase,
    session: origin?.session,
    branch: origin?.branch,
    content_sha256,
    content: content_json,
    payload_sha256: payload_ref?.sha256,
  } satisfies Columns;
}

/** What of a handoff is never changed, but for its content. */
export function encodeOrigin({ id, project, created_at, idempotency_key, delivery }: Handoff) {
  return {
    id,
    project,
    created_at: Date.parse(created_at),
    idempotency_key,
    begun_as_draft: delivery.begun_as_draft === true ? 1 : 0,
  } satisfies Columns;
}

/** Reads what somebody else may have changed: a column of another type, a text that is no JSON, an instant beyond all time. */
export function readable<T>(what: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    throw damagedRow(what, `it cannot be read, ${(error as Error).message}`, error);
  }
}

/** A column that must hold a text. @throws TypeError */
export function text(row: ReadRow, column: string): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  throw new TypeError(`Column ${column} holds ${value}, not a text.`);
}

/** A column that must hold an integer. @throws TypeError */
export function integer(row: ReadRow, column: string): number {
  const value = row[column];
  if (typeof value === 'number') return value;
  throw new TypeError(`Column ${column} holds ${value}, not an integer.`);
}

function milliseconds(at: string | undefined): number | undefined {
  return at === undefined ? undefined : Date.parse(at);
}

function encodeJson(value: object | undefined): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}
