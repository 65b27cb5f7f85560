import { z } from 'zod';
import { computeOutcome, type RecordOutcome, resultStatusSchema } from '../core/outcome.ts';

/** Records of a folder, field by field as source 2 names them. Writing is strict, reading is lenient. */

const text = z.string().min(1);

const resultSchema = z.strictObject({
  description: text,
  status: resultStatusSchema,
  artifacts: z.array(z.string()).optional(),
  notes: z.string().optional(),
});

const snapshotSchema = z.strictObject({
  decision_ids: z.array(z.string()),
  warning_ids: z.array(z.string()),
  finding_ids: z.array(z.string()),
  summaries: z.array(z.string()),
});

const unset = z.undefined('is set by acknowledge: a new record is open').optional();

/** What a writer gives: everything but what the store gives itself. An unknown field is refused. */
export const recordInputSchema = z.strictObject({
  source_agent: text,
  target_agent: text.optional(),
  scope: z.string().optional(),
  summary: text,
  results: z.array(resultSchema),
  context_snapshot: snapshotSchema,
  acknowledged_by: unset,
  acknowledged_at: unset,
});

const instant = z.string().refine((value) => isInstant(value), 'must be a date and time of ISO 8601');

/** What is read of a snapshot: a list that is missing is empty. */
const readSnapshotSchema = z.looseObject({
  decision_ids: z.array(z.string()).default([]),
  warning_ids: z.array(z.string()).default([]),
  finding_ids: z.array(z.string()).default([]),
  summaries: z.array(z.string()).default([]),
});

/**
 * What is read: other programs write these files too, and a field that they added is kept. What is missing and has one
 * meaning only, is empty: results, the snapshot, a list of it.
 */
export const recordSchema = z.looseObject({
  id: text,
  created_at: instant,
  source_agent: z.string(),
  target_agent: z.string().optional(),
  scope: z.string().optional(),
  summary: z.string(),
  results: z.array(z.looseObject({ ...resultSchema.shape, description: z.string() })).default([]),
  context_snapshot: readSnapshotSchema.prefault({}),
  acknowledged_by: z.string().optional(),
  acknowledged_at: instant.optional(),
});

/** One thing that was worked on, and how it ended. */
export interface HandoffResult {
  description: string;
  status: 'completed' | 'partial' | 'blocked' | 'failed';
  artifacts?: string[] | undefined;
  notes?: string | undefined;
}

/** A handoff as a `HandoffStore` keeps it, one JSON file each. */
export interface HandoffRecord {
  /** ULID. */
  id: string;
  /** ISO 8601. */
  created_at: string;
  source_agent: string;
  target_agent?: string | undefined;
  /** A path or topic; without one the handoff is for the whole project. */
  scope?: string | undefined;
  summary: string;
  results: HandoffResult[];
  context_snapshot: {
    decision_ids: string[];
    warning_ids: string[];
    finding_ids: string[];
    summaries: string[];
  };
  acknowledged_by?: string | undefined;
  /** ISO 8601. */
  acknowledged_at?: string | undefined;
}

/** A line of the index: what a list shows. */
export interface HandoffIndexEntry {
  id: string;
  created_at: string;
  source_agent: string;
  target_agent?: string | undefined;
  scope?: string | undefined;
  summary: string;
  /** The status that all results have, or `mixed`; `completed` where there are none. */
  result_status: RecordOutcome;
  acknowledged: boolean;
}

/** What a list shows of a record. */
export function toIndexEntry(record: HandoffRecord): HandoffIndexEntry {
  const { id, created_at, source_agent, target_agent, scope, summary, results } = record;
  return {
    id,
    created_at,
    source_agent,
    ...(target_agent !== undefined && { target_agent }),
    ...(scope !== undefined && { scope }),
    summary,
    result_status: computeOutcome(results),
    acknowledged: record.acknowledged_by !== undefined,
  };
}

/** Whether two lines are equal. */
export function isSameEntry(left: HandoffIndexEntry, right: HandoffIndexEntry): boolean {
  return differingFields(left, right).length === 0;
}

/** The fields in which two lines differ. */
export function differingFields(left: HandoffIndexEntry, right: HandoffIndexEntry): (keyof HandoffIndexEntry)[] {
  const fields = Object.keys({ ...left, ...right }) as (keyof HandoffIndexEntry)[];
  return fields.filter((field) => left[field] !== right[field]);
}

const statuses: readonly unknown[] = [...resultStatusSchema.options, 'mixed'] satisfies readonly RecordOutcome[];

/** Whether a value is a line of the index, its instant not yet read; by hand, because a list reads thousands. */
export function isIndexEntry(value: unknown): value is HandoffIndexEntry {
  const entry = value as Partial<Record<keyof HandoffIndexEntry, unknown>> | null;
  return (
    typeof entry?.id === 'string' &&
    typeof entry.created_at === 'string' &&
    dateForm.test(entry.created_at) &&
    typeof entry.source_agent === 'string' &&
    isOptionalText(entry.target_agent) &&
    isOptionalText(entry.scope) &&
    typeof entry.summary === 'string' &&
    statuses.includes(entry.result_status) &&
    typeof entry.acknowledged === 'boolean'
  );
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

const dateForm = /^\d{4}-\d\d-\d\d(?:$|T)/;

/** Whether a text is a date, or a date and time, of ISO 8601. */
export function isInstant(value: string): boolean {
  return dateForm.test(value) && !Number.isNaN(Date.parse(value));
}
