/** What a row is asked, beside what finds it. What a filter does not name is NULL. */

/** Scope by segment, as `core/scope.ts` judges it: equal, below, or an ancestor. The empty scope meets every other. */
export const inScope = `(:scope::text IS NULL
  OR (scope IS NULL AND :include_unscoped::boolean)
  OR (scope IS NOT NULL AND :scope::text = '')
  OR scope = :scope::text
  OR left(scope, length(:scope::text) + 1) = :scope::text || '/'
  OR scope = ANY(:scope_ancestors::text[]))`;

/** A content with U+0000 or half a character in it is none that Postgres reads as JSON: it is found by no search. */
const isReadable = String.raw`content !~ '\\u(0000|d[89a-f])'`;

/** Every member of a filter but its scope. */
export const filtered = `(:project::text IS NULL OR project = :project::text)
  AND (:states::text[] IS NULL OR state = ANY(:states::text[]))
  AND (:kind::text IS NULL OR kind = :kind::text)
  AND (:task_id::text IS NULL OR task_id = :task_id::text)
  AND (:source_agent::text IS NULL OR source_agent = :source_agent::text)
  AND (:target_agent::text IS NULL OR target_agent = :target_agent::text)
  AND (:phase::text IS NULL OR phase = :phase::text)
  AND (:session::text IS NULL OR session = :session::text)
  AND (:branch::text IS NULL OR branch = :branch::text)
  AND (:awaiting_proof::boolean IS NULL OR offered IS NOT NULL)
  AND (:since::bigint IS NULL OR created_at >= :since::bigint)
  AND (:id_suffix::text IS NULL OR right(id, length(:id_suffix::text)) = :id_suffix::text)
  AND (:text::text IS NULL OR CASE WHEN ${isReadable} THEN
    strpos(lower(content::json ->> 'title' COLLATE "C"), :text::text) > 0
    OR strpos(lower(content::json ->> 'summary' COLLATE "C"), :text::text) > 0 END)
  AND (:file::text IS NULL OR CASE WHEN ${isReadable} THEN EXISTS (
    SELECT 1 FROM json_array_elements(content::json -> 'files') AS each
    WHERE starts_with(each ->> 'path', :file::text)) END)`;
