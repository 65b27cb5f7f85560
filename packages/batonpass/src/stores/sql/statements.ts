import { type Filter, foldCase } from '../../core/filter.ts';
import { limits } from '../../core/limits.ts';
import { listScopeAncestors, normalizeScope } from '../../core/scope.ts';
import type { ClaimRequest } from '../../core/store.ts';
import { acted_on } from '../pages.ts';
import { type Claimer, type Dialect, eventColumns, handoffColumns, type RowsOfList, upTo } from './dialect.ts';
import type { Parameters } from './work.ts';

/** The fewest rows that hold all that a filter asks for. */
export function rowsFor({ project, state = [], awaiting_proof, id_suffix }: Filter): RowsOfList {
  if (project === undefined) return 'all';
  if (awaiting_proof === true) return 'offered';
  if (id_suffix !== undefined) return 'suffix';
  const only = state.length === 1 ? acted_on.find((each) => each === state[0]) : undefined;
  return only ?? 'project';
}

/** Scope by segment, as `core/scope.ts` judges it: equal, below, or an ancestor. The empty scope meets every other. */
export const inScope = (dialect: Pick<Dialect, 'isBelow' | 'isAmong'>) => `(scope = :scope OR :scope IS NULL
  OR (scope IS NULL AND :include_unscoped = 1)
  OR (scope IS NOT NULL AND :scope = '')
  OR ${dialect.isBelow('scope', 'scope')}
  OR ${dialect.isAmong('scope', 'scope_ancestors')})`;

const named = ['kind', 'task_id', 'source_agent', 'target_agent', 'phase', 'session', 'branch'] as const;

/** Every member of a filter but its project and scope; those that look into the content come last. */
const filtered = ({ isAmong, holdsText, namesFile }: Dialect) =>
  `${named.map((column) => `(${column} = :${column} OR :${column} IS NULL)`).join(' AND ')}
  AND (created_at >= :since OR :since IS NULL)
  AND (offered IS NOT NULL OR coalesce(:awaiting_proof, 0) = 0)
  AND (failure IS NOT NULL OR coalesce(:failed, 0) = 0)
  AND (coalesce(:is_of_state, 0) = 0 OR ${isAmong('state', 'states')})
  AND (substr(id, length(id) - length(:id_suffix) + 1) = :id_suffix OR :id_suffix IS NULL)
  AND ${holdsText} AND ${namesFile}`;

/** The parameters of a statement that judges scopes. */
export function scopeParameters({ scope, include_unscoped }: Pick<Filter, 'scope' | 'include_unscoped'>): Parameters {
  const normalized = scope === undefined ? undefined : normalizeScope(scope);
  return {
    scope: normalized,
    include_unscoped: include_unscoped === true ? 1 : 0,
    // The empty scope is everybody's ancestor.
    scope_ancestors: normalized === undefined ? [] : ['', ...listScopeAncestors(normalized)],
  };
}

/** What a filter does not name is NULL. */
export function filterParameters({ since, awaiting_proof, failed, state, text, ...filter }: Filter): Parameters {
  const { scope: _scope, include_unscoped: _unscoped, ...rest } = filter;
  return {
    ...rest,
    states: state ?? [],
    is_of_state: state === undefined ? 0 : 1,
    awaiting_proof: awaiting_proof === true ? 1 : 0,
    failed: failed === true ? 1 : 0,
    since: since === undefined ? undefined : Date.parse(since),
    text: text === undefined ? undefined : foldCase(text),
  };
}

/** The parameters of every statement of a claim. What the request does not name is NULL, and asked of no row. */
export function queueParameters(request: ClaimRequest, { holder, now_ms }: Claimer): Parameters {
  const { project, task_id, kind, exclude_ids: excluded = [] } = request;
  const queue = { project, task_id, kind, excluded, ...scopeParameters(request) };
  return { ...queue, holder, now: now_ms, backoff_max: limits.backoff_ms_max };
}

/** One that ends further ahead than any lease was given under a clock that has been set back since. */
export const beyondLease = (now: string) => `lease_expires_at > ${now} + ${limits.lease_ms_max}`;

/** No back-off keeps it. */
export const available = (now: string) =>
  `(available_at <= ${now} OR available_at <= created_at OR available_at > ${now} + :backoff_max)`;

/** The statements that both databases share except for a few words. Everything that a caller gives is a parameter. */
export const createStatements = (dialect: Dialect) => ({
  dialect,
  ...handoffStatements(dialect),
  ...historyStatements(dialect),
  ...keptStatements(dialect),
});

/** The statements of one database. */
export type SqlStatements = ReturnType<typeof createStatements>;

function handoffStatements(dialect: Dialect) {
  const { claimable, deliveries, forUpdate, from, isOpen, place } = dialect;
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
    countStates: `
SELECT state, count(*) AS count ${from('project', true)} AND ${place} > :next_seq AND ${meets} GROUP BY state`,
    countUnscoped: (rows: RowsOfList) => `
SELECT count(*) AS count FROM (
  SELECT 1 ${from(rows, true)} AND ${filtered(dialect)} AND scope IS NULL ${upTo('count_max')}) AS left_out`,
    countLeftOut: (byTask: boolean) => `
SELECT count(*) AS count FROM (
  ${claimable(byTask)
    .map((rows) => `SELECT 1 ${rows} AND scope IS NULL`)
    .join(' UNION ALL ')} ${upTo('count_max')}) AS left_out`,
    selectIsUnproved: `SELECT EXISTS (SELECT 1 ${from('offered', false)}) AS is_unproved`,
    lockLapsed: `
SELECT ${handoffColumns} FROM ${deliveries} WHERE state = 'claimed' AND (lease_expires_at <= :now OR ${beyondLease(':now')})
ORDER BY lease_expires_at, seq ${upTo('batch_max')} ${forUpdate}`,
    lockExpired: `
SELECT ${handoffColumns} FROM ${deliveries} WHERE ${isOpen} AND expires_at <= :now
ORDER BY expires_at, seq ${upTo('batch_max')} ${forUpdate}`,
    exportAfter: `SELECT ${handoffColumns} ${from('all', true)} AND ${place} > :after ORDER BY ${place} ${upTo('limit')}`,
  };
}

/** Lines of history are added by the dialect's own statement, and never changed. */
function historyStatements({ isAmong, line }: Dialect) {
  const listEvents = (condition: string, order: string) => `
SELECT seq, ${eventColumns.join(', ')} FROM events
WHERE ${condition} seq > :after_seq AND (project = :project OR :project IS NULL) ORDER BY ${order} ${upTo('limit')}`;
  return {
    listEvents: (order: 'ASC' | 'DESC') => listEvents('', `seq ${order}`),
    listEventsOfOne: (order: 'ASC' | 'DESC') => listEvents('handoff_id = :handoff_id AND', `${line} ${order}`),
    listEventsOf: `SELECT seq, ${eventColumns.join(', ')} FROM events WHERE ${isAmong('handoff_id', 'ids')}
ORDER BY handoff_id, ${line}`,
    /** The last sequence number of the history; 0 where there is none. */
    selectLastEvent: 'SELECT coalesce(max(seq), 0) AS seq FROM events WHERE seq IS NOT NULL',
    selectFormerLine: `SELECT max(${line}) AS line FROM events WHERE ${isAmong('handoff_id', 'ids')}`,
    deleteFormerEvents: `DELETE FROM events WHERE ${isAmong('handoff_id', 'ids')} AND ${line} <= :line`,
    /** Histories. The newest line of all stays: a subscriber goes on behind it. */
    deleteEvents: `
DELETE FROM events WHERE ${isAmong('handoff_id', 'ids')}
  AND seq < (SELECT max(seq) FROM events WHERE seq IS NOT NULL)`,
  };
}

function keptStatements({ forUpdate, given, isAmong }: Dialect) {
  return {
    insertPayloads: `INSERT INTO payloads (sha256, json) ${given(['sha256', 'json'])} ON CONFLICT DO NOTHING`,
    selectHasPayload: `
SELECT EXISTS (SELECT 1 FROM handoffs WHERE payload_sha256 = :sha256 AND project = :project) AS has_payload`,
    selectPayloads: `SELECT sha256, json FROM payloads WHERE ${isAmong('sha256', 'sha256s')}`,
    deleteUnusedPayloads: `
DELETE FROM payloads WHERE NOT EXISTS (SELECT 1 FROM handoffs WHERE payload_sha256 = payloads.sha256)`,
    selectAnswer: `
SELECT request_sha256, answer FROM answers WHERE key_sha256 = :key_sha256 AND expires_at > :now`,
    /** Forgets a little of what is past its time: a clock that is a day ahead for a moment forgets not everything at once. */
    deleteOldAnswers: `
DELETE FROM answers WHERE key_sha256 IN (
  SELECT key_sha256 FROM answers WHERE expires_at <= :now ORDER BY expires_at LIMIT 4 ${forUpdate && `${forUpdate} SKIP LOCKED`})`,
    insertAnswer: `
INSERT INTO answers (key_sha256, request_sha256, answer, expires_at)
VALUES (:key_sha256, :request_sha256, :answer, :expires_at)
ON CONFLICT (key_sha256) DO UPDATE
SET request_sha256 = excluded.request_sha256, answer = excluded.answer, expires_at = excluded.expires_at`,
  };
}
