import { upTo } from './conditions.ts';

/** The statements of the history. Lines are never changed. */

const insertAt = (place: string) => `
INSERT INTO events (handoff_id, handoff_seq, project, name, at, actor_name, actor_type, actor_token_id,
  from_state, to_state, reason, details)
VALUES (:handoff_id, ${place}, :project, :name, :at, :actor_name, :actor_type, :actor_token_id,
  :from_state, :to_state, :reason, :details)`;

/** Adds a line. A place that the writer does not know is looked up. */
export const insertEvent = insertAt('coalesce(:handoff_seq, (SELECT seq FROM handoffs WHERE id = :handoff_id))');

/** Adds the first line of the handoff that was inserted by the statement before. */
export const insertFirstEvent = insertAt('last_insert_rowid()');

const eventColumns =
  'seq, handoff_id, name, at, actor_name, actor_type, actor_token_id, from_state, to_state, reason, details';

const eventsOf = (found: string) => `
SELECT ${eventColumns} FROM events ${found}
  AND handoff_id = :handoff_id AND seq > :after_seq AND (:project IS NULL OR project = :project)`;

/**
 * The lines with the handoff's place, and those without one: of a handoff that is gone, or by an older Baton. The id is
 * asked of each, for a place that became free is given again.
 */
const eventsOfHandoff = `
${eventsOf('INDEXED BY events_by_place WHERE handoff_seq = (SELECT seq FROM handoffs WHERE id = :handoff_id)')}
UNION ALL
${eventsOf('INDEXED BY events_without_place WHERE handoff_seq IS NULL')}`;

/** One handoff's history, oldest first. */
export const listEventsOfHandoff = `${eventsOfHandoff} ORDER BY seq ${upTo('limit')}`;

/** The end of one handoff's history, newest first. */
export const listNewestEventsOfHandoff = `${eventsOfHandoff} ORDER BY seq DESC ${upTo('limit')}`;

const allEvents = `
SELECT ${eventColumns} FROM events WHERE seq > :after_seq AND (:project IS NULL OR project = :project)`;

/** The history of a project or of all, oldest first. */
export const listEvents = `${allEvents} ORDER BY seq ${upTo('limit')}`;

/** The end of that history, newest first. */
export const listNewestEvents = `${allEvents} ORDER BY seq DESC ${upTo('limit')}`;

/** The place of the newest event; 0 where there is none. */
export const selectLastEvent = 'SELECT coalesce(max(seq), 0) AS seq FROM events';

const ofGoneHandoff = 'handoff_seq IS NULL AND handoff_id = :handoff_id';

/** The history of a handoff that was deleted. The newest line of all stays: whoever follows the history goes on behind it. */
export const deleteEvents = `
DELETE FROM events WHERE ${ofGoneHandoff} AND seq < (SELECT max(seq) FROM events)`;

/** What is left of the history of a handoff that comes again. */
export const deleteFormerEvents = `DELETE FROM events WHERE ${ofGoneHandoff} AND seq <= :last`;
