import type { JsonSchema } from './published-operations.ts';

/** Below this a reference is not shorter than what it refers to. */
const SHARED_CHARACTERS_MIN = 60;

/** A part that is in several places: how often, and its name. */
interface Found {
  count: number;
  name: string | undefined;
}

/**
 * Moves each part that is in several places of some schemas to one place, and leaves references.
 *
 * @param schemas - the schemas of the operations, by name.
 * @param shared - takes the parts, by the name of the property that holds them, or by the name of the first schema.
 * @returns the schemas, by the same names.
 */
export function shareSchemas(
  schemas: Readonly<Record<string, JsonSchema>>,
  shared: Record<string, JsonSchema>,
): Record<string, JsonSchema> {
  const found = new Map<string, Found>();
  for (const schema of Object.values(schemas)) count(schema, undefined, found);
  const names = new Map<string, string>();
  const replace = (part: JsonSchema, root?: string): JsonSchema => {
    const text = JSON.stringify(part);
    const { count: times = 0, name } = found.get(text) ?? {};
    const move = (each: JsonSchema) => mapParts(each, (inner) => replace(inner));
    if (times < 2 || text.length < SHARED_CHARACTERS_MIN) return move(part);
    const known = names.get(text) ?? freeName(name ?? root ?? 'part', shared);
    if (!names.has(text)) {
      names.set(text, known);
      // Its place is reserved before its parts are named.
      shared[known] = {};
      shared[known] = move(part);
    }
    return { $ref: `#/components/schemas/${known}` };
  };
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, replace(schema, name)]));
}

/** A part that was counted before is not read again: its contents are in one place then. */
function count(part: JsonSchema, property: string | undefined, found: Map<string, Found>): void {
  const text = JSON.stringify(part);
  const known = found.get(text);
  if (known !== undefined) {
    known.count += 1;
    known.name ??= property;
    return;
  }
  found.set(text, { count: 1, name: property });
  mapParts(part, (inner, name) => {
    count(inner, name ?? property, found);
    return inner;
  });
}

/** A schema with each schema inside of it replaced. */
function mapParts(part: JsonSchema, map: (inner: JsonSchema, property?: string) => JsonSchema): JsonSchema {
  const isSchema = (value: unknown): value is JsonSchema =>
    value !== null && typeof value === 'object' && !Array.isArray(value);
  const entries = Object.entries(part).map(([keyword, value]): [string, unknown] => {
    if (keyword === 'properties' && isSchema(value)) {
      const properties = Object.entries(value as Record<string, JsonSchema>);
      return [keyword, Object.fromEntries(properties.map(([name, inner]) => [name, map(inner, name)]))];
    }
    if (keyword === 'items' && isSchema(value)) return [keyword, map(value, undefined)];
    if (keyword === 'additionalProperties' && isSchema(value)) return [keyword, map(value)];
    if (['anyOf', 'oneOf', 'allOf', 'prefixItems'].includes(keyword) && Array.isArray(value)) {
      return [keyword, value.map((inner: JsonSchema) => map(inner))];
    }
    return [keyword, value];
  });
  return Object.fromEntries(entries);
}

function freeName(wanted: string, taken: Readonly<Record<string, unknown>>): string {
  const name = wanted.replace(/[^\w.-]/g, '_');
  let number = 1;
  while (Object.hasOwn(taken, number === 1 ? name : `${name}${number}`)) number += 1;
  return number === 1 ? name : `${name}${number}`;
}
