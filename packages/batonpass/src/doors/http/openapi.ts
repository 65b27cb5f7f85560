import { errorCodes } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { version } from '../../version.ts';
import { exampleInputs, exampleOutputs, exampleProblem } from './examples.ts';
import { problemKinds, type RefusalCode, refusalKinds } from './problem.ts';
import { type JsonSchema, type PublishedOperation, propertiesOf } from './published-operations.ts';

/** The description of the API in OpenAPI 3.1, from the schemas by which the operations check what they are given. */
export async function describeApi(operations: Iterable<PublishedOperation>): Promise<JsonSchema> {
  const published = [...operations];
  const schemas: Record<string, JsonSchema> = { Problem: describeProblem() };
  const whole: Record<string, JsonSchema> = {};
  for (const { name, input, output } of published) {
    whole[`${name}.input`] = embed(input, `${name}.input`, schemas);
    whole[`${name}.output`] = embed(await output(), `${name}.output`, schemas);
  }
  const parts = shareSchemas(whole, schemas);
  const paths = published.map((each) => [`/api/${each.name}`, describePath(each, parts)] as const);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Baton',
      version,
      description:
        'Every operation is POST /api/NAME with one JSON object; one that only reads and takes no token is also GET, with a query. The answer of one handoff has an ETag.',
    },
    security: [{ bearer: [] }, { cookie: [] }],
    paths: { ...Object.fromEntries(paths), ...ownPaths() },
    components: {
      schemas,
      responses: {
        ...describeProblems(),
        ...Object.fromEntries(published.map((each) => [each.name, describeSuccess(each, parts)])),
      },
      parameters: { key: keyHeader, version: versionHeader },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'baton_PORT', description: 'Of the server’s own page' },
      },
    },
  };
}

/** @param parts - the schemas of inputs and outputs, by the operation's name. */
function describePath(operation: PublishedOperation, parts: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const { name, byQuery, input, role } = operation;
  const shared = {
    summary: operation.summary,
    description: `For the role ${role}, and those above it.`,
    responses: describeResponses(operation),
  };
  const body = { schema: parts[`${name}.input`], example: exampleInputs[name] };
  const post = {
    operationId: name,
    ...shared,
    ...(operation.mutates ? { parameters: describeHeaders(operation) } : {}),
    requestBody: { content: { 'application/json': body } },
  };
  if (!byQuery) return { post };
  return { get: { operationId: `${name}.get`, ...shared, parameters: describeQuery(input) }, post };
}

function describeQuery(input: JsonSchema): JsonSchema[] {
  const required = (input.required ?? []) as string[];
  return Object.entries(propertiesOf(input)).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

const keyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Any unique text; a retry with it returns the first answer',
  schema: { type: 'string', minLength: 1, maxLength: limits.idempotency_key_characters_max },
};

const versionHeader = {
  name: 'If-Match',
  in: 'header',
  description: 'The ETag that was seen; 412 if the draft was changed meanwhile',
  schema: { type: 'string' },
};

function describeHeaders({ takesVersion }: PublishedOperation): JsonSchema[] {
  const key = { $ref: '#/components/parameters/key' };
  return takesVersion ? [key, { $ref: '#/components/parameters/version' }] : [key];
}

/** What this door refuses by itself, before any operation. */
const refusals = Object.keys(refusalKinds) as RefusalCode[];

/** The codes that an operation can answer, by status. */
function statusesOf(errors: readonly string[]): Map<number, string[]> {
  const codes = [...errorCodes].filter((code) => errors.includes(code));
  const kinds = [
    ...codes.map((code) => [problemKinds[code].status, code] as const),
    ...refusals.map((code) => [refusalKinds[code].status, code] as const),
  ];
  const statuses = new Map<number, string[]>();
  for (const [status, code] of kinds) statuses.set(status, [...(statuses.get(status) ?? []), code]);
  return statuses;
}

/** Each status that is no success, once for all operations. */
function describeProblems(): Record<string, JsonSchema> {
  const problems = [...statusesOf(errorCodes)].map(([status, codes]) => [
    String(status),
    {
      description: codes.join(', '),
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  ]);
  return Object.fromEntries(problems);
}

/** The refusals that every operation has; the description of the status documents them. */
const common: readonly RefusalCode[] = [
  'unauthorized',
  'insufficient_role',
  'method_not_allowed',
  'unsupported_media_type',
  'too_many_requests',
];

function describeResponses({ name, errors, takesVersion }: PublishedOperation): JsonSchema {
  const own = [...errorCodes].filter(
    (code) => errors.includes(code) || code === 'invalid_input' || code === 'too_large',
  );
  const statuses = new Set([
    ...common.map((code) => refusalKinds[code].status),
    ...own.map((code) => problemKinds[code].status),
  ]);
  const problems = [...statuses].map((status) => {
    return [String(status), { $ref: `#/components/responses/${status}` }];
  });
  const changed = takesVersion
    ? { 412: { $ref: '#/components/responses/409', description: 'conflict: the draft has another version' } }
    : {};
  return { 200: { $ref: `#/components/responses/${name}` }, ...Object.fromEntries(problems), ...changed };
}

/** The answers of an operation; GET and POST give the same. */
function describeSuccess(
  { name, streams }: PublishedOperation,
  parts: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const example = exampleOutputs[name];
  return {
    description: 'The answer',
    content: {
      'application/json': { schema: parts[`${name}.output`], ...(example === undefined ? {} : { example }) },
      ...(streams ? { 'text/event-stream': {} } : {}),
    },
  };
}

/**
 * A schema as a part of the description: the dialect of OpenAPI 3.1 is the same and is declared at its top, and references
 * are resolved from there, so the definitions of a schema are moved there too.
 */
function embed(
  { $schema: _dialect, $defs = {}, ...schema }: JsonSchema,
  place: string,
  schemas: Record<string, JsonSchema>,
): JsonSchema {
  const refer = (part: unknown) =>
    JSON.parse(JSON.stringify(part).replaceAll('"#/$defs/', `"#/components/schemas/${place}.`)) as JsonSchema;
  for (const [name, definition] of Object.entries($defs as JsonSchema)) schemas[`${place}.${name}`] = refer(definition);
  return refer(schema);
}

function describeProblem(): JsonSchema {
  const codes = [...errorCodes, ...Object.keys(refusalKinds)];
  return {
    type: 'object',
    examples: [exampleProblem],
    required: ['type', 'title', 'status', 'detail', 'code', 'details', 'alternatives', 'instance'],
    properties: {
      type: { type: 'string' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string', description: 'What happened, and to what' },
      code: { type: 'string', enum: codes },
      details: { type: 'object' },
      alternatives: { type: 'array', items: { type: 'string' }, description: 'What to do next' },
      instance: { type: 'string', description: 'The id of the request in the server’s log' },
    },
  };
}

/** The routes that are no operations. */
function ownPaths(): JsonSchema {
  const text = (name: string, schema: JsonSchema = { type: 'string' }) => ({ name, in: 'query', schema });
  const seq = { type: 'integer', minimum: 0 };
  return {
    '/api/events': {
      get: {
        operationId: 'events',
        summary: 'Events as they happen, as server-sent events; the id of each is its sequence number in the history.',
        parameters: [
          text('project'),
          text('task_id'),
          text('state', { type: 'array', items: { type: 'string' } }),
          text('after_seq', seq),
          { name: 'Last-Event-ID', in: 'header', schema: seq },
        ],
        responses: { 200: { description: 'Without an end', content: { 'text/event-stream': {} } } },
      },
    },
    '/api/chat': {
      get: {
        operationId: 'chatFacts',
        summary: 'Whether a model is configured to answer a chat: `can_answer`, and its name or what to do.',
        description: 'For the role reviewer, and those above it.',
        responses: {
          200: { description: 'Yes or no', content: { 'application/json': { schema: { type: 'object' } } } },
        },
      },
      post: {
        operationId: 'chat',
        summary: 'Answers a chat with the configured model, as the AI SDK’s UI message stream, for its useChat.',
        description: 'For the role reviewer, and those above it.',
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', required: ['messages'], properties: { messages: { type: 'array' } } },
            },
          },
        },
        responses: { 200: { description: 'Parts of the answer', content: { 'text/event-stream': {} } } },
      },
    },
    '/health': { get: describeProbe('health', 'Whether the server answers.') },
    '/ready': { get: describeProbe('ready', 'Whether the store answers too; 503 if it does not.') },
  };
}

function describeProbe(operationId: string, summary: string): JsonSchema {
  return { operationId, summary, security: [], responses: { 200: { description: 'Yes' } } };
}

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
function shareSchemas(
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
