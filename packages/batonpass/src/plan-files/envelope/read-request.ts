import { HandoffError } from '../../core/errors.ts';
import { didYouMean } from '../../core/near-names.ts';
import {
  isMessageOperation,
  type MessageOperation,
  messageOperations,
  operationOfHandoffId,
} from './message-operations.ts';
import { type Field, requestFields } from './request-fields.ts';

/** The name of the protocol's other side: answers come from it. */
export const ANSWERER = 'plan-files-skill';

/** A request, in the words of the operation that it asks for. */
export interface PlanRequest {
  operation: MessageOperation;
  input: Record<string, unknown>;
}

/** What an answer repeats of a message; present as far as even a wrong message has it. */
export interface Correspondence {
  /** The caller's name. Default: `caller`. */
  from: string;
  handoff_id?: string;
}

type Members = Record<string, unknown>;

/** Reads the caller, from any value. */
export function readCorrespondence(message: unknown): Correspondence {
  const members = isObject(message) ? message : {};
  const from = textOf(members, 'from') ?? 'caller';
  return { from, handoff_id: textOf(members, 'handoff_id') };
}

/**
 * Reads a request of either envelope: with `operation` and `plan_directory` at the top, or without an operation, which
 * then the `handoff_id` begins with, and with `artifacts.plan_directory`.
 *
 * @param expected - the operation that the caller requests in addition to the message.
 * @throws HandoffError `invalid_format` where the message is no request, or names no operation or another one;
 * `invalid_input` where it gives one field two values.
 */
export function readRequest(message: unknown, expected?: MessageOperation): PlanRequest {
  if (!isObject(message)) throw invalidFormat('A message has members, as "operation: read-plan".');
  if (textOf(message, 'from') === ANSWERER || 'error' in message) {
    throw invalidFormat('This message is an answer of the protocol, and no request.');
  }
  const operation = readOperation(message, expected);
  return { operation, input: readInput(message, operation) };
}

function readOperation(message: Members, expected: MessageOperation | undefined): MessageOperation {
  const named = textOf(message, 'operation');
  if (named !== undefined && !isMessageOperation(named)) throw unknownOperation(named);
  const said = named ?? operationOfHandoffId(textOf(message, 'handoff_id') ?? '');
  if (expected !== undefined && named !== undefined && named !== expected) {
    throw invalidFormat(`The message asks for ${named}, and ${expected} was called.`);
  }
  const operation = expected ?? said;
  if (operation === undefined) throw unknownOperation(textOf(message, 'handoff_id'));
  return operation;
}

/** Every field from the places that the table names. */
function readInput(message: Members, operation: MessageOperation): Members {
  const fields = Object.entries(requestFields[operation]).map(([name, field]) => [name, readField(message, field)]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function readField(message: Members, { whole, loose }: Field): unknown {
  const found = whole.filter((place) => valueAt(message, place) !== undefined);
  const [first, ...others] = found;
  if (first === undefined) return loose === undefined ? undefined : gather(message, loose);
  const other = others.find((place) => !isSame(valueAt(message, place), valueAt(message, first)));
  if (other !== undefined) throw contradiction(first, other);
  return valueAt(message, first);
}

/** An object from members in several places; the first place that has a member gives it. */
function gather(message: Members, loose: NonNullable<Field['loose']>): Members | undefined {
  const members = Object.entries(loose).flatMap(([name, places]) => {
    const place = places.find((each) => valueAt(message, each) !== undefined);
    return place === undefined ? [] : [[name, valueAt(message, place)] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function valueAt(message: Members, place: string): unknown {
  return place
    .split('.')
    .reduce<unknown>(
      (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      message,
    );
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member as a text; names and ids that look like numbers are texts too. */
function textOf(members: Members, name: string): string | undefined {
  const value = Object.hasOwn(members, name) ? members[name] : undefined;
  if (typeof value === 'string' && value !== '') return value;
  return typeof value === 'number' ? String(value) : undefined;
}

function invalidFormat(message: string): HandoffError {
  return new HandoffError('invalid_format', message, {
    alternatives: ['Send from, to, handoff_id, operation, plan_directory, and what the operation needs.'],
  });
}

function unknownOperation(named: string | undefined): HandoffError {
  const what =
    named === undefined ? 'no operation and no handoff_id' : `"${named}", which is no operation of the protocol`;
  return new HandoffError('invalid_format', `The message names ${what}.`, {
    details: { operations: messageOperations },
    alternatives: [...didYouMean(named ?? '', messageOperations), `Name one of: ${messageOperations.join(', ')}`],
  });
}

function contradiction(one: string, other: string): HandoffError {
  return new HandoffError('invalid_input', `The message says ${one} and ${other}, and they differ.`, {
    details: { one, other },
    alternatives: [`Say ${one} only.`],
  });
}
