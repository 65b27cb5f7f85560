import { z } from 'zod';
import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import { defineOperation } from '../../core/operation.ts';
import { planFromContent } from '../../plan-files/plan-from-content.ts';
import { showPlanFolder } from '../../plan-files/plan-place.ts';
import type { OperationContext } from '../context.ts';
import { originOf } from '../origin.ts';
import { handoffOutput } from '../output-schemas.ts';
import { nameField, placeOf, planErrors } from '../plan/plan-fields.ts';
import { referenceSchema } from '../resolve-handoff.ts';
import { findFinished } from './find-finished.ts';
import { finishPlanning } from './finish-planning.ts';
import { type PlannedWork, skeletonPlanner } from './planned-work.ts';
import { findPlannable, takeForPlanning } from './take-for-planning.ts';
import { planTextsOf } from './write-plan-of.ts';

/** A plan without a model: what the rules can make of decisions, files and risks; every view labels it as such. */
export const planningDraft = defineOperation({
  name: 'planning.draft',
  summary: 'Makes the skeleton of a plan from a handoff by rules, without a model, and hands it over.',
  mutates: true,
  doors: { http: { role: 'agent', folder: true } },
  input: z.strictObject({
    id: referenceSchema.optional().describe('Default: the oldest that waits for the planning agent'),
    token: z.string().trim().min(1).max(200).optional().describe('Where you hold it: the token that the claim gave'),
    plan_name: nameField.max(limits.task_name_characters_max).optional().describe('Default: from its title'),
    dry_run: z.boolean().optional().describe('Answer the documents and change nothing'),
  }),
  output: async () =>
    z.strictObject({
      outcome: z.enum(['created', 'already-planned', 'shown']),
      plan_directory: z.string(),
      former_directory: z.string().optional(),
      /** The whole documents, of a dry run. */
      documents: z
        .strictObject({ 'config.md': z.string(), 'references.md': z.string(), 'plan.md': z.string() })
        .optional(),
      handoff: await handoffOutput(),
      next: (await handoffOutput()).optional(),
    }),
  errors: [
    ...planErrors,
    'not_found',
    'conflict',
    'already_claimed',
    'lease_lost',
    'validation_failed',
    'phase_transition_violation',
  ],
  run: async ({ id, token, plan_name, dry_run }, context: OperationContext) => {
    const source = await findPlannable(id, context);
    const finished = await findFinished(source, context);
    if (finished !== undefined) return { outcome: 'already-planned' as const, ...finished };
    const work = skeletonOf(source, plan_name, context);
    if (dry_run === true) return show(source, work, context);
    const { handoff, release } = await takeForPlanning(source, token, context);
    try {
      return { outcome: 'created' as const, ...(await finishPlanning(handoff, work, context)) };
    } catch (error) {
      await release(error);
      throw error;
    }
  },
});

function skeletonOf({ id, content }: Handoff, plan_name: string | undefined, context: OperationContext): PlannedWork {
  const { plan_content } = planFromContent(content, originOf(context).branch ?? 'main');
  const tasks = plan_content.tasks?.length ?? 0;
  const summary = `A skeleton of a plan, made by rules from handoff ${id}, without a model: ${tasks} tasks from its decisions, next steps and risks. Nobody has thought it through yet; refine the tasks before you work by them.\n\nWhat it plans: ${content.summary}`;
  return { plan_content, decisions: [], summary, planner: skeletonPlanner, ...(plan_name && { plan_name }) };
}

function show(handoff: Handoff, work: PlannedWork, context: OperationContext) {
  const { name, texts } = planTextsOf(handoff, work, context);
  const plan_directory = showPlanFolder(placeOf(context), name);
  return { outcome: 'shown' as const, plan_directory, documents: texts, handoff };
}
