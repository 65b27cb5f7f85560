import { maskSecrets } from '../core/masking.ts';

/** What a writer gave, with the secrets in all its texts masked; names of fields stay as they are. */
export function maskSecretsIn<T>(given: T): T {
  return mask(given, []) as T;
}

/** What is circular is left as it is: the completion that follows refuses it. */
function mask(value: unknown, above: readonly object[]): unknown {
  if (typeof value === 'string') return maskSecrets(value).text;
  if (value === null || typeof value !== 'object' || above.includes(value)) return value;
  const line = [...above, value];
  if (Array.isArray(value)) return value.map((entry) => mask(entry, line));
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, mask(entry, line)]));
}
