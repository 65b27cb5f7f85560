import { unwrapValue } from './markdown-line.ts';
import type { PhaseRow } from './phase-table.ts';
import { type PhaseHeading, type PlanDocument, type PlanStatus, type PlanTask, planStatuses } from './plan-document.ts';

/** A phase of a plan: its row, its heading and its tasks, in any place. */
export interface PlanPhase {
  name: string;
  row: PhaseRow;
  heading?: PhaseHeading;
  tasks: PlanTask[];
}

/** The phases of a plan in the order of its table, each with its tasks. */
export function listPhases({ table, headings, tasks }: PlanDocument): PlanPhase[] {
  const phases = (table?.rows ?? []).map((row): PlanPhase => ({ name: row.name, row, tasks: [] }));
  const byKey = new Map(phases.map((phase) => [keyOf(phase.name), phase]));
  for (const heading of headings) {
    const phase = byKey.get(keyOf(nameInHeading(heading, byKey)));
    if (phase !== undefined) phase.heading ??= heading;
  }
  for (const task of tasks) byKey.get(keyOf(phaseNameOf(task, byKey)))?.tasks.push(task);
  return phases;
}

/** The phase of a name, in upper or lower case. */
export function findPhase(phases: readonly PlanPhase[], name: string): PlanPhase | undefined {
  return phases.find((phase) => keyOf(phase.name) === keyOf(unwrapValue(name)));
}

/** Whether a task is done: every item of its checklist is ticked; without one, its status decides. */
export function isDone({ checklist, status }: PlanTask): boolean {
  if (checklist.length > 0) return checklist.every((item) => item.is_done);
  return readStatus(status?.value ?? '') === 'completed';
}

/** Whether a phase has tasks, and all are done. */
export function isPhaseDone({ tasks }: PlanPhase): boolean {
  return tasks.length > 0 && tasks.every(isDone);
}

/** Whether anything of a task is done. */
export function isBegun({ checklist, status }: PlanTask): boolean {
  return checklist.some((item) => item.is_done) || (readStatus(status?.value ?? '') ?? 'pending') !== 'pending';
}

/** Whether the status line of a task begins with "blocked", with or without further text. */
export function isBlocked({ status }: PlanTask): boolean {
  return saysBlocked(status?.value ?? '');
}

/** Whether a status in a person's words begins with "blocked". */
function saysBlocked(text: string): boolean {
  return /^blocked\b/i.test(unwrapValue(text));
}

/** The status of a phase from its row; where that is no status, it is derived from the tasks. */
export function statusOfPhase(phase: PlanPhase): PlanStatus {
  const written = readStatus(phase.row.status);
  if (written !== undefined) return written;
  if (isPhaseDone(phase)) return 'completed';
  return phase.tasks.some(isBegun) ? 'in_progress' : 'pending';
}

/** The status of a phase as answers show it. */
export function shownStatusOf(phase: PlanPhase): PlanStatus | 'blocked' {
  return saysBlocked(phase.row.status) && !isPhaseDone(phase) ? 'blocked' : statusOfPhase(phase);
}

/** A status as people write it (`In Progress`); undefined for a word that is none. */
export function readStatus(text: string): PlanStatus | undefined {
  const word = unwrapValue(text).toLowerCase().replace(/[ -]/g, '_');
  return planStatuses.find((status) => status === word);
}

/** How a task is named: `task-6`. */
export function idOf({ number }: Pick<PlanTask, 'number'>): string {
  return `task-${number}`;
}

/** The status within a heading's text, with its place; undefined where it has none. */
export function statusInHeading(heading: PhaseHeading, name: string): { start: number; stop: number } | undefined {
  if (keyOf(heading.text) === keyOf(name)) return undefined;
  const start = heading.text.lastIndexOf('(');
  return start === -1 || !heading.text.endsWith(')') ? undefined : { start: start + 1, stop: heading.text.length - 1 };
}

function nameInHeading({ text }: PhaseHeading, known: ReadonlyMap<string, unknown>): string {
  if (known.has(keyOf(text)) || !text.endsWith(')')) return text;
  const start = text.lastIndexOf('(');
  return start === -1 ? text : text.slice(0, start).trim();
}

/** The label in the task decides; the heading above where the label names no phase of the plan. */
function phaseNameOf({ phase, heading }: PlanTask, known: ReadonlyMap<string, unknown>): string {
  const written = unwrapValue(phase?.value ?? '');
  if (known.has(keyOf(written)) || heading === undefined) return written;
  return nameInHeading(heading, known);
}

function keyOf(name: string): string {
  return name.trim().toLowerCase();
}
