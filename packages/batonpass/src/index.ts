/** Baton's library for Node: the record, the operations, the stores. Each export is public API, pinned by a test. */

export type { Actor } from './core/actor.ts';
export { encodeCanonicalJson, hashJson } from './core/canonical-json.ts';
export { type CompletedContent, completeContent } from './core/complete-content.ts';
export { type Content, type ContentInput, contentInputSchema, contentSchema } from './core/content.ts';
export type { Conversation, Message, ToolCall } from './core/conversation.ts';
export { type Delivery, deliverySchema, type HandoffEvent } from './core/delivery.ts';
export { errorCodes, HandoffError, type HandoffErrorCode, isHandoffError, ParseError } from './core/errors.ts';
export { type Handoff, handoffSchema } from './core/handoff.ts';
export { limits } from './core/limits.ts';
export { type State, states } from './core/state.ts';
export type {
  Call,
  ClaimAnswer,
  ClaimRequest,
  EventsRequest,
  ListRequest,
  NewHandoff,
  Page,
  Store,
  StoreCapabilities,
  StoreSurroundings,
} from './core/store.ts';
export type { Timing } from './core/timing.ts';
export type { Step } from './core/transitions.ts';
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
  contentToSnapshot,
  type FrozenSnapshot,
  freezeSnapshot,
  type SnapshotSource,
  snapshotToContent,
} from './draft/snapshot.ts';
export type { BrainstormMessage } from './extraction/brainstorm-messages.ts';
export type { DroppedItems, ExtractionReport, ModelReport } from './extraction/extraction-report.ts';
export { type EvidencedResult, type ExtractionResult, extractionResultSchema } from './extraction/extraction-result.ts';
export { type MarkdownDocument, parseDocument } from './formats/markdown/document.ts';
export { type RenderedContent, renderContent } from './formats/prompt.ts';
export { type DecodedToon, decodeToon } from './formats/toon/decode-toon.ts';
export { encodeToon } from './formats/toon/encode-toon.ts';
export type {
  BaseFrontmatter,
  Confidence,
  FindingsFrontmatter,
  HandoffFile,
  HandoffStatus,
  HandoffType,
  PlanFrontmatter,
  ProblemFrontmatter,
} from './handoff-files/frontmatter.ts';
export { parseHandoffFile } from './handoff-files/read-handoff-file.ts';
export { formatTimestamp } from './handoff-files/timestamp.ts';
export { getNextVersion } from './handoff-files/versions.ts';
export { nextHandoffFile, writeHandoffFile } from './handoff-files/write-handoff-file.ts';
export { HandOffService, type HandOffServiceOptions, type UnclaimedHandoff } from './handoff-queue/handoff-service.ts';
export type { ClaimedHandoff } from './handoff-queue/payload-content.ts';
export type { HandOffLogger, HandOffLogLevel } from './handoff-queue/service-log.ts';
export type { HandoffFilters } from './handoff-store/filters.ts';
export { HandoffStore, type HandoffStoreOptions } from './handoff-store/handoff-store.ts';
export type { HandoffIndexEntry, HandoffRecord, HandoffResult } from './handoff-store/record.ts';
export { type Baton, type BatonOptions, openBaton, type RunOptions } from './operations/baton.ts';
export { catalogue, type OperationInput, type OperationName, type OperationOutput } from './operations/catalogue.ts';
export {
  type ExtractedHandoff,
  type ExtractHandoffOptions,
  extractHandoff,
} from './operations/extract-handoff.ts';
export { type AnswerOptions, answerPlanMessage, type PlanAnswer } from './plan-files/envelope/answer-plan-message.ts';
export { buildPlanAgentSystemPrompt, renderPlanPrompt } from './planning/plan-prompt.ts';
export { consume } from './stores/consume.ts';
export type { Consumed } from './stores/consuming/holdings.ts';
export type { ConsumeContext, ConsumeHandler, ConsumeOptions } from './stores/consuming/options.ts';
export { openStore } from './stores/open.ts';
export { readTranscript } from './transcripts/read-transcript.ts';
export { version } from './version.ts';
