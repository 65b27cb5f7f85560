import { HandoffError } from '../core/errors.ts';
import { readPlan } from './documents/plan-document.ts';
import { describePlan, type PlanAnswer } from './plan-answers.ts';
import { findPlanFolder, listPlanNames, type PlanPlace, requirePlanDocument, showPlanFolder } from './plan-place.ts';

/** One plan of a project. */
export interface ListedPlan {
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
export function listPlans(place: PlanPlace, limit: number): { plans: ListedPlan[]; left_out: number } {
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
