import { describe, expect } from 'vitest';
import { extractionResultSchema } from '../../packages/batonpass/src/extraction/extraction-result.ts';
import { verifies } from '../verifies.ts';
import { contentsOf, createStorage, extracted, openDraft, said } from './draft-stage.ts';

/** The fields of source 5's state. */
const source5Fields = ['decisions', 'filesReferenced', 'risks', 'brainstormSummary', 'frozenPayload'] as const;

describe("source 5's store", () => {
  verifies(['BR.store.empty'], 'begins with the empty state of the source', () => {
    const state = openDraft().getState();
    expect(Object.fromEntries(source5Fields.map((field) => [field, state[field]]))).toEqual({
      decisions: [],
      filesReferenced: [],
      risks: [],
      brainstormSummary: '',
      frozenPayload: null,
    });
  });

  verifies(['BR.held.names'], 'has the actions of the source under their names, and its schema', () => {
    const state = openDraft().getState();
    const actions = [
      'mergeExtraction',
      'addDecision',
      'updateDecision',
      'removeDecision',
      'removeFileRef',
      'removeRisk',
      'freezeForPlanning',
      'reset',
    ] as const;
    expect(actions.map((name) => typeof state[name])).toEqual(actions.map(() => 'function'));
    expect(Object.keys(extractionResultSchema.shape)).toEqual(['decisions', 'filesReferenced', 'risks', 'summary']);
  });

  verifies(['BR.store.add-decision'], 'adds a decision with the given source, pinned where none is given', () => {
    const store = openDraft();
    store.getState().addDecision('Use zustand');
    store.getState().addDecision('Build a review screen', 'ai-extracted');
    store.getState().addDecision('No drag and drop', 'user-edited');
    store.getState().addDecision('  \n');
    expect(store.getState().decisions).toEqual([
      { id: 'id-1', content: 'Use zustand', source: 'user-pinned' },
      { id: 'id-2', content: 'Build a review screen', source: 'ai-extracted' },
      { id: 'id-3', content: 'No drag and drop', source: 'user-edited' },
    ]);
  });

  verifies(
    ['BR.store.update-decision'],
    'rewords a decision as edited by the user, and leaves the others alone',
    () => {
      const store = openDraft();
      store.getState().addDecision('Use redux');
      store.getState().addDecision('Build a review screen', 'ai-extracted');
      store.getState().updateDecision('id-1', 'Use zustand');
      store.getState().updateDecision('gone', 'Nothing');
      expect(store.getState().decisions).toEqual([
        { id: 'id-1', content: 'Use zustand', source: 'user-edited' },
        { id: 'id-2', content: 'Build a review screen', source: 'ai-extracted' },
      ]);
    },
  );

  verifies(['BR.store.remove'], 'deletes a decision, a file and a risk permanently, from the storage too', () => {
    const storage = createStorage();
    const store = openDraft({ storage });
    store.getState().mergeExtraction(
      extracted({
        decisions: [said('Use zustand'), said('Build a review screen')],
        filesReferenced: [{ path: 'src/App.jsx', relevance: 'high', context: 'Main component' }],
        risks: [{ description: 'Extraction may miss implicit decisions', severity: 'medium' }],
      }),
    );
    const { decisions, filesReferenced, risks, ...actions } = store.getState();
    actions.removeDecision(decisions[0]?.id ?? '');
    actions.removeFileRef(filesReferenced[0]?.id ?? '');
    actions.removeRisk(risks[0]?.id ?? '');
    expect(contentsOf(store)).toEqual(['Build a review screen']);
    expect([store.getState().filesReferenced, store.getState().risks]).toEqual([[], []]);
    const reopened = openDraft({ storage }).getState();
    expect([reopened.decisions.length, reopened.filesReferenced, reopened.risks]).toEqual([1, [], []]);
  });

  verifies(
    ['BR.store.merge', 'BR.risk.pins'],
    'appends what was extracted after the pins, which stay as they are',
    () => {
      const store = openDraft();
      store.getState().addDecision('Ship to the two pilot teams first');
      const [pin] = store.getState().decisions;
      store.getState().mergeExtraction(
        extracted({
          decisions: [{ content: 'Use zustand', confidence: 0.9, evidence: { message: 3, quote: 'zustand it is' } }],
          filesReferenced: [{ path: 'src/App.jsx', relevance: 'high', context: 'Main component' }],
          risks: [{ description: 'Extraction may miss implicit decisions', severity: 'medium' }],
          summary: 'A handoff is built.',
        }),
      );
      const state = store.getState();
      expect(state.decisions[0]).toBe(pin);
      expect(state.decisions[1]).toEqual({
        id: 'id-2',
        content: 'Use zustand',
        source: 'ai-extracted',
        confidence: 0.9,
        evidence: { message: 3, quote: 'zustand it is' },
      });
      expect(state.filesReferenced).toEqual([
        { id: 'id-3', path: 'src/App.jsx', relevance: 'high', context: 'Main component' },
      ]);
      expect(state.risks).toEqual([
        { id: 'id-4', description: 'Extraction may miss implicit decisions', severity: 'medium' },
      ]);
      expect(state.brainstormSummary).toBe('A handoff is built.');
    },
  );

  verifies(['BR.store.freeze', 'BR.held.frozen'], 'freezes a copy throughout, with its hash', () => {
    const store = openDraft();
    store.getState().mergeExtraction(extracted({ decisions: [said('Use zustand')], summary: 'Built.' }));
    store.getState().freezeForPlanning();
    const { frozenPayload, frozenHash, decisions } = store.getState();
    expect(frozenPayload).toEqual({
      decisions: store.getState().decisions,
      filesReferenced: [],
      risks: [],
      brainstormSummary: 'Built.',
    });
    expect(frozenHash).toMatch(/^[0-9a-f]{64}$/);
    const frozen = frozenPayload?.decisions[0];
    expect(frozen).not.toBe(decisions[0]);
    const parts = [frozenPayload, frozenPayload?.decisions, frozen, frozen?.evidence, frozenPayload?.risks];
    expect(parts.map((part) => Object.isFrozen(part))).toEqual([true, true, true, true, true]);
    expect(() => Object.assign(frozen ?? {}, { content: 'Use redux' })).toThrow(TypeError);
  });

  verifies(
    ['BR.risk.mutation', 'BR.held.frozen'],
    'keeps the frozen copy through any change of the live store, in place too',
    () => {
      const store = openDraft();
      store.getState().mergeExtraction(extracted({ decisions: [said('Use zustand'), said('No drag and drop')] }));
      store.getState().freezeForPlanning();
      const { frozenPayload, frozenHash } = store.getState();
      const before = JSON.stringify(frozenPayload);
      store.getState().updateDecision('id-1', 'Use redux');
      store.getState().removeDecision('id-2');
      store.getState().addDecision('Found while planning', 'ai-extracted');
      for (const decision of store.getState().decisions) {
        decision.content = 'written past the actions';
        if (decision.evidence !== undefined) decision.evidence.quote = 'forged';
      }
      expect(store.getState().frozenPayload).toBe(frozenPayload);
      expect([JSON.stringify(frozenPayload), store.getState().frozenHash]).toEqual([before, frozenHash]);
    },
  );

  verifies(
    ['BR.held.new-from-planning'],
    'marks what an agent adds after freezing as found while planning, until it is frozen itself',
    () => {
      const store = openDraft();
      store.getState().addDecision('Use zustand', 'ai-extracted');
      store.getState().freezeForPlanning();
      store.getState().addDecision('Pin the version', 'ai-extracted');
      store.getState().addDecision('Mine');
      expect(store.getState().decisions.map(({ fromPlanning }) => fromPlanning)).toEqual([undefined, true, undefined]);
      expect(store.getState().frozenPayload?.decisions.map(({ content }) => content)).toEqual(['Use zustand']);
      store.getState().freezeForPlanning();
      expect(store.getState().decisions.some((decision) => 'fromPlanning' in decision)).toBe(false);
      expect(store.getState().frozenPayload?.decisions).toEqual(store.getState().decisions);
    },
  );

  verifies(['BR.held.new-from-planning'], 'a person who pins or words what planning found becomes its author', () => {
    const store = openDraft();
    store.getState().freezeForPlanning();
    store.getState().addDecision('Pin the version', 'ai-extracted');
    store.getState().addDecision('Write a test', 'ai-extracted');
    store.getState().addDecision('Pin the version');
    store.getState().updateDecision('id-2', 'Write two tests');
    expect(store.getState().decisions).toEqual([
      { id: 'id-1', content: 'Pin the version', source: 'user-pinned' },
      { id: 'id-2', content: 'Write two tests', source: 'user-edited' },
    ]);
  });

  verifies(['BR.store.freeze'], 'freezes texts and quotes that were cut inside of a character', () => {
    const store = openDraft();
    store.getState().addDecision('Half a smile \ud83d');
    const evidence = { message: 0, quote: 'cut \ud83d' };
    store.getState().mergeExtraction(
      extracted({
        decisions: [{ content: 'Cut \ude00', confidence: 1, evidence }],
        filesReferenced: [{ path: 'a\ud83d', relevance: 'low', context: '\ud83d', evidence }],
        risks: [{ description: '\ud83d', severity: 'low', evidence }],
        summary: '\ud83d',
      }),
    );
    store.getState().freezeForPlanning();
    const { frozenPayload } = store.getState();
    expect(frozenPayload?.decisions.map(({ content }) => content)).toEqual(['Half a smile \ufffd', 'Cut \ufffd']);
    expect(JSON.stringify(frozenPayload)).not.toContain('evidence');
  });

  verifies(
    ['BR.held.names'],
    'is emptied by reset, for any content; undo restores the draft, not the frozen copy',
    () => {
      const store = openDraft({ project: 'app' });
      const start = store.getState();
      store.getState().mergeExtraction(extracted({ decisions: [said('Use zustand')], summary: 'Built.' }));
      store.getState().freezeForPlanning();
      store.getState().markHandedOn('01J');
      store.getState().reset();
      const { past: _, canUndo, ...rest } = store.getState();
      const { past: _none, canUndo: _no, ...atStart } = start;
      expect([rest, canUndo]).toEqual([atStart, true]);
      store.getState().undo();
      expect([contentsOf(store), store.getState().frozenPayload]).toEqual([['Use zustand'], null]);
    },
  );

  verifies(['DRAFT.changed-at'], 'knows when the draft changed last, across a reload', () => {
    const storage = createStorage();
    let now_ms = Date.UTC(2026, 1, 1);
    const store = openDraft({ storage, now: () => now_ms });
    expect(store.getState().changedAt).toBeNull();
    store.getState().addDecision('Use zustand');
    now_ms += 60_000;
    store.getState().freezeForPlanning();
    store.getState().addDecision('use zustand');
    expect(openDraft({ storage }).getState().changedAt).toBe('2026-02-01T00:00:00.000Z');
    store.getState().undo();
    expect(store.getState().changedAt).toBe('2026-02-01T00:01:00.000Z');
  });
});
