import { z } from 'zod';
import { limits } from './limits.ts';

const name = z.string().trim().min(1).max(limits.name_characters_max);

/** What a million tokens cost. */
const price = z.number().min(0).max(1_000_000);

/**
 * Which language model reads conversations, and how. Nothing has to be set where `ANTHROPIC_API_KEY` is. A key itself
 * is no setting: it is in the environment only.
 */
export const modelSettingsSchema = z.strictObject({
  /** Default: `openai-compatible` where a `base_url` is given, else `anthropic`. */
  provider: z.enum(['anthropic', 'openai-compatible']).optional(),
  /** As the provider names it. Default: for `anthropic` the one of `extraction/model/choose-model.ts`, else none. */
  model: name.optional(),
  /** Where the server's paths begin, as `http://localhost:11434/v1`. Default: for `anthropic` its own. */
  base_url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .refine((text) => !/^[^/]*\/\/[^/]*@/.test(text), 'must not hold a user or password: name api_key_env')
    .optional(),
  /** The variable that holds the key. Default: for `anthropic` `ANTHROPIC_API_KEY`, else no key is sent. */
  api_key_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/, 'must be the name of a variable, such as MY_API_KEY')
    .optional(),
  /** How long one request may take. */
  timeout_ms: z.int().min(1).max(limits.model_request_ms_max).default(limits.model_request_ms),
  /** How long all requests for one conversation may take together. */
  total_timeout_ms: z
    .int()
    .min(1)
    .max(24 * 60 * 60_000)
    .default(limits.model_total_ms),
  /** Tokens that one answer may have, those of its reasoning included. */
  output_tokens_max: z.int().min(256).max(200_000).default(limits.model_output_tokens),
  /** Characters of a conversation in one request: smaller for a model with a small context. */
  window_characters: z
    .int()
    .min(limits.model_window_characters_min)
    .max(limits.model_window_characters_max)
    .default(limits.model_window_characters),
  /** What a million tokens cost, so that a report can show the cost of an extraction. Default: no cost is reported. */
  price: z.strictObject({ input: price, output: price, currency: name.default('USD') }).optional(),
});

export type ModelSettings = z.output<typeof modelSettingsSchema>;
export type ModelSettingsInput = z.input<typeof modelSettingsSchema>;

/** What reads a conversation: rules, offline and always the same, or a language model. */
export const extractorSchema = z.enum(['rules', 'model']);

export type Extractor = z.infer<typeof extractorSchema>;

/** Who extracts by default: also `host`, the agent of the session itself, asked when the session is over. */
export const configuredExtractorSchema = z.enum([...extractorSchema.options, 'host']);

/** Settings of the environment: `BATON_MODEL_PROVIDER`, `BATON_MODEL`, `BATON_MODEL_BASE_URL`, `BATON_MODEL_API_KEY_ENV`. */
export function modelSettingsOf(environment: NodeJS.ProcessEnv): Record<string, string> {
  const settings = {
    provider: environment.BATON_MODEL_PROVIDER,
    model: environment.BATON_MODEL,
    base_url: environment.BATON_MODEL_BASE_URL,
    api_key_env: environment.BATON_MODEL_API_KEY_ENV,
  };
  return Object.fromEntries(Object.entries(settings).filter((entry): entry is [string, string] => Boolean(entry[1])));
}
