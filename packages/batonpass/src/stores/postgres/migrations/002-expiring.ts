/**
 * What expires is looked for with every call, in words that no other index answers: the planner took the one of all that
 * is open, once it had counted few, and went through every dead row of it while an old transaction kept them.
 */
export const expiringMigration = `
DROP INDEX handoffs_expiring;
CREATE INDEX handoffs_expiring ON handoffs (expires_at) WHERE state || '' = 'open' AND expires_at IS NOT NULL;
`;
