import { HandoffError } from '../core/errors.ts';
import { type Extractor, type ModelSettings, modelSettingsOf, modelSettingsSchema } from '../core/model-settings.ts';

/** What a repository's file may not decide is refused with the file's name. */
interface ModelSources {
  fromUser: unknown;
  fromRepository: unknown;
  environment: NodeJS.ProcessEnv;
  overrides: object | undefined;
  file_name: string;
}

/**
 * The settings of the model: the user's, then the repository's, then the environment's, then a door's. A repository's
 * file, trusted or not, must not send conversations to a server elsewhere, or a variable that is no model's key to any
 * server.
 *
 * @throws HandoffError `invalid_input` for a server elsewhere, or another variable, that the repository's file names.
 */
export function mergeModelSettings(sources: ModelSources): unknown {
  const { fromUser = {}, fromRepository = {}, environment, overrides, file_name } = sources;
  // What is no object is refused by the schema.
  if (!isObject(fromUser)) return fromUser;
  if (!isObject(fromRepository)) return fromRepository;
  const own = { ...modelSettingsOf(environment), ...overrides };
  const { base_url, api_key_env } = fromRepository;
  if (!('base_url' in own) && typeof base_url === 'string' && !isOnThisMachine(base_url)) {
    throw new HandoffError('invalid_input', `${file_name} names a model's server on another machine: ${base_url}.`, {
      details: { base_url },
      alternatives: [
        'Only you can choose where conversations are sent: set BATON_MODEL_BASE_URL.',
        'A server on this machine may be named in the file.',
      ],
    });
  }
  if (!('api_key_env' in own) && typeof api_key_env === 'string' && !api_key_env.endsWith('_API_KEY')) {
    throw new HandoffError('invalid_input', `${file_name} names a variable that is no model's key: ${api_key_env}.`, {
      details: { api_key_env },
      alternatives: ['Name one that ends in _API_KEY, or set BATON_MODEL_API_KEY_ENV: that is yours alone.'],
    });
  }
  return { ...fromUser, ...fromRepository, ...own };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/**
 * The extractor for an extraction that nobody requested, as when a hook saves a session: from the environment, which is
 * the person's own. A repository's file is not read: to open a session there must not send it anywhere.
 */
export function readOwnExtractor(environment: NodeJS.ProcessEnv): { extractor: Extractor; settings: ModelSettings } {
  return {
    extractor: environment.BATON_EXTRACTOR === 'model' ? 'model' : 'rules',
    settings: modelSettingsSchema.parse(modelSettingsOf(environment)),
  };
}

/** The schema reports a text that is no URL. */
function isOnThisMachine(text: string): boolean {
  const { hostname } = URL.parse(text) ?? { hostname: 'localhost' };
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
