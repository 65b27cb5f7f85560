import { cellValue, inlineValue, listItemValue } from './inline-value.ts';
import { type GivenEntry, type PlanContentTask, readEntry } from './plan-content.ts';
import type { PlanStatus } from './plan-document.ts';

/** The head of a table of phases, and its row of dashes. */
export const phaseTableHead = [
  '| Phase | Status | Tasks | Completed |',
  '|-------|--------|-------|-----------|',
] as const;

const phaseColumns = ['phase', 'status', 'tasks', 'completed'];

/** A row for a phase that has no tasks yet, in a table of these columns. */
export function renderPhaseRow(name: string, status: PlanStatus, columns: readonly string[] = phaseColumns): string {
  const values: Record<string, string> = { phase: cellValue(name), status, tasks: '0', completed: '0/0' };
  return `| ${columns.map((column) => (Object.hasOwn(values, column) ? values[column] : '')).join(' | ')} |`;
}

/** The heading of a phase's section. */
export function renderPhaseHeading(name: string, status: PlanStatus): string {
  return `## Phase: ${inlineValue(name)} (${status})`;
}

/** The section of a task that has done nothing yet. */
export function renderTask(number: number, { name = '', phase = '', goal, ...lists }: PlanContentTask): string[] {
  const { acceptance_criteria = [], checklist = [] } = lists;
  return [
    `### Task ${number}: ${inlineValue(name)}`,
    '',
    `**Phase**: ${inlineValue(phase)}`,
    ...(goal === undefined ? [] : [renderGoal(goal)]),
    ...(acceptance_criteria.length === 0
      ? []
      : ['', '**Acceptance Criteria**:', ...acceptance_criteria.map((each) => `- ${renderCriterion(each)}`)]),
    ...(checklist.length === 0 ? [] : ['', '**Checklist**:', ...checklist.map((each) => `- ${renderItem(each)}`)]),
  ];
}

/** The line of a task's goal. */
export function renderGoal(goal: string): string {
  return `**Goal**: ${inlineValue(goal)}`;
}

/** The text after the hyphen of an acceptance criterion. A box that was given stays one. */
export function renderCriterion(given: GivenEntry): string {
  const { text, done } = readEntry(given);
  return done === undefined ? listItemValue(text) : renderItem(given);
}

/** The text after the hyphen of an item of a checklist. */
export function renderItem(given: GivenEntry): string {
  const { text, done = false } = readEntry(given);
  return `[${done ? 'x' : ' '}] ${inlineValue(text)}`;
}

/** A plan of phases without tasks, at the first of them. */
export function renderEmptyPlan(title: string, phases: readonly string[]): string {
  const [first = ''] = phases;
  const lines = [
    `# ${inlineValue(title)}`,
    '',
    '**Configuration**: See [config.md](./config.md)',
    '**References**: See [references.md](./references.md)',
    '',
    `**Current Phase**: ${inlineValue(first)}`,
    '**Current Task**: none',
    '',
    '---',
    '',
    '## Phase Progress',
    '',
    ...phaseTableHead,
    ...phases.map((name) => renderPhaseRow(name, 'pending')),
    '',
    ...phases.flatMap((name) => ['---', '', renderPhaseHeading(name, 'pending'), '']),
    '---',
    '',
    '## Completion Criteria',
    '',
    '- Every task of every phase is completed.',
    '',
  ];
  return lines.join('\n');
}
