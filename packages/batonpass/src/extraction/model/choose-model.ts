import { HandoffError } from '../../core/errors.ts';
import type { ModelSettings } from '../../core/model-settings.ts';

/** The model that is asked where only Anthropic's key is there. It will age: it is named only here. */
const defaultAnthropicModel = 'claude-sonnet-5-5';

/** What a model is wanted for, and what can be done without one: words of errors. */
export interface ModelPurpose {
  /** As `extract`, behind "A model is to". */
  readonly verb: string;
  readonly without: string;
  /** Whether JSON is all that it answers with. */
  readonly isJson: boolean;
}

/** A model reads a conversation. */
export const extracting: ModelPurpose = {
  verb: 'extract',
  without: 'Or let the rules extract, which need no model: --extractor rules',
  isJson: true,
};

/** A model with all that a request to it needs. */
export interface ChosenModel {
  provider: 'anthropic' | 'openai-compatible';
  model: string;
  base_url?: string;
  /** Only for the request's header; never in a text, a file or an error. */
  key?: string;
  settings: ModelSettings;
}

/** Whether anything says which model to ask: a setting, or Anthropic's key. */
export function isModelChosen(
  { provider, model, base_url }: Partial<ModelSettings>,
  environment: NodeJS.ProcessEnv,
): boolean {
  return [provider, model, base_url, environment.ANTHROPIC_API_KEY].some(Boolean);
}

/**
 * The model that settings and environment name.
 *
 * @param purpose - default: {@link extracting}.
 * @throws HandoffError `unavailable` that says what to set.
 */
export function chooseModel(
  settings: ModelSettings,
  environment: NodeJS.ProcessEnv,
  purpose: ModelPurpose = extracting,
): ChosenModel {
  const provider = settings.provider ?? (settings.base_url === undefined ? 'anthropic' : 'openai-compatible');
  const base_url =
    settings.base_url ?? (provider === 'anthropic' ? environment.ANTHROPIC_BASE_URL || undefined : undefined);
  const model = settings.model ?? (provider === 'anthropic' ? defaultAnthropicModel : undefined);
  if (provider === 'openai-compatible' && base_url === undefined) {
    throw unavailable(purpose, 'but no server is named.', [
      'Name where it is: BATON_MODEL_BASE_URL=http://localhost:11434/v1',
    ]);
  }
  if (model === undefined) {
    throw unavailable(purpose, `but none of those that ${base_url} has is named.`, [
      'Name it as the server does: BATON_MODEL=qwen3:14b',
    ]);
  }
  const key = readKey(settings, { provider, environment, purpose });
  return { provider, model, base_url, key, settings };
}

function readKey(
  { api_key_env }: ModelSettings,
  {
    provider,
    environment,
    purpose,
  }: { environment: NodeJS.ProcessEnv; purpose: ModelPurpose } & Pick<ChosenModel, 'provider'>,
): string | undefined {
  const name = api_key_env ?? (provider === 'anthropic' ? 'ANTHROPIC_API_KEY' : undefined);
  if (name === undefined) return undefined;
  const key = environment[name]?.trim();
  if (key) return key;
  throw unavailable(purpose, `but the variable ${name}, which holds its key, is not set.`, [
    `Set ${name} in the environment; a key belongs into no file.`,
    'Or name a server that needs none: BATON_MODEL_BASE_URL=http://localhost:11434/v1 BATON_MODEL=NAME',
  ]);
}

function unavailable({ verb, without }: ModelPurpose, words: string, steps: readonly string[]): HandoffError {
  return new HandoffError('unavailable', `A model is to ${verb}, ${words}`, { alternatives: [...steps, without] });
}
