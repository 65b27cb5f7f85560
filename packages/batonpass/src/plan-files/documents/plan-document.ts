import type { DocumentLine } from './document-lines.ts';
import { readLines } from './document-lines.ts';
import {
  type ChecklistItem,
  type Heading,
  indentOf,
  isParting,
  isUnderlined,
  type ListItem,
  readBoldLine,
  readChecklistItem,
  readHeading,
  readLabel,
  readListItem,
} from './markdown-line.ts';
import { type PhaseTable, readPhaseTable } from './phase-table.ts';

/** What a phase and a task can be. */
export const planStatuses = ['pending', 'in_progress', 'completed'] as const;

export type PlanStatus = (typeof planStatuses)[number];

/** A value after a label, with its place. */
export interface PlanField {
  /** Index of its line. */
  line: number;
  value: string;
  /** Its place in the line. */
  start: number;
  stop: number;
}

/** An entry of a task's list, with its place. */
export interface PlanEntry extends ListItem {
  line: number;
}

/** An item of a task's checklist: its text is what follows the box. */
export interface PlanItem extends PlanEntry, ChecklistItem {}

/** A box that is not ticked, anywhere in the document. */
export interface OpenBox {
  line: number;
  /** The label or heading that it is below, and the line of that; empty and -1 where it is below none. */
  below: string;
  block_line: number;
}

/** A heading `## Phase: name (status)`. */
export interface PhaseHeading {
  line: number;
  /** The text after `Phase:`, its status included. */
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
  /** The line after the last that is not below a heading of the person's own: the place of a new list. */
  own_end: number;
  /** The heading of the phase that it is under. */
  heading?: PhaseHeading;
  phase?: PlanField;
  goal?: PlanField;
  status?: PlanField;
  /** The entries of the list below the label `**Acceptance Criteria**`; all other text there is a person's note. */
  criteria: PlanEntry[];
  criteria_label?: number;
  checklist: PlanItem[];
  checklist_label?: number;
}

/** A `plan.md` as it was read: its parts, and their places. Everything else stays in its lines. */
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
  /** Those of the tasks' checklists among them. */
  open_boxes: OpenBox[];
}

/** What the lines below a label or heading belong to. */
interface Block {
  line: number;
  /** In lower case, without a colon at its end. */
  name: string;
  shown: string;
  /** A heading of the person's own: nothing below it is the plan's. */
  is_own: boolean;
}

/** How far reading has come: in which phase, task, block and list. */
interface Reading {
  plan: PlanDocument;
  heading?: PhaseHeading;
  task?: PlanTask;
  block: Block;
}

/** Reads a `plan.md`. It accepts any text: what is missing is absent, and `findPlanFaults` reports it. */
export function readPlan(text: string): PlanDocument {
  const lines = readLines(text);
  const plan: PlanDocument = { lines, headings: [], tasks: [], open_boxes: [] };
  const reading: Reading = { plan, block: blockOf('', -1) };
  for (const [index, line] of lines.entries()) {
    if (!line.is_structure) continue;
    const heading = isTitle(lines, index) ? { level: 3, text: line.text.trim() } : readHeading(line.text);
    if (heading === null) readBodyLine(reading, index, line.text);
    else readHeadingLine(reading, index, heading);
  }
  closeTask(reading, lines.length);
  const table = readPhaseTable(lines);
  return table === undefined ? plan : { ...plan, table };
}

/** A line of its own with `===` or `---` below it; within a list it is none. */
function isTitle(lines: readonly DocumentLine[], index: number): boolean {
  const [above, line, below] = [lines[index - 1], lines[index], lines[index + 1]];
  if (line === undefined || below?.is_structure !== true || indentOf(line.text) > 1) return false;
  return (above?.text ?? '').trim() === '' && isUnderlined(line.text, below.text);
}

function blockOf(shown: string, line: number, is_own = false): Block {
  return { line, name: shown.replace(/:$/, '').trimEnd().toLowerCase(), shown, is_own };
}

function readHeadingLine(reading: Reading, index: number, { level, text }: Heading): void {
  const { plan } = reading;
  if (level > 3) {
    const block = blockOf(text, index);
    openBlock(reading, { ...block, is_own: !['checklist', 'acceptance criteria'].includes(block.name) });
    return;
  }
  closeTask(reading, index);
  openBlock(reading, blockOf(text, index, true));
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
    own_end: -1,
    ...(heading && { heading }),
    criteria: [],
    checklist: [],
  };
  reading.block = blockOf(text, index);
  reading.plan.tasks.push(reading.task);
}

/** A task ends before the blank lines and the rule that part it from what follows. */
function closeTask(reading: Reading, index: number): void {
  const { task, plan } = reading;
  reading.task = undefined;
  if (task === undefined) return;
  task.end = withoutParting(plan, task, index);
  if (task.own_end === -1) task.own_end = task.end;
  // Boxes without a label of their own are the checklist only where no list has that label.
  const { checklist_label } = task;
  if (checklist_label !== undefined) task.checklist = task.checklist.filter(({ line }) => line > checklist_label);
}

function withoutParting({ lines }: PlanDocument, { line }: PlanTask, index: number): number {
  let end = index;
  while (end > line + 1 && isParting(lines[end - 1]?.text ?? '')) end -= 1;
  return end;
}

function openBlock(reading: Reading, block: Block): void {
  const { task, plan } = reading;
  reading.block = block;
  if (task !== undefined && block.is_own && task.own_end === -1) {
    task.own_end = withoutParting(plan, task, block.line);
  }
  if (task === undefined || block.is_own) return;
  if (block.name === 'acceptance criteria') task.criteria_label ??= block.line;
  if (block.name === 'checklist') task.checklist_label ??= block.line;
}

function readBodyLine(reading: Reading, index: number, text: string): void {
  const { block } = reading;
  const label = readLabel(text);
  const name = label?.name ?? readBoldLine(text);
  // Below a heading of the person's own a label is the person's too.
  if (name !== null && !(block.is_own && reading.task !== undefined)) {
    openBlock(reading, blockOf(name, index));
    if (label !== null) noteField(reading, label.name.toLowerCase(), { line: index, ...placeIn(label) });
    return;
  }
  readListLine(reading, index, text);
}

function placeIn({ value, start, stop }: Omit<PlanField, 'line'>) {
  return { value, start, stop };
}

function readListLine(reading: Reading, index: number, text: string): void {
  const { plan, task, block } = reading;
  const item = readListItem(text);
  if (item === null) return;
  const box = readChecklistItem(text);
  if (box?.is_done === false) plan.open_boxes.push({ line: index, below: block.shown, block_line: block.line });
  if (task === undefined || block.is_own) return;
  if (block.name === 'acceptance criteria') {
    // What is further right is a note to a criterion, also where that one is gone.
    if (indentOf(text) < 2) task.criteria.push({ ...item, line: index });
  } else if (box !== null && (block.name === 'checklist' || task.checklist_label === undefined)) {
    task.checklist.push({ ...item, ...box, line: index });
  }
}

function noteField({ plan, task, heading }: Reading, label: string, field: PlanField): void {
  if (task === undefined) {
    if (heading !== undefined) return;
    if (label === 'current phase') plan.current_phase ??= field;
    if (label === 'current task') plan.current_task ??= field;
    return;
  }
  if (label === 'phase') task.phase ??= field;
  if (label === 'goal') task.goal ??= field;
  if (label === 'status') task.status ??= field;
}
