import { filtered, handoffColumns, inScope, upTo } from './conditions.ts';
import { type IndexedState, rowsCounted } from './statements.ts';

/** The statements of searches and counts, whose work has a bound. */

/** A list that ends where a search has looked into enough contents. */
export const searched = (list: string) => list.replace('AND seq < :before', 'AND seq < :before AND seq > :next_seq');

/** The first handoff that such a list does not look into, by the statement of the list itself without its search. */
export const nextUnsearched = (list: string) =>
  list.replace(handoffColumns, 'seq').replace(upTo('limit'), 'LIMIT 1').replace('OFFSET :skip', 'OFFSET :look_max');

/** The first handoff of a state that a count does not look at, or of a whole project. */
export const nextUncounted = (state: IndexedState | 'over') => `
SELECT seq FROM ${rowsCounted(state)} ORDER BY seq DESC LIMIT 1 OFFSET :look_max + 0`;

/** How many stand in a state, or in each of those that are over; without a filter the index alone is counted. */
export function countStates(state: IndexedState | 'over', isFiltered: boolean): string {
  const over = state === 'over' ? ' AND state IN (SELECT value FROM json_each(:states))' : '';
  return `
SELECT ${state === 'over' ? 'state' : `'${state}' AS state`}, count(*) AS count FROM ${rowsCounted(state)}
  AND seq > :next_seq${over}${isFiltered ? ` AND ${filtered} AND ${inScope}` : ''} GROUP BY 1`;
}
