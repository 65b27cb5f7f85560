import type { HandoffEvent } from '../../../core/delivery.ts';
import { shortId } from './handoff-line.ts';
import { oneLine, table, type View } from './view.ts';

/** A history as a table: when, which, what happened, by whom, why. */
export function presentHistory(events: readonly HandoffEvent[], view: View): string {
  return table(
    events.map((event) => [
      `  ${view.style('gray', event.at.replace('T', ' ').replace(/\.\d+Z$/, 'Z'))}`,
      shortId(event.handoff_id),
      view.style('bold', event.name.replace('handoff-', '')),
      oneLine(event.actor.name, 24),
      view.style('gray', `${event.from ?? '·'} → ${event.to}`),
      oneLine(reasonOf(event), Math.max(20, view.width - 84)),
    ]),
  );
}

function reasonOf({ reason, details }: HandoffEvent): string {
  if (reason !== undefined) return reason;
  return Object.entries(details ?? {})
    .map(
      ([name, value]) =>
        `${name} ${typeof value === 'string' && value.length === 64 ? `${value.slice(0, 12)}…` : value}`,
    )
    .join(', ');
}
