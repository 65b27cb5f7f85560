import {
  contentColumns,
  type Dialect,
  deliveryColumns,
  eventColumns,
  guardColumns,
  handoffColumns,
  originColumns,
  type RowsOfList,
} from '../sql/dialect.ts';
import { beyondLease, createStatements } from '../sql/statements.ts';
import { all, first, type Work } from '../sql/work.ts';
import { countLeftOut, isAmong, isBelow, onOffer, reserving, type Watermarks } from './claims.ts';
import type { Locks } from './locks.ts';

/** What Postgres says in its own words. The schema is that of the transaction's search path. */

/** What of the content a claim asks: it is in the row of the delivery too. */
const askedColumns = ['kind', 'task_id', 'target_agent', 'scope'] as const;

/** What both tables have; each read takes it from the one whose indexes find the rows. */
const sharedColumns = ['id', 'seq', 'project'] as const;

/**
 * Handoffs with their deliveries, as rows of `stored`.
 *
 * @param leading - the table whose indexes find them: the planner does not know that both have the same positions.
 */
const stored = (leading: 'handoffs' | 'deliveries') => `(
  SELECT ${[
    ...sharedColumns.map((column) => `${leading}.${column}`),
    ...['created_at', 'idempotency_key', 'begun_as_draft', ...contentColumns].map((column) => `handoffs.${column}`),
    ...deliveryColumns.map((column) => `deliveries.${column}`),
  ].join(', ')}
  FROM handoffs INNER JOIN deliveries ON deliveries.id = handoffs.id
) AS stored`;

/** What the columns of `unnest` are; everything else is a text. */
const types: Readonly<Record<string, string>> = {
  begun_as_draft: 'integer',
  created_at: 'bigint',
  version: 'bigint',
  from_version: 'bigint',
  content_revision: 'bigint',
  available_at: 'bigint',
  expires_at: 'bigint',
  attempts: 'bigint',
  max_attempts: 'bigint',
  fence: 'bigint',
  lease_expires_at: 'bigint',
  acknowledged_at: 'bigint',
  at: 'bigint',
  line: 'bigint',
};

/**
 * A table of rows from one array parameter per column, so that any number of rows is one statement. An array of one value
 * holds for every row: a repeated value costs a consumed handoff 12 % of its processor time, and its floor over
 * graphile-worker is near.
 */
const rowsOf = (columns: readonly string[]) => {
  const lists = columns.map((column) => `:${column}::${types[column] ?? 'text'}[]`);
  const either = columns.map(
    (column, index) =>
      `CASE cardinality(${lists[index]}) WHEN 1 THEN (${lists[index]})[1] ELSE each.${column} END AS ${column}`,
  );
  return `(SELECT ${either.join(', ')} FROM unnest(${lists.join(', ')}) AS each (${columns.join(', ')})) AS given`;
};

const given = (columns: readonly string[]) => `SELECT ${columns.join(', ')} FROM ${rowsOf(columns)}`;

/** No receiver is stored as the empty text: the planner knows the order within a value, not within NULL. */
const writtenOf = (column: string) =>
  column === 'target_agent' ? "coalesce(given.target_agent, '')" : `given.${column}`;

const assigned = (columns: readonly string[]) => columns.map((column) => `${column} = ${writtenOf(column)}`).join(', ');

const addedColumns = [...originColumns, ...contentColumns, ...deliveryColumns];
const handoffsOwn = [...originColumns, ...contentColumns];
const deliveriesOwn = ['id', 'project', 'created_at', ...askedColumns, ...deliveryColumns];

/** Adds handoffs in their order; the database gives their sequence numbers. */
const insertHandoffs = `
WITH given AS MATERIALIZED (SELECT * FROM ${rowsOf(addedColumns)}), added AS (
INSERT INTO handoffs (${handoffsOwn.join(', ')}) SELECT ${handoffsOwn.map(writtenOf).join(', ')} FROM given RETURNING id, seq
) INSERT INTO deliveries (seq, ${deliveriesOwn.join(', ')})
SELECT added.seq, ${deliveriesOwn.map(writtenOf).join(', ')} FROM given INNER JOIN added ON added.id = given.id`;

const guarded = `deliveries.id = given.id AND deliveries.state = given.from_state
  AND deliveries.version = given.from_version`;

/** Steps: the rows must still be what the steps were computed from; else it divides by zero, and the transaction fails. */
export const updateDeliveries = (columns: readonly string[]) => `
WITH moved AS (
UPDATE deliveries SET has_moved = true, ${assigned(columns)} FROM ${rowsOf([...guardColumns, ...columns])}
WHERE ${guarded} RETURNING 1
) SELECT 1 / (count(*) = :rows_count::bigint)::int FROM moved`;

/** Steps that change the content too: the edit of a draft, and what came from another store. */
const updateContents = `
WITH given AS MATERIALIZED (SELECT * FROM ${rowsOf([...guardColumns, ...deliveryColumns, ...contentColumns])}), moved AS (
UPDATE deliveries SET has_moved = true, ${assigned([...deliveryColumns, ...askedColumns])} FROM given
WHERE ${guarded} RETURNING deliveries.id
), written AS (
UPDATE handoffs SET ${assigned(contentColumns)} FROM given WHERE handoffs.id = given.id RETURNING 1
) SELECT 1 / ((SELECT count(*) FROM moved) = :rows_count::bigint AND count(*) = :rows_count::bigint)::int FROM written`;

/** Adds history lines; they never change, except that each gets its sequence number once. The first already has its number. */
export const insertEvents = `
INSERT INTO events (line, ${eventColumns.join(', ')}) OVERRIDING SYSTEM VALUE
SELECT coalesce(line, nextval('events_line_seq')), ${eventColumns.join(', ')} FROM ${rowsOf(['line', ...eventColumns])}`;

/** Some by their ids, locked in one order: a transaction that moves one waits for the one that moves it now. */
export const lockHandoffs = reserving(
  `SELECT ${handoffColumns} FROM ${stored('deliveries')} WHERE id = ANY(:ids::text[]) ORDER BY id FOR UPDATE`,
);

/** The same without contents: 9 % of the processor time of a consumed handoff, whose floor over graphile-worker is near. */
export const lockDeliveries = reserving(`
  SELECT ${['seq', 'id', 'project', 'created_at', ...deliveryColumns].join(', ')},
    NULL AS idempotency_key, 0 AS begun_as_draft, '' AS content_sha256, '{}' AS content
  FROM deliveries WHERE id = ANY(:ids::text[]) ORDER BY id FOR UPDATE`);

/** What a transaction that adds holds until the commit: that payloads stay, and for each project that no other adds to it. */
export const lockAdding = reserving(`
  SELECT pg_advisory_xact_lock_shared(:contents::bigint)
  UNION ALL SELECT pg_advisory_xact_lock(key) FROM unnest(:keys::bigint[]) AS key`);

/** Held until the transaction ends, and waited for. */
export const lockExclusive = 'SELECT pg_advisory_xact_lock(:key::bigint)';

/** Notifies the processes that listen, when the transaction commits. */
export const notify = "SELECT pg_notify(:channel, '')";

/**
 * Whether the clock has anything to do, by three looks into small indexes: in their order and in their words, for else the
 * planner may go through all that is open, and all that was.
 *
 * @param deliveries - the table, with its schema where the search path is not set yet.
 */
export const isDueAt = (time: string, deliveries: string) => `((
    SELECT true FROM ${deliveries}
    WHERE state = 'claimed' AND lease_expires_at > :from::bigint AND lease_expires_at <= ${time}
    ORDER BY lease_expires_at LIMIT 1) IS NOT NULL
  OR (
    SELECT true FROM ${deliveries} WHERE state = 'claimed' AND ${beyondLease(time)}
    ORDER BY lease_expires_at LIMIT 1) IS NOT NULL
  OR (
    SELECT true FROM ${deliveries} WHERE ${onOffer} AND expires_at <= ${time}
    ORDER BY expires_at LIMIT 1) IS NOT NULL)`;

/** Whether a line was committed. Lines get their numbers before the commit, and after a crash another may have this one. */
export const selectLine = `
SELECT EXISTS (
  SELECT 1 FROM events WHERE line = :line::bigint AND handoff_id = :handoff_id AND name = :name AND at = :at::bigint
) AS is_there`;

/** Whether there are lines without a sequence number. */
export const selectIsUnplaced = 'SELECT EXISTS (SELECT 1 FROM events WHERE seq IS NULL) AS is_unplaced';

/** Lines that one statement numbers. */
const BATCH = 10_000;

/**
 * Gives committed lines sequence numbers above all existing ones. Runs under a lock until the commit: only a later call sees
 * a line that commits later, and gives it a higher number.
 */
const placeBatch = `
WITH placed AS (
UPDATE events SET seq = given.seq FROM (
  SELECT line, (SELECT coalesce(max(seq), 0) FROM events WHERE seq IS NOT NULL) + row_number() OVER (ORDER BY line) AS seq
  FROM (SELECT line FROM events WHERE seq IS NULL ORDER BY line LIMIT ${BATCH}) AS unplaced
) AS given WHERE events.line = given.line AND events.seq IS NULL
RETURNING 1
) SELECT count(*) AS count FROM placed`;

/** How the rows of each list are found, written as in their indexes: few rows compared with a long history. */
const conditions: Readonly<Record<RowsOfList, string>> = {
  draft: "state = 'draft' AND project = :project",
  open: "state = 'open' AND project = :project",
  claimed: "state = 'claimed' AND project = :project",
  waiting: "state = 'waiting' AND project = :project",
  dead: "state = 'dead' AND project = :project",
  offered: 'offered IS NOT NULL AND project = :project',
  suffix: 'project = :project',
  project: 'project = :project',
  all: 'true',
};

function from(rows: RowsOfList, isWhole: boolean): string {
  const leading = ['suffix', 'project', 'all'].includes(rows) ? 'handoffs' : 'deliveries';
  return `FROM ${isWhole ? stored(leading) : leading} WHERE ${conditions[rows]}`;
}

/** A content with U+0000 or half a character in it is none that Postgres reads as JSON: it is found by no search. */
const isReadable = String.raw`content !~ '\\u(0000|d[89a-f])'`;

/** The statements of one store: its locks and watermarks are its own. */
export function createPostgresStatements(locks: Locks, watermarks: Watermarks) {
  const dialect: Dialect = {
    isAmong,
    isBelow,
    holdsText: `(:text::text IS NULL OR CASE WHEN ${isReadable} THEN
    strpos(lower(content::json ->> 'title' COLLATE "C"), :text::text) > 0
    OR strpos(lower(content::json ->> 'summary' COLLATE "C"), :text::text) > 0 END)`,
    namesFile: `(:file::text IS NULL OR CASE WHEN ${isReadable} THEN EXISTS (
    SELECT 1 FROM json_array_elements(content::json -> 'files') AS each
    WHERE starts_with(each ->> 'path', :file::text)) END)`,
    upTo: (parameter) => `LIMIT :${parameter}::bigint`,
    place: 'seq + 0',
    line: 'line',
    from,
    deliveries: stored('deliveries'),
    isOpen: onOffer,
    locking: (select) => reserving(`${select} FOR UPDATE`),
    skipLocked: 'FOR UPDATE SKIP LOCKED',
    given,
    selectHandoff: `SELECT ${handoffColumns} FROM ${stored('handoffs')} WHERE id = :id`,
    lock: (id) => ({ sql: lockHandoffs, parameters: { ids: [id] } }),
    insertHandoffs,
    updateDeliveries,
    updateContents,
    insertEvents,
    deleteFinal: `
WITH removed AS (
DELETE FROM deliveries USING ${rowsOf(['id', 'version'])}
WHERE deliveries.id = given.id AND deliveries.version = given.version
  AND state IN ('acknowledged', 'dead', 'withdrawn', 'expired') RETURNING deliveries.id
) DELETE FROM handoffs USING removed WHERE handoffs.id = removed.id RETURNING handoffs.id`,
    oldest: (request, claimer) => watermarks.oldest(request, claimer),
    countLeftOut,
    placeLines: () => placeLines(locks, statements.selectLastEvent),
  };
  const statements = createStatements(dialect);
  return statements;
}

/** Gives every committed history line its sequence number, and returns the highest. */
function* placeLines(locks: Locks, selectLastEvent: string): Work<number> {
  yield* all(lockExclusive, { key: locks.places });
  while (Number((yield* first(placeBatch))?.count) === BATCH);
  return Number((yield* first(selectLastEvent))?.seq);
}
