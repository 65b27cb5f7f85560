/**
 * The parts of Baton that need neither Node nor React: the record, its rendering, the draft of a handoff, its snapshot
 * and the plan agent's instructions. Each export is public API, pinned by a test.
 */

export { encodeCanonicalJson, hashJson, type Json } from './core/canonical-json.ts';
export { type CompletedContent, completeContent } from './core/complete-content.ts';
export { type Content, type ContentInput, contentInputSchema, contentSchema } from './core/content.ts';
export { type Delivery, deliverySchema, type HandoffEvent } from './core/delivery.ts';
export { errorCodes, HandoffError, type HandoffErrorCode, isHandoffError, ParseError } from './core/errors.ts';
export type { Evidence } from './core/evidence.ts';
export { type Handoff, handoffSchema } from './core/handoff.ts';
export { isImplied } from './core/implied.ts';
export { limits } from './core/limits.ts';
export { type State, states } from './core/state.ts';
export type { HandoffDraftActions } from './draft/draft-actions.ts';
export type {
  HandoffDecision,
  HandoffDraft,
  HandoffDraftState,
  HandoffFileRef,
  HandoffRisk,
  HandoffSnapshot,
} from './draft/handoff-draft.ts';
export {
  createHandoffStore,
  type HandoffDraftStore,
  type HandoffDraftStoreOptions,
  type HandoffDraftStoreState,
  handoffStore,
} from './draft/handoff-store.ts';
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
export { type EvidencedResult, type ExtractionResult, extractionResultSchema } from './extraction/extraction-result.ts';
export { type RenderedContent, renderContent } from './formats/prompt.ts';
export { buildPlanAgentSystemPrompt, renderPlanPrompt } from './planning/plan-prompt.ts';
export { version } from './version.ts';
