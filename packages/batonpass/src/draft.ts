/**
 * The draft of a handoff while a person reviews it, its frozen snapshot and the plan agent's instructions; it needs
 * neither Node nor React. Each export is public API, pinned by a test.
 */
export type { HandoffDraftActions } from './draft/draft-actions.ts';
export {
  createDraftStore,
  draftStore,
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
export { planAgentName } from './draft/plan-agent-name.ts';
export {
  type DraftAction,
  type DraftEdit,
  type DraftSurroundings,
  emptyState,
  reduceDraft,
} from './draft/reduce-draft.ts';
export {
  contentToSnapshot,
  type FrozenSnapshot,
  freezeSnapshot,
  type SnapshotSource,
  snapshotToContent,
} from './draft/snapshot.ts';
export type { DraftStorage, StoredDraft } from './draft/stored-draft.ts';
export { buildPlanAgentSystemPrompt, renderPlanPrompt } from './planning/plan-prompt.ts';
