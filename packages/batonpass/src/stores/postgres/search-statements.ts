import { handoffColumns, stored } from './columns.ts';
import { filtered, inScope } from './conditions.ts';
import { leadingOf, type RowsOfList, rowsOfList } from './statements.ts';

/** The statements of searches and counts, whose work has a bound. */

/** A list that ends where a search has looked into enough contents. */
export const searched = (list: string) =>
  list.replace('seq + 0 < :before::bigint', 'seq + 0 < :before::bigint AND seq + 0 > :next_seq::bigint');

/** The first handoff that such a list does not look into, by the statement of the list itself without its search. */
export const nextUnsearched = (list: string) =>
  list
    .replace(handoffColumns, 'seq')
    .replace('LIMIT :limit::bigint OFFSET :skip::bigint', 'LIMIT 1 OFFSET :look_max::bigint');

/** The first handoff of a state that a count does not look at, or of a whole project. */
export const nextUncounted = (rows: RowsOfList) => `
SELECT seq FROM ${leadingOf(rows)} WHERE ${rowsOfList[rows]} AND project = :project
ORDER BY seq + 0 DESC LIMIT 1 OFFSET :look_max::bigint`;

/** How many stand in each state. */
export const countStates = (rows: RowsOfList) => `
SELECT state, count(*) AS count FROM ${stored(leadingOf(rows))}
WHERE ${rowsOfList[rows]} AND seq + 0 > :next_seq::bigint AND ${filtered} AND ${inScope} GROUP BY state`;
