import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { defineOperation } from '../../core/operation.ts';
import type { OperationContext } from '../context.ts';
import { handoffOutput } from '../output-schemas.ts';
import { nameField, planErrors } from '../plan/plan-fields.ts';
import { referenceSchema } from '../resolve-handoff.ts';
import { attemptSchema } from './attempts.ts';

/** The planning agent of source 5: a model plans a handoff, and the plan becomes the next handoff. */
export const planningRun = defineOperation({
  name: 'planning.run',
  summary: 'Lets a language model plan a handoff: the plan is written, and handed over as the next handoff.',
  mutates: true,
  streams: true,
  doors: { http: { role: 'admin', folder: true } },
  input: z.strictObject({
    id: referenceSchema.optional().describe('Default: the oldest open one that is addressed to the planning agent'),
    again: z.boolean().optional().describe('Plan again what was planned already, as a new handoff'),
    model: z
      .string()
      .trim()
      .min(1)
      .max(limits.name_characters_max)
      .optional()
      .describe('In place of the configured one'),
    plan_name: nameField.max(limits.task_name_characters_max).optional().describe('Default: from its title'),
    from: z
      .strictObject({
        attempt: z.int().min(1).optional().describe('Default: the newest'),
        after_step: z.int().min(0).optional().describe('The last step that is kept; default: the last one it has'),
      })
      .optional()
      .describe('Go on from the steps of an earlier attempt, in place of the first step'),
    steps_max: z.int().min(1).max(limits.plan_steps_max).default(limits.plan_steps_max),
  }),
  output: async () =>
    z.strictObject({
      /** `completed`, or why there is no plan: then the handoff is offered again. */
      outcome: z.enum(['completed', 'step-limit', 'error']),
      /** Also for a completed plan: that its model ended without reporting it. */
      reason: z.string().optional(),
      plan_directory: z.string().optional(),
      /** Where the plan of an earlier attempt is now. */
      former_directory: z.string().optional(),
      /** As it is now. */
      handoff: await handoffOutput(),
      /** The handoff that continues the plan. */
      next: (await handoffOutput()).optional(),
      run: attemptSchema,
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
  // Loaded late: doors that only list operations need nothing of models.
  run: async (given, context: OperationContext) => (await import('./run-planning.ts')).runPlanning(given, context),
});
