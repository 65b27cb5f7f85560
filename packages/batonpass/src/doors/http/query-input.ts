import { type JsonSchema, type PublishedOperation, propertiesOf } from './published-operations.ts';

/**
 * The input that a query stands for: each field by its own name, a list by its name several times. What is no number or
 * no truth value stays the text that it is, so that the operation itself refuses it.
 */
export function readQueryInput(query: URLSearchParams, { input }: PublishedOperation): Record<string, unknown> {
  const fields = propertiesOf(input);
  const entries = [...new Set(query.keys())].map((name): [string, unknown] => {
    const texts = query.getAll(name);
    const schema = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (schema?.type === 'array')
      return [name, texts.map((text) => readValue(text, (schema.items ?? {}) as JsonSchema))];
    return [name, texts.length === 1 ? readValue(texts[0] ?? '', schema ?? {}) : texts];
  });
  // Also a field named `__proto__` becomes one, and is refused as one.
  return Object.fromEntries(entries);
}

function readValue(text: string, { type, const: only }: JsonSchema): unknown {
  const isNumber = (type === 'integer' || type === 'number') && /^-?\d{1,15}(\.\d{1,15})?$/.test(text);
  if (isNumber) return Number(text);
  const isTruth = (type === 'boolean' || typeof only === 'boolean') && /^(true|false)$/.test(text);
  return isTruth ? text === 'true' : text;
}
