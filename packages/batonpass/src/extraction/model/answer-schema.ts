import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { extractionResultSchema } from '../extraction-result.ts';

const { decisions, filesReferenced, risks, summary } = extractionResultSchema.shape;

/** Bounded, because an unbounded one is described to models by bounds of sixteen digits. */
const number = z.int().min(-1).max(1_000_000_000);

/**
 * Where an item was said. No field is optional or null: several servers refuse schemas with many of these, and small
 * models fill them badly.
 */
const proof = {
  message: number.describe('The number of the message that says it; -1 where no message says it in words'),
  quote: z
    .string()
    .describe('At most two sentences, copied character for character from that message; empty where there are none'),
};

function statements(description: string) {
  return z.array(z.object({ content: z.string().describe(description), ...proof })).max(limits.model_entries_max);
}

/** What a model may answer for one window: the result of source 5, each item with its proof, and what else is asked. */
export const answerSchema = z.object({
  decisions: z
    .array(decisions.element.extend(proof))
    .max(limits.model_entries_max)
    .describe(decisions.description ?? ''),
  no_longer_in_force: z
    .array(z.object({ decision: number.describe('The number of a decision of the list known so far'), ...proof }))
    .max(limits.model_entries_max)
    .describe('Decisions of the list known so far that this part of the conversation takes back or replaces'),
  filesReferenced: z
    .array(filesReferenced.element.extend(proof))
    .max(limits.model_entries_max)
    .describe(filesReferenced.description ?? ''),
  risks: z
    .array(risks.element.extend(proof))
    .max(limits.model_entries_max)
    .describe(risks.description ?? ''),
  instructions: statements('An order of the user that binds all later work, in his own words'),
  done: statements('A piece of work that is finished, as one sentence'),
  dead_ends: z
    .array(
      z.object({
        what: z.string().describe('What was tried or considered, and left'),
        outcome: z.string().describe('Why it was left, or how it failed'),
        ...proof,
      }),
    )
    .max(limits.model_entries_max),
  environment: statements('An exact command, address, port, version or quirk of the machine that is needed again'),
  next_steps: statements('A next step that somebody named'),
  open_questions: statements('A question that nobody answered'),
  title: z.string().describe('4 to 10 words: what the work is about, as a good colleague would call it'),
  summary,
});

export type ModelAnswer = z.infer<typeof answerSchema>;

/** The schema in words, for a server that does not accept a schema with the question. */
export function describeAnswerSchema(): string {
  return `The JSON object follows this JSON Schema:\n${JSON.stringify(z.toJSONSchema(answerSchema))}`;
}
