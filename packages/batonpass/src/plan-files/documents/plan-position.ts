import { editLines } from './document-lines.ts';
import { inlineValue } from './inline-value.ts';
import type { PlanContent } from './plan-content.ts';
import type { PlanStatus } from './plan-document.ts';
import { phaseViolation, refused } from './plan-errors.ts';
import { findPhase, idOf, isDone, isPhaseDone, type PlanPhase, readStatus, statusOfPhase } from './plan-phases.ts';
import { currentTaskOf, markPhase, readUsablePlan, setField, type UsablePlan } from './plan-progress.ts';
import { unknownPhase } from './task-changes.ts';

type Position = Pick<PlanContent, 'status' | 'current_phase' | 'current_task'>;

/**
 * Puts a plan at a phase and task, and updates table, headings and the two lines at the top.
 *
 * @throws HandoffError `phase_transition_violation` where a phase before has something to do; `validation_failed` for a
 * phase or task that is not there, or a plan that is reported as completed and is not.
 */
export function placePlan(text: string, { status, current_phase, current_task }: Position): string {
  const usable = readUsablePlan(text);
  const { plan, phases } = usable;
  const current = current_phase === undefined ? usable.current : findPhase(phases, current_phase);
  if (current === undefined) throw unknownPhase(inlineValue(current_phase ?? ''), phases);
  const place = phases.indexOf(current);
  const open = phases.slice(0, place).find((phase) => phase.tasks.some((task) => !isDone(task)));
  if (open !== undefined) {
    throw phaseViolation(open, `Phase ${open.name} comes before ${current.name} and is not completed`);
  }
  const isOver = place === phases.length - 1 && isPhaseDone(current);
  if (status === 'completed' && !isOver) {
    throw refused('The plan is not completed', ['Complete its tasks with update-progress', 'Leave out the status']);
  }
  const edits = phases.flatMap((phase, index) =>
    markPhase(plan, phase, statusAt(phase, { index, place, isOver, status })),
  );
  const value = taskAt({ ...usable, current }, { current_task, isOver });
  edits.push(...setField(plan, plan.current_phase, { label: 'Current Phase', value: current.name }));
  edits.push(...setField(plan, plan.current_task, { label: 'Current Task', value }));
  return editLines(plan.lines, edits);
}

interface At {
  index: number;
  place: number;
  isOver: boolean;
  status: PlanStatus | undefined;
}

/** A person's own word for a phase that is not the current one, such as "blocked", stays. */
function statusAt(phase: PlanPhase, { index, place, isOver, status }: At): PlanStatus | undefined {
  if (index !== place && readStatus(phase.row.status) === undefined) return undefined;
  if (index < place || isOver) return 'completed';
  if (index > place) return 'pending';
  const isUntouched = place === 0 && phase.tasks.every((task) => !isDone(task)) && statusOfPhase(phase) === 'pending';
  return status === 'pending' && isUntouched ? 'pending' : 'in_progress';
}

function taskAt(usable: UsablePlan, { current_task, isOver }: { current_task: string | undefined; isOver: boolean }) {
  const { current, plan } = usable;
  const first = current.tasks.find((task) => !isDone(task));
  if (isOver) return 'phase-complete';
  if (current_task === undefined) {
    const present = currentTaskOf(usable);
    if (present !== undefined && !isDone(present)) return plan.current_task?.value ?? idOf(present);
    return first === undefined ? 'none' : idOf(first);
  }
  if (current_task === 'none') return current_task;
  const match = /^(?:(.{1,200})-)?task-(\d{1,9})$/i.exec(current_task);
  const named = current.tasks.find(({ number }) => number === Number(match?.[2]));
  if (named !== undefined) return idOf(named);
  throw refused(`${inlineValue(current_task)} is no task of phase ${current.name}`, [
    `Name one of its tasks: ${current.tasks.map(idOf).slice(0, 20).join(', ')}`,
  ]);
}
