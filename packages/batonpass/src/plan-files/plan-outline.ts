import { unwrapValue } from './documents/markdown-line.ts';
import type { PlanItem, PlanStatus, PlanTask } from './documents/plan-document.ts';
import { countTasks, describeTask } from './documents/plan-errors.ts';
import { type PlanPhase, readStatus, shownStatusOf } from './documents/plan-phases.ts';
import { currentTaskOf, readUsablePlan } from './documents/plan-progress.ts';
import { describePlan, type PlanStanding } from './plan-answers.ts';

/** A task with all that it asks for. */
export interface OutlinedTask {
  id: string;
  name: string;
  status: PlanStatus | 'blocked';
  /** The text of its status line, where that is more than a status, such as "blocked by the audit". */
  written_status?: string;
  goal?: string;
  checklist: Pick<PlanItem, 'text' | 'is_done'>[];
}

/** A phase with all its tasks. */
export interface OutlinedPhase {
  name: string;
  status: PlanStatus | 'blocked';
  tasks_total: number;
  tasks_completed: number;
  tasks: OutlinedTask[];
}

/** A whole plan. */
export interface PlanOutline {
  title: string;
  plan_status: PlanStanding;
  phases: OutlinedPhase[];
}

/** @throws HandoffError `invalid_structure`. */
export function outlinePlan(text: string): PlanOutline {
  const usable = readUsablePlan(text);
  const current_task = currentTaskOf(usable);
  return {
    title: usable.plan.title ?? '',
    plan_status: describePlan(text).plan_status,
    phases: usable.phases.map((phase) => outlinePhase(phase, current_task)),
  };
}

function outlinePhase(phase: PlanPhase, current_task: PlanTask | undefined): OutlinedPhase {
  const { tasks_total, tasks_completed } = countTasks(phase);
  const tasks = phase.tasks.map((task) => outlineTask(task, current_task));
  return { name: phase.name, status: shownStatusOf(phase), tasks_total, tasks_completed, tasks };
}

function outlineTask(task: PlanTask, current_task: PlanTask | undefined): OutlinedTask {
  const written = unwrapValue(task.status?.value ?? '');
  const isStatus = ['', 'blocked'].includes(written.toLowerCase()) || readStatus(written) !== undefined;
  return {
    ...describeTask(task, current_task),
    ...(!isStatus && { written_status: written }),
    ...(task.goal !== undefined && { goal: task.goal.value }),
    checklist: task.checklist.map(({ text, is_done }) => ({ text, is_done })),
  };
}
