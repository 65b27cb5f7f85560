/**
 * A claim and its end move no entry of a list: what is open has an index of its own, what is claimed is found by its
 * lease, and the third holds what waits for a person.
 */
export const listsMigration = `
DROP INDEX handoffs_unfinished;
CREATE INDEX handoffs_unfinished ON handoffs (project, state, seq) WHERE state IN ('draft', 'waiting', 'dead');
CREATE INDEX handoffs_open ON handoffs (project, seq) WHERE state = 'open';
`;
