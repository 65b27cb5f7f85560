import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { readPlanStatus } from '../../plan-files/read-documents.ts';
import type { OperationContext } from '../context.ts';
import {
  pageOf,
  placeOf,
  planDirectoryField,
  planErrors,
  shownStatusField,
  statusField,
  taskPageFields,
} from './plan-fields.ts';

/** `blocked` comes from a document; no request sets it. */
export const planReadPlan = defineOperation({
  name: 'plan.read-plan',
  summary: 'Returns the state of a plan: its phase and task, all phases, and the tasks of the current one.',
  mutates: false,
  doors: { http: { role: 'agent', folder: true } },
  input: z.strictObject({ plan_directory: planDirectoryField, ...taskPageFields }),
  output: async () =>
    z.strictObject({
      plan_status: z.strictObject({ current_phase: z.string(), current_task: z.string(), overall_status: statusField }),
      phases: z.array(
        z.strictObject({ name: z.string(), status: shownStatusField, tasks: z.int(), completed: z.string() }),
      ),
      tasks_current_phase: z.array(z.strictObject({ id: z.string(), name: z.string(), status: shownStatusField })),
      /** Absent where all tasks of the phase are listed. */
      cursor: z.string().optional(),
    }),
  errors: [...planErrors, 'invalid_structure'],
  run: async ({ plan_directory, ...asked }, context: OperationContext) => {
    const status = readPlanStatus(placeOf(context), plan_directory);
    const { page, ...next } = pageOf(status.tasks_current_phase, asked);
    return { ...status, tasks_current_phase: page, ...next };
  },
});
