import type { HandoffEvent } from '../../../core/delivery.ts';
import { shortId } from './handoff-line.ts';
import { oneLine, table, type View } from './view.ts';

/** A history as a table: when, which (where there are several), what happened, by whom, why. */
export function presentHistory(events: readonly HandoffEvent[], view: View): string {
  const isOfOne = new Set(events.map(({ handoff_id }) => handoff_id)).size === 1;
  return table(
    events.map((event) => [
      `  ${view.style('gray', event.at.replace('T', ' ').replace(/\.\d+Z$/, 'Z'))}`,
      ...(isOfOne ? [] : [shortId(event.handoff_id)]),
      view.style('bold', event.name.replace('handoff-', '')),
      oneLine(event.actor.name, 20),
      view.style('gray', `${event.from ?? '·'} → ${event.to}`),
      oneLine(reasonOf(event), Math.max(20, view.width - 72)),
    ]),
  );
}

function reasonOf({ reason, details }: HandoffEvent): string {
  if (reason !== undefined) return reason;
  return Object.entries(details ?? {})
    .map(([name, value]) => `${name.replace(/_(?:sha256|id)$/, '')} ${shortOf(value)}`)
    .join(', ');
}

/** A hash or an id as its part that tells it apart. */
function shortOf(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  if (/^[0-9a-f]{64}$/.test(value)) return value.slice(0, 8);
  return /^[0-9A-HJKMNP-TV-Z]{26}$/.test(value) ? shortId(value) : value;
}
