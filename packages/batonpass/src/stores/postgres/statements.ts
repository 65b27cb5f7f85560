import { limits } from '../../core/limits.ts';
import {
  askedColumns,
  contentColumns,
  deliveryColumns,
  handoffColumns,
  originColumns,
  rowsOf,
  stored,
} from './columns.ts';
import { filtered, inScope } from './conditions.ts';

/**
 * Every statement of the store, one constant each, or one function that puts a few together. They are texts of this file
 * alone: whatever a caller gives is a parameter. A statement that moves a handoff repeats the guard of the life cycle.
 * The schema is that of the transaction's search path.
 */

const list = (columns: readonly string[]) => columns.join(', ');

const addedColumns = [...originColumns, ...contentColumns, ...deliveryColumns];
const handoffsOwn = [...originColumns, ...contentColumns];
const deliveriesOwn = ['id', 'project', 'created_at', ...askedColumns, ...deliveryColumns];

/** Adds handoffs in their order; the database gives their places. */
export const insertHandoffs = `
WITH given AS MATERIALIZED (SELECT * FROM ${rowsOf(addedColumns)}), added AS (
INSERT INTO handoffs (${list(handoffsOwn)}) SELECT ${list(handoffsOwn)} FROM given RETURNING id, seq
) INSERT INTO deliveries (seq, ${list(deliveriesOwn)})
SELECT added.seq, ${deliveriesOwn.map((column) => `given.${column}`).join(', ')}
FROM given INNER JOIN added ON added.id = given.id`;

const assigned = (columns: readonly string[]) => columns.map((column) => `${column} = given.${column}`).join(', ');

const guarded = `deliveries.id = given.id AND deliveries.state = given.from_state
  AND deliveries.version = given.from_version`;

const guardColumns = ['id', 'from_state', 'from_version'];

/** Steps: the rows must still be what the steps were computed from; else it divides by zero, and the transaction fails. */
export const updateDeliveries = `
WITH moved AS (
UPDATE deliveries SET has_moved = true, ${assigned(deliveryColumns)} FROM ${rowsOf([...guardColumns, ...deliveryColumns])}
WHERE ${guarded} RETURNING 1
) SELECT 1 / (count(*) = :moved_count::bigint)::int FROM moved`;

/** Steps that change the content too: the edit of a draft, and what came from another store. */
export const updateContents = `
WITH given AS MATERIALIZED (SELECT * FROM ${rowsOf([...guardColumns, ...deliveryColumns, ...contentColumns])}), moved AS (
UPDATE deliveries SET has_moved = true, ${assigned([...deliveryColumns, ...askedColumns])} FROM given
WHERE ${guarded} RETURNING deliveries.id
), written AS (
UPDATE handoffs SET ${assigned(contentColumns)} FROM given WHERE handoffs.id = given.id RETURNING 1
) SELECT 1 / ((SELECT count(*) FROM moved) = :moved_count::bigint AND count(*) = :moved_count::bigint)::int FROM written`;

/** One handoff by its id. */
export const selectHandoff = `SELECT ${handoffColumns} FROM ${stored('handoffs')} WHERE id = :id`;

/**
 * Rows as they are locked, with a number for a line of history, taken when the last is locked: it is below every line that
 * is numbered from then on, and above every line of theirs that is committed.
 */
export const reserving = (taken: string) => `
WITH taken AS MATERIALIZED (${taken})
SELECT taken.*, (SELECT nextval('events_line_seq') FROM (SELECT count(*) FROM taken) AS all_taken) AS next_line FROM taken`;

/** Some by their ids, locked in one order: whoever moves one waits for whoever moves it now. */
export const lockHandoffs = reserving(
  `SELECT ${handoffColumns} FROM ${stored('deliveries')} WHERE id = ANY(:ids::text[]) ORDER BY id FOR UPDATE`,
);

/** What whoever adds holds until the commit: that payloads stay, and for each project that nobody else adds to it. */
export const lockAdding = reserving(`
  SELECT pg_advisory_xact_lock_shared(:contents::bigint)
  UNION ALL SELECT pg_advisory_xact_lock(key) FROM unnest(:keys::bigint[]) AS key`);

/**
 * Open, in the words of the indexes of claims and of what expires: another index of what is open looks as small, and can
 * be full of dead rows.
 */
export const onOffer = "state || '' = 'open'";

/** One that ends further ahead than any lease was given under a clock that has been set back since. */
const beyondLease = (time: string) => `lease_expires_at > ${time} + ${limits.lease_ms_max}`;

/**
 * Whether the clock has anything to do, by three looks into small indexes: in their order and in their words, for else the
 * planner may go through all that is open, and all that was.
 *
 * @param deliveries - the table, with its schema where the search path is not set yet.
 */
export const isDueAt = (time: string, deliveries = 'deliveries') => `((
    SELECT true FROM ${deliveries}
    WHERE state = 'claimed' AND lease_expires_at > :from::bigint AND lease_expires_at <= ${time}
    ORDER BY lease_expires_at LIMIT 1) IS NOT NULL
  OR (
    SELECT true FROM ${deliveries} WHERE state = 'claimed' AND ${beyondLease(time)}
    ORDER BY lease_expires_at LIMIT 1) IS NOT NULL
  OR (
    SELECT true FROM ${deliveries} WHERE ${onOffer} AND expires_at <= ${time}
    ORDER BY expires_at LIMIT 1) IS NOT NULL)`;

/** Leases that have ended, the earliest first. */
export const lockLapsed = reserving(`
  SELECT ${handoffColumns} FROM ${stored('deliveries')}
  WHERE state = 'claimed' AND (lease_expires_at <= :now::bigint OR ${beyondLease(':now::bigint')})
  ORDER BY lease_expires_at, seq LIMIT :batch_max::bigint FOR UPDATE`);

/** Open handoffs whose expiry has passed, the earliest first. */
export const lockExpired = reserving(`
  SELECT ${handoffColumns} FROM ${stored('deliveries')} WHERE ${onOffer} AND expires_at <= :now::bigint
  ORDER BY expires_at, seq LIMIT :batch_max::bigint FOR UPDATE`);

/** Where few rows stand beside a long history, in the words of their indexes; else the whole history. */
export const rowsOfList = {
  draft: "state = 'draft'",
  open: "state = 'open'",
  claimed: "state = 'claimed'",
  waiting: "state = 'waiting'",
  dead: "state = 'dead'",
  offered: 'offered IS NOT NULL',
  all: 'true',
} as const;

/** What a list goes through. */
export type RowsOfList = keyof typeof rowsOfList;

/** Whether one state has rows of its own to go through. */
export function isRowsOfList(name: string): name is RowsOfList {
  return Object.hasOwn(rowsOfList, name);
}

/** The table whose indexes find them. */
export const leadingOf = (rows: RowsOfList) => (rows === 'all' ? 'handoffs' : 'deliveries');

/** A page of a list, newest or oldest first. */
export const listHandoffs = (rows: RowsOfList, order: 'ASC' | 'DESC') => `
SELECT ${handoffColumns} FROM ${stored(leadingOf(rows))}
WHERE ${rowsOfList[rows]} AND seq + 0 < :before::bigint AND ${filtered} AND ${inScope}
ORDER BY seq + 0 ${order} LIMIT :limit::bigint OFFSET :skip::bigint`;

/** Whether anything of a project was put into a session that has not proved it. */
export const selectIsUnproved = `
SELECT EXISTS (SELECT 1 FROM deliveries WHERE project = :project AND offered IS NOT NULL) AS is_unproved`;

/** What a scoped list leaves out. */
export const countUnscoped = (rows: RowsOfList) => `
SELECT count(*) AS count FROM (
  SELECT 1 FROM ${stored(leadingOf(rows))} WHERE ${rowsOfList[rows]} AND ${filtered} AND scope IS NULL LIMIT :count_max::bigint
) AS left_out`;

const eventColumns = [
  'handoff_id',
  'project',
  'name',
  'at',
  'actor_name',
  'actor_type',
  'actor_token_id',
  'from_state',
  'to_state',
  'reason',
  'details',
];

/** Adds lines of history; they are never changed, but for the place that each gets once. The first has its number already. */
export const insertEvents = `
INSERT INTO events (line, ${eventColumns.join(', ')}) OVERRIDING SYSTEM VALUE
SELECT coalesce(line, nextval('events_line_seq')), ${eventColumns.join(', ')} FROM ${rowsOf(['line', ...eventColumns])}`;

/** Wakes whoever listens, when the transaction commits. */
export const notify = "SELECT pg_notify(:channel, '')";

const readColumns = `line, seq, ${eventColumns.join(', ')}`;

/** The history of one handoff, of a project or of all. */
export const listEvents = (ofHandoff: boolean, order: 'ASC' | 'DESC') => `
SELECT ${readColumns} FROM events
WHERE ${ofHandoff ? 'handoff_id = :handoff_id AND ' : ''}seq > :after_seq::bigint
  AND (:project::text IS NULL OR project = :project::text)
ORDER BY ${ofHandoff ? 'line' : 'seq'} ${order} LIMIT :limit::bigint`;

/** The whole history of some handoffs, lines without a place too. */
export const listEventsOf = `
SELECT ${readColumns} FROM events WHERE handoff_id = ANY(:ids::text[]) ORDER BY line`;

/** Whether a line was committed. Lines get their numbers before the commit, and after a crash another may have this one. */
export const selectLine = `
SELECT EXISTS (
  SELECT 1 FROM events WHERE line = :line::bigint AND handoff_id = :handoff_id AND name = :name AND at = :at::bigint
) AS is_there`;

/** Held until the transaction ends, and waited for. */
export const lockExclusive = 'SELECT pg_advisory_xact_lock(:key::bigint)';

/** Held until the transaction ends, beside others who share it. */
export const lockShared = 'SELECT pg_advisory_xact_lock_shared(:key::bigint)';

/** Keeps payloads that are not there yet. */
export const insertPayloads = `
INSERT INTO payloads (sha256, json) SELECT * FROM ${rowsOf(['sha256', 'json'])} ON CONFLICT DO NOTHING`;

/** Whether a project has a handoff with this payload. */
export const selectHasPayload = `
SELECT EXISTS (SELECT 1 FROM handoffs WHERE payload_sha256 = :sha256 AND project = :project) AS has_payload`;

/** Payloads by their hashes. */
export const selectPayloads = 'SELECT sha256, json FROM payloads WHERE sha256 = ANY(:sha256s::text[])';

/** Handoffs in their order, from a place on. */
export const exportAfter = `
SELECT ${handoffColumns} FROM ${stored('handoffs')} WHERE seq + 0 > :after::bigint ORDER BY seq + 0 LIMIT :limit::bigint`;

/** One of another version, or that somebody still has to act on, stays. */
export const deleteFinal = `
WITH removed AS (
DELETE FROM deliveries USING ${rowsOf(['id', 'version'])}
WHERE deliveries.id = given.id AND deliveries.version = given.version
  AND state IN ('acknowledged', 'dead', 'withdrawn', 'expired') RETURNING deliveries.id
) DELETE FROM handoffs USING removed WHERE handoffs.id = removed.id RETURNING handoffs.id`;

/** Histories. The newest line of all stays: whoever follows the history goes on behind it. */
export const deleteEvents = `
DELETE FROM events WHERE handoff_id = ANY(:ids::text[])
  AND seq < (SELECT max(seq) FROM events WHERE seq IS NOT NULL)`;

/** The last line there is of a handoff that was removed and comes again. */
export const selectFormerLine = 'SELECT max(line) AS line FROM events WHERE handoff_id = ANY(:ids::text[])';

/** What is left of its history. */
export const deleteFormerEvents = 'DELETE FROM events WHERE handoff_id = ANY(:ids::text[]) AND line <= :line::bigint';

/** Payloads that nothing points to any more. */
export const deleteUnusedPayloads = `
DELETE FROM payloads WHERE NOT EXISTS (SELECT 1 FROM handoffs WHERE payload_sha256 = payloads.sha256)`;
