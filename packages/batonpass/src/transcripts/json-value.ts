/** A JSON object whose fields are not checked yet. */
export type JsonObject = Record<string, unknown>;

/** The value as an object, or nothing where it is anything else. */
export function asObject(value: unknown): JsonObject | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** The value as a text that holds something, or nothing. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The objects of a list; anything else in it, or instead of it, is left out. */
export function asObjects(value: unknown): JsonObject[] {
  const objects: JsonObject[] = [];
  for (const entry of Array.isArray(value) ? value : []) {
    const object = asObject(entry);
    if (object !== undefined) objects.push(object);
  }
  return objects;
}

/** The text of a line as JSON, or nothing where it is not JSON. */
export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The caller counts what cannot be read; the parser's reason is of no use.
    return undefined;
  }
}
