import { unwrapValue } from './documents/markdown-line.ts';
import type { PlanStatus } from './documents/plan-document.ts';
import { countTasks, describeTask, type PhaseStatus, type TaskStatus } from './documents/plan-errors.ts';
import {
  findPhase,
  idOf,
  isBegun,
  isDone,
  isPhaseDone,
  type PlanPhase,
  shownStatusOf,
  statusOfPhase,
} from './documents/plan-phases.ts';
import { currentTaskOf, readUsablePlan, type UsablePlan } from './documents/plan-progress.ts';
import type { TaskUpdate } from './documents/progress-request.ts';
import { findTask } from './documents/task-changes.ts';

/** The position of a plan. */
export interface PlanStanding {
  current_phase: string;
  /** `task-6`, `none`, or `phase-complete` at the end of the last phase. */
  current_task: string;
  overall_status: PlanStatus;
}

/** A phase in an answer. */
export interface PhaseLine {
  name: string;
  status: PlanStatus | 'blocked';
  /** How many tasks it has. */
  tasks: number;
  /** How many of them are done, as `2/5`. */
  completed: string;
}

/** What `read-plan` answers. */
export interface PlanAnswer {
  plan_status: PlanStanding;
  phases: PhaseLine[];
  tasks_current_phase: TaskStatus[];
}

/** What `update-progress` answers. */
export interface ProgressReport {
  outcome: 'updated' | 'completed';
  plan_status: { current_phase: string; current_task: string; phase_complete: boolean };
  phase_status: PhaseStatus;
  phase_ready_for_transition?: boolean;
  next_phase?: string;
  next_action?: string;
  next_focus?: string;
}

/** @throws HandoffError `invalid_structure`. */
export function standingOf(text: string): PlanStanding {
  return describeStanding(readUsablePlan(text));
}

/** @throws HandoffError `invalid_structure`. */
export function describePlan(text: string): PlanAnswer {
  const usable = readUsablePlan(text);
  const current_task = currentTaskOf(usable);
  return {
    plan_status: describeStanding(usable),
    phases: usable.phases.map(describePhase),
    tasks_current_phase: usable.current.tasks.map((task) => describeTask(task, current_task)),
  };
}

/**
 * The result of an update, derived from the plan as it is now: a repeated update gets the same. A task that was reported
 * as completed, and has items that were not named, is returned as the next thing to do.
 */
export function describeProgress(text: string, phase_name: string, update?: TaskUpdate): ProgressReport {
  const usable = readUsablePlan(text);
  const { phases } = usable;
  const phase = findPhase(phases, phase_name) ?? usable.current;
  const phase_complete = isPhaseDone(phase);
  const { current_phase, current_task } = describeStanding(usable);
  const told = {
    plan_status: { current_phase, current_task, phase_complete },
    phase_status: countTasks(phase),
  };
  if (!phase_complete) return { outcome: 'updated', ...told, ...whatIsLeft(usable, update) };
  const next = phases[phases.indexOf(phase) + 1];
  return {
    outcome: 'completed',
    ...told,
    phase_ready_for_transition: next !== undefined,
    next_phase: next?.name ?? 'none',
    next_action: `Phase ${phase.name} completed`,
    next_focus: next === undefined ? 'Plan completed' : `Transition to ${next.name} phase`,
  };
}

function whatIsLeft(usable: UsablePlan, update: TaskUpdate | undefined): Pick<ProgressReport, 'next_action'> {
  if (update?.status !== 'completed') return {};
  const { task } = findTask(usable.plan, usable, update);
  const open = task.checklist.filter((item) => !item.is_done).length;
  return open === 0 ? {} : { next_action: `Complete ${open} more checklist items of ${idOf(task)}` };
}

function describeStanding(usable: UsablePlan): PlanStanding {
  const { plan, phases, current } = usable;
  const task = currentTaskOf(usable);
  const written = unwrapValue(plan.current_task?.value ?? '');
  const current_task = task === undefined ? written || 'none' : idOf(task);
  return { current_phase: current.name, current_task, overall_status: overallStatus(phases) };
}

function overallStatus(phases: readonly PlanPhase[]): PlanStatus {
  const statuses = phases.map(statusOfPhase);
  const isOver = statuses.every((status) => status === 'completed') && phases.every(({ tasks }) => tasks.every(isDone));
  if (isOver) return 'completed';
  const isUntouched =
    statuses.every((status) => status === 'pending') && !phases.some(({ tasks }) => tasks.some(isBegun));
  return isUntouched ? 'pending' : 'in_progress';
}

/** Counted from the tasks; for a plan that only has the table, from the table. */
function describePhase(phase: PlanPhase): PhaseLine {
  const { name, row, tasks } = phase;
  const status = shownStatusOf(phase);
  const { tasks_total, tasks_completed } = countTasks(phase);
  if (tasks.length > 0) return { name, status, tasks: tasks_total, completed: `${tasks_completed}/${tasks_total}` };
  const written = /^(\d{1,9})\/(\d{1,9})$/.exec(row.completed_cell?.text ?? '');
  const count = /^\d{1,9}$/.test(row.tasks_cell?.text ?? '') ? Number(row.tasks_cell?.text) : 0;
  return { name, status, tasks: count, completed: written?.[0] ?? `0/${count}` };
}
