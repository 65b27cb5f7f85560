import { describe, expect } from 'vitest';
import { extractHandoff } from '../../packages/batonpass/src/operations/extract-handoff.ts';
import { verifies } from '../verifies.ts';
import { contentsOf, extracted, openDraft, said } from './draft-stage.ts';

describe('a second extraction', () => {
  verifies(['BR.held.no-duplicates'], 'changes nothing where it finds the same again', () => {
    const store = openDraft();
    const found = extracted({
      decisions: [said('Use **zustand** for state'), said('Maybe a sticky footer', 0.5)],
      filesReferenced: [{ path: 'src/App.jsx', relevance: 'high', context: 'Main component' }],
      risks: [{ description: 'The extraction may miss something.', severity: 'medium' }],
      summary: 'Built.',
    });
    store.getState().mergeExtraction(found);
    const before = store.getState();
    store.getState().mergeExtraction(found);
    expect(store.getState()).toBe(before);
  });

  verifies(['BR.held.no-duplicates'], 'has one item for the same words, the same path and the same evidence', () => {
    const store = openDraft();
    store.getState().mergeExtraction(
      extracted({
        decisions: [said('Use **zustand** for state'), said('Kafka for the event bus', 1, 3)],
        filesReferenced: [{ path: 'src/App.jsx', relevance: 'low', context: 'Named' }],
        risks: [{ description: 'The extraction may miss something.', severity: 'low' }],
      }),
    );
    const ids = store.getState().decisions.map(({ id }) => id);
    store.getState().mergeExtraction(
      extracted({
        decisions: [
          said('use zustand for  state.'),
          { content: 'Events go by Kafka', confidence: 1, evidence: { message: 3, quote: 'the event bus' } },
        ],
        filesReferenced: [{ path: './src//App.jsx', relevance: 'high', context: 'Main component' }],
        risks: [{ description: 'the extraction may miss something', severity: 'high' }],
      }),
    );
    const state = store.getState();
    expect(state.decisions.map(({ id }) => id)).toEqual(ids);
    expect(state.filesReferenced).toEqual([
      { id: 'id-3', path: 'src/App.jsx', relevance: 'high', context: 'Main component' },
    ]);
    expect(state.risks).toEqual([{ id: 'id-4', description: 'the extraction may miss something', severity: 'high' }]);
  });

  verifies(['BR.held.no-duplicates'], 'has the surer words of two, and of two as sure the later', () => {
    const store = openDraft();
    const merge = (content: string, confidence: number) => {
      const evidence = { message: 3, quote: 'the event bus' };
      store.getState().mergeExtraction(extracted({ decisions: [{ content, confidence, evidence }] }));
      return contentsOf(store);
    };
    expect(merge('Kafka for the event bus', 0.9)).toEqual(['Kafka for the event bus']);
    expect(merge('Maybe Kafka', 0.8)).toEqual(['Kafka for the event bus']);
    expect(merge('Events go by Kafka', 0.9)).toEqual(['Events go by Kafka']);
    expect(merge('All events go by Kafka', 1)).toEqual(['All events go by Kafka']);
  });

  verifies(['BR.held.no-duplicates', 'BR.risk.pins'], 'loses to what a person pinned or worded', () => {
    const store = openDraft();
    store.getState().addDecision('Use zustand for state');
    store.getState().mergeExtraction(extracted({ decisions: [said('Store drafts in the browser')] }));
    store.getState().updateDecision('id-2', 'Keep drafts on the server');
    const before = store.getState().decisions;
    store
      .getState()
      .mergeExtraction(extracted({ decisions: [said('use zustand for state.'), said('Store drafts in the browser')] }));
    expect(store.getState().decisions).toEqual(before);
    expect(contentsOf(store)).toEqual(['Use zustand for state', 'Keep drafts on the server']);
  });

  verifies(['BR.held.no-duplicates'], 'is pinned in its place where a person says the same words', () => {
    const store = openDraft();
    store.getState().mergeExtraction(extracted({ decisions: [said('use zustand.', 0.5), said('No drag and drop')] }));
    store.getState().addDecision('Use zustand');
    store.getState().addDecision('Use zustand', 'ai-extracted');
    expect(store.getState().decisions.map(({ content, source }) => [content, source])).toEqual([
      ['No drag and drop', 'ai-extracted'],
      ['Use zustand', 'user-pinned'],
    ]);
  });

  verifies(['SCREEN.empty-conversation'], 'of an empty conversation replaces no summary', async () => {
    const store = openDraft();
    store.getState().mergeExtraction(extracted({ summary: 'Built.' }));
    for (const messages of [[], [{ role: 'user' as const, content: ' ' }]]) {
      store.getState().mergeExtraction(await extractHandoff(messages, undefined, { extractor: 'rules' }));
    }
    expect(store.getState().brainstormSummary).toBe('Built.');
  });

  verifies(['DRAFT.removed'], 'does not bring back what a person removed, until the person says it again', () => {
    const store = openDraft();
    const found = extracted({
      decisions: [said('Use zustand for state'), said('No drag and drop')],
      filesReferenced: [
        { path: 'src/a.ts', relevance: 'high', context: 'A' },
        { path: 'src/b.ts', relevance: 'high', context: 'B' },
      ],
      risks: [
        { description: 'The queue may overflow at night', severity: 'high' },
        { description: 'Nobody knows the old format', severity: 'low' },
      ],
    });
    store.getState().mergeExtraction(found);
    const { decisions, filesReferenced, risks, ...actions } = store.getState();
    actions.removeDecision(decisions[0]?.id ?? '');
    actions.removeFileRef(filesReferenced[0]?.id ?? '');
    actions.removeRisk(risks[0]?.id ?? '');
    actions.mergeExtraction({ ...found, decisions: [said('use zustand for state'), said('No drag and drop')] });
    expect(contentsOf(store)).toEqual(['No drag and drop']);
    expect(store.getState().filesReferenced.map(({ path }) => path)).toEqual(['src/b.ts']);
    expect(store.getState().risks.map(({ description }) => description)).toEqual(['Nobody knows the old format']);
    actions.addDecision('Use zustand for state');
    actions.addFileRef({ path: 'src/a.ts', relevance: 'low', context: 'Mine' });
    actions.mergeExtraction(found);
    expect(contentsOf(store)).toEqual(['No drag and drop', 'Use zustand for state']);
    expect(store.getState().filesReferenced.map(({ path, context }) => [path, context])).toEqual([
      ['src/b.ts', 'B'],
      ['src/a.ts', 'Mine'],
    ]);
  });

  verifies(
    ['BR.held.no-duplicates'],
    'keeps confidence and evidence: the one with more confidence stays, under its first id',
    () => {
      const store = openDraft();
      store.getState().mergeExtraction(extracted({ decisions: [said('Use zustand', 0.5), said('No drag and drop')] }));
      const ids = new Map(store.getState().decisions.map(({ id, content }) => [content, id]));
      store
        .getState()
        .mergeExtraction(
          extracted({ decisions: [said('Use zustand', 1, 7), { content: 'No drag and drop', confidence: 1 }] }),
        );
      expect(store.getState().decisions).toEqual([
        {
          id: ids.get('No drag and drop'),
          content: 'No drag and drop',
          source: 'ai-extracted',
          confidence: 1,
          evidence: { message: 0, quote: 'No drag and drop' },
        },
        {
          id: ids.get('Use zustand'),
          content: 'Use zustand',
          source: 'ai-extracted',
          confidence: 1,
          evidence: { message: 7, quote: 'Use zustand' },
        },
      ]);
    },
  );

  verifies(['BR.held.no-duplicates'], 'changes nothing by a less sure word for the same', () => {
    const store = openDraft();
    store.getState().mergeExtraction(extracted({ decisions: [said('Use zustand', 1, 7)] }));
    const before = store.getState();
    store.getState().mergeExtraction(extracted({ decisions: [said('use zustand', 0.6)] }));
    expect(store.getState()).toBe(before);
  });

  verifies(['DRAFT.removed'], 'does not bring back the words that a person replaced, without evidence too', () => {
    const store = openDraft();
    const found = extracted({ decisions: [{ content: 'Redux holds everything', confidence: 1 }] });
    store.getState().mergeExtraction(found);
    store.getState().updateDecision('id-1', 'Use zustand');
    store.getState().mergeExtraction(found);
    expect(contentsOf(store)).toEqual(['Use zustand']);
  });

  verifies(['DRAFT.implied-last'], 'puts what is only implied last, and a pin before it', () => {
    const store = openDraft();
    store.getState().mergeExtraction(extracted({ decisions: [said('A footer, maybe', 0.5), said('Use zustand')] }));
    store.getState().addDecision('Pinned words');
    store.getState().mergeExtraction(extracted({ decisions: [said('Another guess', 0.4), said('No drag and drop')] }));
    expect(contentsOf(store)).toEqual([
      'Use zustand',
      'Pinned words',
      'No drag and drop',
      'A footer, maybe',
      'Another guess',
    ]);
  });

  verifies(['DRAFT.files-and-risks'], 'leaves files, risks and the summary as a person worded them', () => {
    const store = openDraft();
    const found = extracted({
      filesReferenced: [{ path: 'src/App.jsx', relevance: 'high', context: 'Main component' }],
      risks: [{ description: 'Nobody knows the old format', severity: 'high' }],
      summary: 'By the model.',
    });
    store.getState().mergeExtraction(found);
    store.getState().updateFileRef('id-1', { relevance: 'low' });
    store.getState().updateRisk('id-2', { description: 'The old format is not documented' });
    store.getState().setSummary('By a person.');
    store.getState().addFileRef({ path: 'src/b.ts', relevance: 'low', context: 'Mine' });
    store.getState().addRisk({ description: 'It is slow', severity: 'low' });
    const before = store.getState();
    store.getState().mergeExtraction(found);
    store.getState().mergeExtraction(
      extracted({
        filesReferenced: [{ path: 'src/b.ts', relevance: 'high', context: 'Theirs' }],
        risks: [{ description: 'it is slow.', severity: 'high' }],
      }),
    );
    expect(store.getState()).toBe(before);
    expect(store.getState().filesReferenced.map(({ context }) => context)).toEqual(['Main component', 'Mine']);
    expect(store.getState().risks.map(({ description }) => description)).toEqual([
      'The old format is not documented',
      'It is slow',
    ]);
    expect(store.getState().brainstormSummary).toBe('By a person.');
  });

  verifies(['BR.held.no-duplicates'], 'brings no path that leads out of the project, and no empty text', () => {
    const store = openDraft();
    const paths = ['/etc/passwd', '../secret', 'C:\\x', '%2e%2e/x', 'src/foo..bar.ts'];
    store.getState().mergeExtraction(
      extracted({
        decisions: [said('  ')],
        filesReferenced: paths.map((path) => ({ path, relevance: 'high' as const, context: '' })),
        risks: [{ description: '\n', severity: 'low' }],
      }),
    );
    expect(contentsOf(store)).toEqual([]);
    expect(store.getState().filesReferenced.map(({ path }) => path)).toEqual(['src/foo..bar.ts']);
    expect(store.getState().risks).toEqual([]);
  });
});
