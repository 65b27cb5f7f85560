import type { PlanContent } from '../../plan-files/documents/plan-content.ts';

/** A planner's result for a handoff: the planner is a model, an agent, or the skeleton that needs neither. */
export interface PlannedWork {
  plan_content: PlanContent & { title: string };
  /** Decided while planning; those of the handoff itself are added to them. */
  decisions: readonly { content: string }[];
  /** The approach of the plan, in some sentences. */
  summary: string;
  /** `skeleton`, a model as `anthropic/NAME`, or an agent's name. */
  planner: string;
  /** The name of the plan's folder. Default: from its title. */
  plan_name?: string;
}

/** The planner's name for a plan made by rules, which nobody has thought through. */
export const skeletonPlanner = 'skeleton';

/** Whether the rules alone made it. */
export function isSkeleton({ planner }: Pick<PlannedWork, 'planner'>): boolean {
  return planner === skeletonPlanner;
}
