import { followEdit } from '../extraction/summary-clauses.ts';

/** Whether a summary, as rules make it, says an item in these words: who takes the item out may want them out there too. */
export function isToldInSummary(summary: string, words: string): boolean {
  return followEdit(summary, words) !== summary;
}
