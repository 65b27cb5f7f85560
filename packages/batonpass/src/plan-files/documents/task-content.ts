import type { LineEdit } from './document-lines.ts';
import { inlineValue, listItemValue } from './inline-value.ts';
import { readListItem, replaceValue } from './markdown-line.ts';
import type { PlanContentTask } from './plan-content.ts';
import type { PlanDocument, PlanTask } from './plan-document.ts';
import { renderCriteria, renderGoal, renderItem } from './plan-template.ts';

/** The edits by which a task says what a writer gives: a line that says it already stays as it is. */
export function changeTaskContent(plan: PlanDocument, task: PlanTask, given: PlanContentTask): LineEdit[] {
  return [
    ...changeName(task, given.name),
    ...changeGoal(plan, task, given.goal),
    ...(given.acceptance_criteria === undefined ? [] : changeCriteria(plan, task, given.acceptance_criteria)),
    ...(given.checklist === undefined ? [] : changeChecklist(plan, task, given.checklist)),
  ];
}

function changeName(task: PlanTask, name: string | undefined): LineEdit[] {
  if (name === undefined || inlineValue(name) === task.name) return [];
  return [{ at: task.line, remove: 1, insert: [`### Task ${task.number}: ${inlineValue(name)}`] }];
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

function changeCriteria(plan: PlanDocument, task: PlanTask, criteria: readonly string[]): LineEdit[] {
  const present = task.criteria.map((line) => readListItem(plan.lines[line]?.text ?? '')?.text);
  const wanted = criteria.map(listItemValue);
  if (present.length === wanted.length && present.every((text, index) => text === wanted[index])) return [];
  const lines = renderCriteria(criteria);
  const [first] = task.criteria;
  if (first !== undefined) {
    const others = task.criteria.slice(1).map((line) => ({ at: line, remove: 1, insert: [] }));
    return [{ at: first, remove: 1, insert: lines }, ...others];
  }
  if (task.criteria_label !== undefined) return [{ at: task.criteria_label + 1, remove: 0, insert: lines }];
  if (lines.length === 0) return [];
  const before = task.checklist_label ?? task.checklist[0]?.line;
  const block = ['**Acceptance Criteria**:', ...lines];
  return before === undefined
    ? [{ at: task.end, remove: 0, insert: ['', ...block] }]
    : [{ at: before, remove: 0, insert: [...block, ''] }];
}

/** Items whose text stays keep their line, tick included; the list comes in the order of the texts. */
function changeChecklist(plan: PlanDocument, task: PlanTask, texts: readonly string[]): LineEdit[] {
  const wanted = texts.map(inlineValue);
  const { checklist } = task;
  if (checklist.length === wanted.length && checklist.every(({ text }, index) => text === wanted[index])) return [];
  const rest = [...checklist];
  const lines = wanted.map((text) => {
    const at = rest.findIndex((item) => item.text === text);
    const [kept] = at === -1 ? [] : rest.splice(at, 1);
    return kept === undefined ? renderItem(text) : (plan.lines[kept.line]?.text ?? renderItem(text));
  });
  const [first, ...others] = checklist;
  if (first !== undefined) {
    const gone = others.map(({ line }) => ({ at: line, remove: 1, insert: [] }));
    return [{ at: first.line, remove: 1, insert: lines }, ...gone];
  }
  if (task.checklist_label !== undefined) return [{ at: task.checklist_label + 1, remove: 0, insert: lines }];
  return lines.length === 0 ? [] : [{ at: task.end, remove: 0, insert: ['', '**Checklist**:', ...lines] }];
}
