import { filtered, inScope } from './conditions.ts';

/**
 * Every statement of the store, one constant each, or one function that puts a few together. They are texts of this file
 * alone: whatever a caller gives is a parameter. A statement that moves a handoff repeats the guard of the life cycle.
 * The schema is that of the transaction's search path.
 */

/** The columns of which a handoff is made again. */
export const handoffColumns = 'seq, id, project, created_at, idempotency_key, state, delivery, content_sha256, content';

const deliveryColumns = [
  'state',
  'version',
  'delivery',
  'available_at',
  'expires_at',
  'lease_expires_at',
  'is_offered',
];

const contentColumns = [
  'kind',
  'task_id',
  'source_agent',
  'target_agent',
  'scope',
  'phase',
  'session',
  'branch',
  'content_sha256',
  'content',
  'payload_sha256',
];

/** What the columns of `unnest` are; everything else is a text. */
const types: Readonly<Record<string, string>> = {
  created_at: 'bigint',
  version: 'bigint',
  from_version: 'bigint',
  available_at: 'bigint',
  expires_at: 'bigint',
  lease_expires_at: 'bigint',
  at: 'bigint',
  line: 'bigint',
  is_offered: 'boolean',
};

/** Rows of a parameter for each column: any number of rows is one statement. */
const rowsOf = (columns: readonly string[]) =>
  `unnest(${columns.map((column) => `:${column}::${types[column] ?? 'text'}[]`).join(', ')}) AS given (${columns.join(', ')})`;

const newColumns = ['id', 'project', 'created_at', 'idempotency_key', ...deliveryColumns, ...contentColumns];

/** Adds handoffs in their order; the database gives their places. */
export const insertHandoffs = `
INSERT INTO handoffs (${newColumns.join(', ')}) SELECT * FROM ${rowsOf(newColumns)}`;

const updateOf = (columns: readonly string[]) => `
WITH moved AS (
UPDATE handoffs SET has_moved = true, ${columns.map((column) => `${column} = given.${column}`).join(', ')}
FROM ${rowsOf(['id', 'from_state', 'from_version', 'from_lease', ...columns])}
WHERE handoffs.id = given.id AND handoffs.state = given.from_state AND handoffs.version = given.from_version
  AND (given.from_lease IS NULL OR strpos(handoffs.delivery, given.from_lease) > 0)
RETURNING 1
) SELECT 1 / (count(*) = :moved_count::bigint)::int FROM moved`;

/** Steps: the rows must still be what the steps were computed from; else it divides by zero, and the transaction fails. */
export const updateDeliveries = updateOf(deliveryColumns);

/** Steps that change the content too: the edit of a draft, and what came from another store. */
export const updateContents = updateOf([...deliveryColumns, ...contentColumns]);

/** One handoff by its id. */
export const selectHandoff = `SELECT ${handoffColumns} FROM handoffs WHERE id = :id`;

/**
 * Rows as they are locked, with a number for a line of history, taken when the last is locked: it is below every line that
 * is numbered from then on, and above every line of theirs that is committed.
 */
const reserving = (taken: string) => `
WITH taken AS MATERIALIZED (${taken})
SELECT taken.*, (SELECT nextval('events_line_seq') FROM (SELECT count(*) FROM taken) AS all_taken) AS next_line FROM taken`;

/** Some by their ids, locked in one order: whoever moves one waits for whoever moves it now. */
export const lockHandoffs = reserving(
  `SELECT ${handoffColumns} FROM handoffs WHERE id = ANY(:ids::text[]) ORDER BY id FOR UPDATE`,
);

/** A number for a line of rows that are as a claim left them: whatever was written of them before is below it. */
export const selectNextLine = "SELECT nextval('events_line_seq') AS next_line";

/** What whoever adds holds until the commit: that payloads stay, and for each project that nobody else adds to it. */
export const lockAdding = reserving(`
  SELECT pg_advisory_xact_lock_shared(:contents::bigint)
  UNION ALL SELECT pg_advisory_xact_lock(key) FROM unnest(:keys::bigint[]) AS key`);

/** A claim is sent before its transaction has told the time. */
const now = 'coalesce(:now::bigint, floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint)';

/** No back-off keeps it, and it has not expired meanwhile. */
const available = `(available_at <= ${now} OR available_at <= created_at
    OR available_at > ${now} + :backoff_max::bigint)
  AND (expires_at IS NULL OR expires_at > ${now})`;

/** Which of its narrowing members a claim names: what it does not name is not asked of each row. */
export interface ClaimNarrowing {
  task: boolean;
  kind: boolean;
  excluded: boolean;
  scope: boolean;
}

/**
 * Open, in the words of the indexes of claims and of what expires: another index of what is open looks as small, and can
 * be full of dead rows.
 */
export const onOffer = "state || '' = 'open'";

const claimable = ({ task, kind, excluded, scope }: ClaimNarrowing, target: string) =>
  `FROM handoffs WHERE ${['project = :project', onOffer, target]
    .concat(task ? 'task_id = :task_id' : [])
    .concat(available)
    .concat(kind ? 'kind = :kind' : [])
    .concat(excluded ? 'id <> ALL(:excluded::text[])' : [])
    .concat(scope ? inScope : [])
    .join(' AND ')}`;

/** What is addressed to the claimer. */
export const mine = 'target_agent = :holder';
/** What is addressed to nobody in particular. */
export const nobodys = "target_agent = ''";

/** Open from the floor of the queue on, and what came back to a place below it. */
const fromFloor = (narrowing: ClaimNarrowing, target: string, window: number) => `
  (SELECT id, seq ${claimable(narrowing, target)} AND seq > 0 AND seq >= :floor::bigint ORDER BY seq LIMIT ${window})
  UNION ALL
  (SELECT id, seq ${claimable(narrowing, target)} AND has_moved AND seq + 0 < :floor::bigint
    ORDER BY seq + 0 LIMIT ${window})`;

/**
 * The oldest that the claimer may take: what is addressed to it and what to nobody, merged. Each branch has its own end,
 * for without one the planner sorts the whole branch.
 *
 * @param window - how many are looked at; part of the text, for a plan that is made once must know it.
 */
export const oldestOffered = (narrowing: ClaimNarrowing, window: number) => `
SELECT id FROM (${fromFloor(narrowing, mine, window)} UNION ALL ${fromFloor(narrowing, nobodys, window)}
) AS either ORDER BY seq LIMIT ${window}`;

/**
 * The claim: locks the oldest that nobody else is about to take, and no more than asked for. Each is locked as it is
 * read, in the order of the queue, for a lock on one that is not taken would make another claim pass it over. The state is
 * asked so that the row is found by its id: an index of what is open looks smaller, and can be full of dead rows.
 */
export const lockOldest = (narrowing: ClaimNarrowing, window: number) =>
  reserving(`
SELECT taken.* FROM (${oldestOffered(narrowing, window)}) AS offered
CROSS JOIN LATERAL (
  SELECT ${handoffColumns} FROM handoffs WHERE id = offered.id AND state || '' = 'open' FOR UPDATE SKIP LOCKED
) AS taken LIMIT :max::bigint`);

/** What a scoped claim passes over for want of a scope, as far as it is counted. */
export const countLeftOut = (narrowing: ClaimNarrowing) => `
SELECT count(*) AS count FROM (
  (SELECT 1 ${claimable({ ...narrowing, scope: false }, mine)} AND seq > 0 AND scope IS NULL LIMIT :count_max::bigint)
  UNION ALL
  (SELECT 1 ${claimable({ ...narrowing, scope: false }, nobodys)} AND seq > 0 AND scope IS NULL LIMIT :count_max::bigint)
) AS left_out`;

/** Leases that have ended, the earliest first. */
export const lockLapsed = reserving(`
  SELECT ${handoffColumns} FROM handoffs WHERE state = 'claimed' AND lease_expires_at <= :now::bigint
  ORDER BY lease_expires_at, seq LIMIT :batch_max::bigint FOR UPDATE`);

/** Open handoffs whose expiry has passed, the earliest first. */
export const lockExpired = reserving(`
  SELECT ${handoffColumns} FROM handoffs WHERE ${onOffer} AND expires_at <= :now::bigint
  ORDER BY expires_at, seq LIMIT :batch_max::bigint FOR UPDATE`);

/** Where few rows stand beside a long history, in the words of their indexes; else the whole history. */
export const rowsOfList = {
  draft: "state = 'draft'",
  open: "state = 'open'",
  claimed: "state = 'claimed'",
  waiting: "state = 'waiting'",
  dead: "state = 'dead'",
  offered: 'is_offered',
  all: 'true',
} as const;

/** What a list goes through. */
export type RowsOfList = keyof typeof rowsOfList;

/** Whether one state has rows of its own to go through. */
export function isRowsOfList(name: string): name is RowsOfList {
  return Object.hasOwn(rowsOfList, name);
}

/** A page of a list, newest or oldest first. */
export const listHandoffs = (rows: RowsOfList, order: 'ASC' | 'DESC') => `
SELECT ${handoffColumns} FROM handoffs
WHERE ${rowsOfList[rows]} AND seq + 0 < :before::bigint AND ${filtered} AND ${inScope}
ORDER BY seq + 0 ${order} LIMIT :limit::bigint OFFSET :skip::bigint`;

/** Whether anything of a project was put into a session that has not proved it. */
export const selectIsUnproved = `
SELECT EXISTS (SELECT 1 FROM handoffs WHERE project = :project AND is_offered) AS is_unproved`;

/** What a scoped list leaves out. */
export const countUnscoped = (rows: RowsOfList) => `
SELECT count(*) AS count FROM (
  SELECT 1 FROM handoffs WHERE ${rowsOfList[rows]} AND ${filtered} AND scope IS NULL LIMIT :count_max::bigint
) AS left_out`;

const eventColumns = [
  'handoff_id',
  'project',
  'name',
  'at',
  'actor_name',
  'actor_type',
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
SELECT ${handoffColumns} FROM handoffs WHERE seq + 0 > :after::bigint ORDER BY seq + 0 LIMIT :limit::bigint`;

/** One of another version, or that somebody still has to act on, stays. */
export const deleteFinal = `
DELETE FROM handoffs USING ${rowsOf(['id', 'version'])}
WHERE handoffs.id = given.id AND handoffs.version = given.version
  AND state IN ('acknowledged', 'dead', 'withdrawn', 'expired') RETURNING handoffs.id`;

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
