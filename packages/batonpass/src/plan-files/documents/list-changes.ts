import type { DocumentLine, LineEdit } from './document-lines.ts';
import { indentOf, readBoldLine, readHeading, readLabel, readListItem } from './markdown-line.ts';
import type { PlanEntry, PlanItem } from './plan-document.ts';

/** An entry that a list is to have. */
export interface WantedEntry {
  /** What it is recognised by. */
  text: string;
  /** The text after its hyphen where it is new. */
  written: string;
  /** Whether its box is to be ticked. This never clears a box: that is a step back, and has a request of its own. */
  is_done?: boolean;
}

type Present = PlanEntry & Partial<PlanItem>;

/** A list of a document, and what it is to be. */
export interface ListChange {
  lines: readonly DocumentLine[];
  present: readonly Present[];
  wanted: readonly WantedEntry[];
}

/** A wanted entry with the present one of its text, where there is one. */
interface Pair {
  wanted: WantedEntry;
  present: Present | undefined;
  /** Whether it is where it is to be. */
  is_kept: boolean;
}

/**
 * The edits by which a list that has entries gets others: an entry whose text stays keeps its line, one that is not wanted
 * is removed, and every line that is no entry stays where it is. A new entry takes the place of a removed one, or comes
 * after the entry before it and all that belongs to that.
 */
export function changeList({ lines, present, wanted }: ListChange): LineEdit[] {
  const pairs = pairUp(present, wanted);
  const edits: LineEdit[] = [];
  let gone: Present[] = [];
  let fresh: Pair[] = [];
  let next = 0;
  let last: Present | undefined;
  const settleGap = (until: Present | undefined) => {
    const replaced = Math.min(gone.length, fresh.length);
    for (const [index, { line, start }] of gone.entries()) {
      const pair = fresh[index];
      const before = lines[line]?.text.slice(0, start) ?? '';
      edits.push({ at: line, remove: 1, insert: pair === undefined ? [] : [renderPair(lines, pair, before)] });
    }
    const above = gone[replaced - 1] ?? last;
    const marker = bulletOf(lines[(above ?? until)?.line ?? -1]?.text ?? '');
    const insert = fresh.slice(replaced).map((pair) => renderPair(lines, pair, marker));
    const at = above === undefined ? until?.line : entryEnd(lines, above);
    if (at !== undefined && insert.length > 0) edits.push({ at, remove: 0, insert });
    gone = [];
    fresh = [];
  };
  for (const pair of pairs) {
    if (pair.present === undefined || !pair.is_kept) {
      fresh.push(pair);
      continue;
    }
    for (; present[next] !== pair.present; next += 1) gone.push(present[next] as Present);
    settleGap(pair.present);
    edits.push(...tickKept(lines, pair.present, pair.wanted));
    last = pair.present;
    next += 1;
  }
  gone.push(...present.slice(next));
  settleGap(undefined);
  return edits;
}

/** As many as can keep their place; of the others, those whose text is there elsewhere are moved. */
function pairUp(present: readonly Present[], wanted: readonly WantedEntry[]): Pair[] {
  const kept = longestInOrder(present, wanted);
  const taken = new Set(kept.values());
  const free = Map.groupBy(
    present.filter((_, index) => !taken.has(index)),
    ({ text }) => text,
  );
  return wanted.map((entry, index) => {
    const at = kept.get(index);
    return {
      wanted: entry,
      is_kept: at !== undefined,
      present: at === undefined ? free.get(entry.text)?.shift() : present[at],
    };
  });
}

/** A wanted entry at a place of the present list, and the step before it in the longest row that ends with it. */
interface ListStep {
  wanted: number;
  at: number;
  before: ListStep | undefined;
}

/** The longest row of wanted entries that are present in this order: their places in both lists. */
function longestInOrder(present: readonly Present[], wanted: readonly WantedEntry[]): Map<number, number> {
  const places = Map.groupBy(present.keys(), (index) => present[index]?.text);
  // Of the rows of each length, the one that ends first.
  const ends: ListStep[] = [];
  for (const [index, { text }] of wanted.entries()) {
    for (const at of places.get(text)?.toReversed() ?? []) {
      const length = countBefore(ends, at);
      ends[length] = { wanted: index, at, before: ends[length - 1] };
    }
  }
  const kept = new Map<number, number>();
  for (let step = ends.at(-1); step !== undefined; step = step.before) kept.set(step.wanted, step.at);
  return kept;
}

/** How many of some steps, in the order of their places, are before a place. */
function countBefore(ends: readonly ListStep[], at: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle]?.at ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

function tickKept(lines: readonly DocumentLine[], entry: Present, wanted: WantedEntry): LineEdit[] {
  const text = lineOf(lines, entry, wanted);
  return text === lines[entry.line]?.text ? [] : [{ at: entry.line, remove: 1, insert: [text] }];
}

/** The line of an entry that stays, ticked where that is wanted. */
function lineOf(lines: readonly DocumentLine[], { line, mark, is_done }: Present, wanted: WantedEntry): string {
  const text = lines[line]?.text ?? '';
  const isTicked = mark !== undefined && is_done === false && wanted.is_done === true;
  return isTicked ? `${text.slice(0, mark)}x${text.slice(mark + 1)}` : text;
}

/** A moved entry keeps its words and its tick. */
function renderPair(lines: readonly DocumentLine[], { wanted, present }: Pair, marker: string): string {
  return marker + (present === undefined ? wanted.written : lineOf(lines, present, wanted).slice(present.start));
}

/** The prefix of an entry that comes after another one. */
function bulletOf(line: string): string {
  const start = readListItem(line)?.start ?? 0;
  const marker = line.slice(0, start);
  return /^[ \t]*[-*+]/.test(marker) ? marker : '- ';
}

/** The line after all that belongs to an entry: what is indented below it, and the rest of its paragraph. */
export function entryEnd(lines: readonly DocumentLine[], { line, start }: Pick<PlanEntry, 'line' | 'start'>): number {
  const inner = indentOf((lines[line]?.text.slice(0, start) ?? '').replace(/\S/g, ' '));
  let end = line + 1;
  for (let at = end; at < lines.length; at += 1) {
    const { text, is_structure } = lines[at] as DocumentLine;
    if (text.trim() === '') continue;
    if (is_structure && readHeading(text) !== null) break;
    const isInBlock = !is_structure && lines[at - 1]?.is_structure === false && end === at;
    const isLazy = is_structure && end === at && !beginsBlock(text);
    if (indentOf(text) < inner && !isInBlock && !isLazy) break;
    end = at + 1;
  }
  return end;
}

/** Whether a line begins a block of its own, after any line. */
function beginsBlock(text: string): boolean {
  if (/^[ \t]*(?:[>|<]|-{3,}[ \t]*$|={3,}[ \t]*$|\*{3,}[ \t]*$|_{3,}[ \t]*$|`{3}|~{3})/.test(text)) return true;
  return [readHeading, readLabel, readBoldLine, readListItem].some((read) => read(text) !== null);
}
