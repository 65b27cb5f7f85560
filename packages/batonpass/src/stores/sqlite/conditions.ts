/** What rows are read as, and what they are asked beside what finds them: what a filter does not name is NULL. */

/** The columns of which a handoff is made again. */
export const handoffColumns = `seq, id, project, created_at, idempotency_key, state, begun_as_draft, version,
  content_revision, available_at, expires_at, attempts, max_attempts, fence, lease_holder, lease_holder_type,
  lease_token, lease_expires_at, acknowledged_by, acknowledged_at, approval, offered, injected, failure, waiting_on, content_sha256, content`;

/** No more rows than a parameter says. SQLite plans by the value of a bare one, and so anew at each run: half of a list. */
export const upTo = (parameter: string) => `LIMIT :${parameter} + 0`;

/** Scope by segment, as `core/scope.ts` judges it: equal, below, or an ancestor. The empty scope meets every other. */
export const inScope = `(:scope IS NULL
  OR (scope IS NULL AND :include_unscoped = 1)
  OR (scope IS NOT NULL AND :scope = '')
  OR scope = :scope
  OR (scope >= :scope || '/' AND scope < :scope || '0')
  OR scope IN (SELECT value FROM json_each(:scope_ancestors)))`;

/** Every member of a filter but its scope. The members that look into the content come last. */
export const filtered = `(:states IS NULL OR state IN (SELECT value FROM json_each(:states)))
  AND (:kind IS NULL OR kind = :kind)
  AND (:task_id IS NULL OR task_id = :task_id)
  AND (:source_agent IS NULL OR source_agent = :source_agent)
  AND (:target_agent IS NULL OR target_agent = :target_agent)
  AND (:phase IS NULL OR phase = :phase)
  AND (:session IS NULL OR session = :session)
  AND (:branch IS NULL OR branch = :branch)
  AND (:awaiting_proof IS NULL OR offered IS NOT NULL)
  AND (:since IS NULL OR created_at >= :since)
  AND (:id_suffix IS NULL OR substr(id, -length(:id_suffix)) = :id_suffix)
  AND (:text IS NULL OR CASE WHEN json_valid(content) THEN
    instr(lower(content ->> '$.title'), :text) > 0 OR instr(lower(content ->> '$.summary'), :text) > 0 END)
  AND (:file IS NULL OR CASE WHEN json_valid(content) THEN EXISTS (
    SELECT 1 FROM json_each(content, '$.files') AS each WHERE instr(each.value ->> '$.path', :file) = 1) END)`;
