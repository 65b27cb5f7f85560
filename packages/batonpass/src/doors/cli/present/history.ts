import type { HandoffEvent } from '../../../core/delivery.ts';
import { shortId } from './handoff-line.ts';
import { oneLine, table, type View, widthOf, wrapped } from './view.ts';

/** A narrower column cannot show a reason; the reason is then on a line of its own. */
const REASON_COLUMNS_MIN = 16;
/** Below this width the date is left out, and only the time stays. */
const DATE_WIDTH_MIN = 60;
/** A longer reason is a document; `--json` has it whole. */
const REASON_CHARACTERS_MAX = 500;

/**
 * A history as a table: when, which handoff (where there are several), what happened, by whom, and as far as the width
 * allows, from which state to which, and why. A reason that does not fit is indented on the line below; no row is wider
 * than the view.
 */
export function presentHistory(events: readonly HandoffEvent[], view: View): string {
  const columns = fitColumns(events, view);
  const taken = columns.reduce((sum, cells) => sum + widest(cells) + 2, 0);
  const left = view.width - taken;
  const rows = events.map((event, index) => {
    const reason = reasonOf(event, left);
    const fits = left >= REASON_COLUMNS_MIN && widthOf(reason) <= left;
    return { cells: columns.map((cells) => cells[index] ?? ''), reason, fits };
  });
  const lines = table(rows.map(({ cells, reason, fits }) => (fits ? [...cells, reason] : [...cells, '']))).split('\n');
  return rows
    .flatMap(({ reason, fits }, index) => [
      lines[index] ?? '',
      ...(fits || reason === '' ? [] : [`      ${wrapped(reason, view.width, '      ')}`]),
    ])
    .join('\n');
}

/** The columns before the reason; the later ones are left out where the width is too small. */
function fitColumns(events: readonly HandoffEvent[], view: View): string[][] {
  const isOfOne = new Set(events.map(({ handoff_id }) => handoff_id)).size <= 1;
  const columns = [
    events.map(({ at }) => `  ${view.style('gray', instantOf(at, view))}`),
    ...(isOfOne ? [] : [events.map(({ handoff_id }) => shortId(handoff_id))]),
    events.map(({ name }) => view.style('bold', name.replace('handoff-', ''))),
  ];
  const optional = [
    events.map(({ actor }) => oneLine(actor.name, 20)),
    events.map(({ from, to }) => view.style('gray', from === to ? to : `${from ?? '·'} → ${to}`)),
  ];
  for (const cells of optional) {
    const width = [...columns, cells].reduce((sum, each) => sum + widest(each) + 2, -2);
    if (width > view.width) break;
    columns.push(cells);
  }
  return columns;
}

function widest(cells: readonly string[]): number {
  return Math.max(0, ...cells.map(widthOf));
}

function instantOf(at: string, view: View): string {
  if (view.width < DATE_WIDTH_MIN) return `${at.slice(11, 19)}Z`;
  return at.replace('T', ' ').replace(/\.\d+Z$/, 'Z');
}

/** The actor's words; else the facts of the step, as many as fit. */
function reasonOf({ reason, details }: HandoffEvent, width: number): string {
  if (reason !== undefined) return oneLine(reason, REASON_CHARACTERS_MAX) + doerMark(details) + dataMark(details);
  // Marks are for extractions, which look up what was taken out; --json prints them and the words.
  const told = Object.entries(details ?? {}).filter(([name]) => name !== 'marks' && name !== 'words');
  const facts = told.map(([name, value]) => factOf(name, value));
  // What the agent cost is shown whole.
  if (details?.written_by !== undefined) return facts.join(', ');
  const fitting = facts.filter((_, index) => widthOf(facts.slice(0, index + 1).join(', ')) <= width);
  return fitting.join(', ');
}

/** Who took the step for the holder. */
function doerMark(details: HandoffEvent['details']): string {
  return details?.by === undefined ? '' : ` (${factOf('by', details.by)})`;
}

/** Data of a report is for programs: a person sees only that there is some. */
function dataMark(details: HandoffEvent['details']): string {
  return details?.data === undefined ? '' : ' (data: --json)';
}

const words: Readonly<Record<string, string>> = {
  content_sha256: 'content',
  content_revision: 'revision',
  rendered_sha256: 'rendered',
  attempts: 'attempt',
  superseded_by: 'replaced by',
  written_by: 'written by',
  row: 'found in its transcript as',
};

function factOf(name: string, value: unknown): string {
  if (name === 'input_tokens') return `${value} tokens read`;
  if (name === 'output_tokens') return `${value} written`;
  if (name === 'took_ms') return `${Math.round(Number(value) / 1_000)} s`;
  if (name === 'budget') return `${value} tokens at the most`;
  return oneLine(`${words[name] ?? name.replaceAll('_', ' ')} ${shortOf(value)}`, 60);
}

/** The shortest recognisable part of a hash or an id. */
function shortOf(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  if (/^[0-9a-f]{64}$|^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value)) return value.slice(0, 8);
  return /^[0-9A-HJKMNP-TV-Z]{26}$/.test(value) ? shortId(value) : value;
}
