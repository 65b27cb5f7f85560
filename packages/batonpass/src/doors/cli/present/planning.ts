import type { Handoff } from '../../../core/handoff.ts';
import type { OperationOutput } from '../../../operations/catalogue.ts';
import { describeState, shortId } from './handoff-line.ts';
import { howToTake } from './next-steps.ts';
import { counted } from './plural.ts';
import { oneLine, table, type View, visible, wrapped, wrappedParts } from './view.ts';

type Attempt = OperationOutput<'planning.runs'>['runs'][number];

/** Where a plan is stored, and which handoff continues it. */
export function presentPlanned(
  { plan_directory, next }: { plan_directory: string; next?: Handoff },
  view: View,
): string {
  const plan = `plan ${view.style('bold', visible(plan_directory))}`;
  if (next === undefined) return plan;
  const title = oneLine(next.content.title, view.width - 30);
  return `${plan}\n${view.style('bold', shortId(next.id))}  ${describeState(next, view)}  ${title}`;
}

/** What to do with the handoff that a planning run made. */
export function afterPlanning(
  { next, former_directory }: { next?: Handoff; former_directory?: string },
  view: View,
): string[] {
  return [
    ...(former_directory === undefined ? [] : [`The previous plan is in ${visible(former_directory)}`]),
    ...(next?.delivery.state === 'open' ? [view.style('gray', howToTake(next, view))] : []),
    ...(next?.delivery.state === 'draft' ? [view.style('gray', `Review it: baton review ${shortId(next.id)}`)] : []),
  ];
}

const colours = {
  completed: 'green',
  running: 'cyan',
  stopped: 'yellow',
  interrupted: 'yellow',
  lapsed: 'yellow',
  'step-limit': 'red',
  error: 'red',
} as const satisfies Record<Attempt['outcome'], string>;

/** Attempts at planning, each with its steps: what the agent called, its cost, its decisions. */
export function presentRuns({ runs }: OperationOutput<'planning.runs'>, view: View): string {
  if (runs.length === 0) return 'Nobody has started to plan it.';
  return runs.map((run) => presentRun(run, view)).join('\n\n');
}

/** The planning runs of a project, one per line. */
export function presentRunList({ runs }: OperationOutput<'planning.list'>, view: View): string {
  if (runs.length === 0) return 'Nobody has started to plan anything.';
  const cells = runs.map(({ handoff_id, number, title, planner, steps, duration_ms, outcome, ...run }) => [
    `${shortId(handoff_id)} ${number}`,
    view.style(colours[outcome], outcome),
    oneLine(planner, 24),
    counted(steps, 'step'),
    `${(run.tokens.input + run.tokens.output).toLocaleString('en-US')} tokens`,
    run.cost === undefined ? '' : `${run.cost.amount.toFixed(4)} ${run.cost.currency}`,
    `${(duration_ms / 1_000).toFixed(1)} s`,
    oneLine(title, Math.max(20, view.width - 96)),
  ]);
  return table(cells);
}

/** One attempt. */
export function presentRun(run: Attempt, view: View): string {
  const head = `${view.style('bold', `Attempt ${run.number}`)}  ${view.style(colours[run.outcome], run.outcome)}`;
  const facts = [run.planner, ...(run.by === run.planner ? [] : [`as ${run.by}`]), run.started_at, ...costOf(run)];
  return [
    head,
    view.style('gray', `  ${wrappedParts(facts, view.width - 2).replaceAll('\n', '\n  ')}`),
    ...(run.steps.length === 0 ? [] : [table(run.steps.map((step) => stepCells(step, view)))]),
    ...run.decisions.map((decision) => `  decided  ${wrapped(decision, view.width, '           ')}`),
    ...(run.reason === undefined ? [] : [`  ${wrapped(run.reason, view.width, '  ')}`]),
  ].join('\n');
}

function stepCells(step: Attempt['steps'][number], view: View): string[] {
  const { number, tools, tools_left_out, text, tokens, duration_ms } = step;
  const called = tools.map(({ name }) => name).join(', ');
  const more = tools_left_out === undefined ? '' : `, and ${tools_left_out} more`;
  return [
    `  ${String(number).padStart(2)}`,
    view.style('gray', `${((duration_ms ?? 0) / 1_000).toFixed(1)} s`.padStart(7)),
    view.style('gray', `${(tokens.input + tokens.output).toLocaleString('en-US')} tokens`.padStart(14)),
    oneLine(called === '' ? text : `${called}${more}`, Math.max(20, view.width - 34)),
  ];
}

function costOf({ tokens, cost, steps }: Attempt): string[] {
  if (steps.length === 0) return [];
  const spent = `${(tokens.input + tokens.output).toLocaleString('en-US')} tokens`;
  const paid = cost === undefined ? [] : [`${cost.amount.toFixed(4)} ${cost.currency}`];
  return [counted(steps.length, 'step'), spent, ...paid];
}
