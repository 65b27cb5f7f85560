import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect } from 'vitest';
import type { Content } from '../../packages/batonpass/src/core/content.ts';
import { isHandoffError } from '../../packages/batonpass/src/core/errors.ts';
import type { Handoff } from '../../packages/batonpass/src/core/handoff.ts';
import { createDraftStore, type HandoffDraftStore } from '../../packages/batonpass/src/draft/draft-store.ts';
import { type Baton, openBaton } from '../../packages/batonpass/src/operations/baton.ts';
import type { OperationInput } from '../../packages/batonpass/src/operations/catalogue.ts';
import { DraftSync } from '../../packages/studio/src/screens/review/draft-sync.ts';
import { openShelf, type UnsentShelf } from '../../packages/studio/src/screens/review/unsent-words.ts';
import { ServerProblem } from '../../packages/studio/src/server/server-problem.ts';
import { verifies } from '../verifies.ts';

const folders: string[] = [];
const batons: Baton[] = [];

afterEach(async () => {
  for (const baton of batons.splice(0)) await baton.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const content = {
  summary: 'Notes work offline.',
  decisions: [
    { id: 'd1', content: 'Local first', source: 'ai-extracted' as const, evidence: { message: 2, quote: 'Yes.' } },
    { id: 'd2', content: 'No save button', source: 'ai-extracted' as const },
    { id: 'd3', content: 'No photos', source: 'ai-extracted' as const },
  ],
  files: [{ id: 'f1', path: 'src/notes.ts', relevance: 'low' as const, context: 'Writes notes.' }],
  risks: [{ id: 'r1', description: 'Two phones', severity: 'medium' as const }],
  next_steps: ['Write the migration'],
  tried: [{ what: 'A queue', outcome: 'It lost text' }],
  open_questions: ['How long are versions kept?'],
  payload: { mine: 1 },
};

/** A storage of the browser, as a map. */
function createStorage(): Storage {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => {
      kept.set(name, text);
      Object.assign(storage, { [name]: text });
    },
    removeItem: (name: string) => {
      kept.delete(name);
      delete (storage as Record<string, unknown>)[name];
    },
  };
  return storage as unknown as Storage;
}

interface Page {
  store: HandoffDraftStore;
  sync: DraftSync;
  /** What was sent, in order. */
  sent: OperationInput<'handoff.edit'>[];
  /** Fails or holds the next request in place of sending it. */
  instead: ((input: OperationInput<'handoff.edit'>) => Promise<Handoff>)[];
}

interface Stage {
  baton: Baton;
  id: string;
  storage: Storage;
  open: (pageId?: string) => Promise<Page>;
  read: () => Promise<Content>;
  /** Changes the draft as somebody else would. */
  elsewhere: (changes: OperationInput<'handoff.edit'>['changes']) => Promise<Handoff>;
}

async function openDraft(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'baton-sync-'));
  folders.push(folder);
  const baton = await openBaton({ cwd: folder, environment: {}, store: 'memory:', project: 'alpha' });
  batons.push(baton);
  const { id } = await baton.run('handoff.create', { content, draft: true });
  const storage = createStorage();
  return {
    baton,
    id,
    storage,
    read: async () => (await baton.run('handoff.get', { id })).content,
    elsewhere: (changes) => baton.run('handoff.edit', { id, changes }),
    open: async (pageId = 'page') => openPage({ baton, id, shelf: openShelf(() => storage, id, pageId) }),
  };
}

async function openPage({ baton, id, shelf }: { baton: Baton; id: string; shelf: UnsentShelf }): Promise<Page> {
  const storage = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
  let number = 0;
  const createId = () => `new${++number}`;
  const store = createDraftStore({ storage, createId });
  const sent: Page['sent'] = [];
  const instead: Page['instead'] = [];
  const handoff = await baton.run('handoff.get', { id });
  const sync = new DraftSync({
    store,
    handoff,
    shelf,
    // Nothing is sent before a test releases it.
    after: () => () => {},
    server: {
      edit: (input) => {
        sent.push(input);
        return asServer((instead.shift() ?? ((given) => baton.run('handoff.edit', given)))(input));
      },
      get: () => asServer(baton.run('handoff.get', { id })),
    },
  });
  return { store, sync, sent, instead };
}

async function asServer<T>(made: Promise<T>): Promise<T> {
  return made.catch((error: unknown) => {
    throw isHandoffError(error) ? new ServerProblem(error.code, error.message) : error;
  });
}

const words = ({ decisions }: Pick<Content, 'decisions'>) => decisions.map((each) => each.content);
const phaseOf = ({ sync }: Page) => sync.state.getState().phase;
const conflictsOf = ({ sync }: Page) => sync.state.getState().conflicts;

describe('a draft on the screen and on the server', () => {
  verifies(
    ['FLOW.small-edits', 'FLOW.saved-state'],
    'every change is sent small, and the rest of the record stays',
    async () => {
      const stage = await openDraft();
      const page = await stage.open();
      const before = await stage.read();
      const {
        updateDecision,
        removeDecision,
        addDecision,
        updateFileRef,
        updateRisk,
        setSummary,
        addRisk,
        moveDecision,
      } = page.store.getState();
      updateDecision('d1', 'Local first, always');
      removeDecision('d2');
      addDecision('Show the conflict', 'user-edited');
      moveDecision('new1', 0);
      updateFileRef('f1', { relevance: 'high' });
      updateFileRef('f1', { context: '' });
      updateRisk('r1', { severity: 'high', description: 'Two phones at once' });
      addRisk({ description: 'A full disk', severity: 'low' });
      setSummary('Notes work without a net.');
      expect(phaseOf(page)).toBe('saving');
      await page.sync.save();
      expect(phaseOf(page)).toBe('saved');
      expect(page.sent).toHaveLength(1);
      expect(page.sent[0]?.content).toBeUndefined();
      expect(await stage.read()).toEqual({
        ...before,
        summary: 'Notes work without a net.',
        decisions: [
          { id: 'new1', content: 'Show the conflict', source: 'user-edited' },
          { ...before.decisions[0], content: 'Local first, always', source: 'user-edited' },
          before.decisions[2],
        ],
        files: [{ ...before.files[0], relevance: 'high', context: '' }],
        risks: [
          { id: 'r1', description: 'Two phones at once', severity: 'high' },
          { id: expect.any(String), description: 'A full disk', severity: 'low' },
        ],
      });
      // What the server answered is what the screen has: nothing is sent again.
      await page.sync.save();
      expect(page.sent).toHaveLength(1);
    },
  );

  verifies(
    ['FLOW.small-edits'],
    'undo sends the server exactly the draft that it had, and redo the changed one',
    async () => {
      const stage = await openDraft();
      const page = await stage.open();
      const before = await stage.read();
      page.store.getState().updateDecision('d1', 'Another');
      page.store.getState().removeDecision('d2');
      await page.sync.save();
      const after = await stage.read();
      page.store.getState().undo();
      page.store.getState().undo();
      await page.sync.save();
      expect(await stage.read()).toEqual(before);
      page.store.getState().redo();
      page.store.getState().redo();
      await page.sync.save();
      expect(await stage.read()).toEqual(after);
    },
  );

  verifies(['FLOW.one-edit'], 'changes during an edit in flight go together with the next one', async () => {
    const stage = await openDraft();
    const page = await stage.open();
    const { promise, resolve } = Promise.withResolvers<void>();
    page.instead.push(async (input) => {
      await promise;
      return stage.baton.run('handoff.edit', input);
    });
    page.store.getState().updateDecision('d1', 'First');
    const saving = page.sync.save();
    page.store.getState().updateDecision('d1', 'Second');
    page.store.getState().removeDecision('d2');
    const other = page.sync.save();
    expect(page.sent).toHaveLength(1);
    resolve();
    await Promise.all([saving, other]);
    expect(page.sent.map(({ if_version }) => if_version)).toEqual([1, 2]);
    expect(words(await stage.read())).toEqual(['Second', 'No photos']);
  });

  verifies(['FLOW.saved-state'], 'what the server does not accept is reported, and the rest is sent', async () => {
    const stage = await openDraft();
    const page = await stage.open();
    page.store.getState().setSummary('');
    page.store.getState().removeDecision('d2');
    await page.sync.save();
    expect(page.sync.state.getState()).toMatchObject({ phase: 'failed', reason: expect.stringContaining('summary') });
    expect(words(await stage.read())).toEqual(['Local first', 'No photos']);
    page.store.getState().updateDecision('d1', 'x'.repeat(10_001));
    await page.sync.save();
    expect(phaseOf(page)).toBe('failed');
    page.store.getState().updateDecision('d1', 'Short');
    page.store.getState().setSummary('There.');
    await page.sync.save();
    expect(phaseOf(page)).toBe('saved');
    expect(words(await stage.read())).toEqual(['Short', 'No photos']);
  });
});

describe('a draft that others change meanwhile', () => {
  verifies(['FLOW.merge'], 'changes of different items and fields are put together', async () => {
    const stage = await openDraft();
    const page = await stage.open();
    page.store.getState().updateDecision('d1', 'Mine');
    page.store.getState().updateFileRef('f1', { relevance: 'high' });
    await stage.elsewhere({
      reword: [
        { id: 'd3', text: 'Theirs' },
        { id: 'f1', text: 'Writes every note.' },
      ],
      remove: ['d2'],
      add: { decisions: [{ id: 'd9', content: 'New elsewhere' }] },
    });
    await page.sync.save();
    expect(conflictsOf(page)).toEqual([]);
    const { decisions, files } = await stage.read();
    expect(words({ decisions })).toEqual(['Mine', 'Theirs', 'New elsewhere']);
    expect(files[0]).toMatchObject({ relevance: 'high', context: 'Writes every note.' });
    expect(words(page.store.getState())).toEqual(words({ decisions }));
  });

  verifies(['FLOW.undo-own', 'FLOW.merge'], 'undo leaves what others did', async () => {
    const stage = await openDraft();
    const page = await stage.open();
    page.store.getState().removeDecision('d1');
    await page.sync.save();
    await stage.elsewhere({ add: { decisions: [{ id: 'd9', content: 'New elsewhere' }] }, remove: ['d3'] });
    page.sync.hear();
    await page.sync.save();
    expect(words(page.store.getState())).toEqual(['No save button', 'New elsewhere']);
    page.store.getState().undo();
    await page.sync.save();
    expect(words(await stage.read())).toEqual(['Local first', 'No save button', 'New elsewhere']);
  });

  for (const way of ['mine', 'theirs'] as const) {
    verifies(['FLOW.conflict'], `of one item worded twice both are kept until a person takes ${way}`, async () => {
      const stage = await openDraft();
      const page = await stage.open();
      page.store.getState().updateDecision('d1', 'Mine');
      page.store.getState().removeRisk('r1');
      await stage.elsewhere({
        summary: 'Their summary',
        reword: [
          { id: 'd1', text: 'Theirs' },
          { id: 'r1', text: 'Three phones' },
        ],
      });
      page.store.getState().setSummary('My summary');
      await page.sync.save();
      expect(conflictsOf(page).map(({ list, id }) => `${list} ${id}`)).toEqual([
        'decisions d1',
        'risks r1',
        'summary ',
      ]);
      expect(conflictsOf(page)[0]?.mine).toMatchObject({ content: 'Mine' });
      expect(words(await stage.read())[0]).toBe('Theirs');
      // After a reload now, both are still there.
      const again = await stage.open('another');
      expect(conflictsOf(again)).toHaveLength(3);
      for (const conflict of conflictsOf(page)) page.sync.resolve(conflict, way);
      await page.sync.save();
      expect(conflictsOf(page)).toEqual([]);
      const { decisions, risks, summary } = await stage.read();
      const expected = { mine: ['Mine', undefined, 'My summary'], theirs: ['Theirs', 'Three phones', 'Their summary'] };
      expect([decisions[0]?.content, risks[0]?.description, summary]).toEqual(expected[way]);
    });
  }

  verifies(['FLOW.conflict'], 'an item that was removed elsewhere while it was reworded here can be kept', async () => {
    const stage = await openDraft();
    const page = await stage.open();
    page.store.getState().updateDecision('d1', 'Mine');
    await stage.elsewhere({ remove: ['d1'] });
    await page.sync.save();
    const [conflict] = conflictsOf(page);
    expect(words(await stage.read())).toEqual(['No save button', 'No photos']);
    if (conflict !== undefined) page.sync.resolve(conflict, 'mine');
    await page.sync.save();
    expect(words(await stage.read())).toEqual(['No save button', 'No photos', 'Mine']);
  });

  verifies(['FLOW.closed'], 'a draft that was approved meanwhile accepts no change, and reports that', async () => {
    const stage = await openDraft();
    const page = await stage.open();
    page.store.getState().updateDecision('d1', 'Too late');
    await stage.baton.run('handoff.approve', { id: stage.id });
    await page.sync.save();
    expect(phaseOf(page)).toBe('closed');
    expect(words(page.store.getState())[0]).toBe('Too late');
    expect(words(await stage.read())[0]).toBe('Local first');
  });
});

describe('words that the server has not', () => {
  verifies(['FLOW.unsent'], 'a page that is loaded again takes up what the last one could not send', async () => {
    const stage = await openDraft();
    const page = await stage.open('first');
    const away = () => Promise.reject(new ServerProblem('unreachable', 'The server does not answer.'));
    page.instead.push(away);
    page.store.getState().updateDecision('d1', 'Mine');
    page.store.getState().addDecision('Added', 'user-edited');
    await page.sync.save();
    expect(page.sync.state.getState()).toMatchObject({ phase: 'failed', reason: 'The server does not answer.' });
    page.sync.close();
    await stage.elsewhere({ remove: ['d2'] });
    const again = await stage.open('second');
    expect(phaseOf(again)).toBe('saving');
    await again.sync.save();
    expect(words(await stage.read())).toEqual(['Mine', 'No photos', 'Added']);
    again.store.getState().undo();
    await again.sync.save();
    expect(words(await stage.read())).toEqual(['Local first', 'No photos']);
    expect(Object.values(stage.storage).filter((text) => typeof text === 'string')).toEqual([]);
  });

  verifies(['FLOW.unsent'], 'an edit whose answer was lost is not made twice', async () => {
    const stage = await openDraft();
    const page = await stage.open();
    page.instead.push(async (input) => {
      await stage.baton.run('handoff.edit', input);
      throw new ServerProblem('unreachable', 'The server does not answer.');
    });
    page.store.getState().addDecision('Added', 'user-edited');
    page.store.getState().removeDecision('d2');
    await page.sync.save();
    expect(phaseOf(page)).toBe('failed');
    await page.sync.save();
    expect(phaseOf(page)).toBe('saved');
    expect(conflictsOf(page)).toEqual([]);
    expect(words(await stage.read())).toEqual(['Local first', 'No photos', 'Added']);
  });

  verifies(
    ['FLOW.unsent'],
    'a page that goes away sends what it has, and the next one makes it no second time',
    async () => {
      const stage = await openDraft();
      const page = await stage.open('first');
      page.store.getState().addDecision('Said last', 'user-edited');
      const left: OperationInput<'handoff.edit'>[] = [];
      page.sync.leave((input) => left.push(input));
      const again = await stage.open('second');
      for (const input of left) await stage.baton.run('handoff.edit', input);
      await again.sync.save();
      expect(words(await stage.read())).toEqual([...words(content as unknown as Content), 'Said last']);
      expect(phaseOf(again)).toBe('saved');
    },
  );
});
