import { diffWords } from './line-diff.ts';

/** The share of the longer text's letters that both must have to count as one sentence. */
const SAME_SHARE_MIN = 0.3;

/** Whether one sentence is a rewording of another, and not a different one. */
export function isReworded(before: string, after: string): boolean {
  const same = diffWords(before, after).filter(({ kind }) => kind === 'same');
  const length = same.reduce((sum, { text }) => sum + text.length, 0);
  return length >= SAME_SHARE_MIN * Math.max(before.length, after.length);
}
