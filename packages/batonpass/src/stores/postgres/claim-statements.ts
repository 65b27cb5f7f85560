import { transitions } from '../../core/transitions.ts';
import { claimedColumns, movedColumns, rowsOf } from './columns.ts';
import { inScope } from './conditions.ts';
import { isDueAt, onOffer } from './statements.ts';

/** The claim and its usual end: statements as in `statements.ts`, each of which moves, tells the history and answers. */

/** They are sent before their transaction has told the time. */
const now = 'coalesce(:now::bigint, floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint)';

/** The time, told once for the whole statement. */
const moment = `WITH moment AS MATERIALIZED (SELECT ${now} AS now_ms)`;

/**
 * The same where the statement comes with its commit: it moves nothing where something is due first, and holds the lock
 * that a repetition waits for.
 */
const momentIfNotDue = `WITH moment AS MATERIALIZED (
SELECT now_ms, ${isDueAt('now_ms')} AS is_due
FROM (SELECT ${now} AS now_ms, pg_advisory_xact_lock(:lock::bigint) OFFSET 0) AS clock
)`;

const at = '(SELECT now_ms FROM moment)';

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
 * the queue, for a lock on one that is not taken would make another claim pass it over. The state is asked so that the row
 * is found by its id: an index of what is open looks smaller, and can be full of dead rows.
 */
const locked = (narrowing: ClaimNarrowing, window: number) => `taken AS MATERIALIZED (
SELECT locked.id, row_number() OVER (ORDER BY locked.seq) AS number FROM (
  SELECT free.* FROM (${oldest(narrowing, { window, time: at })}) AS offered
  CROSS JOIN LATERAL (
    SELECT id, seq FROM deliveries WHERE id = offered.id AND ${onOffer} FOR UPDATE SKIP LOCKED
  ) AS free LIMIT :max::bigint
) AS locked`;

/** Tells the history of what was moved, in the order of the queue. */
const told = ({ from, event, details }: { from: string; event: string; details: string }) => `, told AS (
INSERT INTO events (handoff_id, project, name, at, actor_name, actor_type, from_state, to_state, details)
SELECT id, project, '${event}', ${at}, :holder::text, :holder_type::text, '${from}', state, ${details}
FROM moved ORDER BY seq RETURNING line, handoff_id
)`;

/**
 * In no order, with the line of the first in the queue: to join each with its own takes longer than all the rest, and to
 * sort what is so wide is less work for the process.
 */
const answered = (columns: string) => `
SELECT ${columns}, (SELECT min(line) FROM told) AS line, ${at} AS now_ms
FROM moved INNER JOIN handoffs ON handoffs.id = moved.id`;

const answeredWithMoment = (columns: string) => `
SELECT moment.now_ms, moment.is_due, answered.* FROM moment LEFT JOIN (
  SELECT ${columns} FROM moved INNER JOIN handoffs ON handoffs.id = moved.id
) AS answered ON true`;

const claimed = `state = 'claimed', version = version + 1, fence = fence + 1, attempts = attempts + :counted::bigint,
  lease_holder = :holder::text, lease_holder_type = :holder_type::text, lease_token = (:tokens::text[])[taken.number],
  lease_expires_at = ${at} + :lease_ms::bigint, available_at = created_at, offered = NULL, has_moved = true`;

const claimDetails = `'{"fence":' || fence || ',"attempts":' || attempts || '}'`;

const claimMoves = `), moved AS (
UPDATE deliveries SET ${claimed} FROM taken WHERE deliveries.id = taken.id RETURNING deliveries.*
)${told({ from: 'open', event: transitions.claim.event, details: claimDetails })}`;

/** The claim, within a transaction that has looked at the clock. */
export const claimOldest = once(
  (narrowing, window) => `${moment}, ${locked(narrowing, window)}${claimMoves}${answered(claimedColumns)}`,
);

/**
 * The claim that comes with its commit. Sent again it takes nothing where its tokens are given already: by the first
 * message, whose answer was lost.
 */
export const claimAtOnce = once(
  (narrowing, window) => `${momentIfNotDue}, ${locked(narrowing, window)}
WHERE NOT (SELECT is_due FROM moment) AND (NOT :is_repeated::boolean
  OR NOT EXISTS (SELECT 1 FROM deliveries WHERE state = 'claimed' AND lease_token = ANY(:tokens::text[])))
${claimMoves}${answeredWithMoment(claimedColumns)}`,
);

/** What these tokens were given for, and when. */
export const selectClaimed = `
SELECT moved.lease_expires_at - :lease_ms::bigint AS now_ms, ${claimedColumns}
FROM deliveries AS moved INNER JOIN handoffs ON handoffs.id = moved.id
WHERE moved.state = 'claimed' AND moved.lease_token = ANY(:tokens::text[])`;

const acknowledged = `state = 'acknowledged', version = version + 1, acknowledged_by = :holder::text,
  acknowledged_at = ${at}, offered = NULL, has_moved = true`;

/** The claim without a lease: taken and acknowledged at once. */
export const takeOldest = (
  narrowing: ClaimNarrowing,
  window: number,
) => `${moment}, ${locked(narrowing, window)}), moved AS (
UPDATE deliveries SET ${acknowledged} FROM taken WHERE deliveries.id = taken.id RETURNING deliveries.*
)${told({ from: 'open', event: transitions.acknowledge.event, details: 'NULL' })}${answered(movedColumns)}`;

/** The state is asked so that each row is found by its id. A lease that has ended is for the clock to settle first. */
const ended = (
  returned: string,
) => `${momentIfNotDue}, given AS MATERIALIZED (SELECT * FROM ${rowsOf(['id', 'token'])}), moved AS (
UPDATE deliveries SET ${acknowledged}, acknowledged_token = lease_token, lease_holder = NULL, lease_holder_type = NULL,
  lease_token = NULL, lease_expires_at = NULL
FROM given WHERE deliveries.id = given.id AND state || '' = 'claimed' AND lease_token = given.token
  AND lease_holder = :holder::text AND lease_holder_type = :holder_type::text
  AND (:project::text IS NULL OR project = :project::text) AND NOT (SELECT is_due FROM moment)
RETURNING ${returned}
)${told({ from: 'claimed', event: transitions.acknowledge.event, details: 'NULL' })}`;

/**
 * The usual end of claims, which comes with its commit: the holder itself shows their tokens. What no row answers to is
 * judged like any other step. The time and what is due are answered where nothing else is.
 */
export const acknowledgeHeld = `${ended('deliveries.*')}${answeredWithMoment(movedColumns)}`;

/** The same for whoever does not look at the handoffs again: where all were moved, one row says it of all. */
export const acknowledgeUnread = `${ended('deliveries.id, seq, project, state')}, counted AS MATERIALIZED (
SELECT count(*) = (SELECT count(*) FROM given) AS is_all, min(id) AS first_id FROM moved
)
SELECT moment.now_ms, moment.is_due, is_all, coalesce(each.id, first_id) AS id
FROM moment CROSS JOIN counted LEFT JOIN moved AS each ON NOT is_all`;

/** What was acknowledged by these tokens. */
export const selectAcknowledged = `
SELECT ${movedColumns} FROM ${rowsOf(['id', 'token'])} INNER JOIN deliveries AS moved ON moved.id = given.id
INNER JOIN handoffs ON handoffs.id = moved.id WHERE moved.acknowledged_token = given.token`;

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
