/** What no text has, for what the server cannot take out of a JSON: a backslash, and U+0000. */
const BACKSLASH = '5d0c6b8e-2f5b-4a57-9d43-backslash';
const ZERO = 'c1e7a2f4-8b36-4d1e-b0a9-character-zero';

const safeJson = `replace(replace(delivery, '\\\\', '${BACKSLASH}'), '\\u0000', '${ZERO}')`;

/** A member that stays JSON. */
const jsonOf = (member: string) =>
  `replace(replace((safe -> '${member}')::text, '${ZERO}', '\\u0000'), '${BACKSLASH}', '\\\\')`;

/** A text as the store writes it: two characters that no column keeps are told by marks. */
const nameOf = (text: string) =>
  `replace(replace(replace(${text}, U&'\\0001', U&'\\0001\\0001'), '${ZERO}', U&'\\00010'), '${BACKSLASH}', '\\')`;

/**
 * How a handoff travels gets a table of its own, a column for each member: a claim and its end write a short row instead
 * of the whole content again, touch three indexes instead of seven, and are each one statement that the server carries
 * out by itself. What is asked of every row of a queue stands in it once more, for a claim reads nothing else.
 *
 * A line of history is found by its handoff alone, so that one index serves as key and for that.
 */
export const deliveriesMigration = `
ALTER TABLE handoffs ADD COLUMN begun_as_draft integer NOT NULL DEFAULT 0;
UPDATE handoffs SET begun_as_draft = 1 WHERE ${safeJson}::json -> 'begun_as_draft' IS NOT NULL;

CREATE TABLE deliveries (
  id text PRIMARY KEY,
  seq bigint NOT NULL,
  project text NOT NULL,
  created_at bigint NOT NULL,
  kind text NOT NULL,
  task_id text,
  -- Empty for a handoff to nobody in particular: the planner knows the order within a value, not within NULL.
  target_agent text NOT NULL,
  scope text,
  state text NOT NULL,
  version bigint NOT NULL,
  content_revision bigint NOT NULL,
  available_at bigint NOT NULL,
  expires_at bigint,
  attempts bigint NOT NULL,
  max_attempts bigint NOT NULL,
  fence bigint NOT NULL,
  lease_holder text,
  lease_holder_type text,
  lease_token text,
  lease_expires_at bigint,
  acknowledged_by text,
  acknowledged_at bigint,
  approval text,
  offered text,
  injected text,
  failure text,
  waiting_on text,
  -- Whether a step was taken with it since it was added: what is open and has moved came back to its old place.
  has_moved boolean NOT NULL DEFAULT false,
  -- By which lease it was acknowledged: whoever lost the answer to that finds it done.
  acknowledged_token text
) WITH (
  -- A new version of a row stands beside its old one, in a page that is being written anyway.
  fillfactor = 70,
  -- A handoff leaves two dead rows on its way: they are cleared away long before they are a fifth of the table.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02
);
INSERT INTO deliveries
SELECT id, seq, project, created_at, kind, task_id, target_agent, scope, state, version,
  (safe ->> 'content_revision')::bigint, available_at, expires_at, (safe ->> 'attempts')::bigint,
  (safe ->> 'max_attempts')::bigint, (safe ->> 'fence')::bigint, ${nameOf("safe -> 'lease' ->> 'holder'")},
  safe -> 'lease' ->> 'holder_type', ${nameOf("safe -> 'lease' ->> 'token'")}, lease_expires_at,
  ${nameOf("safe ->> 'acknowledged_by'")},
  floor(extract(epoch FROM (safe ->> 'acknowledged_at')::timestamptz) * 1000)::bigint,
  ${['approval', 'offered', 'injected', 'failure', 'waiting_on'].map(jsonOf).join(',\n  ')}, has_moved
FROM (SELECT *, ${safeJson}::json AS safe FROM handoffs) AS former;

DROP INDEX handoffs_open_by_task, handoffs_open_by_target, handoffs_returned, handoffs_open, handoffs_unfinished,
  handoffs_offered, handoffs_leased, handoffs_expiring;
ALTER TABLE handoffs DROP COLUMN state, DROP COLUMN version, DROP COLUMN delivery, DROP COLUMN available_at,
  DROP COLUMN expires_at, DROP COLUMN lease_expires_at, DROP COLUMN is_offered, DROP COLUMN has_moved;

-- Claims ask in words of their own (state || ''), so that no index of lists serves them, which can be full of dead rows.
-- The claim of one task, and of any: each branch (mine, nobody's) finds its oldest without walking over others'. Both ask
-- for the receiver in different words, for in a table that was never counted one index looks as good as the other.
CREATE INDEX deliveries_open_by_task ON deliveries (project, task_id, target_agent, seq)
  WHERE state || '' = 'open' AND seq > 0 AND task_id IS NOT NULL;
CREATE INDEX deliveries_open_by_target ON deliveries (project, (target_agent || ''), seq)
  WHERE state || '' = 'open' AND seq > 0;
-- What came back, for claims that begin behind its place.
CREATE INDEX deliveries_returned ON deliveries (project, target_agent, (seq + 0))
  WHERE state || '' = 'open' AND has_moved;
-- What is looked for with every call is found by no other index: one can be full of dead rows, and look small.
CREATE INDEX deliveries_expiring ON deliveries (expires_at) WHERE state || '' = 'open' AND expires_at IS NOT NULL;
CREATE INDEX deliveries_leased ON deliveries (lease_expires_at) WHERE state = 'claimed';
-- What is open now, and what waits for a person, newest first, however long the history grows.
CREATE INDEX deliveries_open ON deliveries (project, (seq + 0)) WHERE state = 'open';
CREATE INDEX deliveries_unfinished ON deliveries (project, state, (seq + 0)) WHERE state IN ('draft', 'waiting', 'dead');
CREATE INDEX deliveries_offered ON deliveries (project, (seq + 0)) WHERE offered IS NOT NULL;

ALTER TABLE events DROP CONSTRAINT events_pkey;
DROP INDEX events_by_handoff;
ALTER TABLE events ADD PRIMARY KEY (handoff_id, line);
`;
