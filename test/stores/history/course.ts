import type { Evidence } from './check-history.ts';

const LINES_MAX = 60;

/**
 * Everything that is known of the handoffs that a sentence speaks of, one JSON line each: what was asked, as it was begun,
 * then the store's own history. A run of real processes does not come again: this is what remains to find a fault by.
 */
export function tellCourse({ operations, events }: Evidence, sentence: string): string {
  const ids = new Set(sentence.match(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g));
  const isOf = (id: string | undefined) => id !== undefined && ids.has(id);
  const asked = operations.filter(({ id, leases = [] }) => isOf(id) || leases.some((lease) => isOf(lease.id)));
  const happened = events.filter(({ handoff_id }) => isOf(handoff_id));
  return [sentence, ...[...asked, ...happened].slice(0, LINES_MAX).map((each) => JSON.stringify(each))].join('\n');
}
