/**
 * The history of a handoff is found by the handoff's place in the order of all, an integer, where it was found by its id:
 * each line of each step paid for the longer index. A line without a place is found by the id as before: one of a handoff
 * that is gone, and one that an older Baton writes which has the file open.
 */
export const historyByPlaceMigration = `
DROP INDEX events_by_handoff;
ALTER TABLE events ADD COLUMN handoff_seq INTEGER;
UPDATE events SET handoff_seq = (SELECT seq FROM handoffs WHERE id = events.handoff_id);
CREATE INDEX events_by_place ON events (handoff_seq, seq);
CREATE INDEX events_without_place ON events (handoff_id, seq) WHERE handoff_seq IS NULL;

-- The next handoff may get the place of the one that is deleted.
CREATE TRIGGER handoffs_leave_their_history AFTER DELETE ON handoffs
BEGIN
  UPDATE events SET handoff_seq = NULL WHERE handoff_seq = OLD.seq;
END;
`;
