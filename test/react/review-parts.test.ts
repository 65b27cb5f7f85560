import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect } from 'vitest';
import type { HandoffDraftStore } from '../../packages/batonpass/src/draft/draft-store.ts';
import type { HandoffDecision } from '../../packages/batonpass/src/draft/handoff-draft.ts';
import { findNeighbourIndex, groupDecisions } from '../../packages/batonpass/src/react/decision-groups.ts';
import { countProblems, findProblems } from '../../packages/batonpass/src/react/find-problems.ts';
import { freezeDraft } from '../../packages/batonpass/src/react/freeze-draft.ts';
import {
  evidenceOf,
  newSubject,
  parseKey,
  readText,
  removeSubject,
  type Subject,
  summarySubject,
  toKey,
  writeText,
} from '../../packages/batonpass/src/react/subjects.ts';
import { type Edits, useEdits } from '../../packages/batonpass/src/react/use-edits.ts';
import {
  isChoosable,
  listChosen,
  listEntries,
  type Selection,
  useSelection,
} from '../../packages/batonpass/src/react/use-selection.ts';
import { extracted, openDraft, said } from '../draft/draft-stage.ts';
import { verifies } from '../verifies.ts';

const decision = (id: string, facts: Partial<HandoffDecision> = {}): HandoffDecision => ({
  id,
  content: id,
  source: 'user-edited',
  ...facts,
});
const implied = { source: 'ai-extracted', confidence: 0.5 } as const;

/** Two said decisions, an implied one between them, and one of the plan agent. */
const mixed = [
  decision('a'),
  decision('b', implied),
  decision('c'),
  decision('d', implied),
  decision('e', { ...implied, fromPlanning: true }),
  decision('f', { fromPlanning: true }),
];

describe('the decisions of a review', () => {
  verifies(['SCREEN.order', 'BR.screen.lists'], 'are in three groups, and have their neighbours there', () => {
    const { said, implied, fromPlanning } = groupDecisions(mixed);
    expect([said, implied, fromPlanning].map((group) => group.map(({ id }) => id).join(''))).toEqual([
      'ac',
      'bd',
      'ef',
    ]);
    const neighbours = mixed.map(({ id }) => [findNeighbourIndex(mixed, id, -1), findNeighbourIndex(mixed, id, 1)]);
    expect(neighbours).toEqual([
      [null, 2],
      [null, 3],
      [0, null],
      [1, null],
      [null, 5],
      [4, null],
    ]);
    expect(findNeighbourIndex(mixed, 'gone', 1)).toBeNull();
  });

  verifies(['REVIEW.doubts'], 'have their problems counted, what blocks first', () => {
    const of = (duplicates: string[], contradictions: string[]) => ({ duplicates, contradictions });
    const told = (decisions: HandoffDecision[], doubts: Record<string, ReturnType<typeof of>> = {}) => {
      const problems = findProblems(decisions, new Map(Object.entries(doubts)));
      return [countProblems(problems), ...problems.map(({ text }) => text)];
    };
    expect(told([])).toEqual(['1 blocking, 0 warnings', 'There is no decision yet.']);
    expect(told([decision('a')])).toEqual(['0 blocking, 0 warnings']);
    expect(told(mixed.slice(0, 2))).toEqual(['0 blocking, 1 warning', '1 decision was only implied: nobody said it.']);
    expect(told(mixed, { a: of(['c'], []), c: of(['a'], ['f']), gone: of(['a'], ['a']) })).toEqual([
      '0 blocking, 3 warnings',
      '1 decision contradicts another.',
      '2 decisions say what another says.',
      '3 decisions were only implied: nobody said them.',
    ]);
  });
});

/** A draft with one entry in each list: their ids. */
function openReview(): { store: HandoffDraftStore; subjects: readonly [Subject, Subject, Subject] } {
  const store = openDraft();
  const quoted = { message: 2, quote: 'a quote' };
  store.getState().mergeExtraction(
    extracted({
      decisions: [said('Use SQLite for the queue')],
      filesReferenced: [{ path: 'src/a.ts', relevance: 'low', context: 'Holds it.', evidence: quoted }],
      risks: [{ description: 'It may break.', severity: 'high', evidence: quoted }],
      summary: 'A summary.',
    }),
  );
  const { decisions, filesReferenced, risks } = store.getState();
  const id = (entries: readonly { id: string }[]) => entries[0]?.id ?? '';
  return {
    store,
    subjects: [
      { kind: 'decision', id: id(decisions) },
      { kind: 'file', id: id(filesReferenced) },
      { kind: 'risk', id: id(risks) },
    ],
  };
}

describe('the entries of a review', () => {
  verifies(['REVIEW.select'], 'have keys that are read again, and are listed in their order', () => {
    const { store, subjects } = openReview();
    expect(listEntries(store.getState())).toEqual(subjects);
    for (const subject of [...subjects, summarySubject, newSubject, { kind: 'file', id: 'a:b' } as const]) {
      expect(parseKey(toKey(subject))).toEqual(subject);
    }
    for (const key of ['', ':', 'decision', 'other:1', 'filed:1']) expect(parseKey(key)).toBeNull();
    expect([...subjects, summarySubject, newSubject].map(isChoosable)).toEqual([true, true, true, false, false]);
  });

  verifies(['SCREEN.wording', 'REVIEW.evidence'], 'are read, written and removed by their subject', () => {
    const { store, subjects } = openReview();
    const all = [...subjects, summarySubject];
    const texts = () => all.map((subject) => readText(store.getState(), subject));
    expect(texts()).toEqual(['Use SQLite for the queue', 'Holds it.', 'It may break.', 'A summary.']);
    expect(readText(store.getState(), newSubject)).toBe('');
    expect(all.map((subject) => evidenceOf(store.getState(), subject).map(({ message }) => message))).toEqual([
      [0],
      [2],
      [2],
      [],
    ]);
    for (const subject of all) writeText(store, subject, `New ${subject.kind}`);
    expect(texts()).toEqual(['New decision', 'New file', 'New risk', 'New summary']);
    writeText(store, newSubject, 'Added');
    expect(store.getState().decisions.map(({ content, source }) => [content, source])).toContainEqual([
      'Added',
      'user-edited',
    ]);
    for (const subject of all) removeSubject(store, subject);
    expect(texts()).toEqual([undefined, undefined, undefined, 'New summary']);
    expect(store.getState().decisions.map(({ content }) => content)).toEqual(['Added']);
  });

  verifies(['SCREEN.removed-elsewhere'], 'that were removed meanwhile are added again, a file is refused', () => {
    const { store, subjects } = openReview();
    for (const subject of subjects) removeSubject(store, subject);
    const [decision, file, risk] = subjects;
    writeText(store, decision, 'Decided again');
    writeText(store, risk, 'A risk again');
    expect(() => writeText(store, file, 'A file again')).toThrowError(expect.objectContaining({ code: 'conflict' }));
    const { decisions, risks, filesReferenced } = store.getState();
    expect(decisions).toMatchObject([{ content: 'Decided again', source: 'user-edited' }]);
    expect(risks).toMatchObject([{ description: 'A risk again', severity: 'medium' }]);
    expect(filesReferenced).toEqual([]);
  });

  verifies(['BR.screen.start-planning'], 'are frozen as they are, the same again where nothing changed', () => {
    const { store, subjects } = openReview();
    const first = freezeDraft(store);
    expect(first.snapshot.decisions.map(({ content }) => content)).toEqual(['Use SQLite for the queue']);
    expect(freezeDraft(store)).toEqual(first);
    writeText(store, subjects[0], 'Use Postgres');
    expect(freezeDraft(store).sha256).not.toBe(first.sha256);
  });
});

/** What a hook gives to a component. */
function hookOf<T>(hook: () => T): T {
  const given: T[] = [];
  const Component = () => {
    given.push(hook());
    return null;
  };
  renderToStaticMarkup(createElement(Component));
  const [first] = given;
  if (first === undefined) throw new Error('The component was not rendered.');
  return first;
}

describe('the open edits of a review', () => {
  verifies(['BR.screen.lists'], 'are stored by a save, which leaves no decision without a text', () => {
    const store = openDraft();
    store.getState().addDecision('Use zustand');
    const [{ id } = { id: '' }] = store.getState().decisions;
    const subject: Subject = { kind: 'decision', id };
    const edits: Edits = hookOf(() => useEdits(store));
    const openOnes = () => [...edits.open.getState()];
    const textOf = () => readText(store.getState(), subject);
    expect(edits.save(subject)).toBe(true);
    edits.change(subject, 'not begun');
    edits.begin({ kind: 'decision', id: 'none' });
    expect(openOnes()).toEqual([]);

    edits.begin(subject);
    edits.change(subject, '  ');
    edits.begin(subject);
    expect(openOnes()).toEqual([[toKey(subject), { base: 'Use zustand', draft: '  ' }]]);
    expect([edits.save(subject), edits.saveAll(), textOf()]).toEqual([false, subject, 'Use zustand']);
    edits.change(subject, ' Use redux ');
    expect([edits.save(subject), textOf(), openOnes()]).toEqual([true, 'Use redux', []]);

    edits.begin(summarySubject);
    edits.change(summarySubject, 'Built.');
    edits.begin(newSubject);
    edits.begin(subject);
    edits.change(subject, 'Use jotai');
    store.getState().updateDecision(id, 'Use signals');
    expect([edits.saveAll(), store.getState().brainstormSummary, textOf()]).toEqual([subject, 'Built.', 'Use signals']);
    edits.cancel(subject);
    expect([edits.saveAll(), openOnes().map(([key]) => key)]).toEqual([null, [toKey(newSubject)]]);
    edits.begin(summarySubject);
    edits.change(summarySubject, '');
    expect([edits.saveAll(), store.getState().brainstormSummary]).toEqual([null, '']);
  });
});

describe('the selection of a review', () => {
  verifies(['BR.screen.lists'], 'gains and loses entries, and is listed by kind', () => {
    const selection: Selection = hookOf(() => useSelection(openDraft()));
    const keys = ['decision:a', 'risk:b'];
    selection.choose([...keys, 'broken'], true);
    expect(listChosen(selection)).toEqual(keys.map(parseKey));
    expect(listChosen(selection, 'risk')).toEqual([{ kind: 'risk', id: 'b' }]);
    selection.choose(['decision:a'], false);
    expect([...selection.chosen.getState()]).toEqual(['risk:b', 'broken']);
    selection.clear();
    expect(listChosen(selection)).toEqual([]);
  });
});
