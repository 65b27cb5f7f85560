/** The parts of Baton that need no Node: the record and its rendering. Each export is public API, pinned by a test. */
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
export { type EvidencedResult, type ExtractionResult, extractionResultSchema } from './extraction/extraction-result.ts';
export { type RenderedContent, renderContent } from './formats/prompt.ts';
export { version } from './version.ts';
