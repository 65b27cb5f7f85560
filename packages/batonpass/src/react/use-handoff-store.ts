import { useStore } from 'zustand';
import { draftStore, type HandoffDraftStore, type HandoffDraftStoreState } from '../draft/draft-store.ts';

/** The store as a hook: called with a selector it gives that part of the state, and renders again when it changes. */
export interface UseHandoffStore {
  (): HandoffDraftStoreState;
  <Part>(select: (state: HandoffDraftStoreState) => Part): Part;
}

/**
 * The draft of a handoff: `useHandoffStore((s) => s.decisions)` in a component, and outside of one
 * `useHandoffStore.getState()`, `.setState`, `.subscribe` and `.persist`. It is the store that the tools of
 * `batonpass/ai` and `buildPlanAgentSystemPrompt` share.
 */
export const useHandoffStore: UseHandoffStore & HandoffDraftStore = Object.assign(
  <Part>(select: (state: HandoffDraftStoreState) => Part = (state) => state as Part) => useStore(draftStore, select),
  draftStore,
);
