import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { defineOperation } from '../../core/operation.ts';
import { callOf, type OperationContext } from '../context.ts';
import { handoffOutput } from '../output-schemas.ts';
import { nameField, planErrors } from '../plan/plan-fields.ts';
import { referenceSchema, resolveHandoff } from '../resolve-handoff.ts';
import { readAttempts } from './attempts.ts';
import { findFinished } from './find-finished.ts';
import { type FinishedPlanning, finishPlanning } from './finish-planning.ts';
import { heldBy, tokenField } from './held-by.ts';
import { toPlannedWork } from './to-planned-work.ts';
import { newPlanSchema } from './write-plan-tool.ts';

/** `completePlanning` for any agent that holds a handoff: its plan is written and becomes the next handoff. */
export const planningComplete = defineOperation({
  name: 'planning.complete',
  summary: 'Completes the planning of a handoff that you hold: writes the plan, and hands it over.',
  mutates: true,
  doors: { mcp: { tool: 'handoff_update', action: 'complete' }, http: { role: 'agent', folder: true } },
  input: z.strictObject({
    id: referenceSchema,
    token: tokenField,
    summary: z.string().trim().min(1).max(limits.summary_characters_max).describe('Summary of the generated plan'),
    plan_content: newPlanSchema.optional().describe('Without it, a skeleton made by rules is used'),
    plan_name: nameField.max(limits.task_name_characters_max).optional(),
  }),
  output: async () =>
    z.strictObject({
      complete: z.literal(true),
      summary: z.string(),
      plan_directory: z.string(),
      former_directory: z.string().optional(),
      handoff: await handoffOutput(),
      next: await handoffOutput(),
    }),
  errors: [...planErrors, 'not_found', 'conflict', 'lease_lost', 'validation_failed', 'phase_transition_violation'],
  run: async ({ id, token, ...given }, context: OperationContext) => {
    const earlier = await recallFinished(id, context);
    if (earlier !== undefined) return { complete: true as const, summary: given.summary, ...earlier };
    const held = await heldBy({ id, token }, context);
    const attempt = (await readAttempts(await context.openStore(), held)).at(-1);
    const decisions = (attempt?.decisions ?? []).map((content) => ({ content }));
    const planner = held.delivery.lease?.holder ?? context.actor.name;
    const work = toPlannedWork(held, { planner, decisions, ...given }, context);
    const finished = await finishPlanning(held, work, context);
    return { complete: true as const, summary: given.summary, ...finished };
  },
});

/** The planning that the same key completed already: its token proves nothing any more. */
async function recallFinished(id: string, context: OperationContext): Promise<FinishedPlanning | undefined> {
  const earlier = await (await context.openStore()).recall(callOf(context, 'planning.finish'));
  return earlier === undefined ? undefined : findFinished(await resolveHandoff(id, context), context);
}
