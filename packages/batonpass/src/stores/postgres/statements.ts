import type { RowsOfList } from '../sql/dialect.ts';
import { contentColumns, deliveryColumns, eventColumns, handoffColumns, originColumns } from '../sql/dialect.ts';
import { beyondLease, createStatements } from '../sql/statements.ts';
import { all, first } from '../sql/work.ts';
import { claimable, columnsOf, isAmong, isBelow, onOffer, type Watermarks } from './claims.ts';

/** What Postgres says in its own words. The schema is that of the transaction's search path. */

/** What a row must still be for its step to take effect. */
const guardColumns = ['id', 'from_state', 'from_version'];

/** What of the content a claim asks: it is in the row of the delivery too. */
const askedColumns = ['kind', 'task_id', 'target_agent', 'scope'];

/**
 * Handoffs with their deliveries, as rows of `stored`. @param leading - the table whose indexes find them, and from which
 * what both have is read: the planner does not know that it is the same.
 */
const stored = (leading: 'handoffs' | 'deliveries') => `(
  SELECT ${columnsOf(leading, ['id', 'seq', 'project'])},
    ${columnsOf('handoffs', ['created_at', 'idempotency_key', 'begun_as_draft', ...contentColumns])},
    ${columnsOf('deliveries', deliveryColumns)}
  FROM handoffs INNER JOIN deliveries ON deliveries.id = handoffs.id
) AS stored`;

/** Columns that are numbers; everything else is a text. */
const numbers = /^(begun_as_draft|(from_)?version|content_revision|(max_)?attempts|fence|.+_at|at)$/;

/**
 * A table of rows from one array for each column, so that any number of rows is one statement. An array of one value holds
 * for every row: 12 % of the processor time of a consumed handoff, whose floor over graphile-worker is near.
 */
const rowsOf = (columns: readonly string[]) => {
  const listOf = (column: string) => `:${column}::${numbers.test(column) ? 'bigint' : 'text'}[]`;
  const readFrom = (column: string) =>
    `CASE cardinality(${listOf(column)}) WHEN 1 THEN (${listOf(column)})[1] ELSE each.${column} END AS ${column}`;
  const lists = columns.map(listOf).join(', ');
  return `(SELECT ${columns.map(readFrom).join(', ')} FROM unnest(${lists}) AS each (${columns.join(', ')})) AS given`;
};

const given = (columns: readonly string[]) => `SELECT ${columns.join(', ')} FROM ${rowsOf(columns)}`;

/** No receiver is stored as the empty text: the planner knows the order within a value, not within NULL. */
const writtenOf = (column: string) =>
  column === 'target_agent' ? "coalesce(given.target_agent, '')" : `given.${column}`;

const assigned = (columns: readonly string[]) => columns.map((column) => `${column} = ${writtenOf(column)}`).join(', ');

const handoffsOwn = [...originColumns, ...contentColumns];
const deliveriesOwn = ['id', 'project', 'created_at', ...askedColumns, ...deliveryColumns];

const insertHandoffs = `
WITH given AS MATERIALIZED (SELECT * FROM ${rowsOf([...handoffsOwn, ...deliveryColumns])}), added AS (
INSERT INTO handoffs (${handoffsOwn.join(', ')}) SELECT ${handoffsOwn.map(writtenOf).join(', ')} FROM given RETURNING id, seq
) INSERT INTO deliveries (seq, ${deliveriesOwn.join(', ')})
SELECT added.seq, ${deliveriesOwn.map(writtenOf).join(', ')} FROM given INNER JOIN added ON added.id = given.id`;

const guarded = `deliveries.id = given.id AND deliveries.state = given.from_state
  AND deliveries.version = given.from_version`;

/** Where a guard does not hold it divides by zero, and the transaction fails. */
export const updateDeliveries = (columns: readonly string[]) => `
WITH moved AS (
UPDATE deliveries SET has_moved = true, ${assigned(columns)} FROM ${rowsOf([...guardColumns, ...columns])}
WHERE ${guarded} RETURNING 1
) SELECT 1 / (count(*) = :rows_count::bigint)::int FROM moved`;

const updateContents = `
WITH given AS MATERIALIZED (SELECT * FROM ${rowsOf([...guardColumns, ...deliveryColumns, ...contentColumns])}), moved AS (
UPDATE deliveries SET has_moved = true, ${assigned([...deliveryColumns, ...askedColumns])} FROM given
WHERE ${guarded} RETURNING deliveries.id
), written AS (
UPDATE handoffs SET ${assigned(contentColumns)} FROM given WHERE handoffs.id = given.id RETURNING 1
) SELECT 1 / ((SELECT count(*) FROM moved) = :rows_count::bigint AND count(*) = :rows_count::bigint)::int FROM written`;

/** Lines never change, except that each gets its sequence number once. */
export const insertEvents = `INSERT INTO events (${eventColumns.join(', ')}) ${given(eventColumns)}`;

/** Locked in one order: a transaction that moves one waits for the one that moves it now. */
export const lockHandoffs = `
SELECT ${handoffColumns} FROM ${stored('deliveries')} WHERE id = ANY(:ids::text[]) ORDER BY id FOR UPDATE`;

/** The same without contents: 9 % of the processor time of a consumed handoff, whose floor over graphile-worker is near. */
export const lockDeliveries = `
SELECT ${['seq', 'id', 'project', 'created_at', ...deliveryColumns].join(', ')},
  NULL AS idempotency_key, 0 AS begun_as_draft, '' AS content_sha256, '{}' AS content
FROM deliveries WHERE id = ANY(:ids::text[]) ORDER BY id FOR UPDATE`;

/** What transactions wait for each other by: a database shares the numbers of its locks among all its programs. */
const lock = (name: string, mode = '') =>
  `SELECT pg_advisory_xact_lock${mode}(hashtextextended(current_schema() || ':' || ${name}, 0))`;

/** Until the commit payloads stay, and no other transaction adds to these projects: they commit sequence numbers in order. */
export const lockAdding = `${lock("'contents'", '_shared')}
  UNION ALL ${lock("'project:' || name")} FROM unnest(:projects::text[]) AS name`;

/** Waits for all that add, and keeps them out until the transaction ends. */
export const lockContents = lock("'contents'");

/** Heard when the transaction commits. */
export const notify = "SELECT pg_notify(:channel, '')";

/**
 * Whether the clock has anything to do, by three looks into small indexes: in their order and in their words, for else the
 * planner may go through all that is open. @param deliveries - with its schema, where the search path is not set yet.
 */
export const isDueAt = (time: string, deliveries: string) => {
  const look = (condition: string, end: string) =>
    `(SELECT true FROM ${deliveries} WHERE ${condition} ORDER BY ${end} LIMIT 1) IS NOT NULL`;
  const lapsed = `state = 'claimed' AND lease_expires_at > :from::bigint AND lease_expires_at <= ${time}`;
  const beyond = `state = 'claimed' AND ${beyondLease(time)}`;
  const expired = `${onOffer} AND expires_at <= ${time}`;
  return `(${look(lapsed, 'lease_expires_at')} OR ${look(beyond, 'lease_expires_at')} OR ${look(expired, 'expires_at')})`;
};

/** Whether a transaction was committed. A server that lost commits may give their numbers again: its line must be there too. */
export const selectIsCommitted = `
SELECT CASE WHEN :xid::xid8 < pg_snapshot_xmax(pg_current_snapshot()) THEN pg_xact_status(:xid::xid8) = 'committed' END
  AND EXISTS (SELECT 1 FROM events WHERE handoff_id = :handoff_id AND name = :name AND at = :at::bigint) AS is_committed`;

/** Lines that no place was given yet. */
export const selectIsUnplaced = 'SELECT EXISTS (SELECT 1 FROM events WHERE seq IS NULL) AS is_unplaced';

const BATCH = 10_000;

const placeBatch = `
WITH placed AS (
UPDATE events SET seq = given.seq FROM (
  SELECT line, (SELECT coalesce(max(seq), 0) FROM events WHERE seq IS NOT NULL) + row_number() OVER (ORDER BY line) AS seq
  FROM (SELECT line FROM events WHERE seq IS NULL ORDER BY line LIMIT ${BATCH}) AS unplaced
) AS given WHERE events.line = given.line AND events.seq IS NULL
RETURNING 1
) SELECT count(*) AS count FROM placed`;

/** The rows of a list, in the words of its index: few compared with a long history. */
function from(rows: RowsOfList, isWhole: boolean): string {
  const isOfHandoffs = rows === 'suffix' || rows === 'project' || rows === 'all';
  const leading = isOfHandoffs ? 'handoffs' : 'deliveries';
  const among = isOfHandoffs ? '' : rows === 'offered' ? 'offered IS NOT NULL AND' : `state = '${rows}' AND`;
  return `FROM ${isWhole ? stored(leading) : leading} WHERE ${among} ${rows === 'all' ? 'true' : 'project = :project'}`;
}

/** A content with U+0000 or half a character in it is none that Postgres reads as JSON: it is found by no search. */
const isReadable = String.raw`content !~ '\\u(0000|d[89a-f])'`;

/** The statements of one store: its watermarks are its own. */
export function createPostgresStatements(watermarks: Watermarks) {
  return createStatements({
    isAmong,
    isBelow,
    holdsText: `(:text::text IS NULL OR CASE WHEN ${isReadable} THEN
    strpos(lower(content::json ->> 'title' COLLATE "C"), :text::text) > 0
    OR strpos(lower(content::json ->> 'summary' COLLATE "C"), :text::text) > 0 END)`,
    namesFile: `(:file::text IS NULL OR CASE WHEN ${isReadable} THEN EXISTS (
    SELECT 1 FROM json_array_elements(content::json -> 'files') AS each
    WHERE starts_with(each ->> 'path', :file::text)) END)`,
    place: 'seq + 0',
    line: 'line',
    from,
    deliveries: stored('deliveries'),
    isOpen: onOffer,
    forUpdate: 'FOR UPDATE',
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
    claimable,
    // Under a lock until the commit: only a later call sees a line that commits later, and gives it a higher number.
    placeLines: function* () {
      yield* all(lock("'places'"));
      while (Number((yield* first(placeBatch))?.count) === BATCH);
    },
  });
}
