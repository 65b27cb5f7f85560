import { didYouMean, nearNames } from '../../core/near-names.ts';
import type { LineEdit } from './document-lines.ts';
import { inlineValue } from './inline-value.ts';
import { replaceValue } from './markdown-line.ts';
import { readEntry } from './plan-content.ts';
import type { PlanDocument, PlanItem, PlanTask } from './plan-document.ts';
import { invalidStructure, phaseViolation, refused } from './plan-errors.ts';
import { findPhase, idOf, isBlocked, isDone, type PlanPhase, readStatus } from './plan-phases.ts';
import type { TaskUpdate } from './progress-request.ts';

/** A task, and the phase that it belongs to. */
export interface FoundTask {
  task: PlanTask;
  phase: PlanPhase;
}

/**
 * Finds the task that an update names. A number that several phases have is the current phase's.
 *
 * @throws HandoffError `validation_failed` for an unknown task or phase; `invalid_structure` where several are it, or
 * where the phase has no tasks.
 */
export function findTask(
  plan: PlanDocument,
  { phases, current }: { phases: readonly PlanPhase[]; current: PlanPhase },
  { task_id, phase }: Pick<TaskUpdate, 'task_id' | 'phase'>,
): FoundTask {
  const named = /^(?:(?:(.{1,200})-)?task[-_ ]?)?(\d{1,9})$/i.exec(task_id);
  const number = Number(named?.[2] ?? Number.NaN);
  const name = phase ?? named?.[1];
  const inside = name === undefined ? undefined : findPhase(phases, name);
  if (name !== undefined && inside === undefined) throw unknownPhase(name, phases);
  if (inside?.tasks.length === 0) throw emptyPhase(plan, inside);
  const found = phases
    .filter((candidate) => inside === undefined || candidate === inside)
    .flatMap((candidate) => candidate.tasks.map((task) => ({ task, phase: candidate })))
    .filter(({ task }) => task.number === number);
  const here = found.filter((candidate) => candidate.phase === current);
  const candidates = here.length > 0 ? here : found;
  const [only, ...others] = candidates;
  if (only === undefined) throw unknownTask(plan, current, task_id);
  if (others.every((other) => other.phase === only.phase) && others.length > 0) {
    throw invalidStructure(plan, `Several tasks of phase ${only.phase.name} are ${task_id} in plan.md`);
  }
  if (others.length > 0) throw phaseViolation(current, `${task_id} is no task of the current phase ${current.name}`);
  return only;
}

/** @throws HandoffError `validation_failed` with the phases there are. */
export function unknownPhase(name: string, phases: readonly PlanPhase[]) {
  const names = phases.map((phase) => phase.name).join(', ');
  return refused(`Phase ${name} is not in the plan`, [
    ...didYouMean(
      name,
      phases.map((phase) => phase.name),
    ),
    `Name one of its phases: ${names}`,
  ]);
}

/** A phase without tasks can neither be worked on nor be complete. */
export function emptyPhase(plan: PlanDocument, { name }: PlanPhase) {
  return invalidStructure(plan, `Phase ${name} has no tasks in plan.md`, [
    `Write its tasks with write-plan: plan_content.tasks with the phase ${name}`,
    'Or go on with another phase: write-plan with plan_content.current_phase',
  ]);
}

function unknownTask(plan: PlanDocument, current: PlanPhase, task_id: string) {
  const isElsewhere = plan.tasks.some((task) => idOf(task) === task_id.toLowerCase());
  if (isElsewhere) return invalidStructure(plan, `${task_id} belongs to no phase of the table in plan.md`);
  const shown = (task: PlanTask) => `${idOf(task)} (${task.name})`;
  // Numbers are all alike: only a name can be near to another.
  const near = /\d$/.test(task_id)
    ? []
    : nearNames(
        task_id,
        plan.tasks.map(({ name }) => name),
      );
  const meant = plan.tasks.filter(({ name }) => near.includes(name)).slice(0, 3);
  const tasks = current.tasks.slice(0, 20).map(shown).join(', ');
  return refused(`${inlineValue(task_id)} is not in the plan`, [
    ...(meant.length === 0 ? [] : [`Did you mean ${meant.map(shown).join(' or ')}?`]),
    `Name a task of the current phase ${current.name}: ${tasks}`,
  ]);
}

/**
 * The edits by which a task gets a status: boxes ticked (or cleared, for `pending`), each line only where it changes.
 *
 * @throws HandoffError `validation_failed` for an item that is not in the checklist, or there twice.
 */
export function changeTask(plan: PlanDocument, task: PlanTask, update: TaskUpdate): LineEdit[] {
  const { status, checklist_items = [] } = update;
  const items = checklist_items.map((wanted) => findItem(task, wanted));
  if (task.checklist.length === 0) return changeStatus(plan, task, status);
  if (status === 'in_progress' && items.length === 0) return unblock(plan, task, status);
  const is_done = status !== 'pending';
  const ticks = [...new Set(items.length > 0 ? items : task.checklist)]
    .filter((item) => item.is_done !== is_done)
    .map((item) => {
      const text = plan.lines[item.line]?.text ?? '';
      const marked = text.slice(0, item.mark) + (is_done ? 'x' : ' ') + text.slice(item.mark + 1);
      return { at: item.line, remove: 1, insert: [marked] };
    });
  return [...ticks, ...unblock(plan, task, status)];
}

/** Whether a task that an update does not touch is already in the requested state. */
export function isInEffect(task: PlanTask, status: TaskUpdate['status']): boolean {
  return status === 'pending' ? !isDone(task) : isDone(task);
}

function findItem(task: PlanTask, wanted: number | string): PlanItem {
  const { checklist } = task;
  const known = checklist.slice(0, 10).map(({ text }, place) => `${place}: ${text}`);
  const near =
    typeof wanted === 'string'
      ? nearNames(
          wanted,
          checklist.map(({ text }) => text),
        )
      : [];
  const meant = checklist.flatMap(({ text }, place) => (near.includes(text) ? [`${place}: ${text}`] : []));
  const choices = [
    ...(meant.length === 0 ? [] : [`Did you mean ${meant.slice(0, 3).join(' or ')}?`]),
    `Name an item by its place, 0 to ${checklist.length - 1}, or by its whole text`,
    `Its items: ${known.join('; ')}${checklist.length > known.length ? '; …' : ''}`,
  ];
  if (typeof wanted === 'number') {
    const item = checklist[wanted];
    if (item === undefined) throw refused(`${idOf(task)} has no checklist item ${wanted}`, choices);
    return item;
  }
  const texts = [wanted.trim(), inlineValue(wanted), inlineValue(readEntry(wanted).text)];
  const [item, ...others] = checklist.filter(({ text }) => texts.includes(text));
  if (item === undefined) throw refused(`${idOf(task)} has no checklist item "${inlineValue(wanted)}"`, choices);
  if (others.length > 0) {
    throw refused(`${idOf(task)} has the checklist item "${inlineValue(wanted)}" several times`, [
      `Name it by its place: ${[item, ...others].map((each) => checklist.indexOf(each)).join(', ')}`,
    ]);
  }
  return item;
}

/** A status line counts for a task with a checklist only where it begins with "blocked": work on the task then replaces it. */
function unblock(plan: PlanDocument, task: PlanTask, status: TaskUpdate['status']): LineEdit[] {
  return isBlocked(task) ? changeStatus(plan, task, status) : [];
}

/** A task without a checklist has its status in a line of its own. */
function changeStatus(plan: PlanDocument, task: PlanTask, status: TaskUpdate['status']): LineEdit[] {
  if (!isBlocked(task) && (readStatus(task.status?.value ?? '') ?? 'pending') === status) return [];
  if (task.status !== undefined) {
    const { line } = task.status;
    const text = replaceValue(plan.lines[line]?.text ?? '', task.status, status);
    return [{ at: line, remove: 1, insert: [text] }];
  }
  const after = task.phase?.line ?? task.line;
  return [{ at: after + 1, remove: 0, insert: [`**Status**: ${status}`] }];
}
