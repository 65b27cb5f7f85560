import { limits } from '../../core/limits.ts';
import { filtered, handoffColumns, inScope, upTo } from './conditions.ts';

/**
 * Every statement of the store, one constant each, or one function that puts a few together. They are texts of this file
 * alone: whatever a caller gives is a parameter. A statement that moves a handoff repeats the guard of the life cycle.
 */

/** Adds a handoff; the database gives its place in the order. */
export const insertHandoff = `
INSERT INTO handoffs (id, project, created_at, idempotency_key, state, begun_as_draft, version, content_revision, available_at,
  expires_at, attempts, max_attempts, fence, kind, task_id, source_agent, target_agent, scope, phase, session, branch,
  content_sha256, content, payload_sha256)
VALUES (:id, :project, :created_at, :idempotency_key, :state, :begun_as_draft, :version, :content_revision, :available_at,
  :expires_at, :attempts, :max_attempts, :fence, :kind, :task_id, :source_agent, :target_agent, :scope, :phase,
  :session, :branch, :content_sha256, :content, :payload_sha256)`;

/** One handoff by its id, which is read from the row itself: an index that is damaged leads to another one's. */
export const selectHandoff = `
SELECT ${handoffColumns} FROM handoffs WHERE seq = (SELECT seq FROM handoffs WHERE id = :id)`;

const deliveryColumns = `state = :state, version = :version, content_revision = :content_revision,
  available_at = :available_at, expires_at = :expires_at, attempts = :attempts, max_attempts = :max_attempts,
  fence = :fence, lease_holder = :lease_holder, lease_holder_type = :lease_holder_type, lease_token = :lease_token,
  lease_expires_at = :lease_expires_at, acknowledged_by = :acknowledged_by, acknowledged_at = :acknowledged_at,
  approval = :approval, offered = :offered, injected = :injected, failure = :failure, waiting_on = :waiting_on`;

/** A step: the row must still be what the step was computed from. */
export const updateDelivery = `
UPDATE handoffs SET ${deliveryColumns} WHERE id = :id AND state = :from_state AND version = :from_version`;

/** An edit, of the content and with it the delivery. Only a draft's content can change. */
export const updateDraft = `
UPDATE handoffs SET ${deliveryColumns}, kind = :kind, task_id = :task_id, source_agent = :source_agent,
  target_agent = :target_agent, scope = :scope, phase = :phase, session = :session, branch = :branch,
  content_sha256 = :content_sha256, content = :content, payload_sha256 = :payload_sha256
WHERE id = :id AND state = 'draft' AND state = :from_state AND version = :from_version`;

/** No back-off keeps it. What has expired was moved before, in the same transaction. */
const available = '(available_at <= :now OR available_at <= created_at OR available_at > :now + :backoff_max)';

/** Which of its narrowing members a claim names: what it does not name is not asked of each row. */
export interface ClaimNarrowing {
  task: boolean;
  kind: boolean;
  excluded: boolean;
  scope: boolean;
  /** Whether it takes one alone: a limit that the planner knows is found four times as fast. */
  single: boolean;
}

/** Indexes are named, and asked in their own words: without statistics the planner guesses. */
const claimable = ({ task, kind, excluded }: ClaimNarrowing, target: string) =>
  `handoffs INDEXED BY ${task ? 'handoffs_open_by_task' : 'handoffs_open_by_target'} WHERE ${['project = :project']
    .concat(task ? ['task_id = :task_id', 'consumed = 0'] : "state = 'open'")
    .concat(target, available)
    .concat(kind ? 'kind = :kind' : [])
    .concat(excluded ? 'id NOT IN (SELECT value FROM json_each(:excluded))' : [])
    .join(' AND ')}`;

const mine = 'target_agent = :holder';
const nobodys = 'target_agent IS NULL';

/** The oldest that the claimer may take: what is addressed to it and what to nobody, merged as both are read. */
export function selectOldest(narrowing: ClaimNarrowing): string {
  const scope = narrowing.scope ? ` AND ${inScope}` : '';
  return `
SELECT ${handoffColumns} FROM ${claimable(narrowing, mine)}${scope}
UNION ALL
SELECT ${handoffColumns} FROM ${claimable(narrowing, nobodys)}${scope}
ORDER BY seq ${narrowing.single ? 'LIMIT 1' : upTo('max')}`;
}

/** The place of a handoff in the order of all. */
export const selectPlace = 'SELECT seq FROM handoffs WHERE id = :id';

/** What a scoped claim passes over for want of a scope, as far as it is counted. */
export function countLeftOut(narrowing: ClaimNarrowing): string {
  return `
SELECT count(*) AS count FROM (
  SELECT 1 FROM (SELECT 1 FROM ${claimable(narrowing, mine)} AND scope IS NULL ${upTo('count_max')})
  UNION ALL
  SELECT 1 FROM (SELECT 1 FROM ${claimable(narrowing, nobodys)} AND scope IS NULL ${upTo('count_max')}) ${upTo('count_max')})`;
}

/** One that ends further ahead than any lease was given under a clock that has been set back since. */
const beyondLease = `lease_expires_at > :now + ${limits.lease_ms_max}`;

/** Whether the clock has anything to do; three looks into small indexes. */
export const selectIsDue = `
SELECT EXISTS (SELECT 1 FROM handoffs WHERE state = 'claimed' AND lease_expires_at <= :now)
  OR EXISTS (SELECT 1 FROM handoffs WHERE state = 'claimed' AND ${beyondLease})
  OR EXISTS (SELECT 1 FROM handoffs WHERE state = 'open' AND expires_at <= :now) AS is_due`;

/** Leases that have ended, the earliest first. */
export const selectLapsed = `
SELECT ${handoffColumns} FROM handoffs WHERE state = 'claimed' AND (lease_expires_at <= :now OR ${beyondLease})
ORDER BY lease_expires_at, seq ${upTo('batch_max')}`;

/** Open handoffs whose expiry has passed, the earliest first. */
export const selectExpired = `
SELECT ${handoffColumns} FROM handoffs WHERE state = 'open' AND expires_at <= :now
ORDER BY expires_at, seq ${upTo('batch_max')}`;

const unfinished = "INDEXED BY handoffs_unfinished WHERE (state = 'draft' OR state = 'waiting' OR state = 'dead')";

/**
 * How handoffs are found in a state in which somebody still has to act on them: few rows beside a long history. Indexes
 * are named, and asked in their own words: without statistics the planner takes that of the whole project instead.
 */
const indexOfState = {
  draft: unfinished,
  open: "INDEXED BY handoffs_open WHERE state = 'open'",
  // What is claimed has a lease: the index of leases is read from its beginning.
  claimed: 'INDEXED BY handoffs_leased WHERE lease_expires_at >= 0',
  waiting: unfinished,
  dead: unfinished,
} as const;

/** A state with an index. */
export type IndexedState = keyof typeof indexOfState;

/** Whether a state has an index. */
export function isIndexed(state: string): state is IndexedState {
  return Object.hasOwn(indexOfState, state);
}

const inState = (state: IndexedState) =>
  `handoffs ${indexOfState[state]} AND project = :project AND state = '${state}'`;

/** By the index of ids alone: its entries are small, and only those that match are looked up. */
const bySuffix = `handoffs WHERE project = :project
  AND seq IN (SELECT seq FROM handoffs WHERE id >= '' AND substr(id, -length(:id_suffix)) = :id_suffix)`;

const offeredOfProject = 'handoffs INDEXED BY handoffs_offered WHERE project = :project AND offered IS NOT NULL';

const allOfProject = 'handoffs WHERE project = :project';

const everything = 'handoffs WHERE (:project IS NULL OR project = :project)';

const listFrom = (rows: string) => `
SELECT ${handoffColumns} FROM ${rows} AND seq < :before AND ${filtered} AND ${inScope}
ORDER BY seq DESC ${upTo('limit')} OFFSET :skip + 0`;

/** One statement for each way to find the rows, the rest of the filter is the same; this one in any state. */
export const listProject = listFrom(allOfProject);

/** A project's handoffs in one state that has an index. */
export const listInState = (state: IndexedState) => listFrom(inState(state));

/** A project's handoffs by the end of their id. */
export const listBySuffix = listFrom(bySuffix);

/** What of a project was put into sessions that have not proved it. */
export const listOfferedOfProject = listFrom(offeredOfProject);

/** Whether there is any such: a look into an index that is empty, mostly. */
export const selectIsUnproved = `SELECT EXISTS (SELECT 1 FROM ${offeredOfProject}) AS is_unproved`;

/** Handoffs of all projects; the project is one more filter here. */
export const listAll = listFrom(everything);

/** What is counted together: a state with an index, or what is over, in the whole project. */
export const rowsCounted = (state: IndexedState | 'over') => (state === 'over' ? allOfProject : inState(state));

const countUnscoped = (rows: string) => `
SELECT count(*) AS count FROM (
  SELECT 1 FROM ${rows} AND ${filtered} AND scope IS NULL ${upTo('count_max')})`;

/** What a scoped list leaves out; one statement beside each list. */
export const countUnscopedInState = (state: IndexedState) => countUnscoped(inState(state));

/** The same beside `listProject`. */
export const countUnscopedOfProject = countUnscoped(allOfProject);

/** The same beside `listAll`. */
export const countUnscopedOfAll = countUnscoped(everything);

/** The remembered answer of a keyed call, while it is remembered. */
export const selectAnswer = `
SELECT request_sha256, answer FROM answers WHERE key_sha256 = :key_sha256 AND expires_at > :now`;

/** Forgets a little of what is past its time: a clock that is a day ahead for a moment forgets not everything at once. */
export const deleteOldAnswers = `
DELETE FROM answers WHERE key_sha256 IN (SELECT key_sha256 FROM answers WHERE expires_at <= :now LIMIT 4)`;

/** Remembers the answer of a keyed call, in place of one that is past its time. */
export const insertAnswer = `
INSERT OR REPLACE INTO answers (key_sha256, request_sha256, answer, expires_at)
VALUES (:key_sha256, :request_sha256, :answer, :expires_at)`;

/** Keeps a payload that is not there yet. */
export const insertPayload = 'INSERT INTO payloads (sha256, json) VALUES (:sha256, :json) ON CONFLICT DO NOTHING';

/** Whether a project has a handoff with this payload. */
export const selectHasPayload = `
SELECT EXISTS (SELECT 1 FROM handoffs WHERE payload_sha256 = :sha256 AND project = :project) AS has_payload`;

/** A payload by its hash. */
export const selectPayload = 'SELECT json FROM payloads WHERE sha256 = :sha256';

/** Handoffs in their order, from a place on. */
export const exportAfter = `SELECT ${handoffColumns} FROM handoffs WHERE seq > :after ORDER BY seq ${upTo('limit')}`;

/**
 * What another store had, state and all: behind everything where the place is NULL, else in place of the earlier
 * version that has that place.
 */
export const insertStored = `
INSERT OR REPLACE INTO handoffs (seq, id, project, created_at, idempotency_key, state, begun_as_draft, version,
  content_revision, available_at, expires_at, attempts, max_attempts, fence, lease_holder, lease_holder_type,
  lease_token, lease_expires_at, acknowledged_by, acknowledged_at, approval, offered, injected, failure, waiting_on,
  kind, task_id, source_agent, target_agent, scope, phase, session, branch, content_sha256, content, payload_sha256)
VALUES (:seq, :id, :project, :created_at, :idempotency_key, :state, :begun_as_draft, :version,
  :content_revision, :available_at, :expires_at, :attempts, :max_attempts, :fence, :lease_holder, :lease_holder_type,
  :lease_token, :lease_expires_at, :acknowledged_by, :acknowledged_at, :approval, :offered, :injected, :failure,
  :waiting_on, :kind, :task_id, :source_agent, :target_agent, :scope, :phase, :session, :branch, :content_sha256,
  :content, :payload_sha256)`;

/** One of another version, or that somebody still has to act on, stays. */
export const deleteFinal = `
DELETE FROM handoffs WHERE id = :id AND version = :version
  AND state IN ('acknowledged', 'dead', 'withdrawn', 'expired')`;

/** Payloads that nothing points to any more. */
export const deleteUnusedPayloads = `
DELETE FROM payloads WHERE NOT EXISTS (SELECT 1 FROM handoffs WHERE payload_sha256 = payloads.sha256)`;
