import { limits } from '../../core/limits.ts';
import { maskSecrets } from '../../core/masking.ts';
import type { ChosenModel } from './choose-model.ts';
import type { LoadedModel } from './load-model.ts';

/** What can be done about a failed request. */
export type Remedy =
  /** Send it again after a while; `after_ms` is what the server asks for. */
  | { kind: 'wait'; after_ms?: number }
  /** Send it again at once, but no more than once: another answer may be better. */
  | { kind: 'once-more' }
  /** Ask for less. */
  | { kind: 'split' }
  | { kind: 'none' };

/** Why a model gave no answer that can be used: a sentence for people, without key and without a stack. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly remedy: Remedy;
  /** The server's status, where it answered with one. */
  readonly status: number | undefined;
  /** What the server said, for reading alone: it may hold anything. */
  readonly body: string;

  constructor(message: string, remedy: Remedy, { status, body = '' }: { status?: number; body?: string } = {}) {
    super(message);
    this.remedy = remedy;
    this.status = status;
    this.body = body;
  }
}

const saidCharactersMax = 200;

/** What went wrong with a request, from the error that the library threw. */
export function toModelFailure(error: unknown, { library, chosen }: LoadedModel): ModelFailure {
  const { APICallError, NoObjectGeneratedError, NoOutputGeneratedError } = library;
  const who = describeModel(chosen);
  if (APICallError.isInstance(error)) return toCallFailure(error, chosen);
  if (NoObjectGeneratedError.isInstance(error)) {
    if (error.finishReason === 'content-filter') return refused(chosen);
    if (error.finishReason === 'length') return tooLong(who);
    return new ModelFailure(`${who} answered with something other than the JSON that it was asked for.`, {
      kind: 'once-more',
    });
  }
  if (NoOutputGeneratedError.isInstance(error)) {
    return new ModelFailure(`${who} answered with nothing.`, { kind: 'once-more' });
  }
  return new ModelFailure(`${who} could not be asked: ${toWords(error, chosen)}`, { kind: 'none' });
}

/** The answer was cut off at the cap on its tokens. */
export function tooLong(who: string): ModelFailure {
  return new ModelFailure(`${who} did not get to the end of its answer.`, { kind: 'split' });
}

/** The model, or a filter before it, does not want to. */
export function refused(chosen: ChosenModel): ModelFailure {
  return new ModelFailure(`${describeModel(chosen)} refused to answer.`, { kind: 'none' });
}

/** One request took longer than it may. */
export function tooLate(chosen: ChosenModel): ModelFailure {
  const { timeout_ms } = chosen.settings;
  return new ModelFailure(`${describeModel(chosen)} did not answer within ${timeout_ms / 1_000} s.`, { kind: 'none' });
}

/** An answer that began was not finished: the connection broke, or the server reported that it cannot continue. */
export function brokenOff(error: unknown, chosen: ChosenModel): ModelFailure {
  // The library's own error says only that reading failed; the reason is in its cause.
  const words = toWords(error instanceof Error ? (error.cause ?? error) : error, chosen);
  return new ModelFailure(`${describeModel(chosen)} broke off in the middle of its answer: ${words}`, { kind: 'none' });
}

/** A model in words: `claude-… (anthropic)`. */
export function describeModel({ provider, model }: ChosenModel): string {
  return `The model ${model} (${provider})`;
}

type CallError = InstanceType<LoadedModel['library']['APICallError']>;

function toCallFailure(error: CallError, chosen: ChosenModel): ModelFailure {
  const { statusCode: status, responseBody: body } = error;
  const who = describeModel(chosen);
  // A status of success: what broke was the connection, or the answer is none of this provider's.
  if (status === undefined || status < 300) {
    const words = toWords(error.cause ?? error, chosen);
    const remedy: Remedy = error.isRetryable ? { kind: 'wait' } : { kind: 'once-more' };
    return new ModelFailure(`${who} did not answer: ${words}`, remedy, { status, body });
  }
  const said = toWords(error, chosen);
  const remedy: Remedy = error.isRetryable ? { kind: 'wait', after_ms: readRetryAfter(error) } : { kind: 'none' };
  return new ModelFailure(`${who} answered with status ${status}${explain(status)}: ${said}`, remedy, { status, body });
}

function explain(status: number): string {
  if (status === 401 || status === 403) return ', its key is not accepted';
  if (status === 404) return ', the address or the name of the model is not known there';
  if (status === 429) return ', too much was asked of it';
  return status < 400 ? ', which leads elsewhere and is not followed' : '';
}

/** What a server asks to wait, in either of its two spellings. */
function readRetryAfter({ responseHeaders = {} }: CallError): number | undefined {
  const milliseconds = Number(responseHeaders['retry-after-ms'] || Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const text = responseHeaders['retry-after'] ?? '';
  const seconds = Number(text || Number.NaN);
  if (seconds >= 0) return seconds * 1_000;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - Date.now());
}

/** Servers put what went wrong into an object of their own, too. */
function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  return 'message' in error ? String(error.message) : '';
}

/** A server's own words in one short line, without the key, which some repeat, and without other secrets. */
function toWords(error: unknown, { key }: ChosenModel): string {
  const message = messageOf(error);
  const open = key === undefined ? message : message.replaceAll(key, '[key]');
  const line = maskSecrets(open.slice(0, limits.model_entry_characters_max))
    .text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  const short = line.length > saidCharactersMax ? `${line.slice(0, saidCharactersMax).toWellFormed()}…` : line;
  return /[.!?…]$/.test(short) ? short : `${short || 'no reason was given'}.`;
}
