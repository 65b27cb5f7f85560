import type { HandoffEvent } from '../core/delivery.ts';
import { toInstant } from '../core/instant.ts';
import type { State } from '../core/state.ts';
import { integer, type ReadRow, readable, text } from './handoff-columns.ts';

/** A line of history as every SQL store keeps it: its instant in milliseconds, its details as JSON, absent is NULL. */
export function encodeEvent(event: Omit<HandoffEvent, 'seq'>, project: string) {
  const { handoff_id, name, at, actor, from, to, reason, details } = event;
  return {
    handoff_id,
    project,
    name,
    at: Date.parse(at),
    actor_name: actor.name,
    actor_type: actor.type,
    actor_token_id: actor.token_id,
    from_state: from,
    to_state: to,
    reason,
    details: details === undefined ? undefined : JSON.stringify(details),
  };
}

/** A line of history from its row. @throws HandoffError `unavailable` for a row that is damaged so that it cannot be read. */
export function decodeEvent(row: ReadRow): HandoffEvent {
  return readable(`Line ${row.seq} of the history`, () => decode(row));
}

function decode(row: ReadRow): HandoffEvent {
  return {
    seq: integer(row, 'seq'),
    handoff_id: text(row, 'handoff_id'),
    name: text(row, 'name'),
    at: toInstant(integer(row, 'at')),
    actor: {
      name: text(row, 'actor_name'),
      type: text(row, 'actor_type') as HandoffEvent['actor']['type'],
      ...(typeof row.actor_token_id === 'string' && { token_id: row.actor_token_id }),
    },
    ...(typeof row.from_state === 'string' && { from: row.from_state as State }),
    to: text(row, 'to_state') as State,
    ...(typeof row.reason === 'string' && { reason: row.reason }),
    ...(typeof row.details === 'string' && { details: JSON.parse(row.details) as HandoffEvent['details'] }),
  } as HandoffEvent;
}
