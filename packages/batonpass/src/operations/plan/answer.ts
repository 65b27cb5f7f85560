import { z } from 'zod';
import { HandoffError, isHandoffError } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import { defineOperation } from '../../core/operation.ts';
import { answerPlanMessage, type PlanAnswer } from '../../plan-files/envelope/answer-plan-message.ts';
import { type MessageOperation, messageOperations } from '../../plan-files/envelope/message-operations.ts';
import { answerOnce, type Runnable } from '../answer-once.ts';
import type { OperationContext } from '../context.ts';
import { operationsOfMessages } from './message-operations.ts';
import { type DescribedRequest, describeRequest } from './request-keys.ts';

const input = z.strictObject({
  message: z.string(),
  format: z.enum(['toon', 'json']).optional().describe('How message and answer are written; default: toon'),
  operation: z.enum(messageOperations).optional().describe('The operation, if the message does not name it'),
});

const output = async () =>
  z.strictObject({
    status: z.enum(['success', 'failed']),
    message: z.record(z.string(), z.unknown()),
    /** The message, as text. */
    text: z.string(),
    repairs: z.array(z.string()),
  });

/** A message that cannot be read or carried out is answered too: with an error message, and nothing is written. */
export const planAnswer = defineOperation({
  name: 'plan.answer',
  summary: 'Answers a message of the plan-files protocol, written in TOON or JSON, with a message.',
  mutates: true,
  doors: { mcp: { tool: 'plan_write' }, http: { role: 'agent', folder: true } },
  input,
  output,
  errors: ['invalid_input'],
  run: async (request, context: OperationContext) => answer(request, context, true),
});

/** As {@link planAnswer}, for messages that change nothing. */
export const planConsult = defineOperation({
  name: 'plan.consult',
  summary: 'Answers a message of the plan-files protocol that changes nothing; any other is refused.',
  mutates: false,
  doors: { mcp: { tool: 'plan_read' }, http: { role: 'agent', folder: true } },
  input,
  output,
  errors: ['invalid_input'],
  run: async (request, context: OperationContext) => answer(request, context, false),
});

function answer(
  { message, format, operation }: z.output<typeof input>,
  context: OperationContext,
  mayWrite: boolean,
): Promise<PlanAnswer> {
  const run = async (name: MessageOperation, given: Record<string, unknown>) => {
    const found = await operationsOfMessages[name]();
    if (found.mutates && !mayWrite) throw writesHere(name);
    const checked = await check(name, found.input, given);
    // Each operation's own input and output types meet here; the table keeps them together.
    return answerOnce(found as Runnable<unknown, Record<string, unknown>>, checked, context);
  };
  return answerPlanMessage(message, { format, operation, run });
}

/** A sender of keys that an operation does not take sees the keys that it takes, and a message with them. */
async function check(operation: MessageOperation, schema: z.ZodType, given: Record<string, unknown>): Promise<unknown> {
  try {
    return parseInput(schema, given, `request ${operation}`);
  } catch (error) {
    if (!isHandoffError(error)) throw error;
    const { code, message, details, alternatives } = error;
    const request = await describeRequest(operation);
    const shown = [...alternatives, ...(request === undefined ? [] : tellRequest(operation, request))];
    throw new HandoffError(code, message, { details, alternatives: shown, cause: error });
  }
}

function tellRequest(operation: MessageOperation, { keys, note, example }: DescribedRequest): string[] {
  const listed = `Keys of ${operation} (* required, [] a list): ${keys.join(', ')}`;
  return [
    note === undefined ? listed : `${listed}. ${note}`,
    `Every field of ${operation}, as an example:\n${example}`,
  ];
}

function writesHere(operation: MessageOperation): HandoffError {
  return new HandoffError(
    'invalid_input',
    `${operation} changes a plan, and only messages that change nothing are answered here.`,
    {
      alternatives: ['Send it as a change: baton plan answer'],
    },
  );
}
