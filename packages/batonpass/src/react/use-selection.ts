import { useEffect, useMemo } from 'react';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { HandoffDraftStore, HandoffDraftStoreState } from '../draft/draft-store.ts';
import { parseKey, type Subject, toKey } from './subjects.ts';

/** The entries that the user selected for an action on all of them: the same object at every rendering. */
export interface Selection {
  /** Their keys; a separate store, so that a selection renders one card and not all. */
  chosen: StoreApi<ReadonlySet<string>>;
  choose(keys: readonly string[], isChosen: boolean): void;
  clear(): void;
}

/** Whether an entry can be selected: it is in a list of the draft. */
export function isChoosable({ kind }: Subject): boolean {
  return kind === 'decision' || kind === 'file' || kind === 'risk';
}

/** The selection of a review. A removed entry is deselected. */
export function useSelection(store: HandoffDraftStore): Selection {
  const selection = useMemo(createSelection, []);
  useEffect(
    () =>
      store.subscribe((state) => {
        const there = new Set(listEntries(state).map(toKey));
        const gone = [...selection.chosen.getState()].filter((key) => !there.has(key));
        selection.choose(gone, false);
      }),
    [store, selection],
  );
  return selection;
}

function createSelection(): Selection {
  const chosen = createStore<ReadonlySet<string>>(() => new Set());
  return {
    chosen,
    choose(keys, isChosen) {
      const next = new Set(chosen.getState());
      for (const key of keys) isChosen ? next.add(key) : next.delete(key);
      chosen.setState(next, true);
    },
    clear: () => chosen.setState(new Set(), true),
  };
}

/** The selected entries of a draft, of one kind where one is named. */
export function listChosen({ chosen }: Selection, kind?: Subject['kind']): Subject[] {
  const subjects = [...chosen.getState()].flatMap((key) => parseKey(key) ?? []);
  return kind === undefined ? subjects : subjects.filter((each) => each.kind === kind);
}

/** Every entry of a draft's lists, in the order of the screen. */
export function listEntries({ decisions, filesReferenced, risks }: HandoffDraftStoreState): Subject[] {
  return [
    ...decisions.map(({ id }): Subject => ({ kind: 'decision', id })),
    ...filesReferenced.map(({ id }): Subject => ({ kind: 'file', id })),
    ...risks.map(({ id }): Subject => ({ kind: 'risk', id })),
  ];
}
