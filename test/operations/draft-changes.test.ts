import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import type { EditChanges } from '../../packages/batonpass/src/core/edit-changes.ts';
import { markEdit } from '../../packages/batonpass/src/core/edit-marks.ts';
import { foldEdits, keepEdits } from '../../packages/batonpass/src/draft/keep-edits.ts';
import { contentToSnapshot, snapshotToContent } from '../../packages/batonpass/src/draft/snapshot.ts';
import { type Baton, openBaton } from '../../packages/batonpass/src/operations/baton.ts';
import type { OperationInput } from '../../packages/batonpass/src/operations/catalogue.ts';
import { verifies } from '../verifies.ts';

const folders: string[] = [];
const batons: Baton[] = [];

afterEach(async () => {
  for (const baton of batons.splice(0)) await baton.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A draft, and what an edit of it makes of it. */
async function openDraft() {
  const folder = mkdtempSync(join(tmpdir(), 'baton-changes-'));
  folders.push(folder);
  const baton = await openBaton({ cwd: folder, environment: {}, store: 'memory:', project: 'alpha' });
  batons.push(baton);
  const content = {
    summary: 'x',
    decisions: ['a', 'b', 'c', 'd'],
    files: ['src/a.ts'],
    risks: ['e'],
    next_steps: ['f', 'g'],
  };
  const { id } = await baton.run('handoff.create', { content, draft: true });
  return {
    baton,
    id,
    edit: async (changes: OperationInput<'handoff.edit'>['changes'], if_version?: number) =>
      (await baton.run('handoff.edit', { id, changes, ...(if_version === undefined ? {} : { if_version }) })).content,
  };
}

verifies(
  ['FLOW.order'],
  'the items that an order names share their positions, and what it does not name stays',
  async () => {
    const { edit } = await openDraft();
    const { decisions, next_steps } = await edit({ order: ['d4', 'd1', 'n2', 'n1'] });
    expect(decisions.map(({ id }) => id)).toEqual(['d4', 'd2', 'd3', 'd1']);
    expect(next_steps).toEqual(['g', 'f']);
  },
);

verifies(['FLOW.order'], 'what is added in the same edit is ordered too, and what is removed is unknown', async () => {
  const { edit } = await openDraft();
  const add = { decisions: [{ id: 'new', content: 'e' }] };
  const { decisions } = await edit({ remove: ['d2'], add, order: ['new', 'd1', 'd3', 'd4'] });
  expect(decisions.map(({ id }) => id)).toEqual(['new', 'd1', 'd3', 'd4']);
  // A long list is named by its ends.
  await expect(edit({ order: ['d1', 'd2'] })).rejects.toMatchObject({
    code: 'invalid_input',
    details: { unknown: ['d2'], known: ['new', 'd1', 'd3', 'd4', 'f1', 'r1', 'n1', 'n2'] },
    alternatives: ['Its items are: new to d4, f1, r1, n1, n2.'],
  });
});

verifies(
  ['FLOW.level'],
  'a level is the relevance of a file and the severity of a risk, and of nothing else',
  async () => {
    const { edit } = await openDraft();
    const { files, risks } = await edit({
      level: [
        { id: 'f1', level: 'low' },
        { id: 'r1', level: 'high' },
      ],
    });
    expect([files[0]?.relevance, risks[0]?.severity]).toEqual(['low', 'high']);
    await expect(edit({ level: [{ id: 'd1', level: 'high' }] })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(edit({ level: [{ id: 'r9', level: 'high' }] })).rejects.toMatchObject({ code: 'invalid_input' });
  },
);

verifies(['FLOW.merge'], 'an edit of another version is a conflict, also where its item is gone', async () => {
  const { edit } = await openDraft();
  await edit({ remove: ['d1'] });
  await expect(edit({ reword: [{ id: 'd1', text: 'z' }] }, 1)).rejects.toMatchObject({ code: 'conflict' });
});

/** A draft of a snapshot without a summary. */
async function openWithoutSummary(extra: Record<string, string> = {}) {
  const { baton } = await openDraft();
  const snapshot = {
    decisions: [{ id: 'd1', content: 'a', source: 'user-pinned' as const }],
    filesReferenced: [],
    risks: [],
    brainstormSummary: '',
  };
  const content = snapshotToContent(snapshot, { extra });
  const { id, content: made } = await baton.run('handoff.create', { content, draft: true });
  return { baton, id, made };
}

verifies(['DRAFT.summary-worded'], 'a reworded summary goes to the planner, and no mark is left', async () => {
  const { baton, id, made } = await openWithoutSummary();
  expect(contentToSnapshot(made).brainstormSummary).toBe('');
  const other = await baton.run('handoff.edit', { id, changes: { title: 'Notes' } });
  expect(other.content.extra).toEqual({ brainstormSummary: '' });
  const { content } = await baton.run('handoff.edit', { id, changes: { summary: 'Notes go to the phone first.' } });
  expect(content).not.toHaveProperty('extra');
  expect(contentToSnapshot(content).brainstormSummary).toBe('Notes go to the phone first.');
  const { text } = await baton.run('handoff.render', { id });
  expect(text).toContain('### Summary\nNotes go to the phone first.');
});

verifies(['DRAFT.summary-worded'], 'with the whole content, too, and its other fields stay', async () => {
  const { baton, id, made } = await openWithoutSummary({ branch: 'main' });
  const reworded = { ...made, summary: 'Notes go to the phone first.' };
  const { content } = await baton.run('handoff.edit', { id, content: reworded });
  expect(content.extra).toEqual({ branch: 'main' });
  const unworded = await openWithoutSummary({ branch: 'main' });
  const same = await unworded.baton.run('handoff.edit', { id: unworded.id, content: { ...made, title: 'Notes' } });
  expect(same.content.extra).toEqual({ branch: 'main', brainstormSummary: '' });
});

verifies(['DRAFT.summary-worded'], 'an extraction that brings a summary takes the mark away', async () => {
  const { made } = await openWithoutSummary();
  const edits = { added: new Set<string>(), removed: new Set<string>() };
  const { extra: _, ...rest } = made;
  const fresh = { ...rest, summary: 'Notes go to the phone first.' };
  expect(keepEdits(fresh, { content: made, edits }).extra).toBeUndefined();
  const same = keepEdits({ ...fresh, summary: made.summary }, { content: made, edits });
  expect(same.extra).toEqual({ brainstormSummary: '' });
});

verifies(
  ['DRAFT.removed'],
  'a file that was removed does not come back for another reason, and one that stays keeps its id',
  async () => {
    const { baton, id } = await openDraft();
    const add = { files: [{ path: 'src/b.ts', context: 'The writer' }] };
    const { content: before } = await baton.run('handoff.edit', { id, changes: { add } });
    const { content: after } = await baton.run('handoff.edit', { id, changes: { remove: ['f1'] } });
    const edits = foldEdits([markEdit(before, after) ?? { added: [], removed: [] }]);
    const found = before.files.map((file, index) => ({ ...file, id: `n${index}`, context: 'Named again' }));
    const kept = keepEdits({ ...before, files: found }, { content: after, edits });
    expect(kept.files).toMatchObject([{ id: after.files[0]?.id, path: 'src/b.ts', context: 'Named again' }]);
  },
);

verifies(
  ['DETAIL.edit-words'],
  'the history keeps what an edit removed and added, and shows it to people alone',
  async () => {
    const { baton, id, edit } = await openDraft();
    await edit({
      remove: ['d2'],
      reword: [
        { id: 'd1', text: 'a, at last' },
        { id: 'n2', text: 'h' },
      ],
      title: 'Notes',
    });
    const read = async (type: 'person' | 'agent') => {
      const { events } = await baton.run('handoff.events', { id }, { actor: { name: 'ada', type } });
      return events.at(-1)?.details;
    };
    expect(await read('person')).toMatchObject({
      content_revision: 2,
      words: {
        changes: [
          { part: 'title', before: 'x', after: 'Notes' },
          { part: 'decisions', before: 'a', after: 'a, at last' },
          { part: 'decisions', before: 'b' },
          { part: 'next_steps', before: 'g', after: 'h' },
        ],
        left_out: 0,
      },
    });
    const told = await read('agent');
    expect(told).toMatchObject({ content_revision: 2, marks: {} });
    expect(told).not.toHaveProperty('words');
    await edit({ order: ['d4', 'd1'] });
    expect(await read('person')).not.toHaveProperty('words');
  },
);

verifies(['DETAIL.edit-words'], 'words beyond the bound are counted, and what is shorter is kept', async () => {
  const { baton, id, edit } = await openDraft();
  const long = Array.from({ length: 5 }, (_, number) => `${number}`.repeat(9_000));
  await edit({ add: { decisions: long, risks: ['short'] } });
  const { events } = await baton.run('handoff.events', { id }, { actor: { name: 'ada', type: 'person' } });
  const words = events.at(-1)?.details?.words as unknown as EditChanges;
  expect(words.left_out).toBe(2);
  expect(words.changes.map(({ after }) => after?.length)).toEqual([9_000, 9_000, 9_000, 'short (medium)'.length]);
});

/** A draft of a conversation in which something confidential was said. */
async function importConfidential() {
  const { baton } = await openDraft();
  const secret = 'We must not tell anyone that Acme GmbH is being acquired by Globex in March.';
  const said = (role: string, text: string) => ({ role, content: text });
  const text = JSON.stringify([
    said('user', `Speed up src/report.ts for the customer. ${secret} Use an index on created_at.`),
    said('assistant', 'Index added.'),
    said('user', 'also add pagination, 50 per page'),
    said('assistant', 'Added.'),
  ]);
  const { handoff } = await baton.run('handoff.import', { text });
  return { baton, handoff, secret };
}

verifies(
  ['DRAFT.summary'],
  'a removed item leaves the summary, and the reviewer is told where its words stay',
  async () => {
    const { baton, handoff, secret } = await importConfidential();
    const { id, content } = handoff;
    expect(content.summary).toContain(secret);
    const removed = content.decisions.find((decision) => decision.content === secret)?.id ?? '';
    const edited = await baton.run('handoff.edit', { id, changes: { remove: [removed] } });
    expect(edited.content.summary).toBe('Decided: Use an index on created_at; Add pagination, 50 per page.');
    expect(edited.words_remain_in).toEqual(expect.arrayContaining(['where it stands s1', 'instructions i2']));
    expect(edited.words_remain_in).not.toContain('summary');
    const next = edited.content.decisions[0]?.id ?? '';
    const cut = await baton.run('handoff.edit', { id, changes: { remove: [next] } });
    expect(cut.content.summary).toBe('Decided: Add pagination, 50 per page.');
    const places = edited.words_remain_in?.map((place) => place.split(' ').at(-1) ?? '') ?? [];
    const last = await baton.run('handoff.edit', { id, changes: { remove: places } });
    const words = { words_remain_in: last.words_remain_in, text: JSON.stringify(last.content) };
    expect(words.text).not.toContain('Acme');
    await baton.run('handoff.approve', { id });
    expect((await baton.run('handoff.render', { id })).text).not.toContain('Acme');
  },
);

verifies(
  ['DRAFT.summary'],
  'a summary that the same edit words stays, and one that is emptied is derived again',
  async () => {
    const { baton, handoff, secret } = await importConfidential();
    const { id, content } = handoff;
    const remove = content.decisions.map((decision) => decision.id);
    const summary = `Kept on purpose. Decided: ${secret}`;
    const worded = await baton.run('handoff.edit', { id, changes: { remove, summary } });
    expect(worded.content.summary).toBe(summary);
    expect(worded.words_remain_in).toContain('summary');
    const { baton: other, id: draft } = await openDraft();
    await other.run('handoff.edit', { id: draft, changes: { title: 'Reports', summary: 'Decided: Use an index.' } });
    await other.run('handoff.edit', { id: draft, changes: { reword: [{ id: 'd1', text: 'Use an index' }] } });
    const emptied = await other.run('handoff.edit', { id: draft, changes: { remove: ['d1'] } });
    expect(emptied.content.summary).toBe('Reports');
    expect(emptied).not.toHaveProperty('words_remain_in');
  },
);
