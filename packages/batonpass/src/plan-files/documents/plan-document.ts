import type { DocumentLine } from './document-lines.ts';
import { readLines } from './document-lines.ts';
import {
  type ChecklistItem,
  type Heading,
  isParting,
  readChecklistItem,
  readHeading,
  readLabel,
} from './markdown-line.ts';
import { type PhaseTable, readPhaseTable } from './phase-table.ts';

/** What a phase and a task can be. */
export const planStatuses = ['pending', 'in_progress', 'completed'] as const;

export type PlanStatus = (typeof planStatuses)[number];

/** A value behind a label, with its place. */
export interface PlanField {
  /** Index of its line. */
  line: number;
  value: string;
  /** Where it stands in the line. */
  start: number;
  stop: number;
}

/** An item of a task's checklist, with its place. */
export interface PlanItem extends ChecklistItem {
  line: number;
}

/** A heading `## Phase: name (status)`. */
export interface PhaseHeading {
  line: number;
  /** What stands behind `Phase:`, its status included. */
  text: string;
}

/** A section `### Task N: name`. */
export interface PlanTask {
  number: number;
  name: string;
  /** Index of its heading. */
  line: number;
  /** The line after its last. */
  end: number;
  /** The heading of the phase that it stands under. */
  heading?: PhaseHeading;
  phase?: PlanField;
  goal?: PlanField;
  status?: PlanField;
  /** The line of the label `**Acceptance Criteria**`, and of those of its list. */
  criteria: number[];
  criteria_label?: number;
  checklist: PlanItem[];
  checklist_label?: number;
}

/** A `plan.md` as it was read: what it says, and where. Whatever else it holds stays in its lines. */
export interface PlanDocument {
  lines: readonly DocumentLine[];
  title?: string;
  title_line?: number;
  current_phase?: PlanField;
  current_task?: PlanField;
  /** Absent where there is no table of phases; see `fault` in it for one that is wrong. */
  table?: PhaseTable;
  headings: PhaseHeading[];
  /** In the order of the document. */
  tasks: PlanTask[];
}

/** Where reading stands: in which phase, task and list. */
interface Reading {
  plan: PlanDocument;
  heading?: PhaseHeading;
  task?: PlanTask;
  /** The label that the lines below belong to, in lower case. */
  label: string;
}

/** Reads a `plan.md`. It takes any text: what is missing is absent, and `findPlanFaults` says so. */
export function readPlan(text: string): PlanDocument {
  const lines = readLines(text);
  const plan: PlanDocument = { lines, headings: [], tasks: [] };
  const reading: Reading = { plan, label: '' };
  for (const [index, line] of lines.entries()) {
    if (!line.is_structure) continue;
    const heading = readHeading(line.text);
    if (heading === null) readBodyLine(reading, index, line.text);
    else readHeadingLine(reading, index, heading);
  }
  closeTask(reading, lines.length);
  const table = readPhaseTable(lines);
  return table === undefined ? plan : { ...plan, table };
}

function readHeadingLine(reading: Reading, index: number, { level, text }: Heading): void {
  const { plan } = reading;
  if (level > 3) return;
  closeTask(reading, index);
  if (level === 1 && plan.title === undefined) {
    plan.title = text.replace(/^Task Plan:\s*/i, '');
    plan.title_line = index;
  }
  if (level <= 2) {
    reading.heading = undefined;
    if (level === 2) openPhase(reading, index, text);
  }
  if (level === 3) openTask(reading, index, text);
}

function openPhase(reading: Reading, index: number, text: string): void {
  const match = /^Phase(?: \d{1,9})?\s{0,9}:\s*/i.exec(text);
  if (match === null) return;
  reading.heading = { line: index, text: text.slice(match[0].length) };
  reading.plan.headings.push(reading.heading);
}

function openTask(reading: Reading, index: number, text: string): void {
  const match = /^Task (\d{1,9})\s{0,9}(?::|\.|-|–|$)\s*/i.exec(text);
  if (match === null) return;
  const { heading } = reading;
  reading.task = {
    number: Number(match[1]),
    name: text.slice(match[0].length),
    line: index,
    end: index + 1,
    ...(heading && { heading }),
    criteria: [],
    checklist: [],
  };
  reading.plan.tasks.push(reading.task);
}

/** A task ends before the blank lines and the rule that part it from what follows. */
function closeTask(reading: Reading, index: number): void {
  const { task, plan } = reading;
  reading.task = undefined;
  reading.label = '';
  if (task === undefined) return;
  let end = index;
  while (end > task.line + 1 && isParting(plan.lines[end - 1]?.text ?? '')) end -= 1;
  task.end = end;
  // Boxes without a label of their own are the checklist only where no list bears that label.
  const { checklist_label } = task;
  if (checklist_label !== undefined) task.checklist = task.checklist.filter(({ line }) => line > checklist_label);
}

function readBodyLine(reading: Reading, index: number, text: string): void {
  const label = readLabel(text);
  if (label !== null) {
    reading.label = label.name.toLowerCase();
    const { value, start, stop } = label;
    noteField(reading, index, { line: index, value, start, stop });
    return;
  }
  const { task } = reading;
  if (task === undefined) return;
  if (reading.label === 'acceptance criteria') {
    if (text.trim() !== '') task.criteria.push(index);
    return;
  }
  const item = reading.label === 'checklist' || task.checklist_label === undefined ? readChecklistItem(text) : null;
  if (item !== null) task.checklist.push({ ...item, line: index });
}

function noteField({ plan, task, heading, label }: Reading, index: number, field: PlanField): void {
  if (task === undefined) {
    if (heading !== undefined) return;
    if (label === 'current phase') plan.current_phase ??= field;
    if (label === 'current task') plan.current_task ??= field;
    return;
  }
  if (label === 'phase') task.phase ??= field;
  if (label === 'goal') task.goal ??= field;
  if (label === 'status') task.status ??= field;
  if (label === 'acceptance criteria') task.criteria_label ??= index;
  if (label === 'checklist') task.checklist_label ??= index;
}
