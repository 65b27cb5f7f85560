import {
  createDraftStore,
  type HandoffDraftStore,
  type HandoffDraftStoreOptions,
} from '../../packages/batonpass/src/draft/draft-store.ts';
import type { DraftStorage } from '../../packages/batonpass/src/draft/stored-draft.ts';
import type { EvidencedResult } from '../../packages/batonpass/src/extraction/extraction-result.ts';

/** A storage as browsers have it, whose texts can be looked at and which can be made to fail. */
export interface WatchedStorage extends DraftStorage {
  texts: Map<string, string>;
  /** What the next writes throw; they work while it is undefined. */
  writeError?: Error | undefined;
  readError?: Error | undefined;
}

/** An empty storage, or one with these texts. */
export function createStorage(texts: Readonly<Record<string, string>> = {}): WatchedStorage {
  const storage: WatchedStorage = {
    texts: new Map(Object.entries(texts)),
    getItem(name) {
      if (storage.readError !== undefined) throw storage.readError;
      return storage.texts.get(name) ?? null;
    },
    setItem(name, text) {
      if (storage.writeError !== undefined) throw storage.writeError;
      storage.texts.set(name, text);
    },
    removeItem: (name) => void storage.texts.delete(name),
  };
  return storage;
}

/** What a browser throws whose storage is full. */
export function quotaExceeded(): Error {
  return new DOMException('The quota has been exceeded.', 'QuotaExceededError');
}

/** A separate store, with ids `id-1`, `id-2` … and a fixed clock. */
export function openDraft(options: HandoffDraftStoreOptions = {}): HandoffDraftStore {
  let ids = 0;
  return createDraftStore({
    storage: createStorage(),
    now: () => Date.UTC(2026, 1, 1, 12),
    createId: () => {
      ids += 1;
      return `id-${ids}`;
    },
    ...options,
  });
}

/** An extraction with these parts, and nothing else. */
export function extracted(parts: Partial<EvidencedResult> = {}): EvidencedResult {
  return { decisions: [], filesReferenced: [], risks: [], summary: '', ...parts };
}

/** An extracted decision, said in these words unless another confidence is given. */
export function said(content: string, confidence = 1, message = 0): EvidencedResult['decisions'][number] {
  return { content, confidence, ...(confidence === 1 ? { evidence: { message, quote: content } } : {}) };
}

/** The words of a store's decisions, in their order. */
export function contentsOf(store: HandoffDraftStore): string[] {
  return store.getState().decisions.map(({ content }) => content);
}
