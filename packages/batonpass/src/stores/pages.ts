import type { Filter } from '../core/filter.ts';
import type { Handoff } from '../core/handoff.ts';
import { limits } from '../core/limits.ts';
import { type State, states } from '../core/state.ts';
import type { CountRequest, Counts, ListRequest, Page } from '../core/store.ts';
import { withoutToken } from '../core/without-token.ts';
import { decodeListCursor, encodeListCursor } from './list-cursor.ts';
import { assertCount } from './requests.ts';

/** Where a page of a list begins, how long it may be, and how many contents are looked through for it. */
export interface PageBounds {
  before: number;
  limit: number;
  skip: number;
  look_max: number;
  first?: 'newest' | 'oldest';
}

/** The bounds of a request. @throws HandoffError `invalid_input` for a cursor that no list has given. */
export function toBounds({
  cursor,
  limit,
  skip = 0,
  look_max = limits.search_look_max,
  first,
}: ListRequest): PageBounds {
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeListCursor(cursor);
  return { before, limit, skip, look_max, ...(first === undefined ? {} : { first }) };
}

/** What a statement found for a page. */
export interface Found {
  /** One more than was requested, where there is one: it shows that there is a next page. */
  rows: readonly { seq: number; handoff: Handoff }[];
  /** The position of the next handoff that a search did not examine; 0 where it examined all. */
  next_seq: number;
}

/** The page of what was found, as every store gives it. */
export function toPage({ rows, next_seq }: Found, { limit, first }: ListRequest): Omit<Page, 'unscoped_left_out'> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const handoffs = page.map(({ handoff }) => withoutToken(handoff));
  if (first === 'oldest' || limit === 0) return { handoffs };
  if (last !== undefined && rows.length > limit) return { handoffs, cursor: encodeListCursor(last.seq) };
  return { handoffs, ...(next_seq === 0 ? {} : { cursor: encodeListCursor(next_seq + 1) }) };
}

/** The filter but for what it looks for in contents. */
export function withoutSearch<F extends Filter>({ text: _text, file: _file, ...filter }: F): Omit<F, 'text' | 'file'> {
  return filter;
}

/** States in which somebody acts on a handoff: each has few rows compared with a long history, and an index for them. */
export const acted_on = ['draft', 'open', 'claimed', 'waiting', 'dead'] as const satisfies readonly State[];

/** The final states: their handoffs are found only in the whole history. */
const over: readonly State[] = states.filter((state) => !(acted_on as readonly State[]).includes(state));

/** States that are counted together, with one bound. */
export type CountedTogether = (typeof acted_on)[number] | 'over';

/** What a filter's states are counted as. @throws HandoffError `invalid_input` for a request that no store takes. */
export function groupCounted(request: CountRequest): { group: CountedTogether; states: readonly State[] }[] {
  assertCount(request);
  const { state } = request.filter;
  const wanted = (each: State) => state?.includes(each) ?? true;
  const ended = over.filter(wanted);
  return [
    ...acted_on.filter(wanted).map((each) => ({ group: each, states: [each] })),
    ...(ended.length === 0 ? [] : [{ group: 'over' as const, states: ended }]),
  ];
}

/** One group as it was counted. */
export interface CountedGroup {
  states: readonly State[];
  counts: Partial<Record<State, number>>;
  isPartial: boolean;
}

/** The answer that the groups make. */
export function toCounts(groups: readonly CountedGroup[]): Counts {
  return {
    counts: Object.fromEntries(
      groups.flatMap(({ states: own, counts }) => own.map((state) => [state, counts[state] ?? 0])),
    ),
    partial: groups.flatMap(({ states: own, isPartial }) => (isPartial ? own : [])),
  };
}
