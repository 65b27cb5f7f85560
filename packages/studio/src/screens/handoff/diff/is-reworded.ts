import { diffWords } from './line-diff.ts';

/** How much of the longer one's letters must stand in both, for the two to be read as one sentence. */
const SAME_SHARE_MIN = 0.3;

/** Whether one sentence is another one with some words changed, and not simply another one. */
export function isReworded(before: string, after: string): boolean {
  const same = diffWords(before, after).filter(({ kind }) => kind === 'same');
  const length = same.reduce((sum, { text }) => sum + text.length, 0);
  return length >= SAME_SHARE_MIN * Math.max(before.length, after.length);
}
