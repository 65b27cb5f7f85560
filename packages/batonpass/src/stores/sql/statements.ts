import { limits } from '../../core/limits.ts';
import { eventColumns, handoffColumns } from './columns.ts';
import { filtered, inScope } from './conditions.ts';
import type { Dialect, RowsOfList } from './dialect.ts';

/** One that ends further ahead than any lease was given under a clock that has been set back since. */
export const beyondLease = (now: string) => `lease_expires_at > ${now} + ${limits.lease_ms_max}`;

/** No back-off keeps it. */
export const available = (now: string) =>
  `(available_at <= ${now} OR available_at <= created_at OR available_at > ${now} + :backoff_max)`;

/**
 * The statements that both databases say alike but for some words: texts of this file and the dialect's alone, whatever a
 * caller gives is a parameter.
 */
export const createStatements = (dialect: Dialect) => ({
  dialect,
  ...handoffStatements(dialect),
  ...historyStatements(dialect),
  ...keptStatements(dialect),
});

/** The statements of one database. */
export type SqlStatements = ReturnType<typeof createStatements>;

function handoffStatements(dialect: Dialect) {
  const { deliveries, from, isOpen, locking, place, upTo } = dialect;
  const meets = `${filtered(dialect)} AND ${inScope(dialect)}`;
  return {
    /** A page of a list; it ends at `:next_seq`, where a search has looked into enough contents. */
    listHandoffs: (rows: RowsOfList, order: 'ASC' | 'DESC') => `
SELECT ${handoffColumns} ${from(rows, true)} AND ${place} < :before AND ${place} > :next_seq AND ${meets}
ORDER BY ${place} ${order} ${upTo('limit')} OFFSET :skip + 0`,

    /** The first handoff that a search does not look into: by the rest of its filter. */
    nextUnsearched: (rows: RowsOfList) => `
SELECT seq ${from(rows, true)} AND ${place} < :before AND ${meets} ORDER BY ${place} DESC LIMIT 1 OFFSET :look_max + 0`,

    /** The first handoff of a state that a count does not look at, or of a whole project. */
    nextUncounted: (rows: RowsOfList) => `
SELECT seq ${from(rows, false)} ORDER BY ${place} DESC LIMIT 1 OFFSET :look_max + 0`,

    /** How many are in one state; without a filter the index alone is counted. */
    countState: (rows: RowsOfList, isFiltered: boolean) => `
SELECT '${rows}' AS state, count(*) AS count ${from(rows, isFiltered)} AND ${place} > :next_seq
${isFiltered ? `AND ${meets}` : ''}`,

    /** How many of a project are in each of some states. */
    countStates: `
SELECT state, count(*) AS count ${from('project', true)} AND ${place} > :next_seq AND ${meets} GROUP BY state`,

    /** What a scoped list leaves out. */
    countUnscoped: (rows: RowsOfList) => `
SELECT count(*) AS count FROM (
  SELECT 1 ${from(rows, true)} AND ${filtered(dialect)} AND scope IS NULL ${upTo('count_max')}) AS left_out`,

    /** Whether anything of a project was put into a session that has not proved it. */
    selectIsUnproved: `SELECT EXISTS (SELECT 1 ${from('offered', false)}) AS is_unproved`,

    /** Leases that have ended, the earliest first. */
    lockLapsed: locking(`
SELECT ${handoffColumns} FROM ${deliveries} WHERE state = 'claimed' AND (lease_expires_at <= :now OR ${beyondLease(':now')})
ORDER BY lease_expires_at, seq ${upTo('batch_max')}`),

    /** Open handoffs whose expiry has passed, the earliest first. */
    lockExpired: locking(`
SELECT ${handoffColumns} FROM ${deliveries} WHERE ${isOpen} AND expires_at <= :now
ORDER BY expires_at, seq ${upTo('batch_max')}`),

    /** Handoffs in their order, from a place on. */
    exportAfter: `SELECT ${handoffColumns} ${from('all', true)} AND ${place} > :after ORDER BY ${place} ${upTo('limit')}`,
  };
}

/** Lines of history are added by the dialect's own statement, and never changed. */
function historyStatements({ isAmong, line, upTo }: Dialect) {
  const listEvents = (condition: string, order: string) => `
SELECT seq, ${eventColumns.join(', ')} FROM events
WHERE ${condition} seq > :after_seq AND (project = :project OR :project IS NULL) ORDER BY ${order} ${upTo('limit')}`;
  return {
    /** The history of a project or of all. */
    listEvents: (order: 'ASC' | 'DESC') => listEvents('', `seq ${order}`),

    /** The history of one handoff. */
    listEventsOfOne: (order: 'ASC' | 'DESC') => listEvents('handoff_id = :handoff_id AND', `${line} ${order}`),

    /** The whole history of some handoffs. */
    listEventsOf: `SELECT seq, ${eventColumns.join(', ')} FROM events WHERE ${isAmong('handoff_id', 'ids')}
ORDER BY handoff_id, ${line}`,

    /** The last place of the history; 0 where there is none. */
    selectLastEvent: 'SELECT coalesce(max(seq), 0) AS seq FROM events WHERE seq IS NOT NULL',

    /** The last line there is of handoffs that were removed and come again. */
    selectFormerLine: `SELECT max(${line}) AS line FROM events WHERE ${isAmong('handoff_id', 'ids')}`,

    /** What is left of their histories. */
    deleteFormerEvents: `DELETE FROM events WHERE ${isAmong('handoff_id', 'ids')} AND ${line} <= :line`,

    /** Histories. The newest line of all stays: a subscriber goes on behind it. */
    deleteEvents: `
DELETE FROM events WHERE ${isAmong('handoff_id', 'ids')}
  AND seq < (SELECT max(seq) FROM events WHERE seq IS NOT NULL)`,
  };
}

/** Payloads and remembered answers. */
function keptStatements({ given, isAmong, skipLocked }: Dialect) {
  return {
    /** Keeps payloads that are not there yet. */
    insertPayloads: `INSERT INTO payloads (sha256, json) ${given(['sha256', 'json'])} ON CONFLICT DO NOTHING`,

    /** Whether a project has a handoff with this payload. */
    selectHasPayload: `
SELECT EXISTS (SELECT 1 FROM handoffs WHERE payload_sha256 = :sha256 AND project = :project) AS has_payload`,

    /** Payloads by their hashes. */
    selectPayloads: `SELECT sha256, json FROM payloads WHERE ${isAmong('sha256', 'sha256s')}`,

    /** Payloads that nothing points to any more. */
    deleteUnusedPayloads: `
DELETE FROM payloads WHERE NOT EXISTS (SELECT 1 FROM handoffs WHERE payload_sha256 = payloads.sha256)`,

    /** The remembered answer of a keyed call, while it is remembered. */
    selectAnswer: `
SELECT request_sha256, answer FROM answers WHERE key_sha256 = :key_sha256 AND expires_at > :now`,

    /** Forgets a little of what is past its time: a clock that is a day ahead for a moment forgets not everything at once. */
    deleteOldAnswers: `
DELETE FROM answers WHERE key_sha256 IN (
  SELECT key_sha256 FROM answers WHERE expires_at <= :now ORDER BY expires_at LIMIT 4 ${skipLocked})`,

    /** Remembers the answer of a keyed call, in place of one that is past its time. */
    insertAnswer: `
INSERT INTO answers (key_sha256, request_sha256, answer, expires_at)
VALUES (:key_sha256, :request_sha256, :answer, :expires_at)
ON CONFLICT (key_sha256) DO UPDATE
SET request_sha256 = excluded.request_sha256, answer = excluded.answer, expires_at = excluded.expires_at`,
  };
}
