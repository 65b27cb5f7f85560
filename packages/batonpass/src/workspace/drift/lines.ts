import { diffArrays } from 'diff';
import { limits } from '../../core/limits.ts';
import type { TimeBudget } from './time.ts';

/** How the lines of a file changed. */
export interface LineChanges {
  added: number;
  removed: number;
  /** Whether the named lines are touched; null where that cannot be known. */
  touches: boolean | null;
}

/** The bounds of counting lines, and a further question. */
export interface LineQuestion {
  /** Lines of the former text, counted from 1: `12`, `10-40`, or several with commas. */
  lines?: string;
  /** Default: as long as it takes. */
  time?: Pick<TimeBudget, 'left_ms'>;
}

/**
 * Counts the lines that were added and removed, the fewest that lead from one text to the other. Git counts so too,
 * but it compares with a work tree only after it has run the filters that the repository names.
 *
 * @returns null for binary files, for texts that differ in more than `limits.drift_line_changes_max` lines, and where
 * the time runs out.
 */
export function countLineChanges(
  before: Buffer,
  after: Buffer,
  { lines, time }: LineQuestion = {},
): LineChanges | null {
  if (isBinary(before) || isBinary(after)) return null;
  const [then, now] = [splitLines(before), splitLines(after)];
  const changes = diffArrays(then, now, { maxEditLength: limits.drift_line_changes_max, timeout: time?.left_ms() });
  if (changes === undefined) return null;
  const count = (kind: 'added' | 'removed') =>
    changes.reduce((sum, change) => (change[kind] ? sum + change.value.length : sum), 0);
  const head = countCommon(then, now);
  const tail = countCommon(then.slice(head).reverse(), now.slice(head).reverse());
  const touches = judgeLines(parseLines(lines), { then, now, head, tail, time });
  return { added: count('added'), removed: count('removed'), touches };
}

/** As git decides it. */
function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8_000).includes(0);
}

/** Lines with their ends, so that a last line without one differs from one with; bytes are kept apart as they are. */
function splitLines(bytes: Buffer): string[] {
  return bytes.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function countCommon(left: readonly string[], right: readonly string[]): number {
  let count = 0;
  while (count < left.length && count < right.length && left[count] === right[count]) count += 1;
  return count;
}

interface Ranges {
  first: number;
  last: number;
}

function parseLines(lines: string | undefined): Ranges[] {
  const parts = (lines ?? '').split(',').map((part) => part.trim().match(/^(\d{1,9})(?:-(\d{1,9}))?$/));
  const ranges = parts.map((part) => ({ first: Number(part?.[1]), last: Number(part?.[2] ?? part?.[1]) }));
  return ranges.every(({ first, last }) => first >= 1 && last >= first) ? ranges : [];
}

interface Compared {
  then: readonly string[];
  now: readonly string[];
  /** Lines at the beginning and at the end that are the same. */
  head: number;
  tail: number;
  time: LineQuestion['time'];
}

/** One touched range is enough; one that cannot be decided makes the others' "no" uncertain. */
function judgeLines(ranges: readonly Ranges[], compared: Compared): boolean | null {
  const verdicts = ranges.map((range) => judgeRange(range, compared));
  if (verdicts.includes(true)) return true;
  return verdicts.length === 0 || verdicts.includes(null) ? null : false;
}

/** Between the first and the last change, lines that are not there unchanged are touched; others may be. */
function judgeRange({ first, last }: Ranges, { then, now, head, tail, time }: Compared): boolean | null {
  if (last > then.length) return null;
  if (last <= head || first > then.length - tail) return false;
  const block = then.slice(first - 1, last);
  // Where many lines are alike, each start takes long to compare with the block: the search ends with the time, without an answer.
  const isOver = () => time?.left_ms() === 0;
  const isLike = (start: number) => block.every((line, index) => now[start + index] === line);
  return now.some((_, start) => isOver() || isLike(start)) ? null : true;
}
