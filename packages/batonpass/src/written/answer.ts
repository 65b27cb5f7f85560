import { z } from 'zod';
import { limits } from '../core/limits.ts';
import { findJson } from '../extraction/model/find-json.ts';

/** The kind of an item of an answer. */
const itemKinds = [
  'instruction',
  'decision',
  'done',
  'state',
  'next',
  'deadend',
  'question',
  'risk',
  'environment',
  'file',
] as const;

const text = z.string().trim().min(1);

const quotedSchema = z.object({ text, brief: z.string().default(''), quote: z.string().default('') });

const itemSchema = quotedSchema.extend({
  kind: z.enum(itemKinds),
  by: z.enum(['person', 'agent']).default('agent'),
  paths: z.array(z.string()).nullish(),
  command: z.string().nullish(),
  exit_code: z.int().nullish(),
});

const reversalSchema = z.object({ was: text, now: z.string().trim().default('') });

/** One thing that an agent states about its session, not yet checked. */
export type WrittenItem = z.output<typeof itemSchema>;

/** An agent's answer of the right form, not yet checked. Everything else that it wrote is dropped. */
export interface WrittenAnswer {
  title: string;
  where_it_stands: string;
  goal?: z.output<typeof quotedSchema> | undefined;
  /** The person's orders first, then as the agent ordered them: the most important first. */
  items: WrittenItem[];
  reversed: z.output<typeof reversalSchema>[];
  /** Entries of another form than the one asked for, or above the bounds. */
  left_out: number;
}

/** An answer, or why there is none, in a sentence. */
export type ReadAnswer = { answer: WrittenAnswer } | { problem: string };

const answerSchema = z.object({
  title: z.string().trim().catch(''),
  where_it_stands: z.string().trim().catch(''),
  goal: quotedSchema.optional().catch(undefined),
  instructions: z.array(z.unknown()).catch([]),
  items: z.array(z.unknown()),
  reversed: z.array(z.unknown()).catch([]),
});

/**
 * Reads an agent's answer. A single entry of a wrong form is left out and counted; an answer that has another
 * form, is empty or is too long is refused whole.
 */
export function readAnswer(given: string): ReadAnswer {
  if (given.trim() === '') return { problem: 'The agent answered nothing.' };
  if (given.length > limits.written_answer_characters_max) {
    return { problem: `The agent's answer has ${given.length} characters.` };
  }
  const whole = answerSchema.safeParse(parseJson(findJson(given)));
  if (!whole.success) return { problem: "The agent's answer is not of the form asked for." };
  const { instructions, items, reversed, ...rest } = whole.data;
  const orders = readEntries(quotedSchema, instructions);
  const others = readEntries(itemSchema, items);
  const reversals = readEntries(reversalSchema, reversed);
  const all: WrittenItem[] = [
    ...orders.map((order) => ({ ...order, kind: 'instruction' as const, by: 'person' as const })),
    ...others,
  ];
  if (all.length === 0) return { problem: "The agent's answer names nothing." };
  const kept = all.slice(0, limits.written_items_max);
  const given_count = instructions.length + items.length + reversed.length;
  const left_out = given_count - kept.length - reversals.length;
  if (left_out > given_count / 2) return { problem: "Most of the agent's answer is not of the form asked for." };
  return { answer: { ...rest, items: kept, reversed: reversals, left_out } };
}

function readEntries<T>(schema: z.ZodType<T>, entries: readonly unknown[]): T[] {
  return entries.slice(0, limits.written_items_max).flatMap((entry) => {
    const read = schema.safeParse(entry);
    return read.success ? [read.data] : [];
  });
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // A text that is no JSON has no form.
    return undefined;
  }
}
const string = { type: 'string' } as const;

/** Every member is required: hosts' strict modes accept no others. */
function objectOf(properties: Record<string, object>) {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false } as const;
}

function listOf(properties: Record<string, object>) {
  return { type: 'array', items: objectOf(properties) } as const;
}

/** The form that is asked for, as JSON Schema. */
export const answerJsonSchema = objectOf({
  title: string,
  where_it_stands: string,
  goal: objectOf({ text: string, quote: string }),
  instructions: listOf({ text: string, brief: string, quote: string }),
  items: listOf({
    kind: { type: 'string', enum: itemKinds },
    text: string,
    brief: string,
    by: { type: 'string', enum: ['person', 'agent'] },
    quote: string,
    paths: { type: 'array', items: string },
    command: string,
    exit_code: { type: ['integer', 'null'] },
  }),
  reversed: listOf({ was: string, now: string }),
});
