import { z } from 'zod';
import type { Role } from '../../core/access-token.ts';
import type { Operation } from '../../core/operation.ts';
import { catalogue, type OperationName } from '../../operations/catalogue.ts';

/** A JSON schema, as far as this door reads it. */
export type JsonSchema = Record<string, unknown>;

/** An operation with what this door publishes of it. */
export interface PublishedOperation {
  name: OperationName;
  summary: string;
  mutates: boolean;
  /** Whether its answer can be streamed. */
  streams: boolean;
  /** The least role of a token that may ask for it. */
  role: Role;
  errors: readonly string[];
  input: JsonSchema;
  /**
   * Whether it can be called by GET: it only reads, and none of its fields is a lease's token: addresses are stored in
   * logs and histories, and a token must be in neither.
   */
  byQuery: boolean;
  /** Whether it reads a conversation, whose text can be sent as a file is. */
  takesTranscript: boolean;
  /** Whether it takes the version that was seen (If-Match). */
  takesVersion: boolean;
  /** Loaded when the description of the API is asked for. */
  output: () => Promise<JsonSchema>;
}

/** The operations that declare this door, by name, in the order of the catalogue. */
export async function loadPublishedOperations(): Promise<ReadonlyMap<string, PublishedOperation>> {
  const names = Object.keys(catalogue) as OperationName[];
  const published = await Promise.all(names.map(publish));
  return new Map(published.filter((each) => each !== null).map((each) => [each.name, each]));
}

async function publish(name: OperationName): Promise<PublishedOperation | null> {
  const operation: Operation<never, z.ZodType, z.ZodType> = await catalogue[name]();
  const { summary, mutates, streams = false, errors, doors, input, output } = operation;
  if (doors.http === false) return null;
  const schema = toSchema(input, 'input');
  const fields = propertiesOf(schema);
  return {
    name,
    summary,
    mutates,
    streams,
    role: doors.http.role,
    errors,
    input: schema,
    byQuery: !mutates && !Object.hasOwn(fields, 'token'),
    takesTranscript: doors.http.folder === true && Object.hasOwn(fields, 'text') && Object.hasOwn(fields, 'path'),
    takesVersion: Object.hasOwn(fields, 'if_version'),
    output: async () => toSchema(await output(), 'output'),
  };
}

/**
 * A schema without the pattern of a format, which the format implies and which for an instant has 360 characters, and
 * without the bounds of a whole number that every number in JSON has.
 */
function toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  }) as JsonSchema;
}

/** The fields of an object's schema. */
export function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  return (schema.properties ?? {}) as Record<string, JsonSchema>;
}
