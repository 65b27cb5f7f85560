import { deliveryColumns, originColumns } from '../sql/columns.ts';
import { inScope, once } from '../sql/conditions.ts';
import type { Narrowing } from '../sql/dialect.ts';
import { available } from '../sql/statements.ts';

/** How a claim finds what it may take; what becomes of it the life cycle says, as with every other step. */

/** Whether a column is one of a parameter's list. */
export const isAmong = (column: string, parameter: string) => `${column} = ANY(:${parameter}::text[])`;

/** Whether a column's scope is below that of a parameter. */
export const isBelow = (column: string, parameter: string) =>
  `left(${column}, length(:${parameter}) + 1) = :${parameter} || '/'`;

/**
 * Rows as they are locked, with a number for a line of history, taken when the last is locked: it is below every line that
 * is numbered from then on, and above every line of theirs that is committed.
 */
export const reserving = (taken: string) => `
WITH taken AS MATERIALIZED (${taken})
SELECT taken.*, (SELECT nextval('events_line_seq') FROM (SELECT count(*) FROM taken) AS all_taken) AS next_line FROM taken`;

/**
 * Open, in the words of the indexes of claims and of what expires: another index of what is open looks as small, and can
 * be full of dead rows.
 */
export const onOffer = "state || '' = 'open'";

const isAvailable = `${available(':now')} AND (expires_at IS NULL OR expires_at > :now)`;

/** A queue, as far as a claim narrows it. @param addressed - to whom. */
const queue = ({ task, kind, scope }: Narrowing, addressed: string) =>
  ['project = :project', onOffer, 'seq > 0', addressed]
    .concat(task ? 'task_id = :task_id' : [])
    .concat(kind ? 'kind = :kind' : [])
    .concat(scope ? inScope({ isAmong, isBelow }) : [])
    .join(' AND ');

const claimable = (narrowing: Narrowing, addressed: string) =>
  `FROM deliveries WHERE ${queue(narrowing, addressed)} AND ${isAvailable}
  ${narrowing.excluded ? 'AND id <> ALL(:excluded::text[])' : ''}`;

/** To whom a handoff is addressed, in the words of the index that serves the claim. */
const target = ({ task }: Narrowing) => (task ? 'target_agent' : "target_agent || ''");
const mine = (narrowing: Narrowing) => `${target(narrowing)} = :holder`;
const nobodys = (narrowing: Narrowing) => `${target(narrowing)} = ''`;
/** Of the few that came back the index is the same for both. */
const OF_TASK = { task: true, kind: false, excluded: false, scope: false };

/** Whose handoffs are looked at. */
type Whose = typeof mine;

/** Open from the watermark of the queue on, and what came back to a place below it. */
const fromWatermark = (narrowing: Narrowing, whose: Whose, window: number) => `
  (SELECT id, seq ${claimable(narrowing, whose(narrowing))} AND seq >= :watermark::bigint
    ORDER BY seq LIMIT ${window})
  UNION ALL
  (SELECT id, seq ${claimable(narrowing, whose(OF_TASK))} AND has_moved AND seq + 0 < :watermark::bigint
    ORDER BY seq + 0 LIMIT ${window})`;

/**
 * The oldest that the claimer may take: what is addressed to it and what to nobody, merged. Each branch has its own end, for
 * without one the planner sorts the whole branch.
 *
 * @param window - how many are looked at; part of the text, for a plan that is made once must know it.
 */
export const oldestOffered = once(
  (narrowing, window) => `
SELECT id, seq FROM (${fromWatermark(narrowing, mine, window)} UNION ALL ${fromWatermark(narrowing, nobodys, window)}
) AS either ORDER BY seq LIMIT ${window}`,
);

const moved = (columns: readonly string[], table: string) => columns.map((column) => `${table}.${column}`).join(', ');

/**
 * The oldest that nobody else is about to take, and no more than asked for. Each is locked as it is read, in the order of
 * the queue, for a lock on one that is not taken would make another claim pass it over; what is read is the row that was
 * locked, whatever it was when the statement began. The state is asked so that the row is found by its id: an index of what
 * is open looks smaller, and can be full of dead rows.
 */
export const lockOldest = once((narrowing, window) =>
  reserving(`
  SELECT moved.seq, ${moved(originColumns, 'handoffs')}, handoffs.content_sha256, handoffs.content,
    ${moved(deliveryColumns, 'moved')} FROM (
    SELECT free.* FROM (${oldestOffered(narrowing, window)}) AS offered
    CROSS JOIN LATERAL (
      SELECT * FROM deliveries WHERE id = offered.id AND ${onOffer} AND ${isAvailable} FOR UPDATE SKIP LOCKED
    ) AS free LIMIT :max::bigint
  ) AS moved INNER JOIN handoffs ON handoffs.id = moved.id ORDER BY moved.seq`),
);

/** What a scoped claim passes over for want of a scope, as far as it is counted. */
export const countLeftOut = (narrowing: Narrowing) => {
  const unscoped = (whose: Whose) => `
  (SELECT 1 ${claimable({ ...narrowing, scope: false }, whose(narrowing))} AND scope IS NULL LIMIT :count_max::bigint)`;
  return `
SELECT count(*) AS count FROM (${unscoped(mine)} UNION ALL ${unscoped(nobodys)}) AS left_out`;
};

/**
 * The watermark of a queue: below it nothing is open that never moved, and nothing will be. One look at one moment: places of
 * a project are committed in their order, so that no lower one comes after the last that is seen.
 */
export const selectWatermark = once((narrowing) => {
  const lowest = (whose: Whose) => `(SELECT seq FROM deliveries WHERE ${queue(narrowing, whose(narrowing))}
    AND NOT has_moved AND seq >= :watermark::bigint ORDER BY seq LIMIT 1)`;
  return `
SELECT coalesce(least(
  ${lowest(mine)},
  ${lowest(nobodys)},
  (SELECT seq + 1 FROM handoffs WHERE project = :project ORDER BY seq + 0 DESC LIMIT 1)
), 0) AS watermark`;
});
