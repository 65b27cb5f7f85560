import { upTo } from './conditions.ts';

/** The statements of the history. Lines are never changed. */

/** Adds a line. */
export const insertEvent = `
INSERT INTO events (handoff_id, project, name, at, actor_name, actor_type, actor_token_id,
  from_state, to_state, reason, details)
VALUES (:handoff_id, :project, :name, :at, :actor_name, :actor_type, :actor_token_id,
  :from_state, :to_state, :reason, :details)`;

const eventColumns =
  'seq, handoff_id, name, at, actor_name, actor_type, actor_token_id, from_state, to_state, reason, details';

const eventsOfHandoff = `
SELECT ${eventColumns} FROM events WHERE handoff_id = :handoff_id AND seq > :after_seq
  AND (:project IS NULL OR project = :project)`;

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

/** The history of a handoff that was deleted. The newest line of all stays: whoever follows the history goes on behind it. */
export const deleteEvents = `
DELETE FROM events WHERE handoff_id = :handoff_id AND seq < (SELECT max(seq) FROM events)`;

/** What is left of the history of a handoff that comes again. */
export const deleteFormerEvents = 'DELETE FROM events WHERE handoff_id = :handoff_id AND seq <= :last';
