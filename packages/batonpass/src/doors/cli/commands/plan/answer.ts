import type { OperationInput } from '../../../../operations/catalogue.ts';
import { type Command, defineCommand } from '../../command.ts';
import { presentRemarks } from '../../present/remarks.ts';

type MessageOperation = NonNullable<OperationInput<'plan.answer'>['operation']>;

/** The command for messages: it runs the operation that the message names. */
export const planAnswer = defineCommand({
  name: 'plan answer',
  summary: 'Answer a message of the protocol from standard input (also: baton plan < FILE)',
  examples: [
    { line: 'baton plan < request.toon', what: 'the message names the operation' },
    { line: 'baton plan --json < request.json', what: 'the same as JSON, in and out' },
  ],
  ...answeringParts(undefined),
});

/** The same, only for messages that change nothing. */
export const planConsult = defineCommand({
  name: 'plan consult',
  summary: 'Like answer, for messages that change nothing',
  examples: [{ line: 'baton plan consult < request.toon', what: '' }],
  ...answeringParts(undefined),
  operation: 'plan.consult',
});

/** The command that answers a message for an operation that the command line names. */
export function answeringMessage(operation: MessageOperation): Command {
  return { ...planAnswer, ...answeringParts(operation) } as unknown as Command;
}

function answeringParts(operation: MessageOperation | undefined) {
  return {
    operation: 'plan.answer',
    toInput: async ({ readStandardInput }) => {
      const message = await readStandardInput();
      return { message, format: message.trimStart().startsWith('{') ? 'json' : 'toon', operation };
    },
    toJson: ({ message }) => message,
    present: ({ text }) => text,
    remark: ({ repairs }, view) =>
      presentRemarks(
        repairs.map((repair) => `! ${repair}`),
        view,
      ),
    isNo: ({ status }) => status === 'failed',
  } as const satisfies Partial<Command<'plan.answer'>>;
}
