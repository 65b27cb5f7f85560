import { followEdit } from '../extraction/summary-clauses.ts';

/** Whether a summary, as rules make it, has an item in these words: the editor who removes it may want them removed there. */
export function isToldInSummary(summary: string, words: string): boolean {
  return followEdit(summary, words) !== summary;
}
