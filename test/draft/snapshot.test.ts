import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { completeContent } from '../../packages/batonpass/src/core/complete-content.ts';
import type { ContentInput } from '../../packages/batonpass/src/core/content.ts';
import { contentToSnapshot, freezeSnapshot, snapshotToContent } from '../../packages/batonpass/src/draft/snapshot.ts';
import { verifies } from '../verifies.ts';
import { createStorage, extracted, openDraft, said } from './draft-stage.ts';

const complete = (input: ContentInput) => completeContent(input, { source_agent: 'studio' }).content;

const frozenDraft = (summary = 'Built.') => {
  const store = openDraft();
  store.getState().mergeExtraction(
    extracted({
      decisions: [said('Use zustand', 1, 3), said('Maybe a footer', 0.5)],
      filesReferenced: [{ path: 'src/App.jsx', relevance: 'high', context: 'Main component' }],
      risks: [{ description: 'It may break', severity: 'medium', evidence: { message: 1, quote: 'may break' } }],
      summary,
    }),
  );
  store.getState().addDecision('Pinned');
  store.getState().freezeForPlanning();
  const { frozenPayload, frozenHash } = store.getState();
  if (frozenPayload === null) throw new Error('nothing is frozen');
  return { store, snapshot: frozenPayload, sha256: frozenHash };
};

describe('a snapshot', () => {
  verifies(['DRAFT.content'], 'becomes a content for the plan agent, and is read back with the same hash', () => {
    const { snapshot, sha256 } = frozenDraft();
    const content = complete(snapshotToContent(snapshot));
    expect([content.kind, content.target_agent, content.summary, content.extra]).toEqual([
      'context',
      'plan-agent',
      'Built.',
      undefined,
    ]);
    expect(content.decisions.map(({ source, confidence }) => [source, confidence])).toEqual([
      ['ai-extracted', 1],
      ['user-pinned', undefined],
      ['ai-extracted', 0.5],
    ]);
    const restored = contentToSnapshot(content);
    expect(restored).toEqual(snapshot);
    expect(freezeSnapshot(restored).sha256).toBe(sha256);
    expect(Object.isFrozen(restored.decisions[0]?.evidence)).toBe(true);
  });

  verifies(['DRAFT.content'], 'keeps an empty summary and what else the content is given', () => {
    const { snapshot, sha256 } = frozenDraft('');
    const more = { title: 'Handoff', target_agent: 'planner', extra: { ticket: 7 }, task_id: 'T-1' };
    const content = complete(snapshotToContent(snapshot, more));
    expect(content).toMatchObject({ title: 'Handoff', target_agent: 'planner', task_id: 'T-1', summary: 'Handoff' });
    expect(freezeSnapshot(contentToSnapshot(content)).sha256).toBe(sha256);
  });

  verifies(['DRAFT.content'], 'loses the git facts of a file, and the mark of what was new from planning', () => {
    const { store, snapshot } = frozenDraft();
    const content = complete(snapshotToContent(snapshot));
    const files = content.files.map((file) => ({ ...file, git: { commit: 'abc' } }));
    expect(contentToSnapshot({ ...content, files })).toEqual(snapshot);
    store.getState().addDecision('Found while planning', 'ai-extracted');
    expect(complete(snapshotToContent(store.getState())).decisions).toHaveLength(4);
  });

  verifies(['DRAFT.content'], 'has one hash for one content, for any order of its fields', () => {
    const { snapshot, sha256 } = frozenDraft();
    const turned = JSON.parse(JSON.stringify(snapshot, (_key, value) => reverseKeys(value)));
    expect(freezeSnapshot(turned).sha256).toBe(sha256);
    expect(freezeSnapshot({ ...snapshot, brainstormSummary: 'Built' }).sha256).not.toBe(sha256);
  });

  verifies(['DRAFT.content'], 'of any texts that a person types survives the conversion to a content and back', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 6 }), fc.string(), (texts, summary) => {
        const store = openDraft();
        for (const text of texts) store.getState().addDecision(text);
        store.getState().setSummary(summary);
        store.getState().addRisk({ description: summary, severity: 'low' });
        store.getState().freezeForPlanning();
        const { frozenPayload, frozenHash } = store.getState();
        const content = complete(snapshotToContent(frozenPayload ?? store.getState()));
        expect(freezeSnapshot(contentToSnapshot(content)).sha256).toBe(frozenHash);
      }),
    );
  });
});

function reverseKeys(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).reverse());
}

describe('what was frozen before a reload', () => {
  const beforeReload = () => {
    const storage = createStorage();
    const store = openDraft({ storage });
    store.getState().addDecision('Use zustand');
    store.getState().freezeForPlanning();
    const { frozenPayload } = store.getState();
    const content = complete(snapshotToContent(frozenPayload ?? store.getState()));
    store.getState().markHandedOn('01J');
    return { storage, content };
  };

  verifies(['DRAFT.restore', 'BR.held.frozen'], 'is restored from the handoff that carries it', () => {
    const { storage, content } = beforeReload();
    const store = openDraft({ storage });
    expect(store.getState()).toMatchObject({ frozenPayload: null, handedOnId: '01J' });
    expect(store.getState().handedOnHash).toBe(store.getState().frozenHash);
    store.getState().updateDecision('id-1', 'Use redux');
    store.getState().restoreFrozen(contentToSnapshot(content));
    expect(store.getState().frozenPayload?.decisions.map((decision) => decision.content)).toEqual(['Use zustand']);
    expect(Object.isFrozen(store.getState().frozenPayload?.decisions)).toBe(true);
    store.getState().freezeForPlanning();
    expect(store.getState().handedOnHash).not.toBe(store.getState().frozenHash);
    expect(store.getState().handedOnId).toBe('01J');
  });

  verifies(['DRAFT.restore'], 'is refused where it is another snapshot, or where nothing was frozen', () => {
    const { storage, content } = beforeReload();
    const store = openDraft({ storage });
    const snapshot = contentToSnapshot(content);
    const restore = () => store.getState().restoreFrozen({ ...snapshot, brainstormSummary: 'Forged.' });
    expect(restore).toThrow(
      expect.objectContaining({ code: 'conflict', message: expect.stringContaining('not the one') }),
    );
    expect(store.getState().frozenPayload).toBeNull();
    expect(() => openDraft().getState().restoreFrozen(snapshot)).toThrow(
      expect.objectContaining({ code: 'conflict', message: expect.stringContaining('Nothing is frozen') }),
    );
  });
});
