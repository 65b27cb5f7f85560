import { hashJson } from '../core/canonical-json.ts';
import type { HandoffEvent } from '../core/delivery.ts';
import type { StoredHandoff } from '../core/store.ts';
import { withoutToken } from '../core/without-token.ts';

/**
 * One hash over what two stores share of one handoff: id, version, the hash of its content, its delivery state, and every
 * line of its history. Sequence numbers, which each store gives itself, and the lease's token are not included.
 */
export function digestStored({ handoff, events }: Pick<StoredHandoff, 'handoff' | 'events'>): string {
  const { content: _content, ...rest } = withoutToken(handoff);
  return hashJson({ ...rest, history: events.map(withoutPlace) });
}

/** Whether a history begins with another one, line by line. */
export function continues(later: readonly HandoffEvent[], earlier: readonly HandoffEvent[]): boolean {
  const beginning = later.slice(0, earlier.length);
  return (
    beginning.length === earlier.length && hashJson(beginning.map(withoutPlace)) === hashJson(earlier.map(withoutPlace))
  );
}

/** A history line as every store has it: the sequence number is each store's own. */
function withoutPlace({ seq: _seq, ...event }: HandoffEvent): object {
  return event;
}
