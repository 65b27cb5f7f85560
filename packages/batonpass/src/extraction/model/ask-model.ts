import { limits } from '../../core/limits.ts';
import { estimateTokens } from '../../formats/token-estimate.ts';
import { answerSchema, describeAnswerSchema, type ModelAnswer } from './answer-schema.ts';
import type { LoadedModel } from './load-model.ts';
import { describeModel, ModelFailure, refused, toModelFailure, tooLate, tooLong } from './model-failure.ts';
import type { Prompt } from './prompt.ts';

/** What was spent so far; each request adds to it, also one that failed. */
export interface Spending {
  requests: number;
  input_tokens: number;
  output_tokens: number;
  /** Tokens that a server did not count of a prompt, the most of all requests: it may have read a part of it only. */
  unread_tokens: number;
}

/** Chance and time, so that a test waits for nothing. */
export interface ModelSurroundings {
  /** Resolves after so many milliseconds; rejects at once when the signal aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Between 0 and 1. */
  chance: () => number;
  /** A word that nobody can guess. */
  createMarker: () => string;
}

/** What a request is sent with. */
export interface Asking {
  loaded: LoadedModel;
  signal: AbortSignal;
  spending: Spending;
  surroundings: ModelSurroundings;
}

/**
 * Asks a model once, and again where that can help: after a wait at 429, 5xx and cut connections, at once and no more
 * than once where the answer is none of the form that was asked for.
 *
 * @throws ModelFailure where it gave no answer; the reason of an aborted signal is for the caller to report.
 */
export async function askModel(prompt: Prompt, asking: Asking): Promise<ModelAnswer> {
  return askAgain(asking, () => send(prompt, asking));
}

/** Sends a request, and again where that can help. @throws what the last one failed with. */
export async function askAgain<T>(
  { loaded, signal, surroundings }: Omit<Asking, 'spending'>,
  send: () => Promise<T>,
): Promise<T> {
  let repeated = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ModelFailure) || signal.aborted || attempt === limits.model_attempts_max) throw error;
      if (adaptDialect(loaded, error)) continue;
      const { remedy } = error;
      if (remedy.kind === 'wait') {
        const wait_ms = remedy.after_ms ?? backOff(attempt, surroundings.chance());
        if (wait_ms > limits.model_retry_ms_max) throw error;
        await surroundings.wait(wait_ms, signal);
      } else if (remedy.kind === 'once-more' && !repeated) repeated = true;
      else throw error;
    }
  }
}

/** Doubles with each attempt; half of it is chance, so that many who were refused at once do not come back at once. */
function backOff(attempt: number, chance: number): number {
  const longest_ms = Math.min(limits.model_retry_ms_min * 2 ** (attempt - 1), limits.model_retry_ms_max);
  return (longest_ms / 2) * (1 + chance);
}

async function send(prompt: Prompt, { loaded, signal, spending }: Asking): Promise<ModelAnswer> {
  const { library, model, chosen, dialect } = loaded;
  const { timeout_ms, output_tokens_max } = chosen.settings;
  const timeout = AbortSignal.timeout(timeout_ms);
  spending.requests += 1;
  try {
    const result = await library.generateText({
      model,
      instructions: dialect.schema ? prompt.instructions : `${prompt.instructions}\n\n${describeAnswerSchema()}`,
      prompt: prompt.prompt,
      output: library.Output.object({ schema: answerSchema, name: 'extraction' }),
      maxOutputTokens: output_tokens_max,
      // Attempts are counted and waited for here, where a test can hold the time.
      maxRetries: 0,
      abortSignal: AbortSignal.any([signal, timeout]),
    });
    addUsage(spending, result.usage);
    const unread = countUnread(prompt, result.usage.inputTokens);
    spending.unread_tokens = Math.max(spending.unread_tokens, unread);
    // An answer that was cut off can be JSON all the same, with half of its items.
    if (result.finishReason === 'length') throw tooLong(describeModel(chosen));
    if (result.finishReason === 'content-filter') throw refused(chosen);
    return result.output;
  } catch (error) {
    if (error instanceof ModelFailure || signal.aborted) throw error;
    if (timeout.aborted) throw tooLate(chosen);
    if (library.NoObjectGeneratedError.isInstance(error)) addUsage(spending, error.usage);
    throw toModelFailure(error, loaded);
  }
}

/** Below this a difference can be the tokenizer's, or what a server had read before. */
const unreadMin = 4_000;

/**
 * Tokens of a prompt that a server does not count among those it read. Local servers cut a prompt that is longer than
 * their context, and say nothing.
 */
function countUnread({ instructions, prompt }: Prompt, read: number | undefined): number {
  if (read === undefined || read === 0) return 0;
  const unread = estimateTokens(instructions) + estimateTokens(prompt) - read;
  return unread >= Math.max(unreadMin, read) ? unread : 0;
}

function addUsage(spending: Spending, usage: { inputTokens?: number; outputTokens?: number } | undefined): void {
  spending.input_tokens += usage?.inputTokens ?? 0;
  spending.output_tokens += usage?.outputTokens ?? 0;
}

/**
 * Changes how an OpenAI-compatible server is spoken to, where it refused a request for its form.
 *
 * @returns whether anything was changed, so that it is worth asking again.
 */
function adaptDialect({ chosen, dialect }: LoadedModel, { status, body }: ModelFailure): boolean {
  if (chosen.provider !== 'openai-compatible' || (status !== 400 && status !== 422)) return false;
  if (!dialect.completion_tokens && body.includes('max_completion_tokens')) {
    dialect.completion_tokens = true;
    return true;
  }
  if (!dialect.schema) return false;
  dialect.schema = false;
  return true;
}
