import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HandoffStore, type HandoffStoreOptions } from '../../packages/batonpass/src/handoff-store/handoff-store.ts';
import type {
  HandoffIndexEntry,
  HandoffRecord,
  HandoffResult,
} from '../../packages/batonpass/src/handoff-store/record.ts';
import { createFolders } from '../stores/folders.ts';

/** What `create` takes. */
export type RecordInput = Omit<HandoffRecord, 'id' | 'created_at'>;

/** A handoff with what a test cares about. */
export function sampleInput(given: Partial<RecordInput> = {}): RecordInput {
  return {
    source_agent: 'planner',
    summary: 'Rotate the refresh tokens',
    results: [],
    context_snapshot: { decision_ids: ['d1'], warning_ids: [], finding_ids: [], summaries: ['Use JWT'] },
    ...given,
  };
}

/** Results with these statuses. */
export function resultsOf(...statuses: HandoffResult['status'][]): HandoffResult[] {
  return statuses.map((status, index) => ({ description: `Part ${index + 1}`, status }));
}

/** A store in its own folder, and what it leaves there. */
export interface RecordStage {
  dir: string;
  folder: string;
  index_path: string;
  store: HandoffStore;
  /** What the store warned of. */
  warnings: string[];
  /** Moves the store's clock, which is fixed at first. */
  setClock: (instant: string | number) => void;
  /** Another store on the same folder. */
  open: (options?: HandoffStoreOptions) => HandoffStore;
  readLines: () => HandoffIndexEntry[];
}

/** Stages for one test each. */
export function createRecordStages(): () => RecordStage {
  const createFolder = createFolders();
  return () => {
    const dir = createFolder();
    const folder = join(dir, 'handoffs');
    const index_path = join(folder, 'index.jsonl');
    const warnings: string[] = [];
    let now_ms = Date.now();
    const open: RecordStage['open'] = (options) =>
      new HandoffStore(dir, { now: () => now_ms, onWarning: (text) => warnings.push(text), ...options });
    return {
      dir,
      folder,
      index_path,
      store: open(),
      warnings,
      setClock: (instant) => {
        now_ms = new Date(instant).getTime();
      },
      open,
      readLines: () => readLines(index_path),
    };
  };
}

/** The lines of an index, read as anybody would. */
export function readLines(path: string): HandoffIndexEntry[] {
  const text = readFileSync(path, 'utf8');
  return text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => JSON.parse(line) as HandoffIndexEntry);
}
