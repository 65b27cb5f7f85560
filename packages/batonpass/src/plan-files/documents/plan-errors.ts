import { HandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { PlanDocument, PlanStatus, PlanTask } from './plan-document.ts';
import { findPlanFaults } from './plan-findings.ts';
import { idOf, isBegun, isBlocked, isDone, type PlanPhase } from './plan-phases.ts';

/** How far a phase is. */
export interface PhaseStatus {
  phase: string;
  tasks_total: number;
  tasks_completed: number;
  /** Whole per cent, rounded down: 100 only where all is done. */
  completion_percentage: number;
}

/** A task in an answer. */
export interface TaskStatus {
  id: string;
  name: string;
  status: PlanStatus | 'blocked';
}

/** Counts the tasks of a phase, never the items of their checklists. */
export function countTasks({ name, tasks }: PlanPhase): PhaseStatus {
  const tasks_completed = tasks.filter(isDone).length;
  const completion_percentage = tasks.length === 0 ? 0 : Math.floor((tasks_completed * 100) / tasks.length);
  return { phase: name, tasks_total: tasks.length, tasks_completed, completion_percentage };
}

/** A task as answers show it. */
export function describeTask(task: PlanTask, current?: PlanTask): TaskStatus {
  const status = isBlocked(task) && !isDone(task) ? 'blocked' : statusOfTask(task, current);
  return { id: idOf(task), name: task.name, status };
}

/** How far a task is; the current one is begun. */
function statusOfTask(task: PlanTask, current?: PlanTask): PlanStatus {
  if (isDone(task)) return 'completed';
  return task === current || isBegun(task) ? 'in_progress' : 'pending';
}

/** A plan that cannot be worked with in its present form. */
export function invalidStructure(
  plan: PlanDocument,
  details: string,
  alternatives = ['Refine plan to fix structure', 'Recreate plan from scratch'],
): HandoffError {
  const errors = findPlanFaults(plan).filter(({ severity }) => severity === 'error');
  return new HandoffError('invalid_structure', 'Plan file has invalid structure', {
    details: {
      details,
      ...(errors.length > 0 && {
        validation_errors: errors.slice(0, limits.entries_max).map(({ message }) => message),
      }),
    },
    alternatives,
  });
}

/** A step into another phase than the current one. */
export function phaseViolation(current: PlanPhase, details: string): HandoffError {
  const remaining = current.tasks.filter((task) => !isDone(task));
  return new HandoffError('phase_transition_violation', 'Phase transition not allowed', {
    details: {
      details,
      phase_status: countTasks(current),
      remaining_tasks: remaining.slice(0, limits.entries_max).map((task) => describeTask(task)),
    },
    alternatives: [
      remaining.length === 0
        ? `Name a task of the current phase ${current.name}, or reopen one with the status pending`
        : `Complete the remaining tasks of phase ${current.name} first: ${remaining.slice(0, 10).map(idOf).join(', ')}`,
      'Read the plan with read-plan for its current phase and task',
    ],
  });
}

/** A request that names what the plan does not have, or breaks one of its rules. */
export function refused(details: string, alternatives: readonly string[]): HandoffError {
  return new HandoffError('validation_failed', 'Request does not fit the plan', { details: { details }, alternatives });
}
