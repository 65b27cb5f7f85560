import type { Json } from './canonical-json.ts';
import type { HandoffEvent } from './delivery.ts';

/** An event without the saved data of a planning step: that is requested step by step, and not sent to subscribers. */
export function withoutKeptStep(event: HandoffEvent): HandoffEvent {
  const { name, details } = event;
  const data = name === 'handoff-reported' ? (details?.data as Record<string, Json> | null | undefined) : undefined;
  if (data === null || typeof data?.kept !== 'string') return event;
  const { kept: _, ...rest } = data;
  return { ...event, details: { ...details, data: rest } };
}
