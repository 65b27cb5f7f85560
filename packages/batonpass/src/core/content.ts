import { z } from 'zod';
import { evidenceSchema } from './evidence.ts';
import { limits } from './limits.ts';
import { resultStatusSchema } from './outcome.ts';

/** What is passed on: it never changes once its handoff is open. Fields are data and keep one spelling everywhere. */

const name = z.string().trim().min(1).max(limits.name_characters_max);
const entry = z.string().trim().min(1).max(limits.entry_characters_max);
/** Within the years that ISO 8601 writes with four digits, in UTC. */
const instant = z.iso
  .datetime({ offset: true })
  .refine((text) => Date.parse(text) < Date.UTC(10_000, 0, 1), 'must be before the year 10000 in UTC');
const entries = <T extends z.ZodType>(schema: T) => z.array(schema).max(limits.entries_max);

/** Not `z.record`, which drops a key named `__proto__`. */
function isRecord(value: unknown): boolean {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

const relevanceSchema = z.enum(['high', 'medium', 'low']);
const severitySchema = z.enum(['high', 'medium', 'low']);
/**
 * Who put an item into words: rules or a model that read the conversation; a person, who pinned or edited it; nobody,
 * where it follows from roles, order, tool calls and exit codes alone; or the agent itself that did the work.
 */
const sourceSchema = z.enum(['ai-extracted', 'user-pinned', 'user-edited', 'mechanical', 'agent-written']);

/** Of decisions, as source 5 has them: read out of a conversation, pinned or edited. */
const decisionSourceSchema = z.enum(['ai-extracted', 'user-pinned', 'user-edited']);

const decisionSchema = z.strictObject({
  id: name,
  content: entry,
  source: decisionSourceSchema,
  /** How explicitly it was agreed: 1 explicit, 0.5 implied. */
  confidence: z.number().min(0).max(1).optional(),
  evidence: evidenceSchema.optional(),
  /** What a short acceptance accepts: the proposal in the words in which it was made. */
  support: entries(evidenceSchema).optional(),
  /** The earlier choices that this one replaced, in words. */
  supersedes: entries(entry).optional(),
});

const fileReferenceSchema = z.strictObject({
  id: name,
  path: name,
  relevance: relevanceSchema,
  context: z.string().max(limits.entry_characters_max),
  evidence: evidenceSchema.optional(),
  /** The file's state in git when the handoff was made; what drift is measured from. */
  git: z
    .strictObject({
      commit: name.optional(),
      blob: name.optional(),
      /** Whether its content was not committed; absent where only git could find out, because of a filter. */
      dirty: z.boolean().optional(),
      /** As git writes it: an ordinary file, an executable one, or a symbolic link. */
      mode: z.enum(['100644', '100755', '120000']).optional(),
      /** The lines that matter, counted then: "12", "10-40", or several of these. */
      lines: name.optional(),
    })
    .optional(),
});

const riskSchema = z.strictObject({
  id: name,
  description: entry,
  severity: severitySchema,
  evidence: evidenceSchema.optional(),
});

/** A fact about the state of the work at the end. */
const stateFactSchema = z.strictObject({
  id: name,
  /** `goal` and `asked` are the person's requests, `check` the last test, build or lint, `summary` a writer's own words, `recap` the host's. */
  kind: z.enum([
    'summary',
    'recap',
    'goal',
    'asked',
    'interrupted',
    'question',
    'check',
    'contradicted',
    'doing',
    'todo',
    'done',
    'changed',
    'pending',
  ]),
  content: entry,
  evidence: evidenceSchema.optional(),
});

/**
 * A lasting instruction of the person, verbatim; or a fact about the environment that is needed again: a command that
 * worked, a port, a version, a quirk of the machine.
 */
const statementSchema = z.strictObject({
  id: name,
  content: entry,
  source: sourceSchema,
  evidence: evidenceSchema.optional(),
  /** How many times it was stated; absent for one. */
  times: z.int().min(2).optional(),
});

/** A sentence of the conversation, verbatim. */
const wordsSchema = z.strictObject({
  id: name,
  /** The message's index in the conversation, from 0. */
  message: z.int().min(0),
  /** Whose it is: `pasted` is somebody else's text that the person gave. */
  by: z.enum(['person', 'agent', 'host', 'pasted']),
  content: entry,
  /** The place in the order of importance: a small budget shows the lowest ranks. */
  rank: z.int().min(0),
  /** It follows the sentence before it on the same line. */
  same_line: z.literal(true).optional(),
  /** The person took back later what it says. */
  reversed: z.literal(true).optional(),
});

/** An item in few words. */
const briefSchema = z.strictObject({
  /** The item's exact text; for a file, its path. An item that was changed since has no brief any more. */
  of: entry,
  brief: entry,
});

const triedSchema = z.strictObject({ what: entry, outcome: entry });

const resultSchema = z.strictObject({
  description: entry,
  status: resultStatusSchema,
  artifacts: entries(name).optional(),
  notes: entry.optional(),
});

const referenceSchema = z.strictObject({
  type: name,
  identifier: name,
  title: name.optional(),
  path: name.optional(),
  url: z.string().max(2_000).optional(),
});

const originSchema = z.strictObject({
  host: name.optional(),
  session: name.optional(),
  branch: name.optional(),
  worktree: name.optional(),
  commit: name.optional(),
  /** The host's event that saved it by itself; absent for one that a person wrote or imported. */
  trigger: name.optional(),
  /** Who wrote it, set from the caller at creation; absent for what was saved or imported. */
  by: z.enum(['person', 'agent']).optional(),
  /** What extracted it from a conversation: `rules`, or a model as `anthropic/NAME`; absent for one that was written. */
  extractor: name.optional(),
  /** Items that the extractor named and verification rejected, for a reviewer; no receiver gets them. */
  refused: z
    .array(z.strictObject({ kind: z.enum(['path', 'quote']), content: name }))
    .max(limits.refused_items_max)
    .optional(),
  /** How the session's own agent was asked, where it wrote this content. */
  asked: z
    .strictObject({
      /** SHA-256 of the question. */
      question_sha256: name,
      /** How many messages the session had then. */
      messages: z.int().min(0).optional(),
      model: name.optional(),
      /** As the host counts them, those that it had in its cache included. */
      input_tokens: z.int().min(0).optional(),
      output_tokens: z.int().min(0).optional(),
      took_ms: z.int().min(0).optional(),
    })
    .optional(),
  trace: name.optional(),
});

/** A content as it is stored and hashed: complete, every list present, every item with an id. */
export const contentSchema = z.strictObject({
  kind: z
    .string()
    .max(limits.name_characters_max)
    .regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, 'must be one kebab-case word, such as "context" or "plan"'),
  title: z.string().trim().min(1).max(limits.title_characters_max),
  summary: z.string().trim().min(1).max(limits.summary_characters_max),
  body: z.string().optional(),
  task_id: name.optional(),
  source_agent: name,
  target_agent: name.optional(),
  scope: name.optional(),
  phase: name.optional(),
  origin: originSchema.optional(),
  /** The state of the work at the end, the most important first; absent where nobody stated it. */
  where_it_stands: entries(stateFactSchema).optional(),
  /** What the person wants of all later work. */
  instructions: entries(statementSchema).optional(),
  decisions: entries(decisionSchema),
  files: entries(fileReferenceSchema),
  risks: entries(riskSchema),
  tried: entries(triedSchema),
  next_steps: entries(entry),
  open_questions: entries(entry),
  results: entries(resultSchema),
  environment: entries(statementSchema).optional(),
  references: entries(referenceSchema),
  /** What small budgets show of items, in the order of their importance; an item without one is shown after them. */
  briefs: entries(briefSchema).optional(),
  /** Sentences quoted from the conversation, in its order; at most `limits.words_bytes_max`. */
  words: entries(wordsSchema).optional(),
  /** What source 2 calls so: ids of decisions, warnings and findings kept elsewhere. */
  context_snapshot: z
    .strictObject({
      decision_ids: entries(name),
      warning_ids: entries(name),
      finding_ids: entries(name),
      summaries: entries(entry),
    })
    .optional(),
  /** Any JSON of the writer's own; kept as it is, `__proto__` keys included. */
  payload: z.unknown().optional(),
  /** In place of a payload above `limits.payload_inline_bytes_max`: the store keeps it once, by this hash. */
  payload_ref: z
    .strictObject({
      /** SHA-256 of the payload's canonical JSON. */
      sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal'),
      /** Length of those bytes. */
      bytes: z.int().min(0),
      media_type: z.literal('application/json'),
    })
    .optional(),
  parent_id: name.optional(),
  /** The handoff that this one replaces; creating this withdraws that, in one transaction. */
  supersedes_id: name.optional(),
  expires_at: instant.optional(),
  /** Fields of a format that the record does not name; kept so that a round trip loses nothing. */
  extra: z.custom<Record<string, unknown>>(isRecord, 'must be an object').optional(),
});

export type Content = z.infer<typeof contentSchema>;
export type Decision = z.infer<typeof decisionSchema>;
export type FileReference = z.infer<typeof fileReferenceSchema>;
/** Who put an item into words. */
export type Source = z.infer<typeof sourceSchema>;

/** Whether a person pinned or edited it: no extraction changes or removes it. */
export function isByPerson(source: Source): boolean {
  return source === 'user-pinned' || source === 'user-edited';
}

/** An item, or its text alone. */
function plainOr<T extends z.ZodType>(schema: T) {
  return schema.or(entry.transform((content): { content: string; id?: string } => ({ content })));
}

const statementsInput = entries(plainOr(statementSchema.partial({ id: true, source: true })));

/** A content as a writer gives it: only what the writer knows; the rest is derived by `completeContent`. */
export const contentInputSchema = contentSchema.partial().extend({
  decisions: entries(plainOr(decisionSchema.partial({ id: true, source: true }))).optional(),
  files: entries(
    fileReferenceSchema
      .partial({ id: true, relevance: true, context: true })
      .or(entry.transform((path): { path: string; id?: string } => ({ path }))),
  ).optional(),
  risks: entries(
    riskSchema
      .partial({ id: true, severity: true })
      .or(entry.transform((description): { description: string; id?: string } => ({ description }))),
  ).optional(),
  where_it_stands: entries(
    stateFactSchema
      .partial({ id: true })
      .or(
        entry.transform((content): { kind: 'summary'; content: string; id?: string } => ({ kind: 'summary', content })),
      ),
  ).optional(),
  instructions: statementsInput.optional(),
  environment: statementsInput.optional(),
  words: entries(wordsSchema.partial({ id: true })).optional(),
  context_snapshot: z
    .strictObject({
      decision_ids: entries(name).default([]),
      warning_ids: entries(name).default([]),
      finding_ids: entries(name).default([]),
      summaries: entries(entry).default([]),
    })
    .optional(),
});

/** What a writer may pass: a plain text is a decision, file or risk without further data. */
export type ContentInput = z.input<typeof contentInputSchema>;
