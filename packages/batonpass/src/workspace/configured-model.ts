import { HandoffError } from '../core/errors.ts';
import { modelSettingsOf } from '../core/model-settings.ts';

/** What a project's file may not decide is said with the file's name. */
interface ModelSources {
  fromFile: unknown;
  environment: NodeJS.ProcessEnv;
  overrides: object | undefined;
  file_name: string;
}

/**
 * The settings of the model: the file's, then the environment's, then a door's. The file belongs to whoever wrote the
 * repository; it must not send conversations to a server of theirs, or a variable that is no model's key to any server.
 *
 * @throws HandoffError `invalid_input` for a server elsewhere, or another variable, that the file alone names.
 */
export function mergeModelSettings({ fromFile = {}, environment, overrides, file_name }: ModelSources): unknown {
  // Whatever is no object is told by the schema.
  if (fromFile === null || typeof fromFile !== 'object' || Array.isArray(fromFile)) return fromFile;
  const own = { ...modelSettingsOf(environment), ...overrides };
  const { base_url, api_key_env } = { ...fromFile, ...own } as Record<string, unknown>;
  if (!('base_url' in own) && typeof base_url === 'string' && !isOnThisMachine(base_url)) {
    throw new HandoffError('invalid_input', `${file_name} names a model's server on another machine: ${base_url}.`, {
      details: { base_url },
      alternatives: [
        'Where conversations are sent is yours alone to say: set BATON_MODEL_BASE_URL.',
        'A server on this machine may stand in the file.',
      ],
    });
  }
  if (!('api_key_env' in own) && typeof api_key_env === 'string' && !api_key_env.endsWith('_API_KEY')) {
    throw new HandoffError('invalid_input', `${file_name} names a variable that is no model's key: ${api_key_env}.`, {
      details: { api_key_env },
      alternatives: ['Name one that ends in _API_KEY, or set BATON_MODEL_API_KEY_ENV: that is yours alone.'],
    });
  }
  return { ...fromFile, ...own };
}

/** A text that is no URL is told by the schema. */
function isOnThisMachine(text: string): boolean {
  const { hostname } = URL.parse(text) ?? { hostname: 'localhost' };
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
