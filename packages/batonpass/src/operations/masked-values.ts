import { type Json, toJson } from '../core/canonical-json.ts';
import { maskField, maskSecrets } from '../core/masking.ts';

/**
 * A writer's values, with the secrets in all their texts masked: also what is one by the name of its field, as a payload
 * may have it, and secrets in the names of fields.
 *
 * @throws HandoffError `invalid_input` or `too_large` for values that JSON cannot carry, before anything is walked.
 */
export function maskSecretsIn<T>(given: T): T {
  return mask(toJson(given)) as T;
}

/** @param field - the name of the field that has the value. Default: none that matters. */
function mask(value: Json, field = ''): Json {
  if (typeof value === 'string') return maskField(field, value).text;
  if (typeof value === 'number') return maskNumber(value, field);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((entry) => mask(entry, field));
  const label = labelOf(value);
  const masked = new Map<string, Json>();
  for (const [name, entry] of Object.entries(value)) {
    let shown = maskSecrets(name).text;
    // Two names that become one mask stay two.
    while (masked.has(shown)) shown += '_';
    masked.set(shown, mask(entry, isValue.test(name) ? (label ?? field) : name));
  }
  return Object.fromEntries(masked);
}

/** The fields of a value that another field names: `{ "name": "DB_PASSWORD", "value": "X" }`. */
const isValue = /^\w{0,20}value$|^content$/i;
const isLabel = /^(?:\w{0,20}(?:key|name)|id|term|variable)$/i;

function labelOf(object: Readonly<Record<string, Json>>): string | undefined {
  const label = Object.entries(object).find(([name, entry]) => isLabel.test(name) && typeof entry === 'string')?.[1];
  return typeof label === 'string' ? label : undefined;
}

/** A number that a field names a secret: a PIN. */
function maskNumber(value: number, field: string): Json {
  const text = String(value);
  const masked = maskField(field, text).text;
  return masked === text ? value : masked;
}
