import type { LineEdit } from './document-lines.ts';
import { inlineValue, listItemValue } from './inline-value.ts';
import { changeList } from './list-changes.ts';
import { readListItem, replaceValue } from './markdown-line.ts';
import { type GivenEntry, type PlanContentTask, readEntry } from './plan-content.ts';
import type { PlanDocument, PlanTask } from './plan-document.ts';
import { renderCriterion, renderGoal, renderItem } from './plan-template.ts';

/** The edits that put a writer's values into a task: a line that has its value already stays as it is. */
export function changeTaskContent(plan: PlanDocument, task: PlanTask, given: PlanContentTask): LineEdit[] {
  const { acceptance_criteria, checklist } = given;
  const criteria = acceptance_criteria === undefined ? [] : changeCriteria(plan, task, acceptance_criteria);
  const items = checklist === undefined ? [] : changeChecklist(plan, task, checklist);
  // Items without a label stay above a new label, where they are the checklist.
  const isBare = task.checklist.length > 0 && task.checklist_label === undefined;
  const lists = isBare ? [...items, ...criteria] : [...criteria, ...items];
  return [...changeName(plan, task, given.name), ...changeGoal(plan, task, given.goal), ...lists];
}

function changeName(plan: PlanDocument, task: PlanTask, name: string | undefined): LineEdit[] {
  if (name === undefined || inlineValue(name) === task.name) return [];
  const line = plan.lines[task.line]?.text ?? '';
  const before = line.slice(0, line.length - line.trimStart().length);
  return [{ at: task.line, remove: 1, insert: [`${before}### Task ${task.number}: ${inlineValue(name)}`] }];
}

function changeGoal(plan: PlanDocument, task: PlanTask, goal: string | undefined): LineEdit[] {
  if (goal === undefined || inlineValue(goal) === task.goal?.value) return [];
  if (task.goal === undefined) {
    return [{ at: (task.phase?.line ?? task.line) + 1, remove: 0, insert: [renderGoal(goal)] }];
  }
  const { line } = task.goal;
  const text = replaceValue(plan.lines[line]?.text ?? '', task.goal, inlineValue(goal));
  return [{ at: line, remove: 1, insert: [text] }];
}

/** A criterion is the same with a box and without one. */
function changeCriteria(plan: PlanDocument, task: PlanTask, criteria: readonly GivenEntry[]): LineEdit[] {
  const wanted = criteria.map((given) => {
    const { text, done } = readEntry(given);
    return { text: done === undefined ? listItemValue(text) : inlineValue(text), written: renderCriterion(given) };
  });
  const present = task.criteria.map((entry) => ({ ...entry, text: readEntry(entry.text).text }));
  if (present.length > 0) return changeList({ lines: plan.lines, present, wanted });
  const lines = wanted.map(({ written }) => `- ${written}`);
  if (lines.length === 0) return [];
  if (task.criteria_label !== undefined) return [belowLabel(plan, task.criteria_label, lines)];
  const block = ['**Acceptance Criteria**:', ...lines];
  const before = task.checklist_label;
  return before === undefined
    ? [{ at: task.own_end, remove: 0, insert: ['', ...block] }]
    : [{ at: before, remove: 0, insert: [...block, ''] }];
}

/** Items whose text stays keep their line, tick included; the list comes in the order of the texts. */
function changeChecklist(plan: PlanDocument, task: PlanTask, items: readonly GivenEntry[]): LineEdit[] {
  const present = task.checklist;
  const wanted = items.map((given) => {
    const { text, done } = readEntry(given);
    return { text: inlineValue(text), written: renderItem(given), is_done: done };
  });
  if (present.length > 0) return changeList({ lines: plan.lines, present, wanted });
  const lines = wanted.map(({ written }) => `- ${written}`);
  if (lines.length === 0) return [];
  if (task.checklist_label !== undefined) return [belowLabel(plan, task.checklist_label, lines)];
  return [{ at: task.own_end, remove: 0, insert: ['', '**Checklist**:', ...lines] }];
}

/** A paragraph below the label stays one of its own. */
function belowLabel(plan: PlanDocument, label: number, lines: readonly string[]): LineEdit {
  const below = plan.lines[label + 1]?.text ?? '';
  const isParted = below.trim() === '' || readListItem(below) !== null;
  return { at: label + 1, remove: 0, insert: isParted ? lines : [...lines, ''] };
}
