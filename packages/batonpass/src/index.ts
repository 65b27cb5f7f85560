/**
 * Baton's library for Node: the record, the operations, the stores. What looks at handoffs in other forms has entries of
 * its own: files, records, queue, plan, draft. Each export is public API, pinned by a test.
 */

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
export type { BrainstormMessage } from './extraction/brainstorm-messages.ts';
export type { DroppedItems, ExtractionReport, ModelReport } from './extraction/extraction-report.ts';
export { type EvidencedResult, type ExtractionResult, extractionResultSchema } from './extraction/extraction-result.ts';
export { type RenderedContent, renderContent } from './formats/prompt.ts';
export { type DecodedToon, decodeToon } from './formats/toon/decode-toon.ts';
export { encodeToon } from './formats/toon/encode-toon.ts';
export { type Baton, type BatonOptions, openBaton } from './operations/baton.ts';
export { catalogue, type OperationInput, type OperationName, type OperationOutput } from './operations/catalogue.ts';
export type { Operations, Run, RunOptions } from './operations/client.ts';
export {
  type ExtractedHandoff,
  type ExtractHandoffOptions,
  extractHandoff,
} from './operations/extract-handoff.ts';
export { consume } from './stores/consume.ts';
export type { Consumed } from './stores/consuming/holdings.ts';
export type { ConsumeContext, ConsumeHandler, ConsumeOptions } from './stores/consuming/options.ts';
export { openStore } from './stores/open.ts';
export { readTranscript } from './transcripts/read-transcript.ts';
export { version } from './version.ts';
