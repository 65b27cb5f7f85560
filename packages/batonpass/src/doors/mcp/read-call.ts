import { z } from 'zod';
import { HandoffError } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import { limits } from '../../core/limits.ts';
import { type Reading, readLeniently } from './lenient-input.ts';
import { actionSynonyms } from './lenient-words.ts';
import type { PublishedTool } from './published-tools.ts';
import { type DeclaredOperation, findAction, type Tool } from './tool-table.ts';

/** A call of a tool after its correction. */
export interface ReadCall {
  name: DeclaredOperation['name'];
  input: Record<string, unknown>;
  idempotency_key: string | undefined;
  /** What was corrected; empty where nothing was. */
  read_as: string[];
  /** What the action takes, for a caller that gave something else. */
  advice: string;
}

/** @throws HandoffError `invalid_input` for an unknown action or key. */
export function readCall({ tool, inputs }: PublishedTool, whole: Record<string, unknown>): ReadCall {
  const unpacked = unpackArguments(whole, inputs);
  const { action: given, ...fields } = unpacked.input;
  const action = readAction(tool, given);
  const { name } = findAction(tool, action.input);
  const schema = inputs.get(name) ?? {};
  const { properties } = schema as { properties?: object };
  const key = tool.mutates ? { idempotency_key: { type: 'string' } } : {};
  const message = readMessage(fields, schema);
  const { input, read_as } = readLeniently(message.input, { ...schema, properties: { ...properties, ...key } });
  const { idempotency_key, ...rest } = input;
  const called = typeof action.input === 'string' ? `${tool.name} with action "${action.input}"` : tool.name;
  return {
    name,
    input: tool.mutates ? rest : input,
    idempotency_key: tool.mutates ? parseInput(idempotencyKeySchema, idempotency_key, 'idempotency_key') : undefined,
    read_as: [...unpacked.read_as, ...action.read_as, ...message.read_as, ...read_as],
    advice: `Fields of ${called}: ${Object.keys({ ...properties, ...key }).join(', ')}.`,
  };
}

/** Adds to the error of an invalid input what the call takes. */
export function withAdvice(error: unknown, advice: string): unknown {
  if (!(error instanceof HandoffError) || error.code !== 'invalid_input') return error;
  const { code, message, details, alternatives, cause } = error;
  return new HandoffError(code, message, { details, alternatives: [...alternatives, advice], cause });
}

/** Some clients put all arguments into one. */
function unpackArguments(given: Record<string, unknown>, inputs: PublishedTool['inputs']): Reading {
  const [[name, value] = [''], ...others] = Object.entries(given);
  const isField = [...inputs.values()].some(({ properties }) => Object.hasOwn(Object(properties), name));
  const isWrapper = others.length === 0 && !isField && ['input', 'arguments', 'args', 'params'].includes(name);
  const inner = isWrapper && typeof value === 'string' ? parseObject(value) : value;
  if (!isWrapper || inner === null || typeof inner !== 'object' || Array.isArray(inner))
    return { input: given, read_as: [] };
  return { input: inner as Record<string, unknown>, read_as: [`${name}: its fields were read as those of the call`] };
}

/** An action in other letters, by another word, or by the tool's own name. */
function readAction(tool: Tool, given: unknown): { input: unknown; read_as: string[] } {
  if (given === undefined || tool.actions.has(given as string)) return { input: given, read_as: [] };
  const plain =
    typeof given === 'string'
      ? given
          .trim()
          .toLowerCase()
          .replaceAll(/[\s_]+/g, '-')
      : '';
  const isOwnName = plain === '' || tool.name.endsWith(`_${plain}`) || tool.name.replaceAll('_', '-') === plain;
  if (tool.actions.has(undefined) && (given === null || (typeof given === 'string' && isOwnName)))
    return { input: undefined, read_as: ['action: read as absent'] };
  const found = [plain, actionSynonyms[plain]].find((each) => each !== undefined && tool.actions.has(each));
  return found === undefined || plain === ''
    ? { input: given, read_as: [] }
    : { input: found, read_as: [`action: read as "${found}"`] };
}

/** A message of the plan-files protocol that was sent as an object, or as the fields of the call. */
function readMessage(given: Record<string, unknown>, schema: object): Reading {
  const { properties } = schema as { properties?: Record<string, unknown> };
  if (properties?.message === undefined || typeof given.message === 'string') return { input: given, read_as: [] };
  const { message, format: _format, ...rest } = given;
  if (message !== null && typeof message === 'object')
    return asMessage(message, rest, 'message: an object was read as JSON');
  if (rest.operation === undefined) return { input: given, read_as: [] };
  return asMessage(rest, {}, 'message: made of the fields of the call');
}

function asMessage(message: object, rest: Record<string, unknown>, sentence: string): Reading {
  return { input: { ...rest, message: JSON.stringify(message), format: 'json' }, read_as: [sentence] };
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON: the operation refuses the field.
    return undefined;
  }
}

/** The key that every changing tool takes besides its operation's own fields. */
const idempotencyKeySchema = z.string().min(1).max(limits.idempotency_key_characters_max).optional();
