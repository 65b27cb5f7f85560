import { type Json, toJson } from '../core/canonical-json.ts';
import { maskSecrets } from '../core/masking.ts';

/**
 * A writer's values, with the secrets in all their texts masked; names of fields stay as they are.
 *
 * @throws HandoffError `invalid_input` or `too_large` for values that JSON cannot carry, before anything is walked.
 */
export function maskSecretsIn<T>(given: T): T {
  return mask(toJson(given)) as T;
}

function mask(value: Json): Json {
  if (typeof value === 'string') return maskSecrets(value).text;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(mask);
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, mask(entry)]));
}
