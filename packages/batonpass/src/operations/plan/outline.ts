import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { readPlanOutline } from '../../plan-files/read-documents.ts';
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

const item = z.strictObject({ text: z.string(), is_done: z.boolean() });

const task = z.strictObject({
  id: z.string(),
  name: z.string(),
  status: shownStatusField,
  /** The text of its status line, where that says more than a status, as "blocked by the audit". */
  written_status: z.string().optional(),
  goal: z.string().optional(),
  checklist: z.array(item),
});

/** A whole plan, in pages of its tasks: what the protocol's own answer leaves out. */
export const planOutline = defineOperation({
  name: 'plan.outline',
  summary: 'Shows a plan whole: every phase with its tasks, their goals, and what of their checklists is done.',
  mutates: false,
  doors: { http: { role: 'agent', folder: true } },
  input: z.strictObject({ plan_directory: planDirectoryField, ...taskPageFields }),
  output: async () =>
    z.strictObject({
      name: z.string(),
      plan_directory: z.string(),
      title: z.string(),
      plan_status: z.strictObject({ current_phase: z.string(), current_task: z.string(), overall_status: statusField }),
      phases: z.array(
        z.strictObject({
          name: z.string(),
          status: shownStatusField,
          tasks_total: z.int(),
          tasks_completed: z.int(),
          /** Those of this page. */
          tasks: z.array(task),
        }),
      ),
      /** Absent on the last page. */
      cursor: z.string().optional(),
    }),
  errors: [...planErrors, 'invalid_structure'],
  run: async ({ plan_directory, ...asked }, context: OperationContext) => {
    const outline = readPlanOutline(placeOf(context), plan_directory);
    const all = outline.phases.flatMap(({ tasks }) => tasks);
    const { page, ...next } = pageOf(all, asked);
    const shown = new Set(page);
    const phases = outline.phases.map((phase) => ({ ...phase, tasks: phase.tasks.filter((each) => shown.has(each)) }));
    return { ...outline, phases, ...next };
  },
});
