import { z } from 'zod';
import { limits } from '../core/limits.ts';
import { isVersionNumber } from '../core/version-number.ts';

/** What a handoff file is about: what was found, what is planned, or what blocks the work. */
export const handoffTypes = ['findings', 'plan', 'problem'] as const;

export type HandoffType = (typeof handoffTypes)[number];

/** How far the work is that the file describes. */
export const handoffStatuses = ['complete', 'partial', 'failed'] as const;

export type HandoffStatus = (typeof handoffStatuses)[number];

/** How sure the writer of findings is. */
export const confidences = ['high', 'medium', 'low'] as const;

export type Confidence = (typeof confidences)[number];

/** How much a problem blocks the work. */
export const severities = ['blocker', 'warning', 'info'] as const;

/** The fields that every handoff file has. */
export interface BaseFrontmatter {
  /** `001`, `001.1`, `002` … `1000`: a text, never a number. */
  version: string;
  type: HandoffType;
  status: HandoffStatus;
  /** ISO 8601, as `formatTimestamp` gives it. */
  created: string;
  phase: string;
  /** Who wrote it. */
  agent: string;
}

/** What an agent found out. */
export interface FindingsFrontmatter extends BaseFrontmatter {
  type: 'findings';
  confidence: Confidence;
}

/** What an agent planned. */
export interface PlanFrontmatter extends BaseFrontmatter {
  type: 'plan';
  tasks_created: number;
  task_ids: string[];
}

/** The problem that blocks a task. */
export interface ProblemFrontmatter extends BaseFrontmatter {
  type: 'problem';
  severity: (typeof severities)[number];
  related_task: string;
}

/** The front matter of any kind; `type` names it. */
export type AnyFrontmatter = FindingsFrontmatter | PlanFrontmatter | ProblemFrontmatter;

/** A handoff file that was read. */
export interface HandoffFile<T> {
  frontmatter: T;
  /** Everything below the front matter, byte for byte. */
  body: string;
  /** The repairs made by reading, as sentences; absent where the file needed none. */
  repairs?: string[];
}

/** What a field must be; one that is not there at all is missing. */
const must = (reason: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? `is missing: it must ${reason}` : `must ${reason}`),
});

const name = z
  .string(must('be a string'))
  .refine((text) => text.trim() !== '', 'must not be empty')
  .refine((text) => !/[\r\n]/.test(text), 'must be one line')
  .refine(
    (text) => text.length <= limits.name_characters_max,
    `must have at most ${limits.name_characters_max} characters`,
  );

const version = z
  .string(must('be a string, e.g. 001'))
  .refine(
    isVersionNumber,
    'must be a version such as 001, 001.1 or 1000: three digits at least, and parts that begin with 1 to 9',
  );

/** What a writer gives: an instant. A reader takes what people write too: a day alone, a space in the middle, no zone. */
const written = z.iso.datetime({
  offset: true,
  ...must('be an ISO 8601 instant, e.g. 2026-01-24T15:30:00Z'),
});
const read = z
  .string(must('be a date'))
  .refine(
    (text) =>
      /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z| ?[+-]\d\d:?\d\d)?)?$/.test(text) &&
      !Number.isNaN(Date.parse(text)),
    'must be an ISO 8601 date, e.g. 2026-01-24T15:30:00Z',
  );

function oneOf<const T extends readonly [string, ...string[]]>(words: T) {
  return z.enum(words, must(`be one of: ${words.join(', ')}`));
}

function schemasWith(created: z.ZodType<string>) {
  const base = { version, status: oneOf(handoffStatuses), created, phase: name, agent: name };
  return {
    findings: z.looseObject({ type: z.literal('findings'), ...base, confidence: oneOf(confidences) }),
    plan: z.looseObject({
      type: z.literal('plan'),
      ...base,
      tasks_created: z.int(must('be a whole number')).min(0, 'must not be below 0'),
      task_ids: z
        .array(name, 'must be a list of strings')
        .max(limits.entries_max, `must have at most ${limits.entries_max} entries`),
    }),
    problem: z.looseObject({ type: z.literal('problem'), ...base, severity: oneOf(severities), related_task: name }),
  } satisfies Record<HandoffType, z.ZodType>;
}

/** The front matter that is written, by its kind; fields that it does not name are kept. */
export const writtenSchemas = schemasWith(written);

/** The front matter that is read, after its repair. */
export const readSchemas = schemasWith(read);

/** Whether a value is one of the three kinds. */
export function isHandoffType(value: unknown): value is HandoffType {
  return handoffTypes.some((type) => type === value);
}
