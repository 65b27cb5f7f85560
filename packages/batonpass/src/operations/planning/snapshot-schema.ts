import { z } from 'zod';
import { evidenceSchema } from '../../core/evidence.ts';
import { limits } from '../../core/limits.ts';
import type { HandoffSnapshot } from '../../draft/handoff-draft.ts';

/**
 * A frozen snapshot from outside, in the spelling of source 5. Nothing is trimmed: the hash of a snapshot is that of the
 * very texts that were frozen.
 */

const name = z.string().min(1).max(limits.name_characters_max);
const entry = z.string().min(1).max(limits.entry_characters_max);
const entries = <T extends z.ZodType>(schema: T) => z.array(schema).max(limits.entries_max);
const degree = z.enum(['high', 'medium', 'low']);
const evidence = evidenceSchema.optional();

/** Decisions, files, risks and summary, as `freezeForPlanning` gives them. */
export const snapshotSchema: z.ZodType<HandoffSnapshot, HandoffSnapshot> = z.strictObject({
  decisions: entries(
    z.strictObject({
      id: name,
      content: entry,
      source: z.enum(['ai-extracted', 'user-pinned', 'user-edited']),
      confidence: z.number().min(0).max(1).optional(),
      evidence,
      support: entries(evidenceSchema).optional(),
      supersedes: entries(entry).optional(),
    }),
  ),
  filesReferenced: entries(
    z.strictObject({
      id: name,
      path: name,
      relevance: degree,
      context: z.string().max(limits.entry_characters_max),
      evidence,
    }),
  ),
  risks: entries(z.strictObject({ id: name, description: entry, severity: degree, evidence })),
  brainstormSummary: z.string().max(limits.summary_characters_max),
});
