import { z } from 'zod';
import type { Json } from '../core/canonical-json.ts';
import { HandoffError, type HandoffErrorCode } from '../core/errors.ts';
import type { Handoff } from '../core/handoff.ts';
import { limits } from '../core/limits.ts';
import { maskReply, maskSecrets } from '../core/masking.ts';
import { type Doors, defineOperation } from '../core/operation.ts';
import type { Step } from '../core/transitions.ts';
import { callOf, type OperationContext } from './context.ts';
import { maskSecretsIn } from './masked-values.ts';
import { handoffOutput } from './output-schemas.ts';
import { referenceSchema, resolveHandoff, tokenSchema as token } from './resolve-handoff.ts';

/**
 * The operations that take one step of the life cycle with one handoff. They differ only in their input, so they share
 * one file.
 */

/** Words for the history; a secret in them is masked as in a content. */
const text = z
  .string()
  .trim()
  .min(1)
  .max(limits.entry_characters_max)
  .transform((words) => maskSecrets(words).text);
const lease_ms = z
  .int()
  .min(limits.lease_ms_min)
  .max(limits.lease_ms_max)
  .optional()
  .describe('Milliseconds; default from the configuration');
const reason = text.optional().describe('Why, for the history');

type StepErrors = readonly HandoffErrorCode[];

const stepErrors: StepErrors = [
  'not_found',
  'invalid_input',
  'conflict',
  'already_claimed',
  'lease_lost',
  'unavailable',
];

interface StepDeclaration<Input extends z.ZodType<{ id: string }>> {
  name: `handoff.${string}`;
  summary: string;
  doors: Doors;
  input: Input;
  /** Default: those of every step. */
  errors?: StepErrors;
  toStep: (input: z.output<Input>, context: OperationContext, handoff: Handoff) => Step;
}

function defineStep<Input extends z.ZodType<{ id: string }>>({
  name,
  toStep,
  errors = stepErrors,
  ...rest
}: StepDeclaration<Input>) {
  return defineOperation({
    ...rest,
    name,
    mutates: true,
    output: handoffOutput,
    errors,
    run: async (input, context: OperationContext) => {
      const handoff = await resolveHandoff(input.id, context, { isDamagedToo: name === 'handoff.withdraw' });
      return (await context.openStore()).transition(handoff.id, toStep(input, context, handoff), callOf(context, name));
    },
  });
}

export const handoffRenew = defineStep({
  name: 'handoff.renew',
  summary: 'Renews the lease on a claimed handoff.',
  doors: { mcp: { tool: 'handoff_update', action: 'renew' }, http: { role: 'agent' } },
  input: z.strictObject({ id: referenceSchema, token, lease_ms }),
  toStep: (input, { configuration }) => ({
    type: 'renew',
    token: input.token,
    lease_ms: input.lease_ms ?? configuration.lease_ms,
  }),
});

export const handoffReport = defineStep({
  name: 'handoff.report',
  summary: 'Reports progress on a claimed handoff: a line of its history, and data for programs.',
  doors: { mcp: { tool: 'handoff_update', action: 'report' }, http: { role: 'agent' } },
  input: z.strictObject({
    id: referenceSchema,
    token,
    text: text.describe('The progress'),
    data: z.unknown().optional().describe('JSON of your own'),
  }),
  errors: [...stepErrors, 'too_large'],
  toStep: (input) => ({
    type: 'report',
    token: input.token,
    text: input.text,
    ...(input.data === undefined ? {} : { data: maskSecretsIn(input.data) as Json }),
  }),
});

export const handoffAcknowledge = defineStep({
  name: 'handoff.acknowledge',
  summary: 'Confirms that a handoff was received and taken over; this ends its delivery.',
  doors: { mcp: { tool: 'handoff_update', action: 'acknowledge' }, http: { role: 'agent' } },
  input: z.strictObject({ id: referenceSchema, token: token.optional() }),
  toStep: (input) => ({ type: 'acknowledge', token: input.token }),
});

export const handoffRelease = defineStep({
  name: 'handoff.release',
  summary: 'Returns a claimed handoff to its place in the queue; the attempt does not count.',
  doors: { mcp: { tool: 'handoff_update', action: 'release' }, http: { role: 'agent' } },
  input: z.strictObject({ id: referenceSchema, token: token.optional(), reason }),
  toStep: (input) => ({ type: 'release', token: input.token, reason: input.reason }),
});

export const handoffFail = defineStep({
  name: 'handoff.fail',
  summary: 'Reports that the work on a claimed handoff failed; it is offered again after a wait, or is dead.',
  doors: { mcp: { tool: 'handoff_update', action: 'fail' }, http: { role: 'agent' } },
  input: z.strictObject({ id: referenceSchema, token, reason: text.describe('What went wrong') }),
  toStep: (input) => ({ type: 'fail', token: input.token, reason: input.reason }),
});

export const handoffAsk = defineStep({
  name: 'handoff.ask',
  summary: 'Stops a claimed handoff at a question to a person; its lease does not run meanwhile.',
  doors: { mcp: { tool: 'handoff_update', action: 'ask' }, http: { role: 'agent' } },
  input: z.strictObject({ id: referenceSchema, token, question: text }),
  toStep: (input) => ({ type: 'ask', token: input.token, question: input.question }),
});

export const handoffAnswer = defineStep({
  name: 'handoff.answer',
  summary: 'Answers a waiting handoff; its holder continues with a new lease.',
  doors: { http: { role: 'reviewer' } },
  input: z.strictObject({ id: referenceSchema, answer: text, lease_ms }),
  toStep: (input, { configuration }, { delivery }) => ({
    type: 'answer',
    answer: maskReply(delivery.waiting_on?.question ?? '', input.answer).text,
    lease_ms: input.lease_ms ?? configuration.lease_ms,
  }),
});

export const handoffWithdraw = defineStep({
  name: 'handoff.withdraw',
  summary: 'Withdraws a draft, open or waiting handoff.',
  doors: { mcp: { tool: 'handoff_update', action: 'withdraw' }, http: { role: 'agent' } },
  input: z.strictObject({ id: referenceSchema, reason }),
  toStep: (input) => ({ type: 'withdraw', reason: input.reason }),
});

export const handoffReopen = defineStep({
  name: 'handoff.reopen',
  summary: 'Opens a dead, expired or withdrawn handoff again, with its attempts counted from zero.',
  doors: { http: { role: 'reviewer' } },
  input: z.strictObject({ id: referenceSchema, reason }),
  toStep: (input) => ({ type: 'reopen', reason: input.reason }),
});

/** Not a step like the others: the door must see a person agree, after it showed whose lease it is. */
export const handoffBreak = defineOperation({
  name: 'handoff.break',
  summary: 'Ends another holder’s lease on a handoff, which opens again or is withdrawn; a person confirms it.',
  mutates: true,
  doors: { http: { role: 'reviewer' } },
  input: z.strictObject({
    id: referenceSchema,
    to: z.enum(['open', 'withdrawn']).default('open').describe('Its state afterwards'),
    if_fence: z.int().min(0).optional().describe('The fence of the lease that was seen'),
    reason,
    dry_run: z.boolean().default(false).describe('Shows the handoff and changes nothing'),
  }),
  output: handoffOutput,
  errors: stepErrors,
  run: async ({ id: reference, to, if_fence, reason, dry_run }, context: OperationContext) => {
    const handoff = await resolveHandoff(reference, context);
    if (dry_run) return handoff;
    if (context.is_confirmed !== true) throw unconfirmed(handoff.id);
    const step: Step = { type: 'break', to, if_fence, reason };
    return (await context.openStore()).transition(handoff.id, step, callOf(context, 'handoff.break'));
  },
});

function unconfirmed(id: string): HandoffError {
  return new HandoffError('conflict', `The lease on handoff ${id} is not broken: no person has confirmed it.`, {
    details: { id },
    alternatives: [
      `A person confirms it at a terminal: baton release ${id} --force`,
      'A person confirms it in the studio, on the page of the handoff.',
      'The holder can release it with its token; without a renewal the lease expires.',
    ],
  });
}
