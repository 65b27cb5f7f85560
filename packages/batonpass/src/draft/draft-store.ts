import { bytesToHex } from '@noble/hashes/utils.js';
import { devtools, persist } from 'zustand/middleware';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { createDraftActions, type HandoffDraftActions } from './draft-actions.ts';
import type { HandoffDraftState } from './handoff-draft.ts';
import { emptyState, reduceDraft } from './reduce-draft.ts';
import {
  createDraftStorage,
  type DraftStorage,
  type StoredDraft,
  storageVersion,
  toStoredDraft,
  upgradeStoredDraft,
} from './stored-draft.ts';

/** State and actions of a draft's store. */
export type HandoffDraftStoreState = HandoffDraftState & HandoffDraftActions;

/**
 * A draft's store: zustand's `getState`, `setState` and `subscribe`, and of its `persist` what a page asks for. zustand's
 * own type of `persist` needs the types of a browser, which a program of Node does not have.
 */
export interface HandoffDraftStore extends StoreApi<HandoffDraftStoreState> {
  persist: {
    /** Reads the stored draft again. */
    rehydrate: () => Promise<void> | void;
    /** Whether the stored draft was read. */
    hasHydrated: () => boolean;
    /** Removes the stored draft; the one in memory stays. */
    clearStorage: () => void;
    /** Under which name the draft is stored. */
    getOptions: () => { name?: string | undefined };
  };
}

/** What a store of its own is made with. */
export interface HandoffDraftStoreOptions {
  /** The project whose draft is opened first. Default: the one draft without a project. */
  project?: string;
  /** Where drafts are stored. Default: the browser's `localStorage`; without one nothing outlives the page. */
  storage?: DraftStorage;
  /** The present time in milliseconds. Default: the machine's clock. */
  now?: () => number;
  /** A new id. Default: a random UUID. */
  createId?: () => string;
}

/** The name under which a project's draft is stored. */
function storageName(project: string | null): string {
  return project === null ? 'handoff-storage' : `handoff-storage:${project}`;
}

/**
 * A store for the draft of a handoff, for one project at a time. It needs no server and no React.
 *
 * A change is stored when its action returns. A full or broken storage never makes it throw: `storageFault` reports it,
 * and the draft continues in memory.
 */
export function createDraftStore(options: HandoffDraftStoreOptions = {}): HandoffDraftStore {
  const { now = Date.now, createId = createRandomId, storage = browserStorage() } = options;
  let project = options.project ?? null;
  let store: HandoffDraftStore | undefined;
  const persistence = createDraftStorage(storage, (fault) => {
    store?.setState({ storageFault: fault });
  });
  const create = persist<HandoffDraftStoreState, [['zustand/devtools', never]], [], StoredDraft>(
    (set, _get, api) => ({
      ...emptyState,
      project,
      ...createDraftActions((action) =>
        set((state) => reduceDraft(state, action, { now, createId }), undefined, action.type),
      ),
      openProject: (next) => {
        if (next === project) return;
        project = next;
        api.persist.setOptions({ name: storageName(project) });
        // Reads at once, since the storage does; nothing of the other project is carried over.
        void api.persist.rehydrate();
      },
    }),
    {
      name: storageName(project),
      version: storageVersion,
      storage: persistence,
      partialize: toStoredDraft,
      migrate: upgradeStoredDraft,
      merge: (stored, current) => ({
        ...current,
        ...emptyState,
        ...(stored as StoredDraft | undefined),
        project,
        storageFault: persistence.readFault(),
      }),
    },
  );
  store = createStore<HandoffDraftStoreState>()(devtools(create, { name: 'HandoffStore', enabled: isDevelopment() }));
  return store;
}

/**
 * The store that `useHandoffStore`, the tools and `buildPlanAgentSystemPrompt` share: one for each page or process.
 * Where there is no browser's storage, as in Node, drafts live as long as the process.
 */
export const draftStore: HandoffDraftStore = createDraftStore();

/** The page's `localStorage`; memory where there is none: in Node, in a worker, or where a browser forbids it. */
function browserStorage(): DraftStorage {
  try {
    const { window } = globalThis as { window?: { localStorage?: DraftStorage | null } };
    return window?.localStorage ?? createMemoryStorage();
  } catch {
    // A browser that forbids storage throws on any access: the draft then lasts as long as the page.
    return createMemoryStorage();
  }
}

function createMemoryStorage(): DraftStorage {
  const texts = new Map<string, string>();
  return {
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => void texts.set(name, text),
    removeItem: (name) => void texts.delete(name),
  };
}

/** A random UUID; as many random digits on pages without encryption, where browsers offer no UUID. */
function createRandomId(): string {
  const { randomUUID } = crypto as { randomUUID?: () => string };
  return randomUUID === undefined ? bytesToHex(crypto.getRandomValues(new Uint8Array(16))) : crypto.randomUUID();
}

/** Whether the application runs in development; bundlers put the answer in place of the variable. */
function isDevelopment(): boolean {
  try {
    return process.env.NODE_ENV === 'development';
  } catch {
    // A page without a bundler has no `process`.
    return false;
  }
}
