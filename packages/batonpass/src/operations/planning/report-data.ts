import { z } from 'zod';
import { limits } from '../../core/limits.ts';

/** The data of a planning's reports: written by this program, read from a history that others write too. */

const count = z.int().min(0);

/** The tokens that a model read and wrote. */
export const planTokensSchema = z.strictObject({ input: count, output: count });

/** Their cost, where a price is set. */
export const planCostSchema = z.strictObject({ amount: z.number(), currency: z.string() });

/** The input and result of one call of a tool. Of a long value: its bytes and its beginning. */
const toolCall = z.strictObject({ name: z.string(), input: z.json(), output: z.json() });

/** One request to a model, with what its tools did. */
export const stepSchema = z.strictObject({
  /** From 1. */
  number: count,
  tools: z.array(toolCall),
  /** Tools beyond `limits.plan_report_tools_max`. */
  tools_left_out: count.optional(),
  text: z.string(),
  tokens: planTokensSchema,
  cost: planCostSchema.optional(),
  duration_ms: z.number().min(0),
});

export type PlanningStep = z.infer<typeof stepSchema>;

/** The last step of another attempt that an attempt continues from; 0 where it begins with the first. */
export const sourceStepSchema = z.strictObject({ handoff_id: z.string(), attempt: count, fence: count, step: count });

export type SourceStep = z.infer<typeof sourceStepSchema>;

/** How an attempt at planning ended; `running` has not. `interrupted`: its program ended before it did. */
export const outcomeSchema = z.enum([
  'completed',
  'step-limit',
  'error',
  'stopped',
  'interrupted',
  'lapsed',
  'running',
]);

export type PlanningOutcome = z.infer<typeof outcomeSchema>;

/** The data of a report, by its type. */
export const reportDataSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('run-started'),
    planner: z.string().max(limits.name_characters_max),
    /** SHA-256 of exactly the instructions that the model gets. */
    instructions_sha256: z.string(),
    steps_max: count,
    /** The program that runs it: where that has ended, the run has ended too. */
    owner: z.strictObject({ machine: z.string(), pid: count, started: z.string() }).optional(),
    from: sourceStepSchema.optional(),
  }),
  /** A piece of a step that is too long for its own report. The pieces come before it, in their order. */
  z.strictObject({ type: z.literal('step-piece'), number: count, kept: z.string() }),
  /** `kept`: the model's answer and its tools' results, as JSON, or the last piece of that: a run can continue from it. */
  stepSchema.extend({ type: z.literal('step'), kept: z.string().optional() }),
  z.strictObject({ type: z.literal('decision'), content: z.string() }),
  z.strictObject({ type: z.literal('plan'), plan_content: z.json() }),
  z.strictObject({ type: z.literal('run-ended'), outcome: outcomeSchema }),
]);

export type ReportData = z.infer<typeof reportDataSchema>;
