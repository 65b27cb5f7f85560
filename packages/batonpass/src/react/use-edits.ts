import { useEffect, useMemo } from 'react';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { HandoffDraftStore } from '../draft/draft-store.ts';
import { parseKey, readText, type Subject, toKey, writeText } from './subjects.ts';

/** An open edit of a text: only here until it is saved, not in the store. */
export interface Edit {
  /** The stored text at the start of the edit: another one in the store now is a conflict. */
  base: string;
  draft: string;
}

/** The open edits of a review, by their keys. */
type OpenEdits = ReadonlyMap<string, Edit>;

/** The open edits of a review and the actions on them: the same object at every rendering. */
export interface Edits {
  /** A separate store, so that a key press renders one card and not all. */
  open: StoreApi<OpenEdits>;
  begin(subject: Subject): void;
  change(subject: Subject, draft: string): void;
  cancel(subject: Subject): void;
  /** Stores the draft and closes the edit; false, and nothing changed, where a text is needed and the draft is empty. */
  save(subject: Subject): boolean;
  /** Saves every open edit; returns the first that must be settled before: empty, or changed elsewhere. */
  saveAll(): Subject | null;
}

/**
 * Local drafts of inline edits, outside of the cards, so that no update of the store and no move of a card loses one.
 * When the page unloads, or the review is unmounted, open edits are saved; next to a text that changed meanwhile, not
 * over it.
 */
export function useEdits(store: HandoffDraftStore): Edits {
  const edits = useMemo(() => createEdits(store), [store]);
  useFlush(store, edits);
  return edits;
}

function createEdits(store: HandoffDraftStore): Edits {
  const open = createStore<OpenEdits>(() => new Map());
  const find = (subject: Subject) => open.getState().get(toKey(subject));
  const put = (subject: Subject, edit: Edit) => open.setState(new Map(open.getState()).set(toKey(subject), edit), true);
  const close = (subject: Subject) => {
    const rest = new Map(open.getState());
    if (rest.delete(toKey(subject))) open.setState(rest, true);
  };
  const save = (subject: Subject): boolean => {
    const draft = find(subject)?.draft.trim();
    if (draft === undefined) return true;
    if (draft === '' && needsText(subject)) return false;
    if (draft !== readText(store.getState(), subject)) writeText(store, subject, draft);
    close(subject);
    return true;
  };
  return {
    open,
    begin(subject) {
      const base = readText(store.getState(), subject);
      if (base !== undefined && find(subject) === undefined) put(subject, { base, draft: base });
    },
    change(subject, draft) {
      const edit = find(subject);
      if (edit !== undefined) put(subject, { ...edit, draft });
    },
    cancel: close,
    save,
    saveAll() {
      for (const [key, edit] of open.getState()) {
        const subject = parseKey(key);
        if (subject === null || isIdle(subject, edit)) continue;
        if (readText(store.getState(), subject) !== edit.base || !save(subject)) return subject;
      }
      return null;
    },
  };
}

function needsText({ kind }: Subject): boolean {
  return kind !== 'summary' && kind !== 'file';
}

/** An editor that was opened and not changed. */
function isIdle(subject: Subject, { base, draft }: Edit): boolean {
  return draft === base || (subject.kind === 'new' && draft.trim() === '');
}

/** Saves open drafts when the page unloads (`pagehide` where a browser has no `beforeunload`) and at unmounting. */
function useFlush(store: HandoffDraftStore, edits: Edits): void {
  useEffect(() => {
    const flush = () => {
      for (const [key, edit] of edits.open.getState()) {
        const subject = parseKey(key);
        const draft = edit.draft.trim();
        if (subject === null || isIdle(subject, edit) || draft === '') continue;
        if (readText(store.getState(), subject) === edit.base) writeText(store, subject, draft);
        else if (subject.kind === 'decision') store.getState().addDecision(draft, 'user-edited');
        edits.cancel(subject);
      }
    };
    // A draft of one project must not be saved in another, and the store has switched already.
    const unsubscribe = store.subscribe((now, before) => {
      if (now.project !== before.project) edits.open.setState(new Map(), true);
    });
    window.addEventListener('beforeunload', flush);
    window.addEventListener('pagehide', flush);
    return () => {
      unsubscribe();
      window.removeEventListener('beforeunload', flush);
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, [store, edits]);
}
