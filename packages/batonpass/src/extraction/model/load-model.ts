import { HandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { type ChosenModel, extracting, type ModelPurpose } from './choose-model.ts';
import { findJson } from './find-json.ts';

/** How an OpenAI-compatible server wants to be spoken to; what it refuses is changed for all further requests. */
export interface Dialect {
  /** Whether it takes a JSON Schema for its answer, or can only be instructed to answer with JSON. */
  schema: boolean;
  /** Whether it needs `max_completion_tokens` instead of `max_tokens`. */
  completion_tokens: boolean;
}

/** A provider's model as the library wraps it. */
type ProviderModel = Parameters<typeof import('ai').wrapLanguageModel>[0]['model'];

/** A model that can be asked, and the library that asks it. */
export interface LoadedModel {
  library: typeof import('ai');
  model: ProviderModel;
  chosen: ChosenModel;
  dialect: Dialect;
}

/**
 * Loads the AI SDK and the provider's package, which are optional: nothing else of Baton needs them.
 *
 * @throws HandoffError `unavailable` that names what to install.
 */
export async function loadModel(chosen: ChosenModel, purpose: ModelPurpose = extracting): Promise<LoadedModel> {
  const dialect: Dialect = { schema: purpose.isJson, completion_tokens: false };
  const wanted = { chosen, purpose };
  const library = await load('ai', wanted, () => import('ai'));
  const create = chosen.provider === 'anthropic' ? createAnthropicModel : createCompatibleModel;
  const model = await create(wanted, dialect);
  if (!purpose.isJson) return { library, model, chosen, dialect };
  // Models put their JSON into a code fence, or words around it, even when instructed not to.
  const middleware = library.extractJsonMiddleware({ transform: findJson });
  return { library, model: library.wrapLanguageModel({ model, middleware }), chosen, dialect };
}

/** A model, and what it is to do. */
interface Wanted {
  chosen: ChosenModel;
  purpose: ModelPurpose;
}

async function createAnthropicModel(wanted: Wanted): Promise<ProviderModel> {
  const { createAnthropic } = await load('@ai-sdk/anthropic', wanted, () => import('@ai-sdk/anthropic'));
  const { chosen } = wanted;
  // Always named: the library would otherwise take the address from a variable, which a repository may have set.
  const { key: apiKey, base_url: baseURL = 'https://api.anthropic.com/v1', model } = chosen;
  return createAnthropic({ apiKey, baseURL, fetch: createBoundedFetch() })(model);
}

async function createCompatibleModel(wanted: Wanted, dialect: Dialect): Promise<ProviderModel> {
  const { createOpenAICompatible } = await load(
    '@ai-sdk/openai-compatible',
    wanted,
    () => import('@ai-sdk/openai-compatible'),
  );
  const { key: apiKey, base_url: baseURL = '', model } = wanted.chosen;
  const provider = createOpenAICompatible({
    name: 'compatible',
    apiKey,
    baseURL,
    fetch: createBoundedFetch(),
    supportsStructuredOutputs: true,
    includeUsage: true,
    transformRequestBody: (body) => speak(dialect, body),
  });
  return provider(model);
}

function speak({ schema, completion_tokens }: Dialect, body: Record<string, unknown>): Record<string, unknown> {
  const { max_tokens, response_format, ...rest } = body;
  return {
    ...rest,
    response_format: schema || response_format === undefined ? response_format : { type: 'json_object' },
    ...(completion_tokens ? { max_completion_tokens: max_tokens } : { max_tokens }),
  };
}

async function load<T>(name: string, { chosen, purpose }: Wanted, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause;
    throw new HandoffError('unavailable', `A model is to ${purpose.verb}, but the package ${name} is not installed.`, {
      details: { package: name },
      cause,
      alternatives: [`Install it beside batonpass: npm install ai @ai-sdk/${chosen.provider}`, purpose.without],
    });
  }
}

/**
 * A `fetch` for models' servers: it follows no redirect, which would take key and conversation along to somebody else,
 * and breaks off an answer above `limits.model_answer_bytes_max`.
 */
function createBoundedFetch(): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' });
    const { status, statusText, headers } = response;
    return new Response(response.body?.pipeThrough(createBound()) ?? null, { status, statusText, headers });
  };
}

function createBound(): TransformStream<Uint8Array, Uint8Array> {
  let left = limits.model_answer_bytes_max;
  return new TransformStream({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left >= 0) controller.enqueue(chunk);
      else controller.error(new Error(`The answer has more than ${limits.model_answer_bytes_max} bytes.`));
    },
  });
}
