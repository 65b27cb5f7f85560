import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type DecisionDoubt, findDoubts } from '../draft/decision-doubts.ts';
import type { HandoffDraftStore } from '../draft/draft-store.ts';

/** The doubts about a draft's decisions, by their ids. */
export type Doubts = StoreApi<ReadonlyMap<string, DecisionDoubt>>;

/** How long a draft must be unchanged before it is checked: typing never waits for the check. */
const QUIET_MS = 150;

/** Finds duplicates and contradictions once a draft has stopped changing. */
export function useDoubts(store: HandoffDraftStore): Doubts {
  const doubts = useMemo<Doubts>(() => createStore(() => new Map()), []);
  const decisions = useStore(store, (state) => state.decisions);
  useEffect(() => {
    const look = () => {
      const known = doubts.getState();
      // An unchanged doubt stays the same object, so that its card is not rendered again.
      const found = [...findDoubts(decisions)].map(([id, doubt]) => {
        const former = known.get(id);
        return [id, former !== undefined && isSame(former, doubt) ? former : doubt] as const;
      });
      doubts.setState(new Map(found), true);
    };
    const timer = setTimeout(look, QUIET_MS);
    return () => clearTimeout(timer);
  }, [doubts, decisions]);
  return doubts;
}

function isSame(a: DecisionDoubt, b: DecisionDoubt): boolean {
  return `${a.duplicates} ${a.contradictions}` === `${b.duplicates} ${b.contradictions}`;
}
