import type { HandoffEvent } from '../core/delivery.ts';

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
    from_state: from,
    to_state: to,
    reason,
    details: details === undefined ? undefined : JSON.stringify(details),
  };
}
