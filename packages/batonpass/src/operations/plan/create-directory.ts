import { z } from 'zod';
import { HandoffError } from '../../core/errors.ts';
import type { Handoff } from '../../core/handoff.ts';
import { defineOperation } from '../../core/operation.ts';
import { collisionChoices, createPlanDirectory } from '../../plan-files/create-directory.ts';
import { planFromContent } from '../../plan-files/plan-from-content.ts';
import { writeConfig, writePlan, writeReferences } from '../../plan-files/write-documents.ts';
import type { OperationContext } from '../context.ts';
import { originOf } from '../origin.ts';
import { referenceSchema, resolveHandoff } from '../resolve-handoff.ts';
import { nameField, placeOf, planErrors } from './plan-fields.ts';

export const planCreateDirectory = defineOperation({
  name: 'plan.create-directory',
  summary: 'Creates the directory of a plan; if it exists, asks first.',
  mutates: true,
  keepsAnswer: ({ outcome }) => outcome !== undefined,
  doors: { http: { role: 'agent', folder: true } },
  input: z.strictObject({
    task_name: nameField.describe('kebab-case, at most 50 characters'),
    collision: z.enum(collisionChoices).optional().describe('What to do if it exists; default: ask'),
    from_handoff: referenceSchema.optional().describe('A claimed handoff that the plan is made from'),
    next_action: nameField.optional().describe('For the reader of the message; changes nothing'),
  }),
  output: async () =>
    z.strictObject({
      outcome: z.enum(['created', 'resumed']).optional(),
      artifacts: z.strictObject({
        plan_directory: z.string(),
        original_name: z.string().optional(),
        former_directory: z.string().optional(),
      }),
      existing_plan: z.literal(true).optional(),
      plan_status: z.strictObject({ current_phase: z.string(), current_task: z.string() }).optional(),
      name_modified: z.literal(true).optional(),
      question: z.string().optional(),
      options: z.array(z.enum(collisionChoices)).optional(),
    }),
  errors: [...planErrors, 'validation_failed', 'lease_lost', 'not_found', 'conflict'],
  run: async ({ task_name, collision, from_handoff }, context: OperationContext) => {
    const handoff = from_handoff === undefined ? undefined : await takenOver(from_handoff, context);
    const answer = await createPlanDirectory(placeOf(context), { task_name, collision, signal: context.signal });
    // The same request with use-existing completes a folder that a crash left without a plan.
    const isEmpty = answer.outcome === 'created' || (answer.outcome === 'resumed' && answer.plan_status === undefined);
    if (handoff !== undefined && isEmpty) await writeDraft(answer.artifacts.plan_directory, handoff, context);
    return answer;
  },
});

/** @throws HandoffError `conflict` for a handoff that nobody has claimed: two agents would plan the same work. */
async function takenOver(reference: string, context: OperationContext): Promise<Handoff> {
  const handoff = await resolveHandoff(reference, context);
  const { state } = handoff.delivery;
  if (state === 'claimed' || state === 'acknowledged') return handoff;
  throw new HandoffError('conflict', `Handoff ${handoff.id} is ${state}: a plan is made from one that was claimed.`, {
    details: { id: handoff.id, state },
    alternatives: [`Claim it first: baton claim ${handoff.id}`],
  });
}

/** The plan comes last: where it exists, the others exist. */
async function writeDraft(plan_directory: string, { content }: Handoff, context: OperationContext): Promise<void> {
  const place = placeOf(context);
  const request = { plan_directory, signal: context.signal };
  const draft = planFromContent(content, originOf(context).branch ?? 'main');
  await writeConfig(place, { ...request, configuration: draft.configuration });
  for (const change of draft.references) await writeReferences(place, { ...request, change });
  await writePlan(place, { ...request, plan_content: draft.plan_content });
}
