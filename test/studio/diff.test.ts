import fc from 'fast-check';
import { expect } from 'vitest';
import { completeContent } from '../../packages/batonpass/src/core/complete-content.ts';
import type { Content, ContentInput } from '../../packages/batonpass/src/core/content.ts';
import type { HandoffEvent } from '../../packages/batonpass/src/core/delivery.ts';
import type { EditChange } from '../../packages/batonpass/src/core/edit-changes.ts';
import { compareContents } from '../../packages/studio/src/screens/handoff/diff/compare-contents.ts';
import { foldChanges, readEdits } from '../../packages/studio/src/screens/handoff/diff/edited-entries.ts';
import { diffLines, diffWords, type TextPart } from '../../packages/studio/src/screens/handoff/diff/line-diff.ts';
import { verifies } from '../verifies.ts';

const contentOf = (input: ContentInput): Content =>
  completeContent({ summary: 'x', ...input }, { source_agent: 'ada' }).content;

/** One side of a comparison, put together again. */
const sideOf = (parts: readonly TextPart[], other: TextPart['kind'], joiner: string) =>
  parts
    .filter(({ kind }) => kind !== other)
    .map(({ text }) => text)
    .join(joiner);

verifies(['DETAIL.diff-whole'], 'a comparison by lines or by words holds both texts', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'a b', '  d', '')).map((each) => each.join('\n'));
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const byLines = diffLines(before, after);
      expect(sideOf(byLines, 'added', '\n')).toBe(before);
      expect(sideOf(byLines, 'removed', '\n')).toBe(after);
      const byWords = diffWords(before, after);
      expect(sideOf(byWords, 'added', '')).toBe(before);
      expect(sideOf(byWords, 'removed', '')).toBe(after);
      if (before === after) expect(byLines.every(({ kind }) => kind === 'same')).toBe(true);
    }),
    { numRuns: 300 },
  );
});

verifies(
  ['DETAIL.diff-whole'],
  'two large texts without a common line are shown whole, not compared line by line',
  () => {
    const [before, after] = ['old', 'new'].map((word) =>
      Array.from({ length: 3_000 }, (_, n) => `${word} ${n}`).join('\n'),
    );
    const parts = diffLines(before ?? '', after ?? '');
    expect(parts.map(({ kind }) => kind)).toEqual(['removed', 'added']);
  },
);

verifies(['DETAIL.diff'], 'parts that are alike are left out, entries are known again by their words or ids', () => {
  const before = contentOf({
    title: 'Old title',
    decisions: ['Write to the server first', 'Keep both versions', 'Photos come with it'],
    files: [{ path: 'src/a.ts', context: 'then' }, { path: 'src/b.ts' }],
    next_steps: ['One', 'Two'],
  });
  const after = contentOf({
    title: 'New title',
    decisions: ['Keep both versions', 'Show the conflict', 'Photos come without it'],
    files: [{ path: 'src/a.ts', context: 'now' }],
    next_steps: ['One', 'Two'],
  });
  const parts = compareContents(before, after);
  expect(parts.map(({ title }) => title)).toEqual(['Title', 'Decisions', 'Files']);
  expect(parts[1]).toMatchObject({
    unchanged: 1,
    changes: [
      { kind: 'removed', words: 'Write to the server first' },
      { kind: 'added', words: 'Show the conflict' },
      { kind: 'changed', before: 'Photos come with it', after: 'Photos come without it' },
    ],
  });
  expect(parts[2]).toMatchObject({
    changes: [
      { kind: 'removed', words: 'src/b.ts (medium)' },
      { kind: 'changed', after: 'src/a.ts (medium): now' },
    ],
  });
  expect(compareContents(before, before)).toEqual([]);
});

const editOf = (changes: readonly EditChange[]) => ({
  seq: 1,
  at: '',
  by: 'ada',
  revision: 2,
  changes,
  left_out: 0,
  note: '',
});

verifies(['DETAIL.edits'], 'edits together show how the first words changed, and nothing of what was restored', () => {
  const edits: EditChange[][] = [
    [
      { part: 'decisions', before: 'a', after: 'b' },
      { part: 'risks', before: 'c' },
    ],
    [
      { part: 'decisions', before: 'b', after: 'd' },
      { part: 'files', after: 'e' },
      { part: 'tried', after: 'x' },
    ],
    [
      { part: 'files', before: 'e' },
      { part: 'risks', after: 'c' },
      { part: 'tried', before: 'x', after: 'y' },
    ],
  ];
  expect(foldChanges(edits.map(editOf))).toEqual([
    { part: 'decisions', before: 'a', after: 'd' },
    { part: 'tried', after: 'y' },
  ]);
  expect(foldChanges([edits[0] ?? [], [{ part: 'decisions', before: 'b', after: 'a' } as const]].map(editOf))).toEqual([
    { part: 'risks', before: 'c' },
  ]);
});

verifies(
  ['DETAIL.edits'],
  'an extraction, an order and an edit of an earlier version are shown as what they are',
  () => {
    const event = (details: HandoffEvent['details']): HandoffEvent => ({
      seq: 1,
      handoff_id: 'h',
      name: 'handoff-edited',
      at: '2026-11-22T10:00:00.000Z',
      actor: { name: 'ada', type: 'person' },
      to: 'draft',
      details,
    });
    const words = { changes: [{ part: 'risks', after: 'c' }], left_out: 0 };
    const marks = { added: ['1'], removed: [] };
    const notes = readEdits([event({ words, marks }), event({ words }), event({ marks }), event({})]).map(
      ({ note }) => note,
    );
    expect(notes).toEqual([
      '',
      'A new extraction of the conversation.',
      'Its words were not kept.',
      'Only the order or the author changed, not the words.',
    ]);
  },
);
