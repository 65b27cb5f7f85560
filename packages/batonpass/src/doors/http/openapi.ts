import { errorCodes } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { version } from '../../version.ts';
import { problemKinds, refusalKinds } from './problem.ts';
import { type JsonSchema, type PublishedOperation, propertiesOf } from './published-operations.ts';

/** The description of the API in OpenAPI 3.1, from the schemas by which the operations check what they are given. */
export async function describeApi(operations: Iterable<PublishedOperation>): Promise<JsonSchema> {
  const schemas: JsonSchema = { Problem: describeProblem() };
  const paths = await Promise.all(
    [...operations].map(async (each) => [`/api/${each.name}`, await describePath(each, schemas)] as const),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Baton',
      version,
      description:
        'Every operation is POST /api/NAME with one JSON object; what only reads, and takes no token, is also GET, with a query.',
    },
    security: [{ bearer: [] }, { cookie: [] }],
    paths: { ...Object.fromEntries(paths), ...ownPaths() },
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'baton_PORT', description: 'Of the server’s own page' },
      },
    },
  };
}

/** @param schemas - takes what schemas refer to. */
async function describePath(operation: PublishedOperation, schemas: JsonSchema): Promise<JsonSchema> {
  const { name, byQuery, input, role } = operation;
  const shared = {
    summary: operation.summary,
    description: `For the role ${role}, and those above it.`,
    responses: await describeResponses(operation, schemas),
  };
  const post = {
    operationId: name,
    ...shared,
    ...(operation.mutates ? { parameters: describeHeaders(operation) } : {}),
    requestBody: { content: { 'application/json': { schema: embed(input, `${name}.input`, schemas) } } },
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

function describeHeaders({ takesVersion }: PublishedOperation): JsonSchema[] {
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Any unique text; a retry with it gives the first answer once more',
    schema: { type: 'string', minLength: 1, maxLength: limits.idempotency_key_characters_max },
  };
  const condition = {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag that was seen; 412 where the draft was changed meanwhile',
    schema: { type: 'string' },
  };
  return takesVersion ? [key, condition] : [key];
}

async function describeResponses(
  { name, output, errors, streams }: PublishedOperation,
  schemas: JsonSchema,
): Promise<JsonSchema> {
  const statuses = new Map<number, string[]>([[401, ['unauthorized']]]);
  for (const code of [...errorCodes].filter((each) => errors.includes(each) || each === 'invalid_input')) {
    const { status } = problemKinds[code];
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  }
  const problems = [...statuses].map(([status, codes]) => [
    String(status),
    {
      description: codes.join(', '),
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  ]);
  const success = {
    description: 'The answer; with an ETag where it is one handoff',
    content: {
      'application/json': { schema: embed(await output(), `${name}.output`, schemas) },
      ...(streams ? { 'text/event-stream': {} } : {}),
    },
  };
  return { 200: success, ...Object.fromEntries(problems) };
}

/**
 * A schema as a part of the description: the dialect of OpenAPI 3.1 is the same and stands at its top, and a reference is
 * read from there, so that what a schema defines for itself moves there too.
 */
function embed(
  { $schema: _dialect, $defs = {}, ...schema }: JsonSchema,
  place: string,
  schemas: JsonSchema,
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
    required: ['type', 'title', 'status', 'detail', 'code', 'details', 'alternatives', 'instance'],
    properties: {
      type: { type: 'string' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string', description: 'What happened, and to what' },
      code: { type: 'string', enum: codes },
      details: { type: 'object' },
      alternatives: { type: 'array', items: { type: 'string' }, description: 'What to do next' },
      instance: { type: 'string', description: 'The request, as the log of the server names it' },
    },
  };
}

/** What is no operation. */
function ownPaths(): JsonSchema {
  const text = (name: string, schema: JsonSchema = { type: 'string' }) => ({ name, in: 'query', schema });
  const seq = { type: 'integer', minimum: 0 };
  return {
    '/api/events': {
      get: {
        operationId: 'events',
        summary: 'Events as they come, as server-sent events; the id of each is its place in the history.',
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
        summary: 'Whether a model is there that answers a chat: `can_answer`, and its name or what to do.',
        description: 'For the role reviewer, and those above it.',
        responses: {
          200: { description: 'Yes or no', content: { 'application/json': { schema: { type: 'object' } } } },
        },
      },
      post: {
        operationId: 'chat',
        summary: 'Answers a chat by the configured model, as the AI SDK’s UI message stream; what its useChat asks.',
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
    '/ready': { get: describeProbe('ready', 'Whether the store answers too; 503 where it does not.') },
  };
}

function describeProbe(operationId: string, summary: string): JsonSchema {
  return { operationId, summary, security: [], responses: { 200: { description: 'Yes' } } };
}
