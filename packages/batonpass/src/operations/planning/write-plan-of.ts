import type { Handoff } from '../../core/handoff.ts';
import { phaseSets } from '../../plan-files/documents/plan-content.ts';
import { readPlan } from '../../plan-files/documents/plan-document.ts';
import { idOf } from '../../plan-files/documents/plan-phases.ts';
import { type PlanPlacement, placePlan } from '../../plan-files/place-plan.ts';
import { type PlanDraft, planFromContent } from '../../plan-files/plan-from-content.ts';
import { type PlanTexts, renderPlanTexts } from '../../plan-files/plan-texts.ts';
import { nameFromTitle } from '../../plan-files/task-name.ts';
import type { OperationContext } from '../context.ts';
import { maskSecretsIn } from '../masked-values.ts';
import { originOf } from '../origin.ts';
import { placeOf } from '../plan/plan-fields.ts';
import { isSkeleton, type PlannedWork } from './planned-work.ts';

/** The context of writing a plan. */
export interface PlanWriting {
  context: OperationContext;
  /** Called while nobody else can write; where it throws, nothing is written. */
  assertLease: () => Promise<void>;
}

/** A plan on the disk. */
export interface WrittenPlan extends PlanPlacement {
  /** Its tasks in the plan's order, each as `task-6: Test`. */
  tasks: readonly string[];
}

/** Writes the plan that was made of a handoff to the disk, once for each handoff. @throws as `placePlan`. */
export async function writePlanOf(
  handoff: Handoff,
  work: PlannedWork,
  { context, assertLease }: PlanWriting,
): Promise<WrittenPlan> {
  const { name, texts } = planTextsOf(handoff, work, context);
  const placement = await placePlan(placeOf(context), {
    handoff_id: handoff.id,
    name,
    texts,
    assertRight: assertLease,
    signal: context.signal,
  });
  // A planner may leave out ids, and give tasks in any order: the plan has the numbers that count.
  const { tasks } = readPlan(texts['plan.md']);
  return { ...placement, tasks: tasks.map((task) => `${idOf(task)}: ${task.name}`) };
}

/** The name and the documents of the plan that was made of a handoff; nothing is written. */
export function planTextsOf(
  { id, content }: Handoff,
  work: PlannedWork,
  context: OperationContext,
): { name: string; texts: PlanTexts } {
  const { plan_content, plan_name } = maskSecretsIn(work);
  const draft = planFromContent(content, originOf(context).branch ?? 'main');
  const phases = plan_content.phases?.length ? plan_content.phases : phaseSets.simple;
  const configuration = { ...draft.configuration, ...typeOf(phases, draft) };
  const texts = renderPlanTexts(
    { ...draft, configuration, plan_content, phases },
    { handoff_id: id, note: noteOf(id, work) },
  );
  return { name: plan_name ?? nameFromTitle(plan_content.title, `handoff-${id.slice(-8).toLowerCase()}`), texts };
}

/** The type whose phases these are; an implementation plan needs a branch of its own. */
function typeOf(phases: readonly string[], { configuration }: PlanDraft): PlanDraft['configuration'] {
  const types = Object.keys(phaseSets) as (keyof typeof phaseSets)[];
  const plan_type = types.find((type) => phaseSets[type].join('\n') === phases.join('\n'));
  const isShared = configuration.finalizing === 'commit-only';
  return plan_type === undefined || (plan_type === 'implementation' && isShared) ? {} : { plan_type };
}

function noteOf(id: string, work: PlannedWork): string {
  if (!isSkeleton(work)) return `Planned by ${work.planner} from handoff ${id}.`;
  return `This is a skeleton, made by rules from handoff ${id}: no model and no person has thought it through yet. Refine the tasks before you work from them.`;
}
