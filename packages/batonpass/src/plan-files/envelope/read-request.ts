import { HandoffError } from '../../core/errors.ts';
import { didYouMean } from '../../core/near-names.ts';
import {
  isMessageOperation,
  type MessageOperation,
  messageOperations,
  operationOfHandoffId,
} from './message-operations.ts';

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

/** The places of one field of an operation's input in a message, as paths. */
interface Field {
  /** Where it is whole; the first is the protocol's own. Several may name it if they agree. */
  whole: readonly string[];
  /** Where the members of an object are if it is nowhere whole: at the top of the message, or in another object. */
  loose?: Readonly<Record<string, readonly string[]>>;
}

const directory = { plan_directory: { whole: ['plan_directory', 'artifacts.plan_directory', 'task.plan_directory'] } };

const settings = [
  'plan_type',
  'technology',
  'build_system',
  'compatibility',
  'commit_strategy',
  'finalizing',
  'branch',
  'issue',
];

/**
 * The input of each operation, and where the messages of the field have it: at the top, below `artifacts`, below `task`,
 * or in the operation's own object. A field that is not listed here (`workflow`, `context`) is not for the operation.
 */
const requestFields: Readonly<Record<MessageOperation, Readonly<Record<string, Field>>>> = {
  'create-directory': {
    task_name: { whole: ['task_name', 'task.task_name', 'task.name', 'artifacts.task_name'] },
    collision: { whole: ['collision', 'task.collision'] },
    from_handoff: { whole: ['from_handoff', 'artifacts.handoff'] },
    next_action: { whole: ['next_action'] },
  },
  'write-config': {
    ...directory,
    configuration: {
      whole: ['configuration', 'config', 'task.configuration'],
      loose: Object.fromEntries(settings.map((setting) => [setting, [setting]])),
    },
  },
  'write-plan': {
    ...directory,
    plan_content: { whole: ['plan_content', 'task.plan_content', 'artifacts.plan_content'] },
  },
  'read-plan': directory,
  'read-config': directory,
  'get-references': directory,
  'write-references': {
    ...directory,
    action: { whole: ['action', 'task.action'] },
    reference_type: { whole: ['reference_type', 'task.reference_type'] },
    reference_data: { whole: ['reference_data', 'task.reference_data'] },
  },
  'update-progress': {
    ...directory,
    update: {
      whole: ['update'],
      loose: {
        task_id: ['task_update.task_id', 'task_id', 'task.task_id', 'task.id'],
        phase: ['task_update.phase', 'phase', 'task.phase'],
        status: ['task_update.status', 'status', 'task.status'],
        checklist_items: [
          'task_update.checklist_items_completed',
          'task_update.checklist_items',
          'checklist_items',
          'checklist_items_completed',
          'task.checklist_items',
        ],
      },
    },
    phase_transition: { whole: ['phase_transition'] },
    open_handoff: { whole: ['open_handoff'] },
    files_created: { whole: ['files_created', 'artifacts.files_created'] },
  },
  'validate-plan': directory,
  'validate-config': directory,
  'validate-references': directory,
};
