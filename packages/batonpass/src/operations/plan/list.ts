import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { defineOperation } from '../../core/operation.ts';
import { listPlans } from '../../plan-files/list-plans.ts';
import type { OperationContext } from '../context.ts';
import { placeOf, statusField } from './plan-fields.ts';

export const planList = defineOperation({
  name: 'plan.list',
  summary: 'Lists the plans of the project by name, with title and progress.',
  mutates: false,
  doors: { http: { role: 'agent', folder: true } },
  input: z.strictObject({ limit: z.int().min(1).max(limits.list_max).default(100) }),
  output: async () =>
    z.strictObject({
      plans: z.array(
        z.strictObject({
          name: z.string(),
          plan_directory: z.string(),
          title: z.string().optional(),
          plan_status: z
            .strictObject({ current_phase: z.string(), current_task: z.string(), overall_status: statusField })
            .optional(),
          tasks_total: z.int().optional(),
          tasks_completed: z.int().optional(),
          fault: z.string().optional(),
        }),
      ),
      left_out: z.int(),
    }),
  errors: ['invalid_input', 'path_outside_root', 'unavailable'],
  run: async ({ limit }, context: OperationContext) => listPlans(placeOf(context), limit),
});
