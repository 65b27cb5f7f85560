/** Baton in a React application: the draft of a handoff and its review. Each export is public API, pinned by a test. */
export type { HandoffDraftActions } from './draft/draft-actions.ts';
export {
  createDraftStore,
  type HandoffDraftStore,
  type HandoffDraftStoreOptions,
  type HandoffDraftStoreState,
} from './draft/draft-store.ts';
export type {
  HandoffDecision,
  HandoffDraft,
  HandoffDraftState,
  HandoffFileRef,
  HandoffRisk,
  HandoffSnapshot,
} from './draft/handoff-draft.ts';
export type { DraftStorage, StoredDraft } from './draft/stored-draft.ts';
export { type EvidencedResult, type ExtractionResult, extractionResultSchema } from './extraction/extraction-result.ts';
export { HandoffReview, type HandoffReviewProps } from './react/handoff-review.tsx';
export { PinButton, type PinButtonProps } from './react/pin-button.tsx';
export { ReadyToPlan, type ReadyToPlanProps } from './react/ready-to-plan.tsx';
export {
  type BrainstormFlow,
  type BrainstormFlowInput,
  type BrainstormPhase,
  type FlowFailure,
  useBrainstormFlow,
} from './react/use-brainstorm-flow.ts';
export { type UseHandoffStore, useHandoffStore } from './react/use-handoff-store.ts';
