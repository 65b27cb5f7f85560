import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai';
import { HandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Store } from '../../core/store.ts';
import { keptMessages } from './kept-values.ts';
import { reportDataSchema, type SourceStep } from './report-data.ts';

/** A step as the history stores it, whole: the model's answer, and the results of its tools. */
export interface KeptStep {
  number: number;
  messages: AnswerMessage[];
}

/** The model's answer, or the results of its tools. */
export type AnswerMessage = AssistantModelMessage | ToolModelMessage;

/**
 * The messages of a step as pieces of JSON, each small enough for a report.
 *
 * @throws HandoffError `too_large` above `limits.plan_step_bytes_max`: a run cannot continue from what is not stored.
 */
export function toPieces(messages: readonly ModelMessage[]): string[] {
  const json = JSON.stringify(keptMessages(messages));
  const bytes = Buffer.byteLength(json);
  if (bytes > limits.plan_step_bytes_max) {
    throw new HandoffError(
      'too_large',
      `A step of ${bytes} bytes cannot be kept; ${limits.plan_step_bytes_max} are the most.`,
      { details: { bytes, bytes_max: limits.plan_step_bytes_max }, alternatives: ['Let another model plan.'] },
    );
  }
  const pieces: string[] = [];
  for (let at = 0; at < json.length; ) {
    const end = at + limits.plan_step_piece_units;
    // A pair of surrogates stays together.
    const next = /[\ud800-\udbff]/.test(json.charAt(end - 1)) ? end - 1 : end;
    pieces.push(json.slice(at, next));
    at = next;
  }
  return pieces;
}

/**
 * The steps up to a step of an attempt, also those of the attempts that it continued from.
 *
 * @throws HandoffError `not_found` for an attempt or step that does not exist, `conflict` for one that was not stored whole.
 */
export async function readKeptSteps(store: Store, { handoff_id, fence, step }: SourceStep): Promise<KeptStep[]> {
  const kept: KeptStep[] = [];
  let at: Pick<SourceStep, 'handoff_id' | 'fence'> | undefined = { handoff_id, fence };
  // The attempt that an attempt continues from existed before it; the bound is for a history that contradicts this.
  for (let hops = 0; at !== undefined && hops <= limits.plan_steps_max; hops += 1) {
    const { steps, from } = await readAttemptSteps(store, at);
    kept.unshift(...steps.filter(({ number }) => number <= step && !kept.some((known) => known.number === number)));
    at = from;
  }
  for (let number = 1; number <= step; number += 1) {
    if (kept[number - 1]?.number !== number) throw notKept(handoff_id, number);
  }
  return kept.slice(0, step);
}

function notKept(id: string, step: number): HandoffError {
  return new HandoffError('conflict', `Step ${step} of this run of handoff ${id} was not kept whole.`, {
    details: { id, step },
    alternatives: ['Start with the first step.', `See what is known of it: baton plan runs ${id}`],
  });
}

async function readAttemptSteps(
  store: Store,
  { handoff_id, fence }: Pick<SourceStep, 'handoff_id' | 'fence'>,
): Promise<{ steps: KeptStep[]; from: SourceStep | undefined }> {
  const events = await store.events({ handoff_id, limit: limits.events_max });
  const begin = events.findIndex(({ name, details }) => name === 'handoff-claimed' && details?.fence === fence);
  if (begin < 0) {
    throw new HandoffError('not_found', `Handoff ${handoff_id} has no such attempt.`, {
      details: { id: handoff_id, fence },
      alternatives: [`See its attempts: baton plan runs ${handoff_id}`],
    });
  }
  const steps: KeptStep[] = [];
  let from: SourceStep | undefined;
  let json = '';
  for (const { name, details } of events.slice(begin + 1)) {
    if (name === 'handoff-claimed') break;
    const data = name === 'handoff-reported' ? reportDataSchema.safeParse(details?.data).data : undefined;
    if (data?.type === 'run-started') from = data.from;
    if (data?.type !== 'step-piece' && data?.type !== 'step') continue;
    json += data.kept ?? '';
    if (data.type === 'step-piece') continue;
    const messages = parseMessages(json);
    json = '';
    if (messages !== undefined) steps.push({ number: data.number, messages });
  }
  return { steps, from };
}

/** Written by this program, read from a history that others write too: anything but a model's answer is not stored. */
function parseMessages(json: string): AnswerMessage[] | undefined {
  try {
    const messages: unknown = JSON.parse(json);
    const isRight = Array.isArray(messages) && messages.length > 0 && messages.every(isAnswer);
    return isRight ? (messages as AnswerMessage[]) : undefined;
  } catch {
    return undefined;
  }
}

function isAnswer(message: unknown): boolean {
  const { role, content } = (message ?? {}) as { role?: unknown; content?: unknown };
  return (role === 'assistant' || role === 'tool') && Array.isArray(content) && content.every(isPart);
}

function isPart(part: unknown): boolean {
  return part !== null && typeof part === 'object' && 'type' in part && typeof part.type === 'string';
}

/** One call of a tool in a stored step. */
export interface KeptCall {
  name: string;
  input: unknown;
  /** Its result; null where it had none. */
  output: unknown;
  isError: boolean;
}

/** The calls of tools in a stored step, in their order, each with its result. */
export function callsOf({ messages }: KeptStep): KeptCall[] {
  const parts = partsOf(messages);
  return parts.flatMap((part) => {
    if (part.type !== 'tool-call') return [];
    const result = parts.find((each) => each.type === 'tool-result' && each.toolCallId === part.toolCallId);
    const { type = '', value = null } = (result?.type === 'tool-result' ? result.output : {}) as Partial<KeptOutput>;
    return [{ name: part.toolName, input: part.input, output: value, isError: type.startsWith('error') }];
  });
}

interface KeptOutput {
  type: string;
  value: unknown;
}

/** The model's text in a stored step. */
export function textOf({ messages }: KeptStep): string {
  return partsOf(messages)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('');
}

type AnswerPart = Exclude<AnswerMessage['content'], string>[number];

function partsOf(messages: readonly AnswerMessage[]): AnswerPart[] {
  return messages.flatMap(({ content }): AnswerPart[] => (typeof content === 'string' ? [] : content));
}

/** The messages of stored steps for another model than their own: without what only their own model can read. */
export function withoutProvider(messages: readonly AnswerMessage[]): AnswerMessage[] {
  return messages.flatMap((message) => {
    if (typeof message.content === 'string') return [message];
    const parts = message.content.filter(({ type }) => type !== 'reasoning');
    const content = parts.map((part) => ({ ...part, providerOptions: undefined }));
    return content.length === 0 ? [] : [{ role: message.role, content } as AnswerMessage];
  });
}
