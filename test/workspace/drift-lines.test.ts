import fc from 'fast-check';
import { expect } from 'vitest';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { countLineChanges } from '../../packages/batonpass/src/workspace/drift/lines.ts';
import { verifies } from '../verifies.ts';
import { lines } from './drift-stage.ts';

const few = fc.array(fc.constantFrom('a', 'b', 'c', '}'), { maxLength: 8 });

/** The longest list that both contain in order, found without cleverness. */
function longestCommon(left: readonly string[], right: readonly string[]): number {
  const row = new Array<number>(right.length + 1).fill(0);
  for (const word of left) {
    let before = 0;
    for (const [index, other] of right.entries()) {
      const above = row[index + 1] ?? 0;
      row[index + 1] = word === other ? before + 1 : Math.max(above, row[index] ?? 0);
      before = above;
    }
  }
  return row[right.length] ?? 0;
}

const toText = (words: readonly string[]) => Buffer.from(words.map((word) => `${word}\n`).join(''));

verifies(['DRIFT.edited'], 'the lines added and removed are the fewest that explain the change', () => {
  fc.assert(
    fc.property(few, few, (left, right) => {
      const common = longestCommon(left, right);
      expect(countLineChanges(toText(left), toText(right))).toEqual({
        added: right.length - common,
        removed: left.length - common,
        touches: null,
      });
    }),
    { numRuns: 2_000 },
  );
});

verifies(['DRIFT.edited'], 'unchanged lines are never called touched, and the reverse', () => {
  fc.assert(
    fc.property(few, few, fc.nat(7), fc.nat(7), (left, right, start, length) => {
      const named = left.slice(start, start + length + 1);
      const range = `${start + 1}-${start + length + 1}`;
      const touches = countLineChanges(toText(left), toText(right), { lines: range })?.touches;
      const isKept = right.some((_, index) => named.every((word, offset) => right[index + offset] === word));
      if (start + length >= left.length) expect(touches).toBeNull();
      else if (touches !== null) expect(touches).toBe(!isKept);
    }),
    { numRuns: 2_000 },
  );
});

verifies(['DRIFT.edited'], 'a last line without its end, an empty file and a text without a common line', () => {
  const count = (left: string, right: string) => countLineChanges(Buffer.from(left), Buffer.from(right));
  expect(count('a\nb', 'a\nb\n')).toMatchObject({ added: 1, removed: 1 });
  expect(count('', 'a\n')).toMatchObject({ added: 1, removed: 0 });
  expect(count('a\n', '')).toMatchObject({ added: 0, removed: 1 });
  expect(count('\u0000', 'a')).toBeNull();
  const half = limits.drift_line_changes_max / 2;
  expect(count(lines(half, 'a'), lines(half, 'b'))).toMatchObject({ added: half, removed: half });
  expect(count(lines(half, 'a'), lines(half + 1, 'b'))).toBeNull();
});
