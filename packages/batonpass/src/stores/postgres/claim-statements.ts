import { movedColumns } from './columns.ts';
import { inScope } from './conditions.ts';
import { onOffer, reserving } from './statements.ts';

/** How a claim finds what it may take; what becomes of it the life cycle says, as with every other step. */

/** A look is sent before its transaction has told the time. */
const now = 'coalesce(:now::bigint, floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint)';

/** No back-off keeps it, and it has not expired meanwhile. */
const available = (time: string) => `(available_at <= ${time} OR available_at <= created_at
    OR available_at > ${time} + :backoff_max::bigint)
  AND (expires_at IS NULL OR expires_at > ${time})`;

/** Which of its narrowing members a claim names: what it does not name is not asked of each row. */
export interface ClaimNarrowing {
  task: boolean;
  kind: boolean;
  excluded: boolean;
  scope: boolean;
}

const claimable = ({ task, kind, excluded, scope }: ClaimNarrowing, addressed: string, time: string) =>
  `FROM deliveries WHERE ${['project = :project', onOffer, addressed]
    .concat(task ? 'task_id = :task_id' : [])
    .concat(available(time))
    .concat(kind ? 'kind = :kind' : [])
    .concat(excluded ? 'id <> ALL(:excluded::text[])' : [])
    .concat(scope ? inScope : [])
    .join(' AND ')}`;

/** To whom a handoff is addressed, in the words of the index that serves the claim. */
const target = ({ task }: ClaimNarrowing) => (task ? 'target_agent' : "target_agent || ''");
/** What is addressed to the claimer. */
export const mine = (narrowing: ClaimNarrowing) => `${target(narrowing)} = :holder::text`;
/** What is addressed to nobody in particular. */
export const nobodys = (narrowing: ClaimNarrowing) => `${target(narrowing)} = ''`;
/** Of the few that came back the index is the same for both. */
const OF_TASK = { task: true, kind: false, excluded: false, scope: false };

/** Whose handoffs are looked at. */
type Whose = typeof mine;

/** How many of each are looked at, and as of when. */
interface Look {
  window: number;
  time: string;
}

/** Open from the floor of the queue on, and what came back to a place below it. */
const fromFloor = (narrowing: ClaimNarrowing, whose: Whose, { window, time }: Look) => `
  (SELECT id, seq ${claimable(narrowing, whose(narrowing), time)} AND seq > 0 AND seq >= :floor::bigint
    ORDER BY seq LIMIT ${window})
  UNION ALL
  (SELECT id, seq ${claimable(narrowing, whose(OF_TASK), time)} AND has_moved AND seq + 0 < :floor::bigint
    ORDER BY seq + 0 LIMIT ${window})`;

/** The oldest that the claimer may take. Each branch has its own end, for without one the planner sorts the whole branch. */
const oldest = (narrowing: ClaimNarrowing, look: Look) => `
SELECT id, seq FROM (${fromFloor(narrowing, mine, look)} UNION ALL ${fromFloor(narrowing, nobodys, look)}
) AS either ORDER BY seq LIMIT ${look.window}`;

/**
 * What is addressed to the claimer and what to nobody, merged.
 *
 * @param window - how many are looked at; part of the text, for a plan that is made once must know it.
 */
export const oldestOffered = (narrowing: ClaimNarrowing, window: number) => oldest(narrowing, { window, time: now });

/**
 * The oldest that nobody else is about to take, and no more than asked for. Each is locked as it is read, in the order of
 * the queue, for a lock on one that is not taken would make another claim pass it over; what is read is the row that was
 * locked, whatever it was when the statement began. The state is asked so that the row is found by its id: an index of what
 * is open looks smaller, and can be full of dead rows.
 */
export const lockOldest = once((narrowing, window) =>
  reserving(`
  SELECT ${movedColumns} FROM (
    SELECT free.* FROM (${oldest(narrowing, { window, time: now })}) AS offered
    CROSS JOIN LATERAL (
      SELECT * FROM deliveries WHERE id = offered.id AND ${onOffer} AND ${available(now)} FOR UPDATE SKIP LOCKED
    ) AS free LIMIT :max::bigint
  ) AS moved INNER JOIN handoffs ON handoffs.id = moved.id ORDER BY moved.seq`),
);

/** What a scoped claim passes over for want of a scope, as far as it is counted. */
export const countLeftOut = (narrowing: ClaimNarrowing) => `
SELECT count(*) AS count FROM (
  (${unscoped(narrowing, mine)})
  UNION ALL
  (${unscoped(narrowing, nobodys)})
) AS left_out`;

const unscoped = (narrowing: ClaimNarrowing, whose: Whose) => `
  SELECT 1 ${claimable({ ...narrowing, scope: false }, whose(narrowing), now)} AND seq > 0 AND scope IS NULL
  LIMIT :count_max::bigint`;

type ByNarrowing = (narrowing: ClaimNarrowing, window: number) => string;

/** A text is put together once: it is long, and asked for with each claim. */
function once(write: ByNarrowing): ByNarrowing {
  const written = new Map<string, string>();
  return (narrowing, window) => {
    const { task, kind, excluded, scope } = narrowing;
    const key = `${task}/${kind}/${excluded}/${scope}/${window}`;
    const text = written.get(key) ?? write(narrowing, window);
    written.set(key, text);
    return text;
  };
}
