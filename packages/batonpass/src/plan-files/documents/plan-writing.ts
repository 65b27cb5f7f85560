import { editLines, firstPlace, isOpenEnded, type LineEdit } from './document-lines.ts';
import { inlineValue } from './inline-value.ts';
import type { PlanContent, PlanContentTask } from './plan-content.ts';
import { type PlanDocument, type PlanTask, readPlan } from './plan-document.ts';
import { invalidStructure, refused } from './plan-errors.ts';
import { findPhase, type PlanPhase } from './plan-phases.ts';
import { placePlan } from './plan-position.ts';
import { readUsablePlan, setField } from './plan-progress.ts';
import { nextTaskPlace, sectionEnd } from './plan-sections.ts';
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
  const complete = addPhases(mendTable(titled, content), phases);
  return placePlan(addTasks(complete, tasks), content);
}

function retitle(text: string, title: string): string {
  const plan = readPlan(text);
  const value = inlineValue(title);
  if (plan.title === value) return text;
  const { title_line, lines } = plan;
  if (title_line === undefined)
    return editLines(lines, [{ at: firstPlace(lines), remove: 0, insert: [`# ${value}`, ''] }]);
  const before = /^#\s{0,20}(?:Task Plan:\s{0,20})?/i.exec(lines[title_line]?.text ?? '')?.[0] ?? '# ';
  const prefix = before.endsWith(' ') ? before : `${before} `;
  return editLines(lines, [{ at: title_line, remove: 1, insert: [prefix + value] }]);
}

/** A plan whose table is missing or wrong gets one, where the content names its phases. */
function mendTable(text: string, { phases = [], current_phase }: PlanContent): string {
  const plan = readPlan(text);
  const [first] = phases;
  if (first === undefined) return text;
  const edits: LineEdit[] = [];
  if (plan.table === undefined || plan.table.fault !== undefined) {
    assertPhaseNames(phases);
    const rows = [...phaseTableHead, ...phases.map((name) => renderPhaseRow(name, 'pending'))];
    const { line = headEnd(plan), end = line } = plan.table ?? {};
    const isNew = plan.table === undefined;
    edits.push({ at: line, remove: end - line, insert: isNew ? ['## Phase Progress', '', ...rows, ''] : rows });
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

/** Phases that are not there yet, each behind the one that it follows in the list. */
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

/** Where the section of a phase goes that follows another, or comes first. */
function phasePlace(plan: PlanDocument, phases: readonly PlanPhase[], before: PlanPhase | undefined) {
  const earlier = before === undefined ? [] : phases.slice(0, phases.indexOf(before) + 1);
  const neighbour = earlier.findLast(({ heading }) => heading !== undefined)?.heading;
  const at = neighbour === undefined ? (plan.table?.end ?? 0) : sectionEnd(plan, neighbour.line);
  return { at, remove: 0, around: (heading: string) => ['', '---', '', heading] };
}

/** Tasks as the content gives them: those that are there are changed, the others added to their phases. */
function addTasks(text: string, tasks: readonly PlanContentTask[]): string {
  const { plan, phases } = readUsablePlan(text);
  const restarts = new Set(plan.tasks.map(({ number }) => number)).size < plan.tasks.length;
  let next = plan.tasks.reduce((most, { number }) => Math.max(most, number), 0) + 1;
  const edits: LineEdit[] = [];
  const added = new Map<PlanPhase, string[][]>();
  const seen = new Set<string>();
  for (const given of tasks) {
    const number = given.id === undefined ? next : numberOf(given.id);
    const phase = given.phase === undefined ? undefined : findPhase(phases, given.phase);
    if (given.phase !== undefined && phase === undefined) throw unknownPhase(given.phase, phases);
    const present = findPresent(phases, { number, phase, restarts });
    const owner = phase ?? present?.phase;
    if (owner === undefined) throw refused(`task-${number} is new and names no phase`, ['Name its phase']);
    const key = `${owner.name}/${number}`;
    if (seen.has(key)) throw refused(`task-${number} is given twice`, ['Give each task once']);
    seen.add(key);
    next = Math.max(next, number + 1);
    if (present !== undefined) edits.push(...changeTaskContent(plan, present.task, given));
    else added.set(owner, [...(added.get(owner) ?? []), renderNew(number, { ...given, phase: owner.name })]);
  }
  for (const [phase, blocks] of added) edits.push(placeTasks(plan, phases, { phase, blocks }));
  return editLines(plan.lines, edits);
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

/** The task of a number: in its phase, or in any where the plan numbers through. */
function findPresent(
  phases: readonly PlanPhase[],
  { number, phase, restarts }: { number: number; phase: PlanPhase | undefined; restarts: boolean },
): { task: PlanTask; phase: PlanPhase } | undefined {
  const found = phases.flatMap((each) => each.tasks.map((task) => ({ task, phase: each })));
  const numbered = found.filter(({ task }) => task.number === number);
  const inside = phase === undefined ? numbered : numbered.filter((each) => each.phase === phase);
  if (inside.length > 1) throw refused(`Several tasks are task-${number}`, ['Name its phase', 'Number tasks anew']);
  const [elsewhere] = numbered;
  if (inside.length === 0 && elsewhere !== undefined && !restarts) {
    throw refused(`task-${number} belongs to phase ${elsewhere.phase.name}`, ['Leave out the id of a new task']);
  }
  return inside[0];
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
