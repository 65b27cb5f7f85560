/**
 * The index of what waits for a person asks for its states one by one: for a list of three SQLite builds a table with each
 * row that is written, whether the row belongs into the index or not. That took a third of a claim's update.
 */
export const plainConditionMigration = `
DROP INDEX handoffs_unfinished;
CREATE INDEX handoffs_unfinished ON handoffs (project, state, seq)
  WHERE (state = 'draft' OR state = 'waiting' OR state = 'dead');
`;
