import { z } from 'zod';
import { HandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { defineOperation } from '../../core/operation.ts';
import { readPlan } from '../../plan-files/documents/plan-document.ts';
import { describePlan, type PlanAnswer } from '../../plan-files/plan-answers.ts';
import {
  findPlanFolder,
  listPlanNames,
  type PlanPlace,
  requirePlanDocument,
  showPlanFolder,
} from '../../plan-files/plan-place.ts';
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

/** One plan of a project. */
interface ListedPlan {
  name: string;
  plan_directory: string;
  /** The first heading of its document; absent where it has none. */
  title?: string;
  /** Its position; absent where it cannot be read. */
  plan_status?: PlanAnswer['plan_status'];
  tasks_total?: number;
  tasks_completed?: number;
  /** Why it cannot be read. */
  fault?: string;
}

/**
 * The plans of a project by name, at most `limit` of them. A plan that cannot be read is listed with its fault; where no
 * plan was ever made there are none.
 *
 * @throws HandoffError `path_outside_root`, `unavailable`.
 */
function listPlans(place: PlanPlace, limit: number): { plans: ListedPlan[]; left_out: number } {
  const names = listPlanNames(place);
  return {
    plans: names.slice(0, limit).map((name) => describe(place, name)),
    left_out: Math.max(0, names.length - limit),
  };
}

function describe(place: PlanPlace, name: string): ListedPlan {
  const plan = { name, plan_directory: showPlanFolder(place, name) };
  try {
    const text = requirePlanDocument(findPlanFolder(place, name), 'plan.md');
    const { title } = readPlan(text);
    const { plan_status, phases } = describePlan(text);
    const completed = phases.map((phase) => Number(phase.completed.split('/')[0]));
    return {
      ...plan,
      ...(title === undefined ? {} : { title }),
      plan_status,
      tasks_total: sum(phases.map(({ tasks }) => tasks)),
      tasks_completed: sum(completed),
    };
  } catch (error) {
    if (!(error instanceof HandoffError)) throw error;
    const { details } = error.details;
    return { ...plan, fault: typeof details === 'string' ? details : error.message };
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
