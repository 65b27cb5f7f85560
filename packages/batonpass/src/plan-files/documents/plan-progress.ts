import { editLines, firstPlace, type LineEdit } from './document-lines.ts';
import { replaceValue, unwrapValue } from './markdown-line.ts';
import { type PlanDocument, type PlanField, type PlanStatus, type PlanTask, readPlan } from './plan-document.ts';
import { countTasks, invalidStructure, phaseViolation } from './plan-errors.ts';
import {
  findPhase,
  idOf,
  isDone,
  isPhaseDone,
  listPhases,
  type PlanPhase,
  readStatus,
  statusInHeading,
} from './plan-phases.ts';
import type { PhaseStep, ProgressRequest, TaskUpdate } from './progress-request.ts';
import { replaceCells } from './table-row.ts';
import { changeTask, emptyPhase, findTask, isInEffect, unknownPhase } from './task-changes.ts';

/** A plan that can be worked with: its phases, and the current one. */
export interface UsablePlan {
  plan: PlanDocument;
  phases: PlanPhase[];
  current: PlanPhase;
}

/** A plan after an update. */
export interface ProgressAnswer {
  /** The whole document; the same text where nothing had to change. */
  text: string;
  /** The phase that the update was about, which may be complete now. */
  phase: string;
}

/**
 * Reads a plan for work.
 *
 * @throws HandoffError `invalid_structure` without a table of phases, or without a current phase that is in it.
 */
export function readUsablePlan(text: string): UsablePlan {
  const plan = readPlan(text);
  const { table, current_phase } = plan;
  if (table === undefined) throw invalidStructure(plan, 'Missing Phase Progress Table in plan.md');
  if (table.fault !== undefined) throw invalidStructure(plan, `Phase Progress Table in plan.md ${table.fault}`);
  if (!current_phase?.value) throw invalidStructure(plan, 'Missing Current Phase in plan.md');
  const phases = listPhases(plan);
  const current = findPhase(phases, current_phase.value);
  if (current === undefined) {
    throw invalidStructure(plan, `Current Phase ${current_phase.value} is not in the Phase Progress Table of plan.md`);
  }
  return { plan, phases, current };
}

/** The task that the line `**Current Task**` names, where it is one of the current phase. */
export function currentTaskOf({ plan, current }: UsablePlan): PlanTask | undefined {
  const match = /(?:^|-)(?:task[- ]?)?(\d{1,9})(?!\d)/i.exec(unwrapValue(plan.current_task?.value ?? ''));
  return match === null ? undefined : current.tasks.find(({ number }) => number === Number(match[1]));
}

/**
 * Moves a plan on: a task, and with the last task of a phase the phase. Only the lines that show this change. Repeating an
 * update that took effect gives the same text.
 *
 * @throws HandoffError `validation_failed`, `invalid_structure` or `phase_transition_violation`; then nothing changes.
 */
export function updatePlanProgress(text: string, { update, phase_transition }: ProgressRequest): ProgressAnswer {
  const updated = update === undefined ? undefined : updateTask(text, update);
  if (phase_transition === undefined) return updated ?? { text, phase: readUsablePlan(text).current.name };
  const moved = movePhase(updated?.text ?? text, phase_transition);
  return { text: moved.text, phase: updated?.phase ?? moved.phase };
}

function updateTask(text: string, update: TaskUpdate): ProgressAnswer {
  const usable = readUsablePlan(text);
  const { plan, phases, current } = usable;
  if (current.tasks.length === 0) throw emptyPhase(plan, current);
  const { task, phase } = findTask(plan, usable, update);
  const isLater = phases.indexOf(phase) > phases.indexOf(current);
  if (isLater && isPhaseDone(current)) return updateTask(leaveFinished(text, usable), update);
  const edits = changeTask(plan, task, update);
  if (phase !== current) {
    // What was done before its phase ended is done: a repeated request is no error.
    if (edits.length === 0 && isInEffect(task, update.status)) return { text, phase: phase.name };
    const { tasks_total, tasks_completed } = countTasks(current);
    const belongs = `${update.task_id} belongs to phase ${phase.name}, but the current phase is ${current.name}`;
    throw phaseViolation(current, `${belongs} with ${tasks_completed} of ${tasks_total} tasks completed`);
  }
  const place = phases.indexOf(phase);
  return { text: settle(editLines(plan.lines, edits), { place, task, focus: update.status }), phase: phase.name };
}

/** A person can finish a phase by hand: then the plan moves on before a request for a later one is checked. */
function leaveFinished(text: string, { phases, current }: UsablePlan): string {
  return settle(text, { place: phases.indexOf(current) });
}

function movePhase(text: string, step: PhaseStep): ProgressAnswer {
  const usable = readUsablePlan(text);
  const { phases, current } = usable;
  const from = findPhase(phases, step.from_phase);
  const to = findPhase(phases, step.to_phase);
  if (from === undefined) throw unknownPhase(step.from_phase, phases);
  if (to === undefined) throw unknownPhase(step.to_phase, phases);
  const place = phases.indexOf(from);
  if (phases.indexOf(to) !== place + 1) {
    throw phaseViolation(current, `Phases are sequential: ${to.name} does not follow ${from.name}`);
  }
  // The last task of the phase has moved the plan on already.
  if (place < phases.indexOf(current)) return { text, phase: from.name };
  if (from !== current && isPhaseDone(current)) return movePhase(leaveFinished(text, usable), step);
  if (from !== current || !isPhaseDone(from)) {
    const { tasks_completed, tasks_total } = countTasks(current);
    throw phaseViolation(current, `Phase ${current.name} has ${tasks_completed} of ${tasks_total} tasks completed`);
  }
  return { text: settle(text, { place }), phase: from.name };
}

interface Settling {
  /** The place of the current phase in the table. */
  place: number;
  /** The task that was changed, and to what. */
  task?: PlanTask;
  focus?: PlanStatus;
}

/** Brings table, headings and the two lines at the top in line with the checklists. */
function settle(text: string, { place, task, focus }: Settling): string {
  const usable = readUsablePlan(text);
  const { plan, phases } = usable;
  let now = place;
  while (now < phases.length && isPhaseDone(phases[now] as PlanPhase)) now += 1;
  const edits = phases
    .slice(place, now + 1)
    .flatMap((phase, index) => markPhase(plan, phase, place + index < now ? 'completed' : 'in_progress'));
  const next = phases[now];
  if (next !== undefined && now !== place) {
    if (next.tasks.length === 0) throw emptyPhase(plan, next);
    edits.push(...setField(plan, plan.current_phase, { label: 'Current Phase', value: next.name }));
  }
  if (next === undefined) {
    const last = phases.at(-1)?.name ?? '';
    edits.push(...setField(plan, plan.current_phase, { label: 'Current Phase', value: last }));
  }
  const value =
    next === undefined ? 'phase-complete' : now === place ? taskToGoOn(usable, { task, focus }) : firstTaskToDo(next);
  edits.push(...setField(plan, plan.current_task, { label: 'Current Task', value }));
  return editLines(plan.lines, edits);
}

function firstTaskToDo({ tasks }: PlanPhase): string {
  const first = tasks.find((task) => !isDone(task));
  return first === undefined ? 'none' : idOf(first);
}

/** The text of the line `**Current Task**` within a phase: unchanged as long as that task is still to be done. */
function taskToGoOn(usable: UsablePlan, { task, focus }: Omit<Settling, 'place'>): string {
  const { current, plan } = usable;
  const changed = current.tasks.find(({ number }) => number === task?.number);
  if (focus === 'in_progress' && changed !== undefined && !isDone(changed)) return idOf(changed);
  const present = currentTaskOf(usable);
  if (present !== undefined && !isDone(present)) return plan.current_task?.value ?? idOf(present);
  const after = changed === undefined ? -1 : current.tasks.indexOf(changed);
  const next = current.tasks.find((each, index) => index > after && !isDone(each));
  return next === undefined ? firstTaskToDo(current) : idOf(next);
}

/** A phase's row and heading with a status, and its row with its counts; without a status the words there stay. */
export function markPhase(plan: PlanDocument, phase: PlanPhase, status: PlanStatus | undefined): LineEdit[] {
  const { row } = phase;
  const { tasks_total, tasks_completed } = countTasks(phase);
  const changes = [
    { cell: row.status_cell, text: status ?? '', isSame: status === undefined || readStatus(row.status) === status },
    { cell: row.tasks_cell, text: `${tasks_total}`, isSame: row.tasks_cell?.text === `${tasks_total}` },
    {
      cell: row.completed_cell,
      text: `${tasks_completed}/${tasks_total}`,
      isSame: row.completed_cell?.text === `${tasks_completed}/${tasks_total}`,
    },
  ].flatMap(({ cell, text, isSame }) => (isSame || cell === undefined ? [] : [{ cell, text }]));
  const line = plan.lines[row.line]?.text ?? '';
  const inTable = changes.length === 0 ? [] : [{ at: row.line, remove: 1, insert: [replaceCells(line, changes)] }];
  return status === undefined ? inTable : [...inTable, ...markHeading(plan, phase, status)];
}

function markHeading(plan: PlanDocument, { heading, name }: PlanPhase, status: PlanStatus): LineEdit[] {
  if (heading === undefined) return [];
  const { text } = heading;
  const place = statusInHeading(heading, name);
  if (place !== undefined && readStatus(text.slice(place.start, place.stop)) === status) return [];
  const marked = place === undefined ? `${text} (${status})` : `${text.slice(0, place.start)}${status})`;
  const line = plan.lines[heading.line]?.text ?? '';
  const start = line.lastIndexOf(text);
  return [{ at: heading.line, remove: 1, insert: [line.slice(0, start) + marked + line.slice(start + text.length)] }];
}

/** A line at the top with another value; one that is missing comes below the title, or below its neighbour. */
export function setField(
  plan: PlanDocument,
  field: PlanField | undefined,
  { label, value }: { label: string; value: string },
): LineEdit[] {
  if (field === undefined) {
    const after = plan.current_phase?.line ?? plan.title_line ?? firstPlace(plan.lines) - 1;
    return [{ at: after + 1, remove: 0, insert: [`**${label}**: ${value}`] }];
  }
  if (field.value === value || unwrapValue(field.value) === value) return [];
  const text = replaceValue(plan.lines[field.line]?.text ?? '', field, value);
  return [{ at: field.line, remove: 1, insert: [text] }];
}
