import { editLines, firstPlace, isOpenEnded, type LineEdit } from './document-lines.ts';
import { inlineValue } from './inline-value.ts';
import { isParting, readHeading } from './markdown-line.ts';
import type { PlanContent, PlanContentTask } from './plan-content.ts';
import { type PlanDocument, type PlanStatus, type PlanTask, readPlan } from './plan-document.ts';
import { invalidStructure, phaseViolation, refused } from './plan-errors.ts';
import { findPhase, idOf, isDone, isPhaseDone, type PlanPhase, readStatus, statusOfPhase } from './plan-phases.ts';
import { currentTaskOf, markPhase, readUsablePlan, setField, type UsablePlan } from './plan-progress.ts';
import { phaseTableHead, renderEmptyPlan, renderPhaseHeading, renderPhaseRow, renderTask } from './plan-template.ts';
import { unknownPhase } from './task-changes.ts';
import { changeTaskContent } from './task-content.ts';

/**
 * A new plan.
 *
 * @throws HandoffError `validation_failed` for a content that contradicts itself, `phase_transition_violation` for tasks
 * in a phase before the current one.
 */
export function writeNewPlan(content: PlanContent & { title: string; phases: readonly string[] }): string {
  assertPhaseNames(content.phases);
  const empty = renderEmptyPlan(content.title, content.phases);
  const { current_phase = content.phases[0] } = content;
  return placePlan(addTasks(empty, content.tasks ?? []), { ...content, current_phase });
}

/**
 * A plan with another title, further phases, new and changed tasks, or another place to go on. What the content does not
 * name stays byte for byte, tasks among it; so do the ticks of checklist items whose text stays.
 *
 * @throws HandoffError `validation_failed`, `invalid_structure`, `phase_transition_violation`.
 */
export function writeExistingPlan(text: string, content: PlanContent): string {
  const { title, phases = [], tasks = [] } = content;
  if (isOpenEnded(text)) throw invalidStructure(readPlan(text), 'plan.md ends inside of a code fence or comment');
  const titled = title === undefined ? text : retitle(text, title);
  const complete = addPhases(completeTable(titled, content), phases);
  return placePlan(addTasks(complete, tasks), content);
}

function retitle(text: string, title: string): string {
  const plan = readPlan(text);
  const value = inlineValue(title);
  if (plan.title === value) return text;
  const { title_line, lines } = plan;
  if (title_line === undefined)
    return editLines(lines, [{ at: firstPlace(lines), remove: 0, insert: [`# ${value}`, ''] }]);
  const before = /^ {0,3}#\s{0,20}(?:Task Plan:\s{0,20})?/i.exec(lines[title_line]?.text ?? '')?.[0] ?? '# ';
  const prefix = before.endsWith(' ') ? before : `${before} `;
  return editLines(lines, [{ at: title_line, remove: 1, insert: [prefix + value] }]);
}

/** Missing phases are added to a table where the content names the phases; nothing in it is removed. */
function completeTable(text: string, { phases = [], current_phase }: PlanContent): string {
  const plan = readPlan(text);
  const [first] = phases;
  if (first === undefined) return text;
  const edits: LineEdit[] = [];
  const rows = phases.map((name) => renderPhaseRow(name, 'pending', plan.table?.columns));
  if (plan.table === undefined || !['phase', 'status'].every((column) => plan.table?.columns.includes(column))) {
    assertPhaseNames(phases);
    const section = [...phaseTableHead, ...phases.map((name) => renderPhaseRow(name, 'pending'))];
    edits.push({ at: headEnd(plan), remove: 0, insert: ['## Phase Progress', '', ...section, ''] });
  } else {
    const { line, end, columns, is_ruled } = plan.table;
    if (!is_ruled) edits.push({ at: line + 1, remove: 0, insert: [`|${columns.map(() => '---').join('|')}|`] });
    if (plan.table.rows.length === 0) edits.push({ at: end, remove: 0, insert: rows });
  }
  if (!plan.current_phase?.value) {
    const label = { label: 'Current Phase', value: inlineValue(current_phase ?? first) };
    edits.push(...setField(plan, plan.current_phase, label));
  }
  return editLines(plan.lines, edits);
}

/** The first heading below the title, before which a table belongs. */
function headEnd({ lines, headings, tasks, title_line = -1 }: PlanDocument): number {
  const below = [headings[0]?.line, tasks[0]?.line].filter((line) => line !== undefined);
  return below.length > 0 ? Math.min(...below) : Math.max(title_line + 1, lines.length);
}

function assertPhaseNames(names: readonly string[]): void {
  const keys = names.map((name) => name.trim().toLowerCase());
  const twice = names.find((_, index) => keys.indexOf(keys[index] ?? '') !== index);
  if (twice !== undefined) throw refused(`Phase ${twice} is named twice`, ['Name each phase once']);
}

/** Phases that are not there yet, each after the one that it follows in the list. */
function addPhases(text: string, names: readonly string[]): string {
  assertPhaseNames(names);
  const present = readUsablePlan(text).phases;
  const known = names.map((name) => findPhase(present, name)).filter((phase) => phase !== undefined);
  if (known.some((phase, index) => index > 0 && present.indexOf(phase) < present.indexOf(known[index - 1] ?? phase))) {
    throw refused('Phases cannot change their order', [`Keep it: ${present.map(({ name }) => name).join(', ')}`]);
  }
  return names.reduce((written, name, index) => {
    const { plan, phases } = readUsablePlan(written);
    if (findPhase(phases, name) !== undefined) return written;
    const before = index === 0 ? undefined : findPhase(phases, names[index - 1] ?? '');
    const row = before?.row.line ?? (plan.table?.line ?? 0) + 1;
    const edits = [{ at: row + 1, remove: 0, insert: [renderPhaseRow(name, 'pending', plan.table?.columns)] }];
    const place = phasePlace(plan, phases, before);
    return editLines(plan.lines, [...edits, { ...place, insert: place.around(renderPhaseHeading(name, 'pending')) }]);
  }, text);
}

/** The place of a phase's section that follows another, or comes first. */
function phasePlace(plan: PlanDocument, phases: readonly PlanPhase[], before: PlanPhase | undefined) {
  const earlier = before === undefined ? [] : phases.slice(0, phases.indexOf(before) + 1);
  const neighbour = earlier.findLast(({ heading }) => heading !== undefined)?.heading;
  const at = neighbour === undefined ? (plan.table?.end ?? 0) : sectionEnd(plan, neighbour.line);
  return { at, remove: 0, around: (heading: string) => ['', '---', '', heading] };
}

/** Tasks as the content gives them: those that are there are changed, the others added to their phases. */
function addTasks(text: string, tasks: readonly PlanContentTask[]): string {
  const { plan, phases } = readUsablePlan(text);
  let next = plan.tasks.reduce((most, { number }) => Math.max(most, number), 0) + 1;
  const edits: LineEdit[] = [];
  const added = new Map<PlanPhase, string[][]>();
  const seen = new Set<string>();
  for (const given of tasks) {
    const phase = given.phase === undefined ? undefined : findPhase(phases, given.phase);
    if (given.phase !== undefined && phase === undefined) throw unknownPhase(given.phase, phases);
    const present = findPresent(plan, phases, { given, phase });
    const number = present?.task.number ?? (given.id === undefined ? next : numberOf(given.id));
    const owner = phase ?? present?.phase;
    if (owner === undefined) throw refused(`task-${number} is new and names no phase`, ['Name its phase']);
    const name = given.id === undefined ? `"${inlineValue(given.name ?? '')}"` : `task-${number}`;
    assertOnce(seen, `${owner.name}/${name}`, name);
    if (present !== undefined) assertOnce(seen, `${owner.name}/${present.task.line}`, name);
    next = Math.max(next, number + 1);
    if (present !== undefined) edits.push(...changeTaskContent(plan, present.task, given));
    else added.set(owner, [...(added.get(owner) ?? []), renderNew(number, { ...given, phase: owner.name })]);
  }
  for (const [phase, blocks] of added) edits.push(placeTasks(plan, phases, { phase, blocks }));
  return editLines(plan.lines, edits);
}

function assertOnce(seen: Set<string>, key: string, name: string): void {
  if (seen.has(key))
    throw refused(`${name} is given twice`, ['Give each task once', 'Give tasks of one name their ids']);
  seen.add(key);
}

function renderNew(number: number, task: PlanContentTask): string[] {
  const missing = [...(task.name ? [] : ['name']), ...(task.goal ? [] : ['goal'])];
  if (missing.length > 0) {
    throw refused(`task-${number} is new and lacks ${missing.join(' and ')}`, [`Give its ${missing.join(' and ')}`]);
  }
  return renderTask(number, task);
}

function numberOf(id: string): number {
  const match = /(?:^|-)task-(\d{1,9})$/i.exec(id);
  if (match === null) throw refused(`${inlineValue(id)} is no id of a task`, ['Write it as task-6']);
  return Number(match[1]);
}

interface Sought {
  given: PlanContentTask;
  phase: PlanPhase | undefined;
}

/** The task that is meant: by its id, or else by its name, in its phase where one is given. */
function findPresent(plan: PlanDocument, phases: readonly PlanPhase[], { given, phase }: Sought) {
  const all = phases.flatMap((each) => each.tasks.map((task) => ({ task, phase: each })));
  const isInside = (found: (typeof all)[number]) => phase === undefined || found.phase === phase;
  if (given.id === undefined) {
    const named = all.filter(({ task }) => given.name !== undefined && task.name === inlineValue(given.name));
    return onlyOne(named.filter(isInside), `named "${inlineValue(given.name ?? '')}"`);
  }
  const number = numberOf(given.id);
  const numbered = all.filter(({ task }) => task.number === number);
  const found = onlyOne(numbered.filter(isInside), `task-${number}`);
  const [elsewhere] = numbered;
  const restarts = new Set(plan.tasks.map((task) => task.number)).size < plan.tasks.length;
  if (found === undefined && elsewhere !== undefined && !restarts) {
    throw refused(`task-${number} belongs to phase ${elsewhere.phase.name}`, ['Leave out the id of a new task']);
  }
  return found;
}

function onlyOne<Found extends { task: PlanTask; phase: PlanPhase }>(
  found: readonly Found[],
  what: string,
): Found | undefined {
  const [first] = found;
  if (found.length < 2) return first;
  const ids = found.map(({ task, phase }) => `${idOf(task)} of phase ${phase.name}`).slice(0, 10);
  throw refused(`Several tasks are ${what}: ${ids.join(', ')}`, [
    'Give the id, and the phase',
    'Renumber tasks by hand',
  ]);
}

function placeTasks(
  plan: PlanDocument,
  phases: readonly PlanPhase[],
  { phase, blocks }: { phase: PlanPhase; blocks: readonly string[][] },
): LineEdit {
  const insert = blocks.flatMap((block) => ['', ...block]);
  const at = nextTaskPlace(plan, phase);
  if (at !== undefined) return { at, remove: 0, insert };
  const place = phasePlace(plan, phases, phase);
  return { at: place.at, remove: 0, insert: [...place.around(renderPhaseHeading(phase.name, 'pending')), ...insert] };
}

/** The line after the last of the section that a heading opens; blank lines and rules at its end are not of it. */
function sectionEnd({ lines }: PlanDocument, heading: number): number {
  let end = heading + 1;
  for (; end < lines.length; end += 1) {
    const line = lines[end];
    const found = line?.is_structure === true ? readHeading(line.text) : null;
    if (found !== null && found.level <= 2) break;
  }
  while (end > heading + 1 && isParting(lines[end - 1]?.text ?? '')) end -= 1;
  return end;
}

/** Where the next task of a phase with a heading goes: after its last one there. */
function nextTaskPlace(plan: PlanDocument, { heading, tasks }: PlanPhase): number | undefined {
  if (heading === undefined) return undefined;
  const last = tasks.findLast((task) => task.heading === heading);
  return last?.end ?? sectionEnd(plan, heading.line);
}

type Position = Pick<PlanContent, 'status' | 'current_phase' | 'current_task'>;

/**
 * Puts a plan at a phase and task, and updates table, headings and the two lines at the top.
 *
 * @throws HandoffError `phase_transition_violation` where a phase before has something to do; `validation_failed` for a
 * phase or task that is not there, or a plan that is reported as completed and is not.
 */
function placePlan(text: string, { status, current_phase, current_task }: Position): string {
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
