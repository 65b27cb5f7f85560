import type { OperationOutput } from '../../../operations/catalogue.ts';
import { counted } from './plural.ts';
import { oneLine, table, type View, widthOf, wrapped } from './view.ts';

type Plan = OperationOutput<'plan.read-plan'>;
type Listed = OperationOutput<'plan.list'>;
type Outline = OperationOutput<'plan.outline'>;

const marks = {
  completed: { mark: '✓', colour: 'green' },
  in_progress: { mark: '●', colour: 'cyan' },
  pending: { mark: '○', colour: 'gray' },
  blocked: { mark: '■', colour: 'yellow' },
} as const;

/** Columns of a bar: wide enough to read, narrow enough to compare. */
const BAR = { least: 6, most: 30 };
/** Width of mark, gaps and per cent next to name, bar and count. */
const BESIDE_COLUMNS = 12;
/** More tasks of one phase are for a program. */
const TASKS_MAX = 50;

/** A plan with a bar for each phase, and the tasks of the current one. */
export function presentPlan({ plan_status, phases, tasks_current_phase }: Plan, view: View): string {
  const { current_phase, current_task, overall_status } = plan_status;
  const head = [overall_status.replace('_', ' '), current_phase, current_task].map((part) => oneLine(part, view.width));
  const name_max = Math.min(24, Math.floor(view.width / 3));
  const name_columns = Math.max(...phases.map(({ name }) => widthOf(oneLine(name, name_max))));
  const count_columns = Math.max(...phases.map(({ completed }) => completed.length));
  const free = view.width - name_columns - count_columns - BESIDE_COLUMNS;
  const columns = Math.max(BAR.least, Math.min(BAR.most, free));
  const lines = phases.map((phase) => presentPhase(phase, { columns, name_max }, view));
  return [
    view.style('bold', head.join(' · ')),
    '',
    table(lines),
    ...presentTasks(tasks_current_phase, { phase: current_phase, all: totalOf(phases, current_phase) }, view),
  ].join('\n');
}

function presentPhase(
  { name, status, completed }: Plan['phases'][number],
  { columns, name_max }: { columns: number; name_max: number },
  view: View,
): string[] {
  const { mark, colour } = marks[status];
  const [done = 0, all = 0] = completed.split('/').map(Number);
  const share = all === 0 ? Number(status === 'completed') : done / all;
  return [
    `${view.style(colour, mark)} ${oneLine(name, name_max)}`,
    presentBar(share, { columns, colour }, view),
    completed,
    `${Math.floor(share * 100)}%`,
  ];
}

/** Full only where all tasks are done, and empty only where none is. */
function presentBar(
  share: number,
  { columns, colour }: { columns: number; colour: 'green' | 'cyan' | 'gray' | 'yellow' },
  view: View,
): string {
  const least = share > 0 ? 1 : 0;
  const filled = share >= 1 ? columns : Math.min(columns - 1, Math.max(least, Math.floor(share * columns)));
  return view.style(colour, '█'.repeat(filled)) + view.style('gray', '░'.repeat(columns - filled));
}

/** How many tasks a phase has; the answer holds one page of them. */
function totalOf(phases: Plan['phases'], current_phase: string): number {
  return phases.find(({ name }) => name === current_phase)?.tasks ?? 0;
}

function presentTasks(
  tasks: Plan['tasks_current_phase'],
  { phase, all }: { phase: string; all: number },
  view: View,
): string[] {
  if (tasks.length === 0) return [];
  const rows = tasks.slice(0, TASKS_MAX).map(({ id, name, status }) => {
    const { mark, colour } = marks[status];
    return [`${view.style(colour, mark)} ${oneLine(id, 24)}`, oneLine(name, Math.max(10, view.width - 30))];
  });
  const more = Math.max(all, tasks.length) - rows.length;
  const rest = more > 0 ? [view.style('gray', `  … and ${more} more: --json`)] : [];
  return ['', `Tasks of ${oneLine(phase, 40)}`, table(rows), ...rest];
}

/** A whole plan: each phase, its tasks, and the items of their checklists. */
export function presentOutline({ title, phases }: Outline, view: View): string {
  const lines = phases.flatMap(({ name, status, tasks, tasks_completed, tasks_total }) => [
    '',
    `${markOf(status, view)} ${view.style('bold', oneLine(name, 40))}  ${tasks_completed}/${tasks_total}`,
    ...tasks.flatMap((task) => [
      `  ${markOf(task.status, view)} ${oneLine(`${task.id}: ${task.name}`, view.width - 4)}`,
      ...task.checklist.map(
        ({ text, is_done }) => `      ${is_done ? '[x]' : '[ ]'} ${wrapped(text, view.width, '          ')}`,
      ),
    ]),
  ]);
  return [view.style('bold', oneLine(title, view.width)), ...lines].join('\n');
}

function markOf(status: keyof typeof marks, view: View): string {
  const { mark, colour } = marks[status];
  return view.style(colour, mark);
}

/** The plans of a project, one per line. */
export function presentPlans({ plans, left_out }: Listed, view: View): string {
  const rows = plans.map(({ name, title = '', plan_status, tasks_total = 0, tasks_completed = 0, fault }) => {
    if (plan_status === undefined)
      return [`${view.style('yellow', '!')} ${oneLine(name, 50)}`, '', '', oneLine(fault ?? '', view.width)];
    const { mark, colour } = marks[plan_status.overall_status];
    const where = `${plan_status.current_phase} · ${plan_status.current_task}`;
    return [
      `${view.style(colour, mark)} ${oneLine(name, 50)}`,
      oneLine(title, 40),
      `${tasks_completed}/${tasks_total}`,
      oneLine(where, view.width),
    ];
  });
  const rest = left_out > 0 ? [view.style('gray', `… and ${counted(left_out, 'plan')} more: --limit`)] : [];
  return [table(rows), ...rest].filter((line) => line !== '').join('\n');
}

/** A record of single values and lists, one name per line. */
export function presentRecord(record: Readonly<Record<string, unknown>>, view: View): string {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined && value !== null);
  const columns = Math.max(...entries.map(([name]) => name.length));
  return entries
    .map(([name, value]) => {
      const indent = ' '.repeat(columns + 2);
      return `${name.padEnd(columns)}  ${wrapped(describe(value), view.width, indent)}`;
    })
    .join('\n');
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(describe).join(', ');
  if (typeof value === 'object' && value !== null) return Object.values(value).map(describe).join(' · ');
  return String(value);
}
