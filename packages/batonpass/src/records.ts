/** Handoffs as JSON records in a folder, with an index. Each export is public API, pinned by a test. */
export type { HandoffFilters } from './handoff-store/filters.ts';
export { HandoffStore, type HandoffStoreOptions } from './handoff-store/handoff-store.ts';
export type { HandoffIndexEntry, HandoffRecord, HandoffResult } from './handoff-store/record.ts';
