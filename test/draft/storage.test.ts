import { afterEach, describe, expect, vi } from 'vitest';
import { createDraftStore, draftStore } from '../../packages/batonpass/src/draft/draft-store.ts';
import { verifies } from '../verifies.ts';
import { contentsOf, createStorage, openDraft, quotaExceeded } from './draft-stage.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

/** What source 5's own store wrote: version 0. */
const versionZero = JSON.stringify({
  state: {
    decisions: [{ id: 'a', content: 'Use zustand', source: 'user-pinned' }],
    filesReferenced: [{ id: 'b', path: 'src/App.jsx', relevance: 'high', context: 'Main component' }],
    risks: [{ id: 'c', description: 'It may break', severity: 'low' }],
    brainstormSummary: 'Built.',
  },
  version: 0,
});

describe('a stored draft', () => {
  verifies(
    ['BR.store.persists', 'BR.held.names', 'BR.held.synchronous-store', 'BR.held.flush'],
    "is in the window's localStorage under handoff-storage when the action returns, without what is frozen",
    () => {
      const localStorage = createStorage();
      vi.stubGlobal('window', { localStorage });
      const store = createDraftStore();
      store.getState().addDecision('Use zustand');
      store.getState().freezeForPlanning();
      const { state, version } = JSON.parse(localStorage.texts.get('handoff-storage') ?? '');
      expect([state.decisions, version]).toEqual([store.getState().decisions, 1]);
      expect(Object.keys(state)).not.toEqual(expect.arrayContaining(['frozenPayload']));
      expect(JSON.stringify(state)).not.toMatch(/past|future|storageFault/);
      const reloaded = createDraftStore();
      expect([contentsOf(reloaded), reloaded.getState().frozenPayload]).toEqual([['Use zustand'], null]);
      expect(reloaded.persist.hasHydrated()).toBe(true);
      expect(reloaded.getState().canUndo).toBe(false);
    },
  );

  verifies(['BR.held.names'], 'is shown to the development tools as HandoffStore, in development only', () => {
    const connect = vi.fn(() => ({ init: vi.fn(), send, subscribe: () => () => undefined }));
    const send = vi.fn();
    vi.stubGlobal('window', { __REDUX_DEVTOOLS_EXTENSION__: { connect } });
    openDraft().getState().addDecision('Use zustand');
    expect(connect).not.toHaveBeenCalled();
    vi.stubEnv('NODE_ENV', 'development');
    openDraft().getState().addDecision('Use zustand');
    expect(connect).toHaveBeenCalledWith(expect.objectContaining({ name: 'HandoffStore' }));
    expect(send.mock.calls.map(([action]) => action)).toEqual([{ type: 'addDecision' }]);
  });

  verifies(['BR.held.per-project'], 'belongs to one project: another sees nothing of it, and it is there again', () => {
    const storage = createStorage();
    const store = openDraft({ storage, project: 'app' });
    store.getState().addDecision('Use zustand');
    store.getState().freezeForPlanning();
    store.getState().markHandedOn('01J');
    store.getState().openProject('site');
    const { decisions, frozenPayload, frozenHash, handedOnId, canUndo, canRedo, project } = store.getState();
    expect({ decisions, frozenPayload, frozenHash, handedOnId, canUndo, canRedo, project }).toEqual({
      decisions: [],
      frozenPayload: null,
      frozenHash: null,
      handedOnId: null,
      canUndo: false,
      canRedo: false,
      project: 'site',
    });
    store.getState().undo();
    expect(storage.texts.has('handoff-storage:site')).toBe(true);
    store.getState().addDecision('Write in Rust');
    store.getState().openProject(null);
    expect([contentsOf(store), storage.texts.has('handoff-storage')]).toEqual([[], false]);
    store.getState().openProject('app');
    expect([contentsOf(store), store.getState().handedOnId]).toEqual([['Use zustand'], '01J']);
    expect(storage.texts.get('handoff-storage:app')).not.toContain('Rust');
  });

  verifies(['BR.held.per-project'], 'stays as it is where its own project is opened again', () => {
    const store = openDraft({ project: 'app' });
    store.getState().addDecision('Use zustand');
    store.getState().freezeForPlanning();
    const before = store.getState();
    store.getState().openProject('app');
    expect(store.getState()).toBe(before);
  });

  verifies(
    ['DRAFT.no-storage', 'BR.held.synchronous-store'],
    'lives as long as the process where there is no storage, or where the browser forbids it',
    () => {
      // The process has one, which other tests use, too.
      draftStore.getState().reset();
      draftStore.getState().addDecision('In Node');
      expect([contentsOf(draftStore), draftStore.getState().storageFault]).toEqual([['In Node'], null]);
      draftStore.getState().reset();
      const window = Object.defineProperty({}, 'localStorage', {
        get() {
          throw new DOMException('Forbidden', 'SecurityError');
        },
      });
      vi.stubGlobal('window', window);
      const store = createDraftStore();
      store.getState().addDecision('Forbidden');
      expect(contentsOf(store)).toEqual(['Forbidden']);
    },
  );
});

describe('storage that fails', () => {
  verifies(
    ['BR.held.storage-failure'],
    'and is full is reported; the draft continues, and is stored when there is room',
    () => {
      const storage = createStorage();
      const store = openDraft({ storage });
      const told: (string | null)[] = [];
      store.subscribe(({ storageFault }) => void told.push(storageFault));
      storage.writeError = quotaExceeded();
      store.getState().addDecision('One');
      store.getState().addDecision('Two');
      expect(store.getState().storageFault).toMatch(/storage of the browser is full.*kept on this page only/);
      expect([contentsOf(store), storage.texts.size]).toEqual([['One', 'Two'], 0]);
      storage.writeError = undefined;
      store.getState().addDecision('Three');
      expect(store.getState().storageFault).toBeNull();
      expect(contentsOf(openDraft({ storage }))).toEqual(['One', 'Two', 'Three']);
      expect(told.at(-1)).toBeNull();
    },
  );

  verifies(['BR.held.storage-failure'], 'and cannot be read is reported; the page starts empty', () => {
    const storage = createStorage({ 'handoff-storage': versionZero });
    storage.readError = new Error('The disk is gone');
    const store = openDraft({ storage });
    expect(store.getState().storageFault).toMatch(/could not be read: The disk is gone/);
    expect(contentsOf(store)).toEqual([]);
  });

  const unreadable = {
    'half a text': '{"state":{"decisions":[',
    'no object': '[]',
    'another shape': JSON.stringify({ state: { decisions: 'none' }, version: 1 }),
    'a decision without words': JSON.stringify({ state: { ...JSON.parse(versionZero).state, decisions: [{}] } }),
  };
  for (const [name, text] of Object.entries(unreadable)) {
    verifies(['BR.held.storage-failure'], `and holds ${name} is reported; the text is kept aside`, () => {
      const storage = createStorage({ 'handoff-storage:app': text });
      const store = openDraft({ storage, project: 'app' });
      expect(store.getState().storageFault).toMatch(/could not be read.*kept under "handoff-storage-aside:app"/);
      store.getState().addDecision('One');
      expect(storage.texts.get('handoff-storage-aside:app')).toBe(text);
      expect(contentsOf(openDraft({ storage, project: 'app' }))).toEqual(['One']);
    });
  }

  verifies(['BR.held.storage-failure'], 'and has no room to keep it aside still begins empty', () => {
    const storage = createStorage({ 'handoff-storage': '{' });
    storage.writeError = quotaExceeded();
    const store = openDraft({ storage });
    expect(store.getState().storageFault).toMatch(/could not be kept aside/);
    expect(contentsOf(store)).toEqual([]);
  });
});

describe('a draft of another version', () => {
  verifies(
    ['DRAFT.stored-version', 'BR.held.storage-failure'],
    "that source 5's store wrote is converted, which is reported, and stored again",
    () => {
      const storage = createStorage({ 'handoff-storage': versionZero });
      const store = openDraft({ storage });
      const { decisions, filesReferenced, risks, brainstormSummary, storageFault, frozenHash } = store.getState();
      expect({ decisions, filesReferenced, risks, brainstormSummary }).toEqual(JSON.parse(versionZero).state);
      expect([storageFault, frozenHash]).toEqual([expect.stringMatching(/older version \(0\).*converted/), null]);
      expect(JSON.parse(storage.texts.get('handoff-storage') ?? '').version).toBe(1);
      expect(openDraft({ storage }).getState().storageFault).toBeNull();
    },
  );

  verifies(
    ['DRAFT.stored-version', 'BR.held.storage-failure'],
    'that is newer is kept aside and not overwritten',
    () => {
      const newer = JSON.stringify({ state: { nodes: [] }, version: 2 });
      const storage = createStorage({ 'handoff-storage': newer });
      const store = openDraft({ storage });
      store.getState().addDecision('One');
      expect(store.getState().storageFault).toMatch(/newer version \(2\)/);
      expect(storage.texts.get('handoff-storage-aside')).toBe(newer);
      expect(contentsOf(openDraft({ storage }))).toEqual(['One']);
    },
  );
});
