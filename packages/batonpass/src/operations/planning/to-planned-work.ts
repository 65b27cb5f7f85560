import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import { planFromContent } from '../../plan-files/plan-from-content.ts';
import type { OperationContext } from '../context.ts';
import { originOf } from '../origin.ts';
import { type PlannedWork, skeletonPlanner } from './planned-work.ts';
import type { NewPlan } from './write-plan-tool.ts';

/** The result of a planner. */
export interface Leavings {
  planner: string;
  summary: string;
  decisions: readonly { content: string }[];
  /** Absent where it wrote no plan. */
  plan_content?: NewPlan | undefined;
  plan_name?: string | undefined;
}

/**
 * A planner's work, ready to be handed on. Where it wrote no plan, a skeleton made by rules replaces it, with what was
 * decided while planning, and the summary states so.
 */
export function toPlannedWork(
  { content }: Handoff,
  { planner, summary, decisions, plan_content, plan_name }: Leavings,
  context: OperationContext,
): PlannedWork {
  const work = { decisions, ...(plan_name !== undefined && { plan_name }) };
  if (plan_content !== undefined)
    return { ...work, plan_content, planner, summary: summary.trim() || plan_content.title };
  const added = decisions.map((decision, place) => ({
    id: `planned-${place}`,
    source: 'ai-extracted' as const,
    ...decision,
  }));
  const all = [...content.decisions, ...added].slice(0, limits.entries_max);
  const skeleton = planFromContent({ ...content, decisions: all }, originOf(context).branch ?? 'main');
  const said = summary.trim() === '' ? '' : `\n\nWhat ${planner} said of it: ${summary.trim()}`;
  return {
    ...work,
    plan_content: skeleton.plan_content,
    planner: skeletonPlanner,
    summary: `${planner} completed the planning without writing a plan, so this is a skeleton made by rules; refine the tasks before you work from them.${said}`,
  };
}
