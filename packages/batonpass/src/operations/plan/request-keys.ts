import { z } from 'zod';
import { exampleOf } from '../../plan-files/envelope/message-examples.ts';
import { isMessageOperation, type MessageOperation } from '../../plan-files/envelope/message-operations.ts';
import { operationsOfMessages } from './message-operations.ts';

/** The parts of a JSON Schema that are shown. */
interface Schema {
  type?: string;
  enum?: readonly unknown[];
  const?: unknown;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
}

/** The keys that only some requests require. */
const requestNotes: Readonly<Partial<Record<MessageOperation, string>>> = {
  'write-config': 'A new config.md needs plan_type and branch.',
  'write-plan': 'A new plan needs title, and phases or a config.md; a new task needs name, phase and goal.',
  'write-references': 'reference_data needs identifier, or path.',
  'update-progress': 'One of update and phase_transition is needed.',
};

/** A request of one operation, as its sender is shown it. */
export interface DescribedRequest {
  /** Each with those below it, as `update {task_id*, status*: pending|completed}`: a star is required, `[]` is a list. */
  keys: string[];
  /** The keys that only some requests require. */
  note?: string;
  example: string;
}

/** The required and optional keys of a message; undefined for a word that names no operation. */
export async function describeRequest(operation: string): Promise<DescribedRequest | undefined> {
  if (!isMessageOperation(operation)) return undefined;
  const { input } = await operationsOfMessages[operation]();
  const note = requestNotes[operation];
  return {
    keys: describeMembers(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema),
    ...(note === undefined ? {} : { note }),
    example: exampleOf(operation),
  };
}

function describeMembers({ properties = {}, required = [] }: Schema): string[] {
  return Object.entries(properties).map(([name, schema]) => {
    const key = required.includes(name) ? `${name}*` : name;
    const value = describeValue(schema);
    if (schema.items !== undefined) return `${key}${value}`;
    if (value === 'text') return key;
    return schema.properties === undefined ? `${key}: ${value}` : `${key} ${value}`;
  });
}

function describeValue(schema: Schema): string {
  const { type = 'text', enum: choices, const: only, anyOf, items, properties } = schema;
  if (choices !== undefined) return choices.join('|');
  if (only !== undefined) return String(only);
  if (properties !== undefined) return `{${describeMembers(schema).join(', ')}}`;
  if (anyOf !== undefined) return anyOf.map(describeValue).join(' or ');
  if (items === undefined) return type === 'string' ? 'text' : type;
  const entry = describeValue(items);
  return entry === 'text' ? '[]' : `[] ${entry}`;
}
