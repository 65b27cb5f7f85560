import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { isImplied } from '../../packages/batonpass/src/core/implied.ts';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import type { HandoffDecision, HandoffDraftState } from '../../packages/batonpass/src/draft/handoff-draft.ts';
import type { DraftAction } from '../../packages/batonpass/src/draft/reduce-draft.ts';
import { emptyState, reduceDraft } from '../../packages/batonpass/src/draft/reduce-draft.ts';
import { verifies } from '../verifies.ts';
import { contentsOf, extracted, openDraft, said } from './draft-stage.ts';

describe('a draft under review', () => {
  verifies(['DRAFT.undo'], 'goes back and forth, and forward no more once something else was done', () => {
    const store = openDraft();
    store.getState().addDecision('One');
    store.getState().addDecision('Two');
    store.getState().removeDecision('id-1');
    expect([store.getState().canUndo, store.getState().canRedo]).toEqual([true, false]);
    store.getState().undo();
    expect([contentsOf(store), store.getState().canRedo]).toEqual([['One', 'Two'], true]);
    store.getState().redo();
    expect(contentsOf(store)).toEqual(['Two']);
    store.getState().undo();
    store.getState().addDecision('Three');
    store.getState().redo();
    expect([contentsOf(store), store.getState().canRedo]).toEqual([['One', 'Two', 'Three'], false]);
  });

  verifies(['DRAFT.undo'], 'remembers once what a person words, after any number of edits', () => {
    const store = openDraft();
    store.getState().mergeExtraction(extracted({ risks: [{ description: 'The import may fail.', severity: 'low' }] }));
    for (const severity of ['high', 'medium'] as const) store.getState().updateRisk('id-1', { severity });
    expect(store.getState().review.settled).toEqual(['id-1']);
  });

  verifies(
    ['DRAFT.undo', 'DRAFT.removed'],
    'lets an extraction bring back what was removed once the removal is undone',
    () => {
      const store = openDraft();
      const found = extracted({ decisions: [said('Use zustand for state')] });
      store.getState().mergeExtraction(found);
      store.getState().removeDecision('id-1');
      store.getState().undo();
      store.getState().undo();
      expect(contentsOf(store)).toEqual([]);
      store.getState().mergeExtraction(found);
      expect(contentsOf(store)).toEqual(['Use zustand for state']);
    },
  );

  verifies(
    ['DRAFT.summary', 'BR.success.edits-reflected'],
    'no longer has in its summary what was removed or reworded, unless a person worded that',
    () => {
      const store = openDraft();
      const decisions = [said('Use SQLite.'), said('Use $& (once) [sic].'), said('Ship it.')];
      const summary = 'It is slow. Decided: Use SQLite; Use $& (once) [sic]; Ship it. Next: Ship it.';
      const told = () => store.getState().brainstormSummary;
      store.getState().mergeExtraction(extracted({ decisions, summary }));
      expect(told()).toBe(summary);
      store.getState().removeDecision('id-2');
      expect(told()).toBe('It is slow. Decided: Use SQLite; Ship it. Next: Ship it.');
      store.getState().updateDecision('id-1', 'Use $1 files.');
      expect(told()).toBe('It is slow. Decided: Use $1 files; Ship it. Next: Ship it.');
      store.getState().removeDecision('id-1');
      store.getState().undo();
      expect(told()).toBe('It is slow. Decided: Use $1 files; Ship it. Next: Ship it.');
      store.getState().removeDecision('id-3');
      store.getState().removeDecision('id-1');
      expect(told()).toBe('It is slow.');
      // An extraction that repeats all of it does not bring it back.
      store.getState().mergeExtraction(extracted({ decisions, summary }));
      expect([contentsOf(store), told()]).toEqual([[], 'It is slow.']);
      store.getState().addDecision('Keep it');
      store.getState().setSummary('Decided: Keep it.');
      store.getState().removeDecision('id-4');
      expect(told()).toBe('Decided: Keep it.');
    },
  );

  verifies(['DRAFT.undo'], 'remembers the last changes up to the limit', () => {
    const store = openDraft();
    for (let count = 0; count < limits.draft_undo_max + 5; count += 1) store.getState().setSummary(`Text ${count}`);
    while (store.getState().canUndo) store.getState().undo();
    expect(store.getState().brainstormSummary).toBe('Text 4');
  });

  verifies(['DRAFT.reorder', 'DRAFT.implied-last'], 'has decisions at the positions that a person gives them', () => {
    const store = openDraft();
    for (const content of ['One', 'Two', 'Three']) store.getState().addDecision(content);
    store.getState().mergeExtraction(extracted({ decisions: [said('A guess', 0.5), said('Another guess', 0.5)] }));
    store.getState().moveDecision('id-3', 0);
    expect(contentsOf(store)).toEqual(['Three', 'One', 'Two', 'A guess', 'Another guess']);
    store.getState().moveDecision('id-3', 99);
    expect(contentsOf(store)).toEqual(['One', 'Two', 'Three', 'A guess', 'Another guess']);
    store.getState().moveDecision('id-5', -1);
    expect(contentsOf(store)).toEqual(['One', 'Two', 'Three', 'Another guess', 'A guess']);
    const before = store.getState();
    store.getState().moveDecision('id-1', 0);
    store.getState().moveDecision('gone', 1);
    expect(store.getState()).toBe(before);
    store.getState().updateDecision('id-4', 'A guess');
    expect(contentsOf(store)).toEqual(['One', 'Two', 'Three', 'A guess', 'Another guess']);
  });

  verifies(
    ['DRAFT.merge-duplicates'],
    'has one decision for several, in the words of a person, with all evidence',
    () => {
      const store = openDraft();
      const found = extracted({
        decisions: [said('State lives in zustand', 1, 2), said('Zustand holds what the page knows', 1, 5)],
      });
      store.getState().mergeExtraction(found);
      store.getState().addDecision('Use zustand');
      store.getState().addDecision('No drag and drop');
      store.getState().mergeDecisions(['id-3', 'id-1', 'id-2', 'gone']);
      expect(store.getState().decisions).toEqual([
        {
          id: 'id-3',
          content: 'Use zustand',
          source: 'user-pinned',
          evidence: { message: 2, quote: 'State lives in zustand' },
          support: [{ message: 5, quote: 'Zustand holds what the page knows' }],
        },
        { id: 'id-4', content: 'No drag and drop', source: 'user-pinned' },
      ]);
      store.getState().mergeExtraction(found);
      expect(contentsOf(store)).toEqual(['Use zustand', 'No drag and drop']);
      const before = store.getState();
      store.getState().mergeDecisions(['id-3']);
      store.getState().mergeDecisions([]);
      expect(store.getState()).toBe(before);
    },
  );

  verifies(['BR.store.merge'], 'pins a decision, and unpins it to what it was before', () => {
    const decisions: HandoffDecision[] = [
      { id: 'a', content: 'a', source: 'ai-extracted', confidence: 1, fromPlanning: true },
      { id: 'b', content: 'b', source: 'ai-extracted', evidence: { message: 0, quote: 'b' } },
      { id: 'c', content: 'c', source: 'user-edited' },
    ];
    const surroundings = { now: () => 0, createId: () => 'new' };
    const pin = (from: HandoffDraftState, id: string, isPinned: boolean) =>
      reduceDraft(from, { type: 'pinDecision', id, isPinned }, surroundings);
    const state: HandoffDraftState = { ...emptyState, decisions };
    for (const id of ['gone', 'a', 'b']) expect(pin(state, id, false)).toBe(state);
    const pinned = decisions.reduce((from, { id }) => pin(from, id, true), state);
    expect(pinned.decisions).toEqual(
      decisions.map(({ fromPlanning: _, ...rest }) => ({ ...rest, source: 'user-pinned' })),
    );
    expect(pin(pinned, 'a', true)).toBe(pinned);
    for (const { id, source } of decisions)
      expect(pin(pinned, id, false).decisions.find((each) => each.id === id)?.source).toBe(source);
  });

  verifies(['DRAFT.files-and-risks'], 'takes files and risks of a person, one for each path and wording', () => {
    const store = openDraft();
    const { addFileRef, updateFileRef, addRisk, updateRisk } = store.getState();
    addFileRef({ path: './src/a.ts', relevance: 'low', context: ' Why ' });
    addFileRef({ path: 'src/a.ts', relevance: 'high', context: 'Why' });
    addFileRef({ path: '../out', relevance: 'high', context: '' });
    addFileRef({ path: 'src/b.ts', relevance: 'low', context: '' });
    updateFileRef('id-1', { path: '/etc/passwd' });
    updateFileRef('id-1', { path: 'src/b.ts' });
    updateFileRef('id-1', { path: 'src/c.ts', context: undefined as unknown as string });
    expect(store.getState().filesReferenced).toEqual([
      { id: 'id-1', path: 'src/c.ts', relevance: 'high', context: 'Why' },
      { id: 'id-4', path: 'src/b.ts', relevance: 'low', context: '' },
    ]);
    addRisk({ description: 'It may break', severity: 'low' });
    addRisk({ description: 'it may break.', severity: 'high' });
    addRisk({ description: ' ', severity: 'high' });
    updateRisk('id-5', { description: '' });
    updateRisk('id-5', { severity: 'medium' });
    expect(store.getState().risks).toEqual([{ id: 'id-5', description: 'it may break.', severity: 'medium' }]);
  });
});

const id = fc.integer({ min: 1, max: 12 }).map((number) => `id-${number}`);
const text = fc.oneof(
  fc.constantFrom('Use zustand', 'use zustand.', 'No drag and drop', 'Pin it'),
  fc.string({ unit: 'binary' }),
);
const degree = fc.constantFrom('high' as const, 'medium' as const, 'low' as const);
const path = fc.oneof(fc.constantFrom('src/a.ts', './src/a.ts', 'src/b.ts', '../x'), fc.string());
const result = fc.record({
  decisions: fc.array(
    fc.record(
      {
        content: text,
        confidence: fc.double({ min: 0, max: 1, noNaN: true }),
        evidence: fc.record({ message: fc.nat(3), quote: text }),
      },
      { requiredKeys: ['content', 'confidence'] },
    ),
    { maxLength: 4 },
  ),
  filesReferenced: fc.array(fc.record({ path, relevance: degree, context: text }), { maxLength: 3 }),
  risks: fc.array(fc.record({ description: text, severity: degree }), { maxLength: 3 }),
  summary: text,
});

const edits: fc.Arbitrary<DraftAction>[] = [
  result.map((found) => ({ type: 'mergeExtraction', result: found })),
  fc.record({
    type: fc.constant('addDecision' as const),
    content: text,
    source: fc.constantFrom('ai-extracted' as const, 'user-pinned' as const),
  }),
  fc.record({ type: fc.constant('updateDecision' as const), id, content: text }),
  fc.record({ type: fc.constantFrom('removeDecision' as const, 'removeFileRef' as const, 'removeRisk' as const), id }),
  fc.record({ type: fc.constant('moveDecision' as const), id, toIndex: fc.integer({ min: -2, max: 9 }) }),
  fc.record({ type: fc.constant('mergeDecisions' as const), ids: fc.array(id, { maxLength: 3 }) }),
  fc.record({ type: fc.constant('setSummary' as const), text }),
  fc.record({ type: fc.constant('addFileRef' as const), ref: fc.record({ path, relevance: degree, context: text }) }),
  fc.record({ type: fc.constant('updateFileRef' as const), id, change: fc.record({ path, relevance: degree }) }),
  fc.record({ type: fc.constant('addRisk' as const), risk: fc.record({ description: text, severity: degree }) }),
  fc.record({ type: fc.constant('updateRisk' as const), id, change: fc.record({ description: text }) }),
  fc.constant({ type: 'reset' }),
];

/** All that a sequence of actions can hold, undo, redo and freezing among the edits. */
const sequence = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.oneof(...edits) },
    fc.constantFrom<DraftAction>({ type: 'undo' }, { type: 'redo' }),
  ),
  { maxLength: 40 },
);

/** Runs actions, each of which gets ids from the same source. */
function createRunner() {
  let ids = 0;
  const surroundings = {
    now: () => 0,
    createId: () => {
      ids += 1;
      return `id-${ids}`;
    },
  };
  return (state: typeof emptyState, actions: readonly DraftAction[]) =>
    actions.reduce((before, action) => reduceDraft(before, action, surroundings), state);
}

const draftOf = ({ decisions, filesReferenced, risks, brainstormSummary, review }: typeof emptyState) =>
  JSON.stringify({ decisions, filesReferenced, risks, brainstormSummary, review });

describe('after any sequence of edits', () => {
  verifies(['DRAFT.undo'], 'undo all is the beginning, redo all the end', () => {
    fc.assert(
      fc.property(sequence, (actions) => {
        const run = createRunner();
        const end = run(emptyState, actions);
        const back = run(
          end,
          end.past.map(() => ({ type: 'undo' as const })),
        );
        expect([draftOf(back), back.canUndo]).toEqual([draftOf(emptyState), false]);
        const forth = run(
          back,
          back.future.map(() => ({ type: 'redo' as const })),
        );
        // What lay ahead before is done again too.
        const ahead = run(
          end,
          end.future.map(() => ({ type: 'redo' as const })),
        );
        expect([draftOf(forth), forth.canRedo]).toEqual([draftOf(ahead), false]);
      }),
    );
  });

  verifies(['BR.held.frozen', 'DRAFT.undo'], 'what is frozen never changes, and no state is changed in place', () => {
    fc.assert(
      fc.property(sequence, sequence, (before, after) => {
        const run = createRunner();
        const frozen = run(emptyState, [...before, { type: 'freezeForPlanning' }]);
        const [text_before, draft_before] = [JSON.stringify(frozen.frozenPayload), draftOf(frozen)];
        const end = run(
          frozen,
          after.filter(({ type }) => type !== 'reset'),
        );
        expect(end.frozenPayload).toBe(frozen.frozenPayload);
        expect([JSON.stringify(end.frozenPayload), end.frozenHash]).toEqual([text_before, frozen.frozenHash]);
        expect(draftOf(frozen)).toBe(draft_before);
      }),
    );
  });

  verifies(
    ['DRAFT.implied-last', 'BR.held.no-duplicates'],
    'implied decisions are last, and no id and no path occurs twice',
    () => {
      fc.assert(
        fc.property(sequence, (actions) => {
          const { decisions, filesReferenced, risks } = createRunner()(emptyState, actions);
          const implied = decisions.map(isImplied);
          expect(implied).toEqual([...implied].sort((a, b) => Number(a) - Number(b)));
          const ids = [...decisions, ...filesReferenced, ...risks].map((part) => part.id);
          expect(new Set(ids).size).toBe(ids.length);
          const paths = filesReferenced.map((file) => file.path);
          expect(new Set(paths).size).toBe(paths.length);
        }),
      );
    },
  );
});
