/** What keyed calls were answered: statements as in `statements.ts`. */

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
