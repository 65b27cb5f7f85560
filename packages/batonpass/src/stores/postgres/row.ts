import { sha256Hex } from '../../core/canonical-json.ts';
import type { CompletedContent } from '../../core/complete-content.ts';
import type { Content } from '../../core/content.ts';
import type { Delivery, HandoffEvent } from '../../core/delivery.ts';
import { HandoffError } from '../../core/errors.ts';
import type { Handoff } from '../../core/handoff.ts';
import { toInstant } from '../../core/lifecycle.ts';
import { normalizeScope } from '../../core/scope.ts';
import type { State } from '../../core/state.ts';
import type { Row } from './session.ts';

/** Rows and records: instants are integers of milliseconds in columns and ISO 8601 in data; absent is NULL. */

/** A value of a column; absent is NULL. */
type ColumnValue = string | number | boolean | null | undefined;

/** The columns of one row that is written. */
export type Columns = Readonly<Record<string, ColumnValue>>;

/** @throws HandoffError `unavailable` for a row that was changed so that it cannot be read. */
export function decodeHandoff(row: Row): Handoff {
  return readable(`Handoff ${row.id}`, () => decode(row, JSON.parse(text(row, 'content')) as Content));
}

/** A handoff that is given to somebody to work with: its content must be the one that was frozen. */
export function decodeIntactHandoff(row: Row): Handoff {
  const handoff = decodeHandoff(row);
  if (sha256Hex(text(row, 'content')) === handoff.content_sha256) return handoff;
  throw changedRow(`Handoff ${handoff.id}`, 'its content is not the one that its hash names');
}

function decode(row: Row, content: Content): Handoff {
  return {
    id: text(row, 'id'),
    schema: 1,
    created_at: toInstant(integer(row, 'created_at')),
    project: text(row, 'project'),
    ...(typeof row.idempotency_key === 'string' && { idempotency_key: row.idempotency_key }),
    content_sha256: text(row, 'content_sha256'),
    content,
    delivery: JSON.parse(text(row, 'delivery')) as Delivery,
  };
}

/** The columns that a step can move. */
export function encodeDelivery(delivery: Delivery): Columns {
  return {
    state: delivery.state,
    version: delivery.version,
    delivery: JSON.stringify(delivery),
    available_at: Date.parse(delivery.available_at),
    expires_at: milliseconds(delivery.expires_at),
    lease_expires_at: milliseconds(delivery.lease?.expires_at),
    is_offered: delivery.offered !== undefined,
  };
}

/** The content, as the bytes that its hash is of, and the columns that repeat parts of it. */
export function encodeContent({
  content,
  content_json,
  content_sha256,
}: Pick<CompletedContent, 'content' | 'content_json' | 'content_sha256'>): Columns {
  const { kind, task_id, source_agent, target_agent, scope, phase, origin, payload_ref } = content;
  return {
    kind,
    task_id,
    source_agent,
    target_agent: target_agent ?? '',
    scope: scope === undefined ? undefined : normalizeScope(scope),
    phase,
    session: origin?.session,
    branch: origin?.branch,
    content_sha256,
    content: content_json,
    payload_sha256: payload_ref?.sha256,
  };
}

/** A new handoff with every column. */
export function encodeHandoff(handoff: Handoff, content_json: string): Columns {
  const { id, project, created_at, idempotency_key, delivery } = handoff;
  return {
    id,
    project,
    created_at: Date.parse(created_at),
    idempotency_key,
    ...encodeDelivery(delivery),
    ...encodeContent({ ...handoff, content_json }),
  };
}

/** A line of history from its row, which has its place. */
export function decodeEvent(row: Row): HandoffEvent {
  return readable(`Line ${row.line} of the history`, () => decodeLine(row));
}

function decodeLine(row: Row): HandoffEvent {
  return {
    seq: integer(row, 'seq'),
    handoff_id: text(row, 'handoff_id'),
    name: text(row, 'name'),
    at: toInstant(integer(row, 'at')),
    actor: { name: text(row, 'actor_name'), type: text(row, 'actor_type') as HandoffEvent['actor']['type'] },
    ...(typeof row.from_state === 'string' && { from: row.from_state as State }),
    to: text(row, 'to_state') as State,
    ...(typeof row.reason === 'string' && { reason: row.reason }),
    ...(typeof row.details === 'string' && { details: JSON.parse(row.details) as HandoffEvent['details'] }),
  } as HandoffEvent;
}

/** Rows turned to one parameter for each column. */
export function byColumn(rows: readonly Columns[]): Record<string, (string | number | boolean | null)[]> {
  const columns = Object.keys(rows[0] ?? {});
  return Object.fromEntries(columns.map((column) => [column, rows.map((row) => row[column] ?? null)]));
}

/** A text that is no JSON or an instant beyond all time was written by somebody else. */
function readable<T>(what: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    throw changedRow(what, `it cannot be read, ${error instanceof Error ? error.message : error}`, error);
  }
}

function changedRow(what: string, reason: string, cause?: unknown): HandoffError {
  return new HandoffError('unavailable', `${what} was damaged or changed by another program: ${reason}.`, {
    cause,
    alternatives: ['See what is damaged: baton store check', 'Restore a backup of the database.'],
  });
}

function milliseconds(at: string | undefined): number | undefined {
  return at === undefined ? undefined : Date.parse(at);
}

function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  throw new TypeError(`Column ${column} holds ${value}, not a text.`);
}

function integer(row: Row, column: string): number {
  const value = row[column];
  if (typeof value === 'number') return value;
  throw new TypeError(`Column ${column} holds ${value}, not an integer.`);
}
