import type { Content } from '../../../core/content.ts';
import type { Handoff } from '../../../core/handoff.ts';
import type { State } from '../../../core/state.ts';
import { formatAge } from '../duration.ts';
import { oneLine, table, type View } from './view.ts';

/** The last characters of an id: enough to name a handoff in its project. */
export function shortId(id: string): string {
  return id.slice(-8);
}

const colours = {
  draft: 'yellow',
  open: 'green',
  claimed: 'cyan',
  waiting: 'magenta',
  acknowledged: 'gray',
  dead: 'red',
  withdrawn: 'gray',
  expired: 'gray',
} as const satisfies Record<State, string>;

/** A state in its colour. */
export function styledState(state: State, view: View): string {
  return view.style(colours[state], state);
}

/** Handoffs as a table: id, state, title, from and to, age. */
export function handoffTable(handoffs: readonly Handoff[], view: View, options: { showState: boolean }): string {
  const titleWidth = Math.max(20, view.width - (options.showState ? 58 : 44));
  return table(
    handoffs.map((handoff) => {
      const { content, delivery } = handoff;
      return [
        `  ${view.style('bold', shortId(handoff.id))}`,
        ...(options.showState ? [styledState(delivery.state, view)] : []),
        oneLine(content.title, titleWidth),
        view.style('gray', oneLine(routeOf(handoff), 28)),
        view.style('gray', formatAge(handoff.created_at, view.now_ms)),
      ];
    }),
  );
}

function routeOf({ content }: Handoff): string {
  const to = content.target_agent === undefined ? '' : ` → ${content.target_agent}`;
  const task = content.task_id === undefined ? '' : ` · ${content.task_id}`;
  return `${content.source_agent}${to}${task}`;
}

/** How much a content holds, on the line below its handoff's. */
export function describeItems({ decisions, files, risks, tried, next_steps, open_questions }: Content): string {
  const counts: [number, string, string][] = [
    [decisions.length, 'decision', 'decisions'],
    [files.length, 'file', 'files'],
    [risks.length, 'risk', 'risks'],
    [tried.length, 'dead end', 'dead ends'],
    [next_steps.length, 'next step', 'next steps'],
    [open_questions.length, 'open question', 'open questions'],
  ];
  const found = counts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `${count} ${count === 1 ? one : many}`);
  return `          ${found.length === 0 ? 'nothing that binds whoever goes on' : found.join(', ')}`;
}
