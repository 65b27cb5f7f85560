/**
 * Every statement of the store, one constant each, or one function that puts a few together. They are texts of this file
 * alone: whatever a caller gives is a parameter. A statement that moves a handoff repeats the guard of the life cycle.
 * The schema is that of the transaction's search path.
 */

const handoffColumns = 'seq, id, project, created_at, idempotency_key, state, delivery, content_sha256, content';

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
UPDATE handoffs SET ${columns.map((column) => `${column} = given.${column}`).join(', ')}
FROM ${rowsOf(['id', 'from_state', 'from_version', ...columns])}
WHERE handoffs.id = given.id AND handoffs.state = given.from_state AND handoffs.version = given.from_version`;

/** Steps: the rows must still be what the steps were computed from. */
export const updateDeliveries = updateOf(deliveryColumns);

/** Steps that change the content too: the edit of a draft, and what came from another store. */
export const updateContents = updateOf([...deliveryColumns, ...contentColumns]);

/** One handoff by its id. */
export const selectHandoff = `SELECT ${handoffColumns} FROM handoffs WHERE id = :id`;

/** The same, locked: whoever moves it waits for whoever moves it now. */
export const lockHandoff = `${selectHandoff} FOR UPDATE`;

/** Scope by segment, as `core/scope.ts` judges it: equal, below, or an ancestor. The empty scope meets every other. */
const inScope = `(:scope::text IS NULL
  OR (scope IS NULL AND :include_unscoped::boolean)
  OR (scope IS NOT NULL AND :scope::text = '')
  OR scope = :scope::text
  OR left(scope, length(:scope::text) + 1) = :scope::text || '/'
  OR scope = ANY(:scope_ancestors::text[]))`;

/** No back-off keeps it, and it has not expired meanwhile. */
const available = `(available_at <= :now::bigint OR available_at <= created_at
    OR available_at > :now::bigint + :backoff_max::bigint)
  AND (expires_at IS NULL OR expires_at > :now::bigint)`;

/** Which of its narrowing members a claim names: what it does not name is not asked of each row. */
export interface ClaimNarrowing {
  task: boolean;
  kind: boolean;
  excluded: boolean;
  scope: boolean;
}

const claimable = ({ task, kind, excluded, scope }: ClaimNarrowing, target: string) =>
  `FROM handoffs WHERE ${['project = :project', "state = 'open'", target]
    .concat(task ? 'task_id = :task_id' : [])
    .concat(available)
    .concat(kind ? 'kind = :kind' : [])
    .concat(excluded ? 'id <> ALL(:excluded::text[])' : [])
    .concat(scope ? inScope : [])
    .join(' AND ')}`;

const mine = 'target_agent = :holder';
const nobodys = "target_agent = ''";

/**
 * The oldest that the claimer may take: what is addressed to it and what to nobody, merged. Each branch has its own end,
 * for without one the planner sorts the whole branch.
 */
export const oldestOffered = (narrowing: ClaimNarrowing) => `
SELECT id FROM (
  (SELECT id, seq ${claimable(narrowing, mine)} ORDER BY seq LIMIT :window::bigint)
  UNION ALL
  (SELECT id, seq ${claimable(narrowing, nobodys)} ORDER BY seq LIMIT :window::bigint)
) AS either ORDER BY seq LIMIT :window::bigint`;

/**
 * The claim: locks the oldest that nobody else is about to take, and no more than asked for. Each is locked as it is
 * read, in the order of the queue, for a lock on one that is not taken would make another claim pass it over.
 */
export const lockOldest = (narrowing: ClaimNarrowing) => `
SELECT taken.* FROM (${oldestOffered(narrowing)}) AS offered
CROSS JOIN LATERAL (
  SELECT ${handoffColumns} FROM handoffs WHERE id = offered.id AND state = 'open' FOR UPDATE SKIP LOCKED
) AS taken LIMIT :max::bigint`;

/** What a scoped claim passes over for want of a scope, as far as it is counted. */
export const countLeftOut = (narrowing: ClaimNarrowing) => `
SELECT count(*) AS count FROM (
  (SELECT 1 ${claimable({ ...narrowing, scope: false }, mine)} AND scope IS NULL LIMIT :count_max::bigint)
  UNION ALL
  (SELECT 1 ${claimable({ ...narrowing, scope: false }, nobodys)} AND scope IS NULL LIMIT :count_max::bigint)
) AS left_out`;

/** Leases that have ended, the earliest first. */
export const lockLapsed = `
SELECT ${handoffColumns} FROM handoffs WHERE state = 'claimed' AND lease_expires_at <= :now::bigint
ORDER BY lease_expires_at, seq LIMIT :batch_max::bigint FOR UPDATE`;

/** Open handoffs whose expiry has passed, the earliest first. */
export const lockExpired = `
SELECT ${handoffColumns} FROM handoffs WHERE state = 'open' AND expires_at <= :now::bigint
ORDER BY expires_at, seq LIMIT :batch_max::bigint FOR UPDATE`;

const filtered = `(:project::text IS NULL OR project = :project::text)
  AND (:states::text[] IS NULL OR state = ANY(:states::text[]))
  AND (:kind::text IS NULL OR kind = :kind::text)
  AND (:task_id::text IS NULL OR task_id = :task_id::text)
  AND (:source_agent::text IS NULL OR source_agent = :source_agent::text)
  AND (:target_agent::text IS NULL OR target_agent = :target_agent::text)
  AND (:phase::text IS NULL OR phase = :phase::text)
  AND (:session::text IS NULL OR session = :session::text)
  AND (:branch::text IS NULL OR branch = :branch::text)
  AND (:awaiting_proof::boolean IS NULL OR is_offered)
  AND (:since::bigint IS NULL OR created_at >= :since::bigint)
  AND (:id_suffix::text IS NULL OR right(id, length(:id_suffix::text)) = :id_suffix::text)`;

/** Where few rows stand beside a long history, in the words of their indexes; else the whole history. */
const rowsOfList = {
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
ORDER BY seq + 0 ${order} LIMIT :limit::bigint`;

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

/** Adds lines of history; they are never changed, but for the place that each gets once. */
export const insertEvents = `
INSERT INTO events (${eventColumns.join(', ')}) SELECT * FROM ${rowsOf(eventColumns)} RETURNING line`;

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

/** Whether there are lines that have no place yet. */
export const selectIsUnplaced = 'SELECT EXISTS (SELECT 1 FROM events WHERE seq IS NULL) AS is_unplaced';

/**
 * Gives places to committed lines behind all that have one. Callers hold the lock of places until they commit: what
 * commits later is seen by a later call alone, and gets a later place.
 */
export const placeLines = `
UPDATE events SET seq = given.seq FROM (
  SELECT line, (SELECT coalesce(max(seq), 0) FROM events WHERE seq IS NOT NULL) + row_number() OVER (ORDER BY line) AS seq
  FROM (SELECT line FROM events WHERE seq IS NULL ORDER BY line LIMIT :batch_max::bigint) AS unplaced
) AS given WHERE events.line = given.line AND events.seq IS NULL`;

/** The last place given; 0 where there is none. */
export const selectLastPlace = 'SELECT coalesce(max(seq), 0) AS seq FROM events WHERE seq IS NOT NULL';

/** Whether a line was committed. Lines get their numbers before the commit, and after a crash another may have this one. */
export const selectLine = `
SELECT EXISTS (
  SELECT 1 FROM events WHERE line = :line::bigint AND handoff_id = :handoff_id AND name = :name AND at = :at::bigint
) AS is_there`;

/** Held until the transaction ends, and waited for. */
export const lockExclusive = 'SELECT pg_advisory_xact_lock(:key::bigint)';

/** Held until the transaction ends, beside others who share it. */
export const lockShared = 'SELECT pg_advisory_xact_lock_shared(:key::bigint)';

/** The remembered answer of a keyed call, while it is remembered. */
export const selectAnswer = `
SELECT request_sha256, answer FROM answers WHERE key_sha256 = :key_sha256 AND expires_at > :now::bigint`;

/** Forgets a little of what is past its time. */
export const deleteOldAnswers = `
DELETE FROM answers WHERE key_sha256 IN (
  SELECT key_sha256 FROM answers WHERE expires_at <= :now::bigint ORDER BY expires_at LIMIT 4 FOR UPDATE SKIP LOCKED)`;

/** Remembers the answer of a keyed call, in place of one that is past its time. */
export const insertAnswer = `
INSERT INTO answers (key_sha256, request_sha256, answer, expires_at)
VALUES (:key_sha256, :request_sha256, :answer, :expires_at::bigint)
ON CONFLICT (key_sha256) DO UPDATE
SET request_sha256 = excluded.request_sha256, answer = excluded.answer, expires_at = excluded.expires_at`;

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
