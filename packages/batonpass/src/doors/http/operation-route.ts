import type { IncomingMessage } from 'node:http';
import { HandoffError, isHandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Timing } from '../../core/timing.ts';
import type { Baton } from '../../operations/baton.ts';
import type { AnswerChunk, Progress } from '../../operations/context.ts';
import { isTranscript } from './admission.ts';
import { answerJson, answerProblem, type HttpAnswer } from './answer.ts';
import { answerStream } from './answer-stream.ts';
import { parseJsonBody, readBody, readTranscriptBody } from './json-body.ts';
import { type Problem, Refusal } from './problem.ts';
import { type JsonSchema, type PublishedOperation, propertiesOf } from './published-operations.ts';

/** One request for an operation. */
export interface OperationRequest {
  operation: PublishedOperation;
  request: Request;
  /** Where its body is read from. */
  incoming: IncomingMessage;
  requestId: string;
  /** The Baton as the caller may use it. */
  baton: Baton;
  /** Aborted when the client leaves or the server stops. */
  signal: AbortSignal;
  /** The clock of the keep-alive lines. */
  after: Timing['after'];
  /** Ends the connection at once. */
  cut: () => void;
  /** A failure as it is sent to the client. */
  explain: (error: unknown) => Problem;
}

/** Runs an operation as a request asks for it, and answers with its output. */
export async function answerOperation(asked: OperationRequest): Promise<HttpAnswer> {
  const { operation, request, requestId, baton, signal } = asked;
  const input = await readInput(asked);
  const if_version = readIfMatch(request, operation);
  const checkedLater = (if_version === undefined ? input : { if_version, ...input }) as never;
  try {
    const output = await baton.run(operation.name, checkedLater, { idempotency_key: readKey(request), signal });
    return await answerOutput(output, asked);
  } catch (error) {
    if (if_version === undefined || !isOtherVersion(error)) throw error;
    return answerProblem(error, requestId, { status: 412, title: 'Precondition failed' });
  }
}

async function readInput({ operation, request, incoming }: OperationRequest): Promise<Record<string, unknown>> {
  if (request.method === 'POST') {
    const asFile = isTranscript(request.headers.get('content-type') ?? undefined);
    if (asFile && !operation.takesTranscript) {
      throw new Refusal('unsupported_media_type', `${operation.name} takes no transcript.`, {
        alternatives: ['Send the header Content-Type: application/json.'],
      });
    }
    const value = asFile ? await readTranscriptBody(incoming) : parseJsonBody(await readBody(incoming));
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
    throw new HandoffError('invalid_input', `The input of ${operation.name} must be one JSON object.`, {
      alternatives: ['See its fields: /api/openapi.json'],
    });
  }
  if (operation.byQuery && (request.method === 'GET' || request.method === 'HEAD')) {
    return readQueryInput(new URL(request.url).searchParams, operation);
  }
  throw new Refusal('method_not_allowed', `${operation.name} does not accept ${request.method}.`, {
    headers: { allow: operation.byQuery ? 'GET, HEAD, POST' : 'POST' },
  });
}

/** @throws HandoffError `invalid_input` for a key beyond its bounds. */
function readKey(request: Request): string | undefined {
  const key = request.headers.get('idempotency-key');
  if (key === null) return undefined;
  if (key !== '' && key.length <= limits.idempotency_key_characters_max) return key;
  throw new HandoffError('invalid_input', 'The Idempotency-Key is empty or too long.', {
    alternatives: [`Send 1 to ${limits.idempotency_key_characters_max} characters, as a UUID.`],
  });
}

/** Whether an operation can stream its answer, and the client asks for a stream. */
export function isToldAsItComes({ operation, request }: OperationRequest): boolean {
  const accepted = request.headers.get('accept') ?? '';
  return operation.streams && /(?:^|[\s,])text\/event-stream(?:[\s,;]|$)/i.test(accepted);
}

/**
 * Runs an operation and streams its parts and its progress, and at last its output or its failure, as a
 * part of data.
 */
export async function streamOperation(asked: OperationRequest): Promise<Response> {
  const { operation, request, baton, signal, after, cut, explain } = asked;
  const input = (await readInput(asked)) as never;
  const idempotency_key = readKey(request);
  return answerStream({
    make: async (onChunk) => {
      const onProgress = (progress: Progress) => onChunk(partOf('data-progress', progress));
      const data = await baton.run(operation.name, input, { idempotency_key, signal, onProgress, onChunk });
      return partOf('data-result', data);
    },
    explain: (error) => partOf('data-problem', explain(error)),
    after,
    cut,
  });
}

/** A part of data, as the AI SDK's stream has them. */
function partOf(type: 'data-progress' | 'data-result' | 'data-problem', data: object): AnswerChunk & { data: object } {
  return { type, data };
}

/** The version that a draft must still have. An invalid condition is refused, never ignored. */
function readIfMatch(request: Request, { name, takesVersion }: PublishedOperation): number | undefined {
  const condition = request.headers.get('if-match');
  if (condition === null || (condition === '*' && takesVersion)) return undefined;
  // A proxy that compresses makes a tag weak; the version in it is the same.
  const version = /^(?:W\/)?"v(\d{1,15})"$/.exec(condition)?.[1];
  if (takesVersion && version !== undefined) return Number(version);
  throw new HandoffError('invalid_input', `${name} does not support If-Match.`, {
    alternatives: ['Send the ETag of the draft with handoff.edit, or no If-Match.'],
  });
}

/** Whether it is a conflict over the draft's version, not over a key that was used for another input. */
function isOtherVersion(error: unknown): boolean {
  return isHandoffError(error) && error.code === 'conflict' && !Object.hasOwn(error.details, 'idempotency_key');
}

async function answerOutput(output: object, { operation, request }: OperationRequest): Promise<HttpAnswer> {
  const headers = { ...tagOf(output), ...linkOf(output, request) };
  if (headers.etag !== undefined && request.method !== 'POST' && isKnown(headers.etag, request)) {
    return { status: 304, headers, body: '' };
  }
  // The answer of a claim contains a secret, and compression shows in its length what a secret is compressed with.
  const acceptEncoding = operation.mutates ? null : request.headers.get('accept-encoding');
  return answerJson(output, { headers, acceptEncoding });
}

/** A handoff's tag is its version, which rises with each change. */
function tagOf(output: object): { etag?: string } {
  const { delivery } = output as { delivery?: { version: number } };
  return delivery === undefined ? {} : { etag: `"v${delivery.version}"` };
}

function isKnown(etag: string, request: Request): boolean {
  const known = request.headers.get('if-none-match') ?? '';
  return known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** The address of the next page. */
function linkOf(output: object, request: Request): { link?: string } {
  const { cursor } = output as { cursor?: string };
  if (cursor === undefined || request.method === 'POST') return {};
  const next = new URL(request.url);
  next.searchParams.set('cursor', cursor);
  return { link: `<${next.pathname}${next.search}>; rel="next"` };
}

/**
 * The input of a query: each field by its own name, a list by its name several times. A value that is no number and
 * no truth value stays text, so that the operation itself refuses it.
 */
function readQueryInput(query: URLSearchParams, { input }: PublishedOperation): Record<string, unknown> {
  const fields = propertiesOf(input);
  const entries = [...new Set(query.keys())].map((name): [string, unknown] => {
    const texts = query.getAll(name);
    const schema = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (schema?.type === 'array')
      return [name, texts.map((text) => readValue(text, (schema.items ?? {}) as JsonSchema))];
    return [name, texts.length === 1 ? readValue(texts[0] ?? '', schema ?? {}) : texts];
  });
  // A field named `__proto__` becomes one too, and is refused as such.
  return Object.fromEntries(entries);
}

function readValue(text: string, { type, const: only }: JsonSchema): unknown {
  const isNumber = (type === 'integer' || type === 'number') && /^-?\d{1,15}(\.\d{1,15})?$/.test(text);
  if (isNumber) return Number(text);
  const isTruth = (type === 'boolean' || typeof only === 'boolean') && /^(true|false)$/.test(text);
  return isTruth ? text === 'true' : text;
}
