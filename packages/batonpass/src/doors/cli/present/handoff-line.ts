import type { Content } from '../../../core/content.ts';
import { limits } from '../../../core/limits.ts';
import type { State } from '../../../core/state.ts';
import { isUnreviewed } from '../../../core/unreviewed.ts';
import type { HandoffInShort } from '../../../operations/handoff-in-short.ts';
import { formatAge } from '../duration.ts';
import { counted } from './plural.ts';
import { oneLine, table, type View, widthOf, wrapped } from './view.ts';

/** The last characters of an id: enough to name a handoff in its project. */
export function shortId(id: string): string {
  return id.slice(-limits.id_shown_characters);
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
function styledState(state: State, view: View): string {
  return view.style(colours[state], state);
}

/** A handoff's state, with the end of its wait after a failure. */
export function describeState({ delivery }: HandoffInShort, view: View): string {
  const { state, available_at } = delivery;
  const later = state === 'open' && Date.parse(available_at) > view.now_ms;
  return later ? `${styledState(state, view)} from ${timeOf(available_at)}` : styledState(state, view);
}

/** The time of day of an instant, in UTC as every instant is shown: `14:03:20Z`. */
export function timeOf(instant: string): string {
  return `${instant.slice(11, 19)}Z`;
}

const DAY_MS = 24 * 3_600_000;

/** A future instant: the time of day, with the date where it is more than a day away. */
export function endOf(instant: string, { now_ms }: View): string {
  const time = timeOf(instant);
  return Date.parse(instant) - now_ms < DAY_MS ? time : `${instant.slice(0, 10)} ${time}`;
}

/** What a table of handoffs shows besides id, title, from and to, and age. */
export interface HandoffTableOptions {
  /** Shows the state of each, and who holds it. */
  showState: boolean;
  /** A text below a handoff's line, where it has one. */
  below?: (handoff: HandoffInShort) => string | undefined;
}

/** The least width of a title: "from and to" and age are cut for it. */
const TITLE_COLUMNS_MIN = 20;

/**
 * Handoffs as a table: id, state, title, from and to, age. No row is wider than the view; where the title has too little room
 * without from, to and age, it is on a line of its own.
 */
export function handoffTable(handoffs: readonly HandoffInShort[], view: View, options: HandoffTableOptions): string {
  const before = [
    handoffs.map(({ id }) => `  ${view.style('bold', shortId(id))}`),
    ...(options.showState ? [handoffs.map((handoff) => describeState(handoff, view))] : []),
  ];
  const routeWidth = Math.min(28, Math.floor(view.width / 4));
  const after = [
    handoffs.map((handoff) => view.style('gray', oneLine(routeOf(handoff, options), routeWidth))),
    handoffs.map(({ created_at }) => view.style('gray', formatAge(created_at, view.now_ms))),
  ];
  // The title gets the width that the other columns leave, with two spaces between columns.
  const left = () =>
    [...before, ...after].reduce((width, cells) => width - Math.max(0, ...cells.map(widthOf)) - 2, view.width);
  while (left() < TITLE_COLUMNS_MIN && after.length > 0) after.shift();
  const isBelow = left() < TITLE_COLUMNS_MIN;
  const titleWidth = isBelow ? view.width - BELOW.length : left();
  const titles = handoffs.map(({ content }) => oneLine(content.title, titleWidth));
  const columns = isBelow ? before : [...before, titles, ...after];
  const lines = table(handoffs.map((_, index) => columns.map((cells) => cells[index] ?? ''))).split('\n');
  return handoffs
    .flatMap((handoff, index) => {
      const below = options.below?.(handoff);
      return [
        lines[index] ?? '',
        ...(isBelow ? [`${BELOW}${titles[index]}`] : []),
        ...(below === undefined ? [] : [`${BELOW}${wrapped(below, view.width, BELOW)}`]),
      ];
    })
    .join('\n');
}

/** The indent of a line below a handoff's line. */
const BELOW = '      ';

function routeOf(handoff: HandoffInShort, { showState }: HandoffTableOptions): string {
  const { content, delivery } = handoff;
  const holder = showState && delivery.lease !== undefined ? `held by ${delivery.lease.holder} · ` : '';
  const mark = isUnreviewed(handoff) ? ', unreviewed' : '';
  const to = content.target_agent === undefined ? '' : ` → ${content.target_agent}`;
  const task = content.task_id === undefined ? '' : ` · ${content.task_id}`;
  return `${holder}${content.source_agent}${mark}${to}${task}`;
}

/** The size of a content, on the line below its handoff's line. */
export function describeItems(content: Content): string {
  const { decisions, files, risks, tried, next_steps, open_questions, where_it_stands = [] } = content;
  const counts: [number, string, string][] = [
    [decisions.length, 'decision', 'decisions'],
    [files.length, 'file', 'files'],
    [risks.length, 'risk', 'risks'],
    [tried.length, 'dead end', 'dead ends'],
    [next_steps.length, 'next step', 'next steps'],
    [open_questions.length, 'open question', 'open questions'],
  ];
  const found = counts.filter(([count]) => count > 0).map(([count, one, several]) => counted(count, one, several));
  // A short session may have no more than its state.
  if (found.length === 0 && where_it_stands.length > 0)
    found.push(counted(where_it_stands.length, 'fact of where it stands', 'facts of where it stands'));
  return `          ${found.length === 0 ? 'nothing found' : found.join(', ')}`;
}

/** What to do about handoffs that the store cannot give as they were, and that still wait. */
export function remarksOnDamaged(handoffs: readonly Pick<HandoffInShort, 'id' | 'content' | 'delivery'>[]): string[] {
  return handoffs
    .filter(({ content, delivery: { state } }) => content.kind === 'damaged' && (state === 'open' || state === 'draft'))
    .map(({ id }) => `Handoff ${id} is damaged. Set it aside: baton withdraw ${id} · see why: baton store check`);
}
