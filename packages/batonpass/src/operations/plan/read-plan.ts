import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { readPlanStatus } from '../../plan-files/read-documents.ts';
import type { OperationContext } from '../context.ts';
import { placeOf, planDirectoryField, planErrors, statusField } from './plan-fields.ts';

export const planReadPlan = defineOperation({
  name: 'plan.read-plan',
  summary: 'Answers where a plan stands: its phase and task, all phases, and the tasks of the current one.',
  mutates: false,
  doors: { http: false },
  input: z.strictObject({ plan_directory: planDirectoryField }),
  output: async () =>
    z.strictObject({
      plan_status: z.strictObject({ current_phase: z.string(), current_task: z.string(), overall_status: statusField }),
      phases: z.array(z.strictObject({ name: z.string(), status: statusField, tasks: z.int(), completed: z.string() })),
      tasks_current_phase: z.array(z.strictObject({ id: z.string(), name: z.string(), status: statusField })),
    }),
  errors: [...planErrors, 'invalid_structure'],
  run: async ({ plan_directory }, context: OperationContext) => readPlanStatus(placeOf(context), plan_directory),
});
