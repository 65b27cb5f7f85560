import type { Tool } from 'ai';
import { isHandoffError } from '../../core/errors.ts';
import type { PlanContent } from '../../plan-files/documents/plan-content.ts';
import { phaseSets } from '../../plan-files/documents/plan-content.ts';
import { planContentField } from '../plan/plan-writes.ts';

const { title, tasks } = planContentField.shape;

/** A plan from a planner: new, hence with a title. */
export const newPlanSchema = planContentField
  .pick({ phases: true })
  .extend({ title: title.unwrap(), tasks: tasks.unwrap() });

/** The plan of a planner. */
export type NewPlan = PlanContent & { title: string };

/** The answer of `writePlan`: how many tasks were accepted, or what is wrong, so that the model can correct it. */
export type WritePlanResult =
  | { written: true; tasks: number }
  | { error: string; details?: Record<string, unknown>; do?: readonly string[] };

/**
 * The tool with which a model gives its plan. It writes nothing yet: the plan is checked as plan-files would write it, and
 * the last correct one is stored.
 *
 * @param check - throws a HandoffError that reports what is wrong with it.
 * @param keep - receives a correct plan.
 */
export function createWritePlanTool(
  check: (plan: NewPlan) => void,
  keep: (plan: NewPlan) => void,
): Tool<NewPlan, WritePlanResult> {
  return {
    description: `Write the plan: a title, and tasks in their order, each with name, phase, goal, acceptance_criteria and checklist. Phases: ${phaseSets.simple.join(', ')}, unless you give others in their order. Call it again to replace the plan`,
    inputSchema: newPlanSchema,
    execute: async (plan) => {
      try {
        check(plan);
      } catch (error) {
        if (!isHandoffError(error)) throw error;
        const { message, details, alternatives } = error;
        return { error: message, details, do: alternatives };
      }
      keep(plan);
      return { written: true, tasks: plan.tasks?.length ?? 0 };
    },
  };
}
