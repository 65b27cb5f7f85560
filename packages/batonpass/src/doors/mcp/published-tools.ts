import type { StandardSchemaWithJSON, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { catalogue } from '../../operations/catalogue.ts';
import { shownResults } from './shown-results.ts';
import { listedFields, toolListings, unlistedFields } from './tool-listings.ts';
import { actionNames, type DeclaredOperation, groupIntoTools, type Tool } from './tool-table.ts';

/** A tool with what its listing shows. */
export interface PublishedTool {
  tool: Tool;
  inputs: PublishedSchemas['inputs'];
  config: {
    title: string;
    description: string;
    inputSchema: ReturnType<typeof asPublished>;
    outputSchema: ReturnType<typeof asPublished>;
    annotations: ToolAnnotations;
    _meta?: Record<string, unknown>;
  };
}

/** The tools that the operations of the catalogue declare, ready to be registered with any number of servers. */
export async function loadPublishedTools(): Promise<PublishedTool[]> {
  const operations = await Promise.all(Object.values(catalogue).map((load) => load()));
  return Promise.all(groupIntoTools(operations as unknown as readonly DeclaredOperation[]).map(publish));
}

async function publish(tool: Tool): Promise<PublishedTool> {
  const { input, output, inputs } = await publishSchemas(tool);
  const listing = toolListings[tool.name];
  const summaries = [...tool.actions.values()].map(({ summary }) => summary).join(' ');
  return {
    tool,
    inputs,
    config: {
      title: listing?.title ?? tool.name.replaceAll('_', ' '),
      description: listing?.description ?? summaries,
      inputSchema: asPublished(input),
      outputSchema: asPublished(output),
      annotations: annotate(tool),
      // Claude Code loads tools only after a search, unless they ask to be loaded at the start.
      ...(listing?.essential === true ? { _meta: { 'anthropic/alwaysLoad': true } } : {}),
    },
  };
}

/**
 * The protocol's four hints. Nothing that Baton does is destructive: every step adds a line to a history that is never
 * rewritten, and a withdrawn handoff can be reopened. A repeated step may answer differently, except with its idempotency key.
 */
function annotate({ mutates }: Tool): ToolAnnotations {
  return { readOnlyHint: !mutates, destructiveHint: false, idempotentHint: !mutates, openWorldHint: false };
}

type JsonSchema = Record<string, unknown>;

/** The two schemas of a tool's listing. */
interface PublishedSchemas {
  input: JsonSchema;
  output: JsonSchema;
  /** The whole schemas of each operation: the fields of a call are read by them. */
  inputs: ReadonlyMap<DeclaredOperation['name'], JsonSchema>;
}

/**
 * The schemas that `tools/list` shows: correct, but short, because every session of a host pays for them. The operations'
 * own schemas check what they leave out.
 */
async function publishSchemas(tool: Tool): Promise<PublishedSchemas> {
  const names = [...tool.actions.values()].map(({ name }) => name);
  const schemas = await Promise.all(names.map(async (name) => [name, await inputSchemaOf(name)] as const));
  const inputs = new Map(schemas);
  return { input: publishInput(tool, inputs), output: await publishOutput(tool), inputs };
}

/**
 * A schema for the protocol's library that is shown as it is and accepts every object: only the operation
 * checks, so that a wrong value gets Baton's error and not the library's.
 */
function asPublished(schema: JsonSchema): StandardSchemaWithJSON<Record<string, unknown>> {
  return {
    '~standard': {
      version: 1,
      vendor: 'batonpass',
      validate: (value) => ({ value: value as Record<string, unknown> }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

type Inputs = ReadonlyMap<DeclaredOperation['name'], ObjectSchema>;

function publishInput(tool: Tool, schemas: Inputs): JsonSchema {
  const inputs = [...schemas.values()];
  const fields = Object.assign({}, ...inputs.map(({ properties }) => properties)) as Record<string, JsonSchema>;
  const listed = Object.entries(fields)
    .filter(([name]) => !unlistedFields.includes(name))
    .map(([name, schema]) => [name, listedAs(name, schema)] as const);
  const always = Object.keys(fields).filter((name) => inputs.every(({ required }) => required?.includes(name)));
  return {
    type: 'object',
    properties: {
      ...publishAction(tool, schemas),
      ...Object.fromEntries(listed),
      ...(tool.mutates ? { idempotency_key: { type: 'string' } } : {}),
    },
    ...withRequired([...(tool.actions.has(undefined) || tool.actions.size === 0 ? [] : ['action']), ...always]),
  };
}

/** One name can mean two things in two tools: a listed field is used only where the types agree. */
function listedAs(name: string, schema: JsonSchema): JsonSchema {
  const listed = listedFields[name] as JsonSchema | undefined;
  const isOther = listed?.type !== undefined && schema.type !== undefined && listed.type !== schema.type;
  return listed === undefined || isOther ? shorten(schema) : listed;
}

function withRequired(required: readonly string[]): JsonSchema {
  return required.length === 0 ? {} : { required };
}

function publishAction(tool: Tool, schemas: Inputs): JsonSchema {
  const names = actionNames(tool);
  if (names.length === 0) return {};
  const lines = names.map((name) => `${name}${fieldsOfAction(tool, name, schemas)}: ${describeAction(tool, name)}`);
  const bare = tool.actions.has(undefined) ? ['Usually none'] : [];
  return { action: { type: 'string', enum: names, description: [...bare, ...lines].join('; ') } };
}

/** The fields of an action, without those that almost every action of its tool takes. */
function fieldsOfAction({ actions }: Tool, action: string, schemas: Inputs): string {
  const all = [...schemas.values()].map(({ properties }) => Object.keys(properties));
  const isCommon = (name: string) =>
    all.length > 2 && all.filter((names) => names.includes(name)).length >= all.length - 1;
  const operation = actions.get(action);
  const own = Object.keys((operation && schemas.get(operation.name)?.properties) ?? {});
  const named = own.filter((name) => !unlistedFields.includes(name) && !isCommon(name));
  return named.length === 0 ? '' : `(${named.join(', ')})`;
}

function describeAction({ name, actions }: Tool, action: string): string {
  return toolListings[name]?.actions?.[action] ?? (actions.get(action)?.summary ?? '').replace(/\.$/, '');
}

interface ObjectSchema extends JsonSchema {
  properties: Record<string, JsonSchema>;
  required?: string[];
}

async function inputSchemaOf(name: DeclaredOperation['name']): Promise<ObjectSchema> {
  const { input } = await catalogue[name]();
  return z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as unknown as ObjectSchema;
}

/** A field without bounds and patterns: its type, its choices, its description. */
function shorten({ type, enum: choices, items, description }: JsonSchema): JsonSchema {
  const inner = items === undefined ? {} : { items: shorten(items as JsonSchema) };
  return Object.fromEntries(
    Object.entries({ type, enum: choices, ...inner, description }).filter(([, value]) => value !== undefined),
  );
}

/**
 * The objects and lists in the answers of a tool; single values explain themselves. None is required, because each action
 * has its own, and a failure has only `error`. Fields that have two types in two actions are left out.
 */
async function publishOutput(tool: Tool): Promise<JsonSchema> {
  const outputs = await Promise.all([...tool.actions.values()].map(({ name }) => outputFieldsOf(name)));
  const fields = outputs.flatMap((output) => Object.entries(output));
  const isOneType = ([name, type]: [string, unknown]) =>
    fields.every(([other, otherType]) => other !== name || String(otherType) === String(type));
  const structures = fields.filter(([, type]) => /object|array/.test(String(type))).filter(isOneType);
  const properties = Object.fromEntries(structures.map(([name, type]) => [name, { type }]));
  return { type: 'object', properties: { ...properties, error: { type: 'object' } } };
}

async function outputFieldsOf(name: DeclaredOperation['name']): Promise<Record<string, unknown>> {
  const shown = shownResults[name];
  if (shown !== undefined) return shown.fields;
  const { output } = await catalogue[name]();
  const schema = z.toJSONSchema(await output(), { io: 'output', unrepresentable: 'any' }) as unknown as ObjectSchema;
  return Object.fromEntries(Object.entries(schema.properties).map(([field, value]) => [field, typeOf(value)]));
}

/** A JSON type, or the several types of a value that may be null. */
function typeOf({ type, anyOf }: JsonSchema): unknown {
  return type ?? (anyOf as JsonSchema[] | undefined)?.map((choice) => choice.type);
}
