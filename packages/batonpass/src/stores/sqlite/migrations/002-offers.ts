/** What a hook put into a session and is not proved yet; a small index, because such rows are few. */
export const offersMigration = `
ALTER TABLE handoffs ADD COLUMN offered TEXT;
CREATE INDEX handoffs_offered ON handoffs (project, seq) WHERE offered IS NOT NULL;
`;
