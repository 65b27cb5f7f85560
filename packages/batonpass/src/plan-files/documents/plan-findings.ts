import type { PlanDocument, PlanTask } from './plan-document.ts';
import { findPhase, listPhases, type PlanPhase, readStatus } from './plan-phases.ts';

/** One finding of a check of a document. */
export interface Finding {
  /** The code of source 4, as `MISSING_TITLE`. */
  code: string;
  severity: 'error' | 'warning';
  message: string;
}

/** What is wrong with a plan, the gravest of structure first. A sound plan has no findings. */
export function findPlanFaults(plan: PlanDocument): Finding[] {
  const { title, current_phase, current_task, table, tasks } = plan;
  const phases = listPhases(plan);
  const isUnknown = current_phase !== undefined && table !== undefined && !findPhase(phases, current_phase.value);
  return [
    ...when(!title, error('MISSING_TITLE', 'Title not found')),
    ...when(!current_phase?.value, error('MISSING_CURRENT_PHASE', 'Current Phase not found')),
    ...when(isUnknown, error('MISSING_CURRENT_PHASE', `Current Phase ${current_phase?.value} is not in the table`)),
    ...when(!current_task?.value, warning('MISSING_CURRENT_TASK', 'Current Task not found')),
    ...when(table === undefined, error('MISSING_PHASE_TABLE', 'Phase Progress Table not found')),
    ...when(table?.fault !== undefined, error('INVALID_PHASE_TABLE', `Phase Progress Table ${table?.fault}`)),
    ...phases
      .filter(({ row }) => readStatus(row.status) === undefined)
      .map(({ name, row }) => warning('INVALID_STATUS', `Phase ${name} has the status "${row.status}"`)),
    ...when(tasks.length === 0, warning('NO_TASKS', 'No tasks found')),
    ...when(!isInOrder(tasks), warning('TASK_ORDER', 'Tasks are not numbered in order')),
    ...tasks.flatMap(findTaskFaults),
    ...findUncounted(plan, phases),
  ];
}

/** Open boxes that no phase counts: the plan can be completed, and they are open still. One finding for each block of them. */
function findUncounted({ open_boxes, tasks: all }: PlanDocument, phases: readonly PlanPhase[]): Finding[] {
  // Without phases nothing is counted, and another finding reports it.
  const tasks = phases.length === 0 ? all : phases.flatMap((phase) => phase.tasks);
  const counted = new Set(tasks.flatMap((task) => task.checklist.map(({ line }) => line)));
  const uncounted = open_boxes.filter(({ line }) => !counted.has(line));
  const blocks = Map.groupBy(uncounted, ({ block_line }) => block_line);
  return [...blocks.values()].map((boxes) => {
    const [{ line, below } = { line: 0, below: '' }] = boxes;
    const place = below === '' ? '' : ` below "${below}"`;
    const what = boxes.length === 1 ? 'an open box' : `${boxes.length} open boxes`;
    return warning('BOX_NOT_COUNTED', `Line ${line + 1}: ${what}${place} that progress does not count`);
  });
}

function findTaskFaults(task: PlanTask): Finding[] {
  const name = `Task ${task.number}`;
  return [
    ...when(!task.phase?.value, error('TASK_MISSING_PHASE', `${name} missing phase`)),
    ...when(!task.goal?.value, error('TASK_MISSING_GOAL', `${name} missing goal`)),
    ...when(task.checklist.length === 0, warning('TASK_MISSING_CHECKLIST', `${name} missing checklist`)),
  ];
}

/** Whether each number follows the one before, or restarts where another phase does. */
function isInOrder(tasks: readonly PlanTask[]): boolean {
  return tasks.every((task, index) => {
    const before = tasks[index - 1];
    if (before === undefined) return task.number === 1;
    const isOtherPhase = task.heading !== before.heading || task.phase?.value !== before.phase?.value;
    return task.number === before.number + 1 || (isOtherPhase && task.number === 1);
  });
}

function when(holds: boolean, finding: Finding): Finding[] {
  return holds ? [finding] : [];
}

/** A finding without which the document can be used all the same. */
export function warning(code: string, message: string): Finding {
  return { code, severity: 'warning', message };
}

/** A finding that must be fixed. */
export function error(code: string, message: string): Finding {
  return { code, severity: 'error', message };
}
