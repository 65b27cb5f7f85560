/** A queue of handoffs for each task in one SQLite database. Each export is public API, pinned by a test. */
export { HandOffService, type HandOffServiceOptions, type UnclaimedHandoff } from './handoff-queue/handoff-service.ts';
export type { ClaimedHandoff } from './handoff-queue/payload-content.ts';
export type { HandOffLogger, HandOffLogLevel } from './handoff-queue/service-log.ts';
